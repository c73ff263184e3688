import { groupBy } from '@platform-sync/core/model/graph';
import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { didYouMean } from '@platform-sync/core/model/nearest';
import { patternOf, type Pattern } from '@platform-sync/core/model/pattern';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** What to read and what of it to write. */
export interface Selection {
  /** Types to write, in schema order. */
  readonly written: readonly ResourceType[];
  /** Types to read, those that others live in first; some only tell where the others are. */
  readonly read: readonly ResourceType[];
  /** Looks at what lists carry. */
  readonly matches: (type: ResourceType, id: string, values: JsonObject) => boolean;
}

/** Works out `--type` and `--filter`. Filters on one field are alternatives, filters on several must all hold. */
export function selectionOf(
  types: ReadonlyMap<string, ResourceType>,
  names: readonly string[],
  filters: readonly string[],
): { readonly selection: Selection } | { readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const known = [...types.values()];
  const chosen = names.flatMap((name) => {
    const type = known.find((candidate) => [candidate.name, candidate.shortToken, candidate.token].includes(name));
    if (type === undefined) problems.push(unknownType(name, known));
    return type === undefined ? [] : [type];
  });
  const written = names.length === 0 ? known : known.filter((type) => chosen.includes(type));
  const read = withContainers(written, types);
  const parsed = filters.flatMap((text) => {
    const filter = parseFilter(text, known);
    const wrong = typeof filter === 'string' ? filter : whyUseless(filter, read);
    if (wrong !== undefined) problems.push(badFilter(text, wrong));
    return typeof filter === 'string' ? [] : [filter];
  });
  return problems.length > 0 ? { problems } : { selection: { written, read, matches: matcher(parsed) } };
}

/** Each type after the ones its objects live in: their ids are needed to find it. */
function withContainers(
  types: readonly ResourceType[],
  all: ReadonlyMap<string, ResourceType>,
): readonly ResourceType[] {
  const ordered = new Set<ResourceType>();
  const add = (type: ResourceType): void => {
    if (ordered.has(type)) return;
    const parent = type.parent === undefined ? undefined : all.get(type.parent.type);
    if (parent !== undefined) add(parent);
    ordered.add(type);
  };
  types.forEach(add);
  return [...ordered];
}

interface Filter {
  /** Absent: every type that has the field. */
  readonly type?: ResourceType;
  readonly field: string;
  /** Way into the field's value; empty for the value itself. */
  readonly path: string;
  readonly pattern: Pattern;
}

/** The filter, or why the text is none. */
function parseFilter(text: string, known: readonly ResourceType[]): Filter | string {
  const equals = text.indexOf('=');
  if (equals <= 0) return 'it has no "="';
  const [first = '', ...others] = text.slice(0, equals).split('.');
  const type = known.find((candidate) => candidate.name === first);
  const [field = '', ...path] = type === undefined ? [first, ...others] : others;
  if (field === '') return 'it names no field';
  return { ...defined({ type }), field, path: path.join('.'), pattern: patternOf(text.slice(equals + 1)) };
}

function whyUseless({ type, field }: Filter, read: readonly ResourceType[]): string | undefined {
  const asked = type === undefined ? read : read.filter((candidate) => candidate === type);
  if (asked.length === 0) return `objects of type ${type?.name ?? ''} are not exported`;
  const having = asked.filter((candidate) => hasField(candidate, field));
  if (having.length === 0) {
    const names = [...new Set(asked.flatMap((candidate) => Object.keys(candidate.fields)))];
    return `no exported type has a field "${field}". ${didYouMean(field, names) ?? `Fields are ${names.join(', ')}.`}`;
  }
  const listed = having.some((candidate) => field === 'id' || candidate.fields[field]?.inList === true);
  return listed ? undefined : `lists don't carry the field "${field}"`;
}

function hasField(type: ResourceType, field: string): boolean {
  return field === 'id' || Object.hasOwn(type.fields, field);
}

function matcher(filters: readonly Filter[]): Selection['matches'] {
  const groups = groupBy(filters, ({ type, field, path }) => `${type?.token ?? ''} ${field} ${path}`);
  return (type, id, values) =>
    [...groups.values()].every(([first, ...others]) => {
      if (first === undefined || !appliesTo(first, type)) return true;
      const found = texts(valueAt(first.field === 'id' ? id : (values[first.field] ?? null), first.path));
      return [first, ...others].some(({ pattern }) => found.some((text) => pattern.test(text)));
    });
}

function appliesTo(filter: Filter, type: ResourceType): boolean {
  if (filter.type !== undefined) return filter.type === type;
  return filter.field === 'id' || type.fields[filter.field]?.inList === true;
}

/** Follows dots; a key that has dots itself wins. */
function valueAt(value: Json, path: string): Json {
  if (path === '') return value;
  if (!isObject(value)) return null;
  if (Object.hasOwn(value, path)) return value[path] ?? null;
  const dot = path.indexOf('.');
  const key = dot < 0 ? path : path.slice(0, dot);
  return dot < 0 || !Object.hasOwn(value, key) ? null : valueAt(value[key] ?? null, path.slice(dot + 1));
}

function texts(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(texts);
  return value === null || typeof value === 'object' ? [] : [String(value)];
}

function unknownType(name: string, known: readonly ResourceType[]): Diagnostic {
  const names = known.map((type) => type.name);
  return {
    severity: 'error',
    code: 'export-unknown-type',
    summary: `There is no resource type ${name}.`,
    hint: didYouMean(name, names) ?? `Types are ${names.join(', ')}.`,
  };
}

function badFilter(text: string, why: string): Diagnostic {
  return {
    severity: 'error',
    code: 'export-bad-filter',
    summary: `The filter "${text}" can't be used: ${why.replace(/\.$/, '')}.`,
    hint: 'Filters look like: name=pet*, labels.team=payments, Api.slug=pets.',
  };
}
