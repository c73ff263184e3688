import { compareText, topKey } from '@platform-sync/core/model/address';
import { addTo } from '@platform-sync/core/model/graph';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import { hash } from 'node:crypto';
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
const form = 'catalogue 2';

/** Key of each resource at the top → sha256 over the meaning of it and all under it. */
export function treeMeanings(resources: ReadonlyMap<string, DesiredResource>): ReadonlyMap<string, string> {
  const trees = new Map<string, DesiredResource[]>();
  for (const resource of resources.values()) addTo(trees, topKey(resource.address), resource);
  return new Map([...trees].map(([key, tree]) => [key, hash('sha256', treeMeaning(tree))]));
}

function treeMeaning(tree: DesiredResource[]): string {
  let text = '';
  // Parents and children mostly stand in order already.
  for (const resource of tree.sort((a, b) => compareText(a.address, b.address)))
    text += `\nresource ${JSON.stringify([resource.address, resource.type])}${contentMeaning(resource)}`;
  return text;
}

/** sha256 (hex) over what the files mean, whatever the order of files and keys; see DesiredState.digest. */
export function catalogueDigest(
  trees: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, Expression>,
  outputs: ReadonlyMap<string, Expression>,
  removed: Iterable<string> = [],
): string {
  let all = form;
  for (const key of [...trees.keys()].sort()) all += `\nresource ${key} ${trees.get(key) ?? ''}`;
  for (const [name, value] of sorted(variables)) all += `\nvariable ${name}=${encodeExpression(value)}`;
  for (const [name, value] of sorted(outputs)) all += `\noutput ${name}=${encodeExpression(value)}`;
  for (const address of [...removed].sort(compareText)) all += `\nremoved ${address}`;
  return hash('sha256', all);
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
