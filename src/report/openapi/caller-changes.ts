import { readDocument } from '@platform-sync/core/value/equality';
import { openApiDiff } from './diff.js';
import { type Effect, specChangeText } from './rules.js';

/** What a new description means for callers, as sentences by how bad it is; nothing where one of the texts is no description. */
export function callerChanges(
  before: string,
  after: string,
  now: number,
): Readonly<Record<'breaks' | 'mayBreak' | 'safe', readonly string[]>> {
  const [old, next] = [readDocument(before), readDocument(after)];
  const found = old === undefined || next === undefined ? undefined : openApiDiff(old, next, now);
  const of = (effect: Effect): readonly string[] =>
    (found?.changes ?? []).filter((change) => change.effect === effect).map(specChangeText);
  return { breaks: of('breaks'), mayBreak: of('may-break'), safe: of('safe') };
}
