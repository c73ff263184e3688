import { createHash } from 'node:crypto';
import { compareText } from '../../model/address.js';
import { defaultOptions, type DesiredResource, type ResourceOptions } from '../../model/desired.js';
import type { Expression } from '../../model/expression.js';
import { encodeExpression } from './encode.js';

/** Changes when the form below does: two digests of different forms never count as the same catalogue. */
const form = 'catalogue 1';

const longEnough = 50_000;

/** sha256 (hex) over what the files mean, whatever the order of files and keys; see DesiredState.digest. */
export function catalogueDigest(
  resources: ReadonlyMap<string, DesiredResource>,
  variables: ReadonlyMap<string, Expression>,
  outputs: ReadonlyMap<string, Expression>,
  removed: Iterable<string> = [],
): string {
  const hash = createHash('sha256').update(form);
  // A call costs more than hashing what it brings.
  let some = '';
  for (const address of [...resources.keys()].sort()) {
    const resource = resources.get(address);
    if (resource === undefined) continue;
    some += `\nresource ${JSON.stringify([address, resource.type])}${contentMeaning(resource)}`;
    if (some.length < longEnough) continue;
    hash.update(some);
    some = '';
  }
  hash.update(some);
  for (const [name, value] of sorted(variables)) hash.update(`\nvariable ${name}=${encodeExpression(value)}`);
  for (const [name, value] of sorted(outputs)) hash.update(`\noutput ${name}=${encodeExpression(value)}`);
  for (const address of [...removed].sort(compareText)) hash.update(`\nremoved ${address}`);
  return hash.digest('hex');
}

/** A text that is equal for resources of which the files say the same. */
export function resourceMeaning(resource: DesiredResource): string {
  return `${resource.type}${contentMeaning(resource)}`;
}

function contentMeaning({ properties, options }: DesiredResource): string {
  let text = '';
  // The default sort compares code units.
  for (const name of [...properties.keys()].sort()) {
    const value = properties.get(name);
    if (value !== undefined) text += `\n ${name}=${encodeExpression(value)}`;
  }
  return `${text}\n options ${options === defaultOptions ? defaultMeaning : optionsMeaning(options)}`;
}

/** Most resources have no options. */
const defaultMeaning = optionsMeaning(defaultOptions);

function optionsMeaning(options: ResourceOptions): string {
  return JSON.stringify(sorted(new Map(Object.entries(options))));
}

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort((a, b) => compareText(a[0], b[0]));
}
