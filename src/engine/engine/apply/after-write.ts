import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { factsOf } from '../plan/change.js';
import { notKept } from '../plan/notices.js';
import type { Step } from '../plan/step.js';
import { sameValue } from '@platform-sync/core/value/equality';
import { compareField } from '@platform-sync/core/value/field-comparison';
import { callOptions, type ApplyContext } from './context.js';

/**
 * The answer to a write, with what the platform does not keep of it as it is there: what was to be put right, and is again as it was
 * before, is told. Where objects have no revision that would tell at the next reading, they are read once more for that.
 */
export async function settledAnswer(context: ApplyContext, step: Step, answer: RemoteObject): Promise<RemoteObject> {
  const { address, type, changes, actual } = step;
  const righted = changes.filter(({ rule, shown }) => shown.cause === 'drift' && !rule.writeOnly);
  if (righted.length === 0) return answer;
  const read = type.revision === undefined ? await readAfter(context, step, answer) : answer;
  if (read === undefined) return answer;
  const facts = { ...factsOf(step, read.values, context.seals), recorded: undefined };
  const isAgain = (rule: FieldRule): boolean => sameValue(rule, read.values[rule.name], actual?.values[rule.name]);
  const unkept = righted.map(({ rule }) => rule).filter((rule) => !compareField(rule, facts).same && isAgain(rule));
  for (const { name } of unkept) {
    // An answer may be older than the write: what it shows is told, and no more.
    const diagnostic = notKept(address, name, `shows ${name} after the write as it was before`);
    context.onEvent({ type: 'diagnostic', diagnostic });
  }
  const values = unkept.map(({ name }): [string, Json] => [name, read.values[name] ?? null]);
  return { ...answer, values: { ...answer.values, ...Object.fromEntries(values) } };
}

/** The write is done whatever a reading of it comes to. */
async function readAfter(
  context: ApplyContext,
  { type }: Step,
  { identity }: RemoteObject,
): Promise<RemoteObject | undefined> {
  try {
    return await (await context.providerOf(type)).read(type, identity, callOptions(context));
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}
