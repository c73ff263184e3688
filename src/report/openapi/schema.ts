import { isList } from '../../engine/model/value.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { referenceOf, resolved } from './document.js';
import type { OpenApiRule } from './rules.js';
import { sameJson } from '../diff/structural-diff.js';
import { isRecord } from '../words/value.js';

/** Which way a value travels: what is safe to drop from a request is not safe to drop from an answer. */
export type Direction = 'request' | 'response';

/** A difference between two schemas. `path` reads like `owner.pets[].name`; empty for the schema itself. */
export interface SchemaChange {
  readonly rule: OpenApiRule;
  readonly path: string;
}

const maxDepth = 40;
// Schemas that use each other twice at every level would multiply without end.
const maxChanges = 1000;
const compositions = ['allOf', 'anyOf', 'oneOf', 'not', 'discriminator'];
const limits = [
  'const',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'uniqueItems',
];

/** Compares schemas of two documents. Schemas that many operations share are compared once. */
export class SchemaComparison {
  private readonly known = new Map<string, readonly SchemaChange[]>();

  constructor(
    private readonly before: JsonObject,
    private readonly after: JsonObject,
  ) {}

  compare(old: Json, now: Json, direction: Direction, depth = 0): readonly SchemaChange[] {
    if (depth > maxDepth) return [];
    const references = [referenceOf(old), referenceOf(now)];
    if (references.every((reference) => reference === undefined)) return this.bodies(old, now, direction, depth);
    const key = JSON.stringify([direction, references, references.includes(undefined) ? [old, now] : null]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // A schema inside itself adds nothing to what is found outside.
    this.known.set(key, []);
    const changes = this.bodies(resolved(this.before, old), resolved(this.after, now), direction, depth).slice(
      0,
      maxChanges,
    );
    this.known.set(key, changes);
    return changes;
  }

  private bodies(old: Json, now: Json, direction: Direction, depth: number): readonly SchemaChange[] {
    if (!isRecord(old) || !isRecord(now)) {
      return sameJson(old, now) ? [] : [{ rule: 'composition-changed', path: '' }];
    }
    return [
      ...ownChanges(old, now, direction),
      ...this.members(old, now, direction, depth),
      ...this.inside('items', '[]', old, now, direction, depth),
      ...this.inside('additionalProperties', '{}', old, now, direction, depth),
    ];
  }

  private members(old: JsonObject, now: JsonObject, direction: Direction, depth: number): readonly SchemaChange[] {
    const before = isRecord(old['properties']) ? old['properties'] : {};
    const after = isRecord(now['properties']) ? now['properties'] : {};
    const neededBefore = required(old);
    const neededAfter = required(now);
    const changes: SchemaChange[] = [];
    for (const [name, schema] of Object.entries(before)) {
      const other = Object.hasOwn(after, name) ? after[name] : undefined;
      if (other === undefined) {
        changes.push({ rule: `${direction}-property-removed`, path: name });
        continue;
      }
      if (neededBefore.has(name) !== neededAfter.has(name)) {
        const became = neededAfter.has(name) ? 'required' : 'optional';
        changes.push({ rule: `${direction}-property-became-${became}`, path: name });
      }
      changes.push(...under(name, this.compare(schema, other, direction, depth + 1)));
    }
    for (const name of Object.keys(after)) {
      if (Object.hasOwn(before, name)) continue;
      const isNeeded = direction === 'request' && neededAfter.has(name);
      changes.push({ rule: isNeeded ? 'request-required-property-added' : `${direction}-property-added`, path: name });
    }
    return changes;
  }

  private inside(
    key: 'items' | 'additionalProperties',
    mark: string,
    old: JsonObject,
    now: JsonObject,
    direction: Direction,
    depth: number,
  ): readonly SchemaChange[] {
    const before = old[key];
    const after = now[key];
    if (before === undefined && after === undefined) return [];
    if (isRecord(before) && isRecord(after)) return under(mark, this.compare(before, after, direction, depth + 1));
    return sameJson(before ?? true, after ?? true) ? [] : [{ rule: `${direction}-limits-changed`, path: mark }];
  }
}

function ownChanges(old: JsonObject, now: JsonObject, direction: Direction): readonly SchemaChange[] {
  const rules: (OpenApiRule | undefined)[] = [
    typeRule(old, now, direction),
    valuesRule(old, now, direction),
    compositions.some((key) => differs(old, now, key)) ? 'composition-changed' : undefined,
    limits.some((key) => differs(old, now, key)) ? `${direction}-limits-changed` : undefined,
  ];
  return rules.filter((rule) => rule !== undefined).map((rule) => ({ rule, path: '' }));
}

function typeRule(old: JsonObject, now: JsonObject, direction: Direction): OpenApiRule | undefined {
  const before = typesOf(old);
  const after = typesOf(now);
  if (holds(before, after) && holds(after, before)) return undefined;
  if (direction === 'request') return holds(after, before) ? 'request-type-widened' : 'request-type-narrowed';
  return holds(before, after) ? 'response-type-narrowed' : 'response-type-widened';
}

/** Undefined: any type. */
function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const type = schema['type'];
  if (type === undefined) return undefined;
  const types = new Set((isList(type) ? type : [type]).map(String));
  if (schema['nullable'] === true) types.add('null');
  return types;
}

/** True when every value of the second is one of the first. */
function holds(wide: ReadonlySet<string> | undefined, narrow: ReadonlySet<string> | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return [...narrow].every((type) => wide.has(type) || (type === 'integer' && wide.has('number')));
}

function valuesRule(old: JsonObject, now: JsonObject, direction: Direction): OpenApiRule | undefined {
  const before = valuesOf(old);
  const after = valuesOf(now);
  if (before === undefined && after === undefined) return undefined;
  const fewer = after !== undefined && (before === undefined || [...before].some((value) => !after.has(value)));
  const more = before !== undefined && (after === undefined || [...after].some((value) => !before.has(value)));
  if (direction === 'request') return fewer ? 'request-values-removed' : more ? 'request-values-added' : undefined;
  return more ? 'response-values-added' : fewer ? 'response-values-removed' : undefined;
}

function valuesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const values = schema['enum'];
  return isList(values) ? new Set(values.map((value) => JSON.stringify(value))) : undefined;
}

function required(schema: JsonObject): ReadonlySet<Json> {
  return new Set(isList(schema['required']) ? schema['required'] : []);
}

function differs(old: JsonObject, now: JsonObject, key: string): boolean {
  return !sameJson(old[key] ?? null, now[key] ?? null);
}

function under(name: string, changes: readonly SchemaChange[]): readonly SchemaChange[] {
  return changes.map(({ rule, path }) => ({ rule, path: joined(name, path) }));
}

function joined(name: string, path: string): string {
  if (path === '') return name;
  return path.startsWith('[') || path.startsWith('{') ? `${name}${path}` : `${name}.${path}`;
}
