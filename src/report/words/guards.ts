import type { GuardFinding } from '@platform-sync/core/model/plan';
import { shellWord, visible } from './escape.js';

/** The guards that still hold a plan back. */
export function isBlocked(guards: readonly GuardFinding[]): boolean {
  return guards.some((guard) => guard.lifted === undefined);
}

/** Why a permission that stands in sync.yaml does not hold. */
export function expiredSentence(until: string): string {
  return `the permission in sync.yaml ran out on ${visible(until)}`;
}

/** True for what no reason lifts: a rule denies it. */
export function isDenied({ level }: GuardFinding): boolean {
  return level === 'deny';
}

/** `--allow delete:petstore --allow maxDeletes --reason "…"`, quoted for a shell. */
export function liftingWords(guards: readonly GuardFinding[]): string {
  const names = [...new Set(guards.map((guard) => guard.name))];
  return `${names.map((name) => `--allow ${shellWord(name)}`).join(' ')} --reason "why this is right"`;
}
