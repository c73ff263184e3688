import { isList, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { limitShifts } from './limits.js';
import { openApiRules, type OpenApiRule } from './rules.js';
import { sameJson } from '../diff/structural-diff.js';
import { isRecord } from '../words/value.js';

/** Which way a value travels: what is safe to drop from a request is not safe to drop from an answer. */
export type Direction = 'request' | 'response';

/**
 * What travels as text has no types of its own: whoever reads text reads numbers, too. A parameter is such a text, and
 * a repeated one is a list of one where it stands once.
 */
export type Side = Direction | `${Direction} as text` | 'parameter' | 'repeated parameter';

export function directionOf(side: Side): Direction {
  return side.startsWith('response') ? 'response' : 'request';
}

/** The side of what a value holds. */
export function insideOf(side: Side): Side {
  return isParameter(side) ? 'request as text' : side;
}

/** The side of a body or an answer of that media type: JSON alone has types. */
export function sideOf(direction: Direction, mediaType: string): Side {
  return /^[^;]*[/+]json\s*(?:;|$)/.test(mediaType) ? direction : `${direction} as text`;
}

function isParameter(side: Side): boolean {
  return side === 'parameter' || side === 'repeated parameter';
}

/** What differs in a schema itself, not in what it holds. */
export function ownChanges(old: JsonObject, now: JsonObject, side: Side): readonly OpenApiRule[] {
  const direction = directionOf(side);
  const type = typeRule(old, now, side);
  const rules: (OpenApiRule | undefined)[] = [
    type,
    // Another type has another format.
    type === undefined || openApiRules[type].effect === 'safe' ? formatRule(old, now, direction) : undefined,
    valuesRule(old, now, direction),
    ...limitRules(old, now, direction),
    direction === 'response' && differs(old, now, 'pattern') ? 'response-pattern-changed' : undefined,
    defaultRule(old, now, side),
    ...discriminatorRules(old['discriminator'], now['discriminator']),
  ];
  return rules.filter((rule) => rule !== undefined);
}

function typeRule(old: JsonObject, now: JsonObject, side: Side): OpenApiRule | undefined {
  const before = typesOf(old, now);
  const after = typesOf(now, old);
  const isText = side !== 'request' && side !== 'response';
  const isWider = holds(after, before, isText);
  const isNarrower = holds(before, after, isText);
  if (isWider && isNarrower) return sameTypes(before, after) ? undefined : `${directionOf(side)}-type-respelled`;
  if (directionOf(side) === 'response') return isNarrower ? 'response-type-narrowed' : 'response-type-widened';
  return isWider ? 'request-type-widened' : 'request-type-narrowed';
}

function sameTypes(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean {
  return one.size === other.size && [...one].every((type) => other.has(type));
}

/** Undefined: any type. A type that its words imply counts where the other schema says it. */
export function typesOf(schema: JsonObject, other: JsonObject = {}): ReadonlySet<string> | undefined {
  const implied = isRecord(schema['properties']) ? 'object' : schema['items'] === undefined ? undefined : 'array';
  const type = schema['type'] ?? (implied === other['type'] ? implied : undefined);
  if (type === undefined) return undefined;
  const types = new Set((isList(type) ? type : [type]).map(String));
  // Before OpenAPI 3, tools agreed on the second.
  if (schema['nullable'] === true || schema['x-nullable'] === true) types.add('null');
  return types;
}

/** True when every value of the second is one of the first. */
function holds(
  wide: ReadonlySet<string> | undefined,
  narrow: ReadonlySet<string> | undefined,
  isText: boolean,
): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return [...narrow].every(
    (type) =>
      wide.has(type) || (type === 'integer' && wide.has('number')) || (isText && wide.has('string') && type !== 'null'),
  );
}

/** Format → those that hold all of its values, too. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  int32: ['int64', 'bigint', 'float', 'double'],
  int64: ['bigint'],
  float: ['double'],
};

function formatRule(old: JsonObject, now: JsonObject, direction: Direction): OpenApiRule | undefined {
  const { format: before } = old;
  const { format: after } = now;
  if (before === after) return undefined;
  const isWider = after === undefined || isWithin(before, after);
  const isNarrower = before === undefined || isWithin(after, before);
  if (direction === 'response') return isNarrower ? 'response-format-narrowed' : 'response-format-widened';
  return isWider ? 'request-format-widened' : 'request-format-narrowed';
}

function isWithin(narrow: Json | undefined, wide: Json): boolean {
  return (ownMember(widerFormats, String(narrow)) ?? []).includes(String(wide));
}

function valuesRule(old: JsonObject, now: JsonObject, direction: Direction): OpenApiRule | undefined {
  const before = valuesOf(old, direction);
  const after = valuesOf(now, direction);
  if (before === undefined && after === undefined) return undefined;
  const fewer = after !== undefined && (before === undefined || [...before].some((value) => !after.has(value)));
  const more = before !== undefined && (after === undefined || [...after].some((value) => !before.has(value)));
  if (direction === 'request') return fewer ? 'request-values-removed' : more ? 'request-values-added' : undefined;
  return more ? 'response-values-added' : fewer ? 'response-values-removed' : undefined;
}

function valuesOf(schema: JsonObject, direction: Direction): ReadonlySet<string> | undefined {
  // Answers may have other values than those of an extensible list at any time.
  const values = schema['enum'] ?? (direction === 'request' ? schema['x-extensible-enum'] : undefined);
  return isList(values) ? new Set(values.map((value) => JSON.stringify(value))) : undefined;
}

function limitRules(old: JsonObject, now: JsonObject, direction: Direction): readonly OpenApiRule[] {
  // A text of another pattern is as readable as the old one.
  const shifts =
    direction === 'response' ? limitShifts(withoutPattern(old), withoutPattern(now)) : limitShifts(old, now);
  return (['narrowed', 'set', 'changed', 'widened'] as const)
    .filter((shift) => shifts.has(shift))
    .map((shift): OpenApiRule => `${direction}-limits-${shift}`);
}

function withoutPattern({ pattern: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

function defaultRule(old: JsonObject, now: JsonObject, side: Side): OpenApiRule | undefined {
  if (!differs(old, now, 'default')) return undefined;
  const happened = old['default'] === undefined ? 'added' : now['default'] === undefined ? 'removed' : 'changed';
  if (isParameter(side)) return happened === 'added' ? 'parameter-default-added' : 'parameter-default-changed';
  return directionOf(side) === 'response' ? 'response-default-changed' : `request-default-${happened}`;
}

function discriminatorRules(before: Json | undefined, after: Json | undefined): readonly OpenApiRule[] {
  if (sameJson(before ?? null, after ?? null)) return [];
  const [old, now] = [mappingOf(before), mappingOf(after)];
  const isRemoved = after !== undefined && Object.keys(old).some((value) => !Object.hasOwn(now, value));
  return [isRemoved ? 'discriminator-value-removed' : 'discriminator-changed'];
}

function mappingOf(discriminator: Json | undefined): JsonObject {
  const mapping = isRecord(discriminator) ? discriminator['mapping'] : undefined;
  return isRecord(mapping) ? mapping : {};
}

function differs(old: JsonObject, now: JsonObject, key: string): boolean {
  return !sameJson(old[key] ?? null, now[key] ?? null);
}
