import type { Json } from '@platform-sync/core/model/value';
import { isRecord } from '../words/value.js';
import type { OpenApiRule } from './rules.js';

/** The day after which what is deprecated may go, in milliseconds; undefined when none was announced. */
function sunsetOf(value: Json | undefined): number | undefined {
  if (!isRecord(value)) return undefined;
  const { deprecated } = value;
  const day = deprecated === true ? value['x-sunset'] : deprecated;
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(day)) return undefined;
  const time = Date.parse(day);
  return Number.isNaN(time) ? undefined : time;
}

function isDeprecated(value: Json | undefined): boolean {
  return isRecord(value) && (value['deprecated'] === true || sunsetOf(value) !== undefined);
}

/** What a removal means: nothing new after the announced day, a broken promise before it, otherwise `rule`. */
export function removalRule(removed: Json | undefined, now: number, rule: OpenApiRule): OpenApiRule {
  const sunset = sunsetOf(removed);
  if (sunset === undefined) return rule;
  return sunset <= now ? 'removed-after-sunset' : 'removed-before-sunset';
}

/** What a description that stays says of its end. */
export function lifecycleRules(old: Json, now: Json): readonly OpenApiRule[] {
  const [was, is] = [isDeprecated(old), isDeprecated(now)];
  if (was !== is) return [is ? 'operation-deprecated' : 'operation-undeprecated'];
  return movesSunset(old, now) ? ['sunset-moved'] : [];
}

/** Whether what was announced to end on a day ends earlier now, or on a day that nobody knows. */
export function movesSunset(old: Json, now: Json): boolean {
  const before = sunsetOf(old);
  const after = sunsetOf(now);
  return before !== undefined && isDeprecated(now) && (after === undefined || after < before);
}
