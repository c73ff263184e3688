import type { Address } from '@platform-sync/core/model/address';
import type { Expression, ReferenceExpression } from '@platform-sync/core/model/expression';
import type { Json } from '@platform-sync/core/model/value';
import type { Step } from '../plan/step.js';

/** `${address.id}` in a property of its own. */
export function objectReference(desired: Step['desired'], field: string): ReferenceExpression | undefined {
  const expression: Expression | undefined = desired?.properties.get(field);
  const isOne = expression?.kind === 'reference' && expression.to === 'resource';
  if (!isOne || expression.path.join('.') !== 'id' || desired?.propertyKeys.has(field) !== true) return undefined;
  return expression;
}

type Proposals = ReadonlyMap<Address, Step>;

/** Finds the resource of the catalogue whose object the platform has where the file refers to another one; undefined: it is none. */
export function movedReferences(
  steps: Proposals,
): (step: Pick<Step, 'desired' | 'actual'>, field: string) => Address | undefined {
  // Most drift moves no reference.
  let byObject: ReadonlyMap<string, Address> | undefined;
  return ({ desired, actual }, field) => {
    const target = objectReference(desired, field)?.target;
    const type = target === undefined ? undefined : steps.get(target)?.type.token;
    const id: Json | undefined = actual?.values[field];
    if (type === undefined || typeof id !== 'string') return undefined;
    byObject ??= objectsOf(steps);
    return byObject.get(keyOf(type, id));
  };
}

function objectsOf(steps: Proposals): ReadonlyMap<string, Address> {
  const found = new Map<string, Address>();
  for (const { address, desired, type, actual, recorded } of steps.values()) {
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
