import type { Expression } from '@platform-sync/core/model/expression';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import { visitExpression } from '@platform-sync/core/model/visit-expression';
import type { TypedResource, Catalogue } from '../build/catalogue.js';
import { followReference, type ValueScope } from '../build/known-value.js';
import type { Problems } from '../problem/problems.js';

/**
 * Under review a secret names nothing: what has which name is looked up, compared and shown before anybody has read the files.
 * Reports each field by which people or paths know an object, and which holds a secret.
 */
export function checkSecretNames(
  { desired, type }: TypedResource,
  catalogue: Catalogue,
  scope: ValueScope,
  problems: Problems,
): void {
  for (const name of namingFields(type)) {
    const value = desired.properties.get(name);
    if (value === undefined) continue;
    if (!mayHoldSecret(type.fields[name]) && !holdsSecret(value, catalogue, scope)) continue;
    const { address } = desired;
    problems.add('secret-as-name', value.at, `"${name}" of ${address} is a secret, but objects are identified by it.`, {
      address,
      field: name,
      hint: 'Write it plainly, or take it out of this proposal.',
    });
  }
}

/** Natural key, place and path. */
function namingFields({ naturalKey, nameField, label, parent, collection, importId }: ResourceType): Set<string> {
  const ofIds = importId.form === 'json' ? Object.values(importId.keys) : [];
  const others = [nameField, label, parent?.field].filter((name) => name !== undefined);
  return new Set([...naturalKey, ...others, ...collection.scope, ...ofIds]);
}

function holdsSecret(
  value: Expression,
  catalogue: Catalogue,
  scope: ValueScope,
  seen = new Set<Expression>(),
): boolean {
  if (seen.has(value)) return false;
  seen.add(value);
  let found = false;
  const further = (inner: Expression | undefined): void => {
    found ||= inner !== undefined && holdsSecret(inner, catalogue, scope, seen);
  };
  visitExpression(value, {
    secret: () => (found = true),
    reference: (reference) => {
      if (reference.to !== 'resource') {
        further(followReference(reference, scope)?.expression);
        return;
      }
      const [field = ''] = reference.path;
      const target = catalogue.resources.get(reference.target);
      found ||= mayHoldSecret(target?.type.fields[String(field)]);
      further(target?.desired.properties.get(String(field)));
    },
  });
  return found;
}
