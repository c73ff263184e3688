import { lastKey, type Address } from '@platform-sync/core/model/address';
import { fieldsWhere } from '@platform-sync/core/model/fields-where';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { TypedResource, Catalogue } from '../build/catalogue.js';
import type { BuildContext } from '../read/build-context.js';

/** What a text that stands in place of an id may have meant: a resource of the catalogue, by address, key or name. */
export function meantId(text: string, wanted: string | undefined, { resources }: Catalogue): string {
  // Half-written references: `petstore.id`, `$petstore.id`, `{petstore.id}`.
  const name = text.replace(/^\$?\{?\s*/, '').replace(/(?:\.id)?\s*\}?$/, '');
  const exact = resources.get(name);
  const isWanted = ({ type }: TypedResource): boolean => wanted === undefined || type.token === wanted;
  if (exact !== undefined && isWanted(exact)) return didYouMeanIdOf([name]);
  const fitting = [...resources].filter(([, resource]) => isWanted(resource));
  const called = fitting.filter((entry) => isCalled(entry, name)).map(([address]) => address);
  if (called.length > 0) return didYouMeanIdOf(called);
  const near = nearest(
    name,
    fitting.map(([address]) => address),
  );
  if (near !== undefined) return didYouMeanIdOf([near]);
  const kind = exact === undefined ? '' : `${name} is a ${exact.type.shortToken}. `;
  return `${kind}Write \${KEY.id} for a resource of the catalogue, or !lookup for any other object.`;
}

function didYouMeanIdOf(addresses: readonly Address[]): string {
  const some = addresses.slice(0, 3).map((address) => `\${${address}.id}`);
  return `Did you mean ${some.join(' or ')}?`;
}

/** By its own key, or by what people call it. */
function isCalled([address, { desired, type }]: readonly [Address, TypedResource], name: string): boolean {
  if (lastKey(address) === name) return true;
  const label = desired.properties.get(type.nameField ?? type.label ?? '');
  return label?.kind === 'literal' && label.value === name;
}

const idsOfAnyForm = fieldsWhere(
  ({ references, secret, schema }) => references !== undefined && !secret && schema['format'] === undefined,
);

/**
 * Where the type does not say what form ids have, a key may well be one; then it is a reference that orders nothing and knows no
 * change.
 */
export function warnOfKeysAsIds(
  known: JsonObject,
  { desired: { address, at, properties }, type }: TypedResource,
  { resources }: Catalogue,
  { problems }: BuildContext,
): void {
  for (const { name, references = '' } of idsOfAnyForm(type)) {
    const value = known[name];
    if (typeof value !== 'string' || !isKeyOf(value, references, resources)) continue;
    const summary = `"${name}" of ${address} is the text "${value}", not the id of the resource that is called so.`;
    const hint = `Did you mean \${${value}.id}? Else nothing is wrong.`;
    problems.add('key-as-id', properties.get(name)?.at ?? at, summary, {
      ...{ severity: 'warning', hint, address, field: name },
    });
  }
}

function isKeyOf(value: Json, token: string, resources: Catalogue['resources']): boolean {
  return resources.get(String(value))?.type.token === token;
}
