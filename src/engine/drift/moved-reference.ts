import type { Address } from '../model/address.js';
import type { Expression, ReferenceExpression } from '../model/expression.js';
import type { Json } from '../model/value.js';
import type { Proposal } from '../plan/proposal.js';

/** `${address.id}` in a property of its own. */
export function objectReference(desired: Proposal['desired'], field: string): ReferenceExpression | undefined {
  const expression: Expression | undefined = desired?.properties.get(field);
  const isOne = expression?.kind === 'reference' && expression.to === 'resource';
  if (!isOne || expression.path.join('.') !== 'id' || desired?.propertyKeys.has(field) !== true) return undefined;
  return expression;
}

type Proposals = ReadonlyMap<Address, Proposal>;

/** Finds the resource of the catalogue whose object the platform has where the file refers to another one; undefined: it is none. */
export function movedReferences(
  proposals: Proposals,
): (proposal: Pick<Proposal, 'desired' | 'actual'>, field: string) => Address | undefined {
  // Most drift moves no reference.
  let byObject: ReadonlyMap<string, Address> | undefined;
  return ({ desired, actual }, field) => {
    const target = objectReference(desired, field)?.target;
    const type = target === undefined ? undefined : proposals.get(target)?.type.token;
    const id: Json | undefined = actual?.values[field];
    if (type === undefined || typeof id !== 'string') return undefined;
    byObject ??= objectsOf(proposals);
    return byObject.get(keyOf(type, id));
  };
}

function objectsOf(proposals: Proposals): ReadonlyMap<string, Address> {
  const found = new Map<string, Address>();
  for (const { address, desired, type, actual, recorded } of proposals.values()) {
    const id = (actual ?? recorded)?.identity.id;
    if (desired === undefined || id === undefined) continue;
    const key = keyOf(type.token, id);
    if (!found.has(key)) found.set(key, address);
  }
  return found;
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
