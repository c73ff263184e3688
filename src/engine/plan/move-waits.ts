import type { Address } from '../model/address.js';
import { parentIdentity } from '../model/identity.js';
import { operationId } from './operation.js';
import type { Proposal } from './proposal.js';

/** An operation that should wait for another one, unless that other waits for it. */
interface MoveWait {
  readonly later: string;
  readonly earlier: string;
}

/**
 * A child that moves to another parent is deleted there only when the new parent exists: if that can't be made, the child
 * stays where it is. Below a parent that is replaced children end with the old one, as ever.
 */
export function moveWaits(proposals: ReadonlyMap<Address, Proposal>): readonly MoveWait[] {
  return [...proposals.values()].flatMap((proposal): MoveWait[] => {
    const parent = newParent(proposal);
    const above = parent === undefined ? undefined : proposals.get(parent);
    if (parent === undefined || above === undefined || isParentNow(above, proposal)) return [];
    return [{ later: operationId(proposal.address, 'delete'), earlier: operationId(parent, 'create') }];
  });
}

function newParent({ action, order, type, desired }: Proposal): Address | undefined {
  if (action !== 'replace' || order !== 'delete-first' || type.parent === undefined) return undefined;
  const expression = desired?.properties.get(type.parent.field);
  return expression?.kind === 'reference' && expression.to === 'resource' ? expression.target : undefined;
}

function isParentNow(above: Proposal, { type, recorded }: Proposal): boolean {
  const now = recorded === undefined ? undefined : parentIdentity(type, recorded.identity);
  return now !== undefined && (above.recorded ?? above.actual)?.identity.id === now.id;
}
