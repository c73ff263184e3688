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

/** The resource of the catalogue whose object the platform has where the file refers to another one; undefined: it is none. */
export function movedReference(
  { desired, actual }: Pick<Proposal, 'desired' | 'actual'>,
  field: string,
  proposals: ReadonlyMap<Address, Proposal>,
): Address | undefined {
  const target = objectReference(desired, field)?.target;
  const type = target === undefined ? undefined : proposals.get(target)?.type.token;
  const id: Json | undefined = actual?.values[field];
  if (type === undefined || typeof id !== 'string') return undefined;
  const isMeant = (other: Proposal): boolean =>
    other.desired !== undefined && other.type.token === type && (other.actual ?? other.recorded)?.identity.id === id;
  return [...proposals.values()].find(isMeant)?.address;
}
