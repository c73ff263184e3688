import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameJson } from '../diff/structural-diff.js';
import { isRecord } from '../words/value.js';
import type { OpenApiRule } from './rules.js';

/** The day after which something may go, in milliseconds; `unreadable` when what is announced is no day. */
type Sunset = number | 'unreadable' | undefined;

function sunsetOf(value: Json | undefined): Sunset {
  if (!isRecord(value)) return undefined;
  const { deprecated } = value;
  const day = deprecated === true ? value['x-sunset'] : deprecated;
  if (day === undefined || typeof day === 'boolean') return undefined;
  const time = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(time) ? 'unreadable' : time;
}

function isDeprecated(value: Json | undefined): boolean {
  return isRecord(value) && (value['deprecated'] === true || typeof sunsetOf(value) === 'number');
}

/** What a removal means: nothing new after the announced day, a broken promise before it, otherwise `rule`. */
export function removalRule(removed: Json | undefined, now: number, rule: OpenApiRule): OpenApiRule {
  if (isUnstable(removed)) return 'removed-while-unstable';
  const sunset = sunsetOf(removed);
  if (sunset === undefined) return rule;
  return sunset !== 'unreadable' && sunset <= now ? 'removed-after-sunset' : 'removed-before-sunset';
}

/** What a part of a description that stays says of its end, and of how long it stays as it is. */
export function lifecycleRules(old: Json, now: Json): readonly OpenApiRule[] {
  const [was, is] = [isDeprecated(old), isDeprecated(now)];
  const rules: readonly (OpenApiRule | false)[] = [
    was !== is && (is ? 'deprecated' : 'undeprecated'),
    isDeprecated(now) && movesSunset(sunsetOf(old), sunsetOf(now)),
    stability(now) < stability(old) && 'stability-decreased',
    stability(now) > stability(old) && 'stability-increased',
  ];
  return rules.filter((rule) => rule !== false);
}

/** Whether what was announced to end on a day ends earlier now, or on a day that nobody knows. */
function movesSunset(before: Sunset, after: Sunset): OpenApiRule | false {
  if (after === 'unreadable') return before !== after && 'sunset-unreadable';
  if (typeof after === 'number' && before !== undefined && !(after < Number(before)) && after !== before)
    return 'sunset-postponed';
  return typeof before === 'number' && (after === undefined || after < before) && 'sunset-moved';
}

const levels = ['draft', 'alpha', 'beta', 'stable'];

/** What nothing is said of is stable; a level that nobody knows promises nothing. */
function stability(value: Json | undefined): number {
  return levels.indexOf(String((isRecord(value) ? value['x-stability-level'] : undefined) ?? 'stable'));
}

/** What may change at any time: whoever calls a draft or an alpha knows it. */
export function isUnstable(value: Json | undefined): boolean {
  const level = stability(value);
  return level === levels.indexOf('draft') || level === levels.indexOf('alpha');
}

/** Members of an operation that no call depends on, but whoever generates clients does. */
export function namingRules(old: JsonObject, now: JsonObject): readonly OpenApiRule[] {
  const differs = (key: string): boolean => !sameJson(old[key] ?? null, now[key] ?? null);
  return [
    ...(differs('operationId') ? (['operation-id-changed'] as const) : []),
    ...(differs('tags') ? (['tags-changed'] as const) : []),
  ];
}
