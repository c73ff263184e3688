import { isWritten, type FieldRule } from '@platform-sync/core/model/resource-type';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { factsOf, type Change } from '../plan/change.js';
import type { Step } from '../plan/step.js';
import { hasSealed } from '@platform-sync/core/value/sealed';
import { compareField, type FieldComparison } from '@platform-sync/core/value/field-comparison';
import { callOptions, type ApplyContext } from './context.js';
import { StepFailure } from './failure.js';
import { ownMember } from '@platform-sync/core/model/own-member';

/**
 * The object that a write goes upon. Where the write takes the place of the whole, or of a record whose secrets were not read (of
 * `--refresh none`), that is the object as it is now: what moved
 * since the plan and is ours makes the step stale, what is not stays and is told. `passing`: what this run itself gave it.
 */
export async function objectBeforeWrite(
  context: ApplyContext,
  step: Step,
  actual: RemoteObject,
  passing: JsonObject = {},
): Promise<RemoteObject> {
  const { address, type } = step;
  const isSent = ({ rule: { name } }: Change): boolean => hasSealed(actual.values[name]);
  if (type.isWrittenWhole !== true && !step.changes.some(isSent)) return actual;
  const now = await (await context.providerOf(type)).read(type, actual.identity, callOptions(context));
  if (now === undefined) throw stale(step, 'is not there any more');
  const moved = movedFields(context, step, actual, now).filter(({ rule }) => !Object.hasOwn(passing, rule.name));
  const ours = moved.filter(({ drifted }) => drifted);
  if (ours.length > 0) throw stale(step, `was changed on the platform after the plan was made (${namesOf(ours)})`);
  if (moved.length > 0)
    context.onEvent({
      type: 'diagnostic',
      diagnostic: {
        severity: 'warning',
        code: 'kept-change',
        summary: `${address} was changed on the platform after the plan, in fields that the file does not mention (${namesOf(moved)}). That change is kept.`,
        address,
      },
    });
  // What single answers never show stays as it was read elsewhere.
  return { ...now, values: { ...keptElsewhere(type.fields, actual.values), ...now.values } };
}

/** What differs from the reading that was planned with, which stands here for the one that is recorded. */
function movedFields(
  context: ApplyContext,
  step: Step,
  actual: RemoteObject,
  now: RemoteObject,
): readonly FieldComparison[] {
  const inputs = step.recorded?.inputs ?? {};
  const facts = {
    ...factsOf(step, now.values, context.seals),
    recorded: { inputs, outputs: actual.values },
  };
  return Object.values(step.type.fields).flatMap((rule) => {
    // A list that was planned with may not have shown it.
    const isUnread = !rule.inList && !(rule.name in actual.values) && !(rule.name in inputs);
    if (!isWritten(rule) || isUnread) return [];
    const field = compareField(rule, facts);
    return (field.drifted && !field.same) || field.strayed || field.settled === 'first-seen' ? [field] : [];
  });
}

function keptElsewhere(fields: Readonly<Record<string, FieldRule>>, values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => ownMember(fields, name)?.movesWith !== undefined),
  );
}

function stale({ address }: Step, what: string): StepFailure {
  return new StepFailure([
    {
      severity: 'error',
      code: 'changed-since-plan',
      summary: `${address} ${what}, so it was not written.`,
      hint: 'Plan again and look at the change before it is lost.',
      address,
    },
  ]);
}

function namesOf(fields: readonly FieldComparison[]): string {
  return fields.map(({ rule }) => rule.name).join(', ');
}
