import { nearest } from '@platform-sync/core/model/nearest';
import { parsedJson } from '@platform-sync/core/model/read-json';
import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import { jsonText } from '@platform-sync/report/words/json-text';
import type { Host } from './host.js';

/** What a program wants to see of what is printed as JSON: these fields, and of each list the first entries. */
interface JsonPart {
  /** `steps.address`: through lists as through records. None: all. */
  readonly fields: readonly string[];
  readonly limit: number | undefined;
}

type Mask = ReadonlyMap<string, Mask>;

/** Keeps back what is printed, and prints the part of it that was asked for when the command is over. */
export function partOfJson(
  host: Host,
  form: 'json' | 'jsonl',
  fields: readonly string[],
  limits: readonly string[],
): { readonly host: Host; readonly end: () => void } {
  let text = '';
  const limit = Number(limits.at(-1));
  const part: JsonPart = {
    fields: fields.flatMap((names) => names.split(',')).filter((name) => name !== ''),
    // What is no number is refused by who reads the line.
    limit: limit >= 1 ? limit : undefined,
  };
  const end = (): void => {
    const document = documentIn(text, form);
    if (document === undefined) return host.out(text);
    const { shown, leftOut, unknown } = partOf(document, part);
    for (const line of unknown) host.err(`${line}\n`);
    const told = Object.entries(leftOut);
    if (form === 'json' && isObject(shown)) return host.out(jsonText(told.length > 0 ? { ...shown, leftOut } : shown));
    for (const [, count] of told) host.err(`${String(count)} more are left out by --limit.\n`);
    if (form === 'json') return host.out(jsonText(shown));
    host.out((isList(shown) ? shown : []).map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  return { host: { ...host, out: (more) => void (text += more) }, end };
}

/** Lines are one list; undefined: no JSON, or nothing at all. */
function documentIn(text: string, form: 'json' | 'jsonl'): Json | undefined {
  try {
    return form === 'json' ? parsedJson(text) : text.trim().split('\n').map(parsedJson);
  } catch {
    return undefined;
  }
}

/** The part of a document, what its limit left out by the path of each list, and what is said of fields that are not there. */
export function partOf(
  document: Json,
  { fields, limit }: JsonPart,
): { readonly shown: Json; readonly leftOut: Readonly<Record<string, number>>; readonly unknown: readonly string[] } {
  const leftOut: Record<string, number> = {};
  const paths = fields.map((field) => field.split('.'));
  const failed = isObject(document) && (document['ok'] === false || hasError(document['diagnostics']));
  // Why something failed is never masked.
  const always = failed ? [['ok'], ['exitCode'], ['diagnostics']] : [];
  const masked = paths.length === 0 ? document : ofMask(document, maskOf([...paths, ...always]));
  const shown = limit === undefined ? masked : firstOf(masked, limit, [], leftOut);
  return { shown, leftOut, unknown: failed ? [] : unknownFields(document, paths) };
}

function hasError(diagnostics: Json | undefined): boolean {
  return isList(diagnostics) && diagnostics.some((found) => isObject(found) && found['severity'] === 'error');
}

function maskOf(paths: readonly (readonly string[])[]): Mask {
  const names = [...new Set(paths.flatMap(([name]) => (name === undefined ? [] : [name])))];
  // A field that is named as a whole is shown as a whole, whatever of it is named besides.
  const below = (name: string): Mask => {
    const rest = paths.flatMap(([first, ...more]) => (first === name ? [more] : []));
    return rest.some((path) => path.length === 0) ? new Map<string, Mask>() : maskOf(rest);
  };
  return new Map(names.map((name) => [name, below(name)]));
}

function ofMask(value: Json, mask: Mask): Json {
  if (mask.size === 0) return value;
  if (isList(value)) return value.map((each) => ofMask(each, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const below = mask.get(name);
      return below === undefined ? [] : [[name, ofMask(each, below)]];
    }),
  );
}

/** The outermost lists are cut; what stands in an entry belongs to it. */
function firstOf(value: Json, limit: number, path: readonly string[], leftOut: Record<string, number>): Json {
  if (isList(value)) {
    if (value.length > limit) leftOut[path.join('.')] = value.length - limit;
    return value.slice(0, limit);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, firstOf(each, limit, [...path, name], leftOut)]),
  );
}

function unknownFields(document: Json, paths: readonly (readonly string[])[]): readonly string[] {
  const entries = (isList(document) ? document : [document]).filter(isObject);
  const known = new Set(entries.flatMap((entry) => Object.keys(entry)));
  if (known.size === 0) return [];
  return paths.flatMap(([name = '']) => {
    if (known.has(name)) return [];
    const meant = nearest(name, [...known]);
    return [
      `--fields: nothing here is named ${JSON.stringify(name)}; ${meant ? `did you mean ${meant}?` : `there are ${[...known].join(', ')}`}`,
    ];
  });
}
