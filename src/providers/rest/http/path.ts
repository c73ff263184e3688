import { ownMember } from '@platform-sync/core/model/value';

/** Query parameters in the order they are to be sent. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A value can't stand in a path: sending it would address another object. */
export class PathValueError extends Error {
  readonly parameter: string;
  constructor(parameter: string) {
    super(`the path needs a value for ${parameter}`);
    this.name = 'PathValueError';
    this.parameter = parameter;
  }
}

/**
 * Fills `/v3/apis/{apiId}` in. Throws PathValueError for a missing or empty value (`DELETE /v3/apis/` would be
 * another call) and for `.` and `..`, which servers and proxies resolve.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return partsOf(template)
    .map((part, at) => (at % 2 === 0 ? part : encodedValue(part, ownMember(values, part))))
    .join('');
}

function encodedValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') throw new PathValueError(name);
  return encodeURIComponent(value);
}

/** Text and names in turns; taken apart once a template. */
function partsOf(template: string): readonly string[] {
  const known = templates.get(template) ?? template.split(/\{(\w+)\}/);
  templates.set(template, known);
  return known;
}

const templates = new Map<string, readonly string[]>();

/** The path with its query, everything percent-encoded (`filter%5Bname%5D=…`, a space as `%20`). */
export function withQuery(path: string, query: Query): string {
  if (query.length === 0) return path;
  return `${path}?${query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Names in braces, in order. */
export function fieldsIn(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
