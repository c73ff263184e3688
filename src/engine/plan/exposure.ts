import { defined } from '../model/defined.js';
import type { FieldChange, PlanValue, Risk } from '../model/plan.js';
import type { VisibilityRule } from '../model/resource-type.js';
import { isList, type Json } from '../model/value.js';
import type { Step } from './step.js';
import type { Seen } from './publications.js';

type Exposure = Extract<Risk, { readonly kind: 'publishes' | 'unpublishes' }>;

/** Who sees something that did not, and who no longer does, each clause once: what the object itself says, else that it is there. */
export function exposureRisks(
  step: Step,
  fields: readonly FieldChange[],
  publications: (inside: Step) => Seen,
): readonly Risk[] {
  const own = step.type.visibility.flatMap((rule) => {
    const seen = rule.published === true ? publications(step) : { before: true, after: true };
    return exposed(rule, step, fields, seen);
  });
  const found = own.length > 0 ? own : presence(step);
  if (found.length < 2) return found;
  const told = new Map(found.map((risk) => [`${risk.kind} ${risk.what ?? ''}`, risk]));
  return [...told.values()];
}

function exposed(rule: VisibilityRule, step: Step, fields: readonly FieldChange[], seen: Seen): readonly Exposure[] {
  const { values } = rule;
  if (values === undefined) return holders(rule.field, step, fields);
  const before: Side = (field) => step.actual?.values[field];
  const wasShown = seen.before && isShown(rule, values.shown, before);
  if (step.action === 'delete')
    return wasShown && rule.contents !== true
      ? [{ kind: 'unpublishes', ...defined({ what: step.type.presence?.hidden }) }]
      : [];
  const change = fields.find(({ field }) => field === rule.field);
  const after = afterwards(step, fields);
  if (!wasShown && seen.after && change?.new === values.shown && isShown(rule, values.shown, after))
    return [{ kind: 'publishes', ...defined({ what: rule.says?.shown }) }];
  if (wasShown && change?.new === values.hidden)
    return [{ kind: 'unpublishes', ...defined({ what: rule.says?.hidden }) }];
  return [];
}

type Side = (field: string) => PlanValue | undefined;

/** What the object has after the step: what no change is of stays. */
function afterwards({ actual }: Step, fields: readonly FieldChange[]): Side {
  return (name) => {
    const change = fields.find(({ field }) => field === name);
    return change === undefined ? actual?.values[name] : change.new;
  };
}

function isShown({ field, where }: VisibilityRule, shown: Json, value: Side): boolean {
  return value(field) === shown && (where === undefined || value(where.field) === where.is);
}

/** A field that holds who may see the object: whom it names newly, and whom no longer. What ends with the object is a loss. */
function holders(field: string, step: Step, fields: readonly FieldChange[]): readonly Exposure[] {
  const change = fields.find((one) => one.field === field);
  if (change === undefined || step.action === 'delete') return [];
  const before = entries(step.actual?.values[field]);
  const after = entries(change.new);
  return [
    ...([...after].some((entry) => !before.has(entry)) ? [{ kind: 'publishes' } as const] : []),
    ...([...before].some((entry) => !after.has(entry)) ? [{ kind: 'unpublishes' } as const] : []),
  ];
}

function entries(value: PlanValue | undefined): ReadonlySet<string> {
  return new Set((isList(value) ? value : []).map((entry) => JSON.stringify(entry)));
}

function presence({ type, action }: Step): readonly Exposure[] {
  const { shown, hidden } = type.presence ?? {};
  if (action === 'create' && shown !== undefined) return [{ kind: 'publishes', what: shown }];
  return action === 'delete' && hidden !== undefined ? [{ kind: 'unpublishes', what: hidden }] : [];
}
