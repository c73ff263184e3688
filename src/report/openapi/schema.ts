import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { referenceOf } from './document.js';
import { FlatSchemas } from './flat-schema.js';
import type { OpenApiRule } from './rules.js';
import { ownChanges, type Direction, type Side } from './schema-rules.js';
import { removalRule } from './sunset.js';
import { isChoice, pairedVariants, variantsOf } from './variants.js';
import { sameJson } from '../diff/structural-diff.js';
import { isRecord } from '../words/value.js';

/** A difference between two schemas. `path` reads like `owner.pets[].name`; empty for the schema itself. */
interface SchemaChange {
  readonly rule: OpenApiRule;
  readonly path: string;
}

const maxDepth = 40;
// Schemas that use each other twice at every level would multiply without end.
const maxChanges = 1000;

/** Compares schemas of two documents. Schemas that many operations share are compared once. */
export class SchemaComparison {
  private readonly known = new Map<string, readonly SchemaChange[]>();
  private readonly before: FlatSchemas;
  private readonly after: FlatSchemas;

  /** `now`: what time it is, for what was announced to end. */
  constructor(
    before: JsonObject,
    after: JsonObject,
    private readonly now: number,
  ) {
    this.before = new FlatSchemas(before);
    this.after = new FlatSchemas(after);
  }

  compare(old: Json, now: Json, side: Side, depth = 0): readonly SchemaChange[] {
    if (depth > maxDepth) return [];
    const references = [referenceOf(old), referenceOf(now)];
    if (references.every((reference) => reference === undefined)) return this.bodies(old, now, side, depth);
    const key = JSON.stringify([side, references, references.includes(undefined) ? [old, now] : null]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // A schema inside itself adds nothing to what is found outside.
    this.known.set(key, []);
    const changes = this.bodies(old, now, side, depth).slice(0, maxChanges);
    this.known.set(key, changes);
    return changes;
  }

  private bodies(before: Json, after: Json, side: Side, depth: number): readonly SchemaChange[] {
    const old = this.before.flat(before);
    const now = this.after.flat(after);
    // Whoever writes one value into a parameter writes a list of one.
    if (side === 'parameter' && now['type'] === 'array' && old['type'] !== 'array' && old['type'] !== undefined)
      return [
        ...ownChanges({}, { minItems: now['minItems'] ?? 0 }, side).map((rule) => ({ rule, path: '' })),
        ...this.compare(before, now['items'] ?? true, side, depth + 1),
      ];
    const kinds = this.kinds(old, now, side, depth);
    // What became one of several kinds is compared with that kind alone.
    if (isWrapped(old, now) || isWrapped(now, old)) return kinds;
    return [
      ...ownChanges(old, now, side).map((rule) => ({ rule, path: '' })),
      ...kinds,
      ...this.members(old, now, side, depth),
      ...this.inside('items', '[]', old, now, side, depth),
      ...this.others(old, now, side, depth),
    ];
  }

  private kinds(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const [before, after] = [variantsOf(old), variantsOf(now)];
    if (before === undefined && after === undefined) return [];
    if (before === undefined && !isChoice(now)) return [{ rule: 'composition-changed', path: '' }];
    if (after === undefined && !isChoice(old)) return [{ rule: 'composition-changed', path: '' }];
    const { pairs, removed, added } = pairedVariants(before ?? [old], after ?? [now], (one, other) =>
      this.compare(one, other, side, depth + 1),
    );
    const direction = directionOf(side);
    return [
      ...pairs.flat(),
      ...(removed > 0 ? [{ rule: `${direction}-variant-removed`, path: '' } as const] : []),
      ...(added > 0 ? [{ rule: `${direction}-variant-added`, path: '' } as const] : []),
    ];
  }

  private members(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const direction = directionOf(side);
    const before = this.visible(old, this.before, direction);
    const after = this.visible(now, this.after, direction);
    const neededBefore = required(old);
    const neededAfter = required(now);
    const changes: SchemaChange[] = [];
    for (const [name, schema] of before) {
      const other = after.get(name);
      if (other === undefined) {
        const isHidden = isRecord(now['properties']) && Object.hasOwn(now['properties'], name);
        // What only answers have is not refused in a request.
        if (direction === 'request' && isHidden) continue;
        const refused = direction === 'request' && now['additionalProperties'] === false;
        const rule = refused ? 'request-property-refused' : (`${direction}-property-removed` as const);
        changes.push({ rule: removalRule(this.before.flat(schema), this.now, rule), path: name });
        continue;
      }
      if (neededBefore.has(name) !== neededAfter.has(name)) {
        const became = neededAfter.has(name) ? 'required' : 'optional';
        changes.push({ rule: `${direction}-property-became-${became}`, path: name });
      }
      changes.push(...under(name, this.compare(schema, other, side, depth + 1)));
    }
    for (const name of after.keys()) {
      if (before.has(name)) continue;
      const isNeeded = direction === 'request' && neededAfter.has(name);
      changes.push({ rule: isNeeded ? 'request-required-property-added' : `${direction}-property-added`, path: name });
    }
    return changes;
  }

  /** The properties that travel this way. */
  private visible(schema: JsonObject, schemas: FlatSchemas, direction: Direction): ReadonlyMap<string, Json> {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
    return new Map(Object.entries(properties).filter(([, one]) => schemas.flat(one)[hidden] !== true));
  }

  /** Properties that have no name of their own. */
  private others(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const key = 'additionalProperties';
    const [before, after] = [old[key] ?? true, now[key] ?? true];
    if (sameJson(before, after) && referenceOf(before) === undefined && !isRecord(before)) return [];
    const direction = directionOf(side);
    if (after === false && direction === 'request') return [{ rule: 'request-closed', path: '' }];
    if (after === false) return isRecord(before) ? [{ rule: 'response-property-removed', path: '{}' }] : [];
    if (before === false) return direction === 'request' ? [{ rule: 'request-opened', path: '' }] : [];
    return this.inside(key, '{}', old, now, side, depth);
  }

  private inside(
    key: 'items' | 'additionalProperties',
    mark: string,
    old: JsonObject,
    now: JsonObject,
    side: Side,
    depth: number,
  ): readonly SchemaChange[] {
    const before = old[key];
    const after = now[key];
    if (before === undefined && after === undefined) return [];
    return under(mark, this.compare(before ?? true, after ?? true, side, depth + 1));
  }
}

function directionOf(side: Side): Direction {
  return side === 'response' ? side : 'request';
}

function isWrapped(schema: JsonObject, choice: JsonObject): boolean {
  return variantsOf(schema) === undefined && variantsOf(choice) !== undefined && isChoice(choice);
}

function required(schema: JsonObject): ReadonlySet<Json> {
  return new Set(isList(schema['required']) ? schema['required'] : []);
}

function under(name: string, changes: readonly SchemaChange[]): readonly SchemaChange[] {
  return changes.map(({ rule, path }) => ({ rule, path: joined(name, path) }));
}

function joined(name: string, path: string): string {
  if (path === '') return name;
  return path.startsWith('[') || path.startsWith('{') ? `${name}${path}` : `${name}.${path}`;
}
