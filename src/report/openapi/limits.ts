import { isList, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { sameJson } from '../diff/structural-diff.js';
import { isRecord } from '../words/value.js';

/** What became of the values that a schema allows. */
type Shift = 'narrowed' | 'widened' | 'changed' | 'set';

/**
 * How to compare a keyword: `most` and `least` are bounds, `rule` is one that nobody can compare with another, `fixed`
 * is one that never holds together with another, `set` is a list or a map whose every entry is a rule of its own.
 */
type Kind = 'most' | 'least' | 'rule' | 'fixed' | 'flag' | 'multiple' | 'set';

const kinds: Readonly<Record<string, Kind>> = {
  maximum: 'most',
  maxLength: 'most',
  maxItems: 'most',
  maxProperties: 'most',
  maxContains: 'most',
  minimum: 'least',
  minLength: 'least',
  minItems: 'least',
  minProperties: 'least',
  minContains: 'least',
  exclusiveMaximum: 'most',
  exclusiveMinimum: 'least',
  multipleOf: 'multiple',
  uniqueItems: 'flag',
  pattern: 'rule',
  const: 'fixed',
  contentEncoding: 'fixed',
  contentMediaType: 'fixed',
  contentSchema: 'fixed',
  contains: 'fixed',
  propertyNames: 'fixed',
  if: 'fixed',
  then: 'fixed',
  else: 'fixed',
  not: 'fixed',
  unevaluatedItems: 'fixed',
  unevaluatedProperties: 'fixed',
  dependentRequired: 'set',
  dependentSchemas: 'set',
  patternProperties: 'set',
  prefixItems: 'set',
};

/** Keyword → what its change does to the values that are allowed. */
export function limitShifts(old: JsonObject, now: JsonObject): ReadonlySet<Shift> {
  const shifts = new Set<Shift>();
  for (const [keyword, kind] of Object.entries(kinds)) {
    const before = limit(old, keyword, kind);
    const after = limit(now, keyword, kind);
    if (sameJson(before ?? null, after ?? null) || (applied.has(keyword) && isSchema(before) && isSchema(after)))
      continue;
    for (const shift of shiftsOf(kind, before, after)) shifts.add(shift);
  }
  return shifts;
}

/** Keywords whose value is a schema for a part of the value: where both have one, the two are compared. */
const applied = new Set([
  'contains',
  'propertyNames',
  'contentSchema',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const appliedMaps = ['dependentSchemas', 'patternProperties', 'prefixItems'];

/** Schemas for the same part of a value, and the name of that part. */
export function appliedPairs(old: JsonObject, now: JsonObject): readonly (readonly [string, Json, Json])[] {
  const singles = [...applied].map((keyword) => [keyword, old[keyword], now[keyword]] as const);
  const maps = appliedMaps.flatMap((keyword) => {
    const [before, after] = [entriesOf(old[keyword]), entriesOf(now[keyword])];
    return Object.keys(before).map((key) => [`${keyword}[${key}]`, before[key], ownMember(after, key)] as const);
  });
  return [...singles, ...maps].flatMap(([mark, one, other]) =>
    isSchema(one) && isSchema(other) ? [[mark, one, other] as const] : [],
  );
}

function isSchema(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** The tighter of two limits for one keyword; undefined for a keyword that is none. */
export function tighter(keyword: string, one: Json, other: Json): Json | undefined {
  const kind = ownMember(kinds, keyword);
  if (kind === undefined) return undefined;
  const shifts = shiftsOf(kind, one, other);
  return shifts.length === 1 && shifts[0] === 'widened' ? one : other;
}

/** Undefined where it limits nothing. */
function limit(schema: JsonObject, keyword: string, kind: Kind): Json | undefined {
  const value = schema[keyword];
  if (value === undefined || (value === true && keyword !== 'const' && kind === 'fixed')) return undefined;
  if (value === false && kind !== 'fixed') return undefined;
  if (kind === 'least' && value === 0 && keyword !== 'minimum' && keyword !== 'exclusiveMinimum') return undefined;
  if (keyword === 'pattern' && ['', '.*', '^.*$'].includes(String(value))) return undefined;
  // Up to OpenAPI 3.0 a flag beside the bound, since then a bound itself.
  if (value === true && keyword === 'exclusiveMaximum') return schema['maximum'];
  if (value === true && keyword === 'exclusiveMinimum') return schema['minimum'];
  return value;
}

function shiftsOf(kind: Kind, before: Json | undefined, after: Json | undefined): readonly Shift[] {
  if (kind === 'set') return entryShifts(before, after);
  if (after === undefined) return ['widened'];
  if (before === undefined) return [kind === 'most' || kind === 'least' ? 'set' : 'narrowed'];
  if (kind === 'fixed') return ['narrowed', 'widened'];
  if (typeof before !== 'number' || typeof after !== 'number') return ['changed'];
  if (kind === 'multiple') {
    if (before % after === 0) return ['widened'];
    return after % before === 0 ? ['narrowed'] : ['changed'];
  }
  return [after < before === (kind === 'most') ? 'narrowed' : 'widened'];
}

function entryShifts(before: Json | undefined, after: Json | undefined): readonly Shift[] {
  const old = entriesOf(before);
  const now = entriesOf(after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key): readonly Shift[] => {
    const one = old[key];
    const other = now[key];
    if (sameJson(one ?? null, other ?? null) || (isSchema(one) && isSchema(other))) return [];
    // Names that are needed: more of them allow less.
    if (isList(one) && isList(other)) {
      const fewer = other.some((name) => !one.includes(name));
      const more = one.some((name) => !other.includes(name));
      return [...(fewer ? (['narrowed'] as const) : []), ...(more ? (['widened'] as const) : [])];
    }
    if (one === undefined) return ['narrowed'];
    return other === undefined ? ['widened'] : ['narrowed', 'widened'];
  });
}

function entriesOf(value: Json | undefined): Readonly<Record<string, Json>> {
  if (isList(value)) return Object.fromEntries(value.map((one, at) => [String(at), one]));
  return isRecord(value) ? value : {};
}
