import { compareText } from '@platform-sync/core/model/address';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import { createHash } from 'node:crypto';
import { defaultOptions, type DesiredResource, type ResourceOptions } from '@platform-sync/core/model/desired';

/**
 * The meaning of an expression as text: equal for every spelling and key order of the same thing. A secret counts with
 * its expression only, so that the text may be hashed and stored.
 */
export function encodeExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(expression.value);
    case 'list':
      return `[${expression.items.map(encodeExpression).join(',')}]`;
    case 'map':
      return encodeEntries(expression.entries);
    case 'reference':
      return `$(${expression.to} ${JSON.stringify([expression.target, ...expression.path])})`;
    case 'interpolation':
      return `$text(${expression.parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : encodeExpression(part))).join(',')})`;
    case 'secret':
      return `$secret(${JSON.stringify(expression.text)})`;
    case 'toJson':
      return `$json(${encodeExpression(expression.value)})`;
    case 'join':
      return `$join(${encodeExpression(expression.separator)},${encodeExpression(expression.items)})`;
    case 'lookup':
      return `$lookup(${JSON.stringify([expression.function, expression.return ?? null])},${encodeExpression(expression.arguments)})`;
  }
}

function encodeEntries(entries: ReadonlyMap<string, MapEntry>): string {
  const members = [...entries].sort((a, b) => compareText(a[0], b[0]));
  return `{${members.map(([name, entry]) => `${JSON.stringify(name)}:${encodeExpression(entry.value)}`).join(',')}}`;
}

/** A text that is equal for expressions that mean the same. */
export function meaning(expression: Expression | undefined): string | undefined {
  return expression === undefined ? undefined : encodeExpression(expression);
}

/** True when two sets of named expressions mean the same. */
export function sameMeaning(before: ReadonlyMap<string, Expression>, now: ReadonlyMap<string, Expression>): boolean {
  return before.size === now.size && [...now].every(([name, value]) => meaning(before.get(name)) === meaning(value));
}

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
