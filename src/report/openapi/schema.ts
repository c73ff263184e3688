import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { referenceOf } from './document.js';
import { FlatSchemas } from './flat-schema.js';
import { appliedPairs } from './limits.js';
import { openApiRules, type OpenApiRule } from './rules.js';
import { directionOf, insideOf, ownChanges, typesOf, type Direction, type Side } from './schema-rules.js';
import { lifecycleRules, removalRule } from './sunset.js';
import { isChoice, isRemark, pairedVariants, variantsOf } from './variants.js';
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
    // Whoever accepts anything accepts whatever was described, too.
    if (old['type'] !== undefined && allowsAnything(now)) return ownChanges(old, now, side).map(own);
    if (side === 'repeated parameter' && becameList(old, now)) return this.listOfOne(old, now, depth);
    const changes = this.described(old, now, side, depth);
    return changes.length === 0 && partsOf(before) !== partsOf(after) ? [own('parts-renamed')] : changes;
  }

  /** Whoever writes one value into a repeated parameter writes a list of one. */
  private listOfOne(old: JsonObject, now: JsonObject, depth: number): readonly SchemaChange[] {
    const { nullable: _, ...plain } = old;
    const type = typesOf(now)?.has('null') === true ? [...(typesOf(old) ?? [])].filter((one) => one !== 'null') : [];
    const one = type.length > 0 ? { ...plain, type } : old;
    return [
      own('parameter-became-list'),
      ...ownChanges({}, { minItems: now['minItems'] ?? 0 }, 'parameter').map(own),
      ...this.compare(one, now['items'] ?? true, 'request as text', depth + 1),
    ];
  }

  private described(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const [before, after] = alignedChoices(old, now);
    const kinds = this.kinds(before, after, side, depth);
    // What became one of several kinds is compared with that kind alone.
    if (isWrapped(before, after) || isWrapped(after, before)) return kinds;
    return [
      ...ownChanges(old, now, side).map(own),
      ...kinds,
      ...this.members(old, now, side, depth),
      ...this.inside('items', '[]', old, now, side, depth),
      ...this.others(old, now, side, depth),
      ...this.applied(old, now, side, depth),
    ];
  }

  private kinds(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const [before, after] = [variantsOf(old), variantsOf(now)];
    if (before === undefined && after === undefined) return [];
    const direction = directionOf(side);
    const { pairs, removed, added } = pairedVariants(before ?? [old], after ?? [now], direction, {
      compare: (one, other) => this.compare(one, other, side, depth + 1),
      isPlain: (one) => isScalar(this.before.flat(one)) && isScalar(this.after.flat(one)),
      isCovered: (changes) => changes.every(({ rule }) => openApiRules[rule].effect === 'safe'),
      isUntold: now['anyOf'] !== undefined && now['discriminator'] === undefined,
    });
    return [
      ...pairs.flat(),
      ...(removed > 0 ? [own(`${direction}-variant-removed`)] : []),
      ...(added > 0 ? [own(`${direction}-variant-added`)] : []),
    ];
  }

  private members(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    const direction = directionOf(side);
    const [was, is] = [this.properties(old, this.before, direction), this.properties(now, this.after, direction)];
    const [neededBefore, neededAfter] = [required(old), required(now)];
    const changes: SchemaChange[] = [];
    for (const [name, { schema, isHidden }] of was) {
      const other = is.get(name);
      if (other === undefined) {
        const refused = direction === 'request' && now['additionalProperties'] === false;
        const rule = refused ? 'request-property-refused' : (`${direction}-property-removed` as const);
        const removal = removalRule(this.before.flat(schema), this.now, rule);
        changes.push({ rule: isHidden ? 'hidden-property-changed' : removal, path: name });
        continue;
      }
      const [inner, outer] = [this.before.flat(schema), this.after.flat(other.schema)];
      changes.push(...lifecycleRules(inner, outer).map((rule) => ({ rule, path: name })));
      const access = accessRule(isHidden, other.isHidden, neededAfter.has(name), direction);
      if (access !== undefined) changes.push({ rule: access, path: name });
      else if (differs(inner, outer, shownIn[direction])) changes.push({ rule: 'access-changed', path: name });
      if (isHidden && other.isHidden) {
        const found = this.compare(schema, other.schema, insideOf(side), depth + 1);
        if (found.length > 0) changes.push({ rule: 'hidden-property-changed', path: name });
      }
      if (isHidden || other.isHidden) continue;
      if (neededBefore.has(name) !== neededAfter.has(name)) {
        const became = neededAfter.has(name) ? 'required' : 'optional';
        changes.push({ rule: `${direction}-property-became-${became}`, path: name });
      }
      changes.push(...under(name, this.compare(schema, other.schema, insideOf(side), depth + 1)));
    }
    for (const [name, { isHidden }] of is) {
      if (was.has(name)) continue;
      const isNeeded = direction === 'request' && neededAfter.has(name);
      const rule = isNeeded ? 'request-required-property-added' : (`${direction}-property-added` as const);
      changes.push({ rule: isHidden ? 'hidden-property-changed' : rule, path: name });
    }
    return changes;
  }

  private properties(schema: JsonObject, schemas: FlatSchemas, direction: Direction): ReadonlyMap<string, Property> {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    return new Map(
      Object.entries(properties).map(([name, one]) => [
        name,
        { schema: one, isHidden: schemas.flat(one)[hiddenIn[direction]] === true },
      ]),
    );
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
    key: string,
    mark: string,
    old: JsonObject,
    now: JsonObject,
    side: Side,
    depth: number,
  ): readonly SchemaChange[] {
    const before = old[key];
    const after = now[key];
    if (before === undefined && after === undefined) return [];
    return under(mark, this.compare(before ?? true, after ?? true, insideOf(side), depth + 1));
  }

  /** Schemas beside the properties that hold for a part of the value, where both descriptions have them. */
  private applied(old: JsonObject, now: JsonObject, side: Side, depth: number): readonly SchemaChange[] {
    return appliedPairs(old, now).flatMap(([mark, one, other]) =>
      under(mark, this.compare(one, other, insideOf(side), depth + 1)),
    );
  }
}

