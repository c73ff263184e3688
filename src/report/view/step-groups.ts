import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { addTo } from '@platform-sync/core/model/graph';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { originOf } from '../words/origin.js';
import { unknownFrom } from '../words/value.js';

/** Steps that are told once: the same change of many objects, or what one change brings with it. */
export interface StepGroup {
  /** The one that is shown. */
  readonly lead: PlanStep;
  /** Changed in exactly the same way; in the order of the plan. */
  readonly alike: readonly PlanStep[];
  /** Only there because of the lead: what lives in it or refers to it. In the order of the plan. */
  readonly along: readonly PlanStep[];
}

// Two alike are told as quickly as one and a count.
const fewest = 3;
// Comparing whole documents would cost more than it folds.
const longestKey = 4000;

/** Every step of the plan, in one group each, in the order of their leads. */
export function stepGroups(plan: Plan): readonly StepGroup[] {
  const causes = causesOf(plan);
  const along = collected(plan.steps, (step) => causes.get(step));
  const leads = causes.size === 0 ? plan.steps : plan.steps.filter((step) => !causes.has(step));
  const texts = leads.map(longestText);
  const sharing = new Map<string, number>();
  for (const text of texts) sharing.set(text, (sharing.get(text) ?? 0) + 1);
  const keys = new Map<PlanStep, string>();
  for (const [at, step] of leads.entries()) {
    const isAlone = (sharing.get(texts[at] ?? '') ?? 0) < fewest || along.has(step);
    const key = isAlone ? undefined : keyOf(plan, step);
    if (key !== undefined) keys.set(step, key);
  }
  const alike = collected(leads, (step) => keys.get(step));
  return leads.flatMap((step) => {
    const same = alike.get(keys.get(step) ?? '') ?? none;
    if (same.length < fewest) return { lead: step, alike: none, along: along.get(step) ?? none };
    return same[0] === step ? { lead: step, alike: same.slice(1), along: none } : [];
  });
}

const none: readonly PlanStep[] = [];

/** The same for groups that do the same to the same fields of one type: only the values differ. Undefined: like no other. */
export function kindOf({ lead, along }: StepGroup): string | undefined {
  const { action, type, from, order, fields, options = [] } = lead;
  if (from !== undefined || along.length > 0) return undefined;
  // What goes is told by its name: which fields it had makes no other kind of it.
  const isGoing = action === 'delete' || action === 'forget';
  const names = isGoing ? [] : [...fields.map(({ field }) => field), ...options.map(({ option }) => option)];
  return JSON.stringify([action, type, order, ...names]);
}

const ends = { delete: 'deletes', replace: 'replaces' } as const;

/** `deletes`, `replaces`, or both: what happens to what goes along. */
export function alongWords(along: readonly PlanStep[]): string {
  const found = Object.entries(ends).filter(([action]) => along.some((step) => step.action === action));
  return found.map(([, word]) => word).join(' and ');
}

/** Step → the step that it is only there because of. */
function causesOf(plan: Plan): ReadonlyMap<PlanStep, PlanStep> {
  const byAddress = new Map(plan.steps.map((step) => [step.address, step]));
  const causes = new Map<PlanStep, PlanStep>();
  for (const step of plan.steps) {
    const cause = byAddress.get(step.action === 'delete' ? topDeleted(step.address, byAddress) : forcedBy(step));
    if (cause !== undefined && cause !== step && sameOrigin(plan, step, cause)) causes.set(step, cause);
  }
  // Of a chain, the first link counts: one that is folded itself shows nothing.
  for (const [step, cause] of causes) {
    let root = cause;
    for (let next = causes.get(root); next !== undefined && next !== step; next = causes.get(root)) root = next;
    causes.set(step, root);
  }
  const counts = new Map<PlanStep, number>();
  for (const cause of causes.values()) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return new Map([...causes].filter(([, cause]) => (counts.get(cause) ?? 0) >= fewest));
}

/** Whose change it is must stay visible. */
function sameOrigin(plan: Plan, a: PlanStep, b: PlanStep): boolean {
  return originOf(plan, a.address) === originOf(plan, b.address);
}

/** The furthest replacement that forces this one, when nothing of its own changes. */
function forcedBy({ action, reasons, fields, address }: PlanStep): Address {
  const forced = reasons.find(({ kind }) => kind === 'parent-replaced' || kind === 'reference-replaced');
  const isPassive = action === 'replace' && fields.every((field) => unknownFrom(field.new) !== undefined);
  if (!isPassive || forced === undefined || !('path' in forced)) return address;
  return forced.path.at(-1) ?? address;
}

/** The uppermost object above that is deleted, too. */
function topDeleted(address: Address, byAddress: ReadonlyMap<Address, PlanStep>): Address {
  const parts = address.split('/');
  for (let end = 1; end < parts.length; end += 1) {
    const above = parts.slice(0, end).join('/');
    if (byAddress.get(above)?.action === 'delete') return above;
  }
  return address;
}

/** The same for steps that change the same fields in the same way, and for few others: told without comparing all they say. */
function longestText({ fields }: PlanStep): string {
  let longest = '';
  for (const { old, new: now } of fields) {
    if (typeof old === 'string' && old.length > longest.length) longest = old;
    if (typeof now === 'string' && now.length > longest.length) longest = now;
  }
  return longest;
}

/** The same for steps that change the same fields in the same way; undefined where that says too much. */
function keyOf(plan: Plan, step: PlanStep): string | undefined {
  const { action, type, order, cause, fields, options, reasons, risks, from, address } = step;
  if (from !== undefined || fields.length > 20) return undefined;
  const origin = originOf(plan, address) ?? '';
  const says = [action, type, order ?? '', cause ?? '', fields, options ?? [], reasons, risks, origin];
  const text = canonicalJson(says);
  return text.length > longestKey ? undefined : sha256(text);
}

function collected<K>(
  steps: readonly PlanStep[],
  keyFor: (step: PlanStep) => K | undefined,
): ReadonlyMap<K, readonly PlanStep[]> {
  const found = new Map<K, PlanStep[]>();
  for (const step of steps) {
    const key = keyFor(step);
    if (key !== undefined) addTo(found, key, step);
  }
  return found;
}