interface Property {
  readonly schema: Json;
  /** Does not travel this way. */
  readonly isHidden: boolean;
}

const hiddenIn: Readonly<Record<Direction, string>> = { request: 'readOnly', response: 'writeOnly' };
const shownIn: Readonly<Record<Direction, string>> = { request: 'writeOnly', response: 'readOnly' };

/** What it means that a property that both have travels another way than before. */
function accessRule(was: boolean, is: boolean, isNeeded: boolean, direction: Direction): OpenApiRule | undefined {
  if (was === is) return undefined;
  if (direction === 'request') {
    if (is) return 'request-property-became-read-only';
    return isNeeded ? 'request-required-property-added' : 'request-property-added';
  }
  if (is) return 'response-property-became-write-only';
  return isNeeded ? 'response-property-no-longer-write-only' : 'response-property-added';
}

function differs(old: JsonObject, now: JsonObject, key: string): boolean {
  return (old[key] ?? false) !== (now[key] ?? false);
}

function own(rule: OpenApiRule): SchemaChange {
  return { rule, path: '' };
}

function allowsAnything(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => isRemark(key) || key === 'readOnly' || key === 'writeOnly');
}

const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

function isScalar(schema: JsonObject): boolean {
  const types = typesOf(schema);
  return types !== undefined && [...types].every((type) => scalars.has(type));
}

function becameList(old: JsonObject, now: JsonObject): boolean {
  const [before, after] = [typesOf(old), typesOf(now)];
  return before !== undefined && !before.has('array') && after?.has('array') === true;
}

/** The schemas that a schema is made of, by their names. */
function partsOf(schema: Json): string {
  if (!isRecord(schema)) return '';
  const lists = ['allOf', 'oneOf', 'anyOf'].map((key) => schema[key]).filter((list) => isList(list));
  return JSON.stringify(lists.map((list) => list.map((part) => referenceOf(part) ?? null)).sort());
}

/** Words of a choice that say more than its kinds are said of every kind, where the other description has one kind. */
function alignedChoices(old: JsonObject, now: JsonObject): readonly [JsonObject, JsonObject] {
  const [before, after] = [variantsOf(old), variantsOf(now)];
  return [after === undefined ? spread(old, before) : old, before === undefined ? spread(now, after) : now];
}

function spread(schema: JsonObject, variants: readonly Json[] | undefined): JsonObject {
  if (variants === undefined || isChoice(schema)) return schema;
  const { oneOf: _, anyOf: __, discriminator: ___, ...rest } = schema;
  return { oneOf: variants.map((variant) => ({ allOf: [rest, variant] })) };
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
