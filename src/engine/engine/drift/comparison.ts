import { type Address, compareText } from '@platform-sync/core/model/address';
import { defined, hasUnknown, ownMember } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import {
  type DriftClass,
  type DriftResult,
  type DriftRule,
  type DriftSettings,
  driftSeverities,
  type Finding,
  type IgnoredFinding,
  type Unapplied,
  type UncheckedFinding,
} from '@platform-sync/core/model/drift';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { NotCompared, Plan, PlanStep, UnmanagedObject } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { factsOf, needsChange } from '../plan/change.js';
import type { Step } from '../plan/step.js';
import {
  compareField,
  compareObject,
  type FieldComparison,
  type ObjectFacts,
} from '@platform-sync/core/value/field-comparison';
import type { Seals } from '@platform-sync/core/value/seal';
import { adviceOn } from './advice.js';
import { severityOf, unmanagedSeverity } from './severity.js';
import { movedReferences } from './moved-reference.js';
import { unmanagedAddress } from './unmanaged.js';
import { addTo } from '@platform-sync/core/model/graph';
import { type Pattern, patternOf } from '@platform-sync/core/model/pattern';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';

interface ComparisonInput {
  readonly plan: Plan;
  /** What of the plan is looked at. */
  readonly steps: ReadonlyMap<Address, Step>;
  readonly desired: DesiredState;
  readonly typeOf: (token: string) => ResourceType;
  readonly settings: Pick<DriftSettings, 'severity' | 'ignore'>;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly seals: Seals;
  /** What nobody manages and is asked for. */
  readonly unmanaged?: readonly UnmanagedObject[];
}

/** What a plan says of changes outside, as the first check of its stack would tell it. */
export interface Comparison extends Pick<
  DriftResult,
  'findings' | 'notCompared' | 'ignored' | 'converged' | 'unapplied' | 'compared'
> {
  /** Addresses of which nothing is known. */
  readonly unread: ReadonlySet<Address>;
}

/** Reads a plan as a comparison of what is recorded and what is there. Pure: equal inputs give equal findings. */
export function comparisonOf(input: ComparisonInput): Comparison {
  const reader = new Reader(input);
  for (const step of input.steps.values()) reader.look(step);
  for (const object of input.unmanaged ?? []) reader.add(object);
  return reader.done();
}

class Reader {
  readonly #input: ComparisonInput;
  readonly #moved: ReturnType<typeof movedReferences>;
  readonly #activeRules: (address: Address) => readonly DriftRule[];
  readonly #expiredRules: (address: Address) => readonly DriftRule[];
  readonly #expired: readonly DriftRule[];
  readonly #gone: ReadonlyMap<string, Address>;
  readonly #findings: Finding[] = [];
  readonly #ignored: IgnoredFinding[] = [];
  readonly #converged: Pick<Finding, 'address' | 'type' | 'field'>[] = [];
  readonly #unread = new Set<Address>();
  #compared = 0;

  constructor(input: ComparisonInput) {
    const { active, expired } = rulesOn(input.settings.ignore, input.at.slice(0, 10));
    this.#input = input;
    this.#moved = movedReferences(input.steps);
    this.#expired = expired;
    this.#activeRules = ruleFinder(active);
    this.#expiredRules = ruleFinder(expired);
    const gone = [...input.steps.values()].filter(isGone);
    this.#gone = new Map(gone.map(({ recorded, address }) => [identityKey(recorded.type, recorded.identity), address]));
  }

  look(step: Step): void {
    const { recorded, actual, address } = step;
    if (recorded === undefined) return;
    if (isGone(step)) {
      this.#compared += 1;
      this.#deleted(step);
      return;
    }
    if (actual === undefined) {
      this.#unread.add(address);
      return;
    }
    this.#compared += 1;
    const { seals, typeOf } = this.#input;
    // The type that state knows it under.
    const type = recorded.type === step.type.token ? step.type : typeOf(recorded.type);
    const facts = factsOf(step, actual.values, seals, type);
    // Fields that the platform never shows can't drift.
    for (const field of compareObject(facts)) {
      if (field.lastSeen === undefined || !(field.drifted || field.strayed)) continue;
      const move = moveIn(field, facts, step.desired !== undefined && step.type === type);
      if (move === 'converged') this.#converged.push({ address, type: type.token, field: field.rule.name });
      else this.#changed(step, type, field, move, facts);
    }
  }
  add(object: UnmanagedObject): void {
    const { under, id, name, visible, importId, updatedAt } = object;
    const type = this.#input.typeOf(object.type);
    const address = unmanagedAddress(type, under, id);
    this.#add({
      ...{ id: findingId(address, undefined, 'unmanaged'), address, type: type.token, class: 'unmanaged' },
      severity: unmanagedSeverity(type, visible, this.#input.settings.severity),
      ...defined({ updatedAt }),
      ...{ objectId: id, name, importId },
      ...(visible ? { visible } : {}),
      ...adviceOn('unmanaged', false),
    });
  }

  done(): Comparison {
    const expired = new Map(this.#expired.map((rule) => [JSON.stringify([rule.address, rule.field]), rule]));
    for (const rule of expired.values()) this.#push(this.#expiredRule(rule));
    const weight = (finding: Finding): number => driftSeverities.indexOf(finding.severity);
    const { plan, at } = this.#input;
    return {
      findings: this.#findings.sort((a, b) => weight(a) - weight(b) || byPlace(a, b)),
      notCompared: plan.notCompared.map((entry) => uncheckedFinding(entry, at)),
      ignored: this.#ignored.sort(byPlace),
      converged: this.#converged.sort(byPlace),
      unapplied: unappliedChanges(plan),
      compared: this.#compared,
      unread: this.#unread,
    };
  }

  #deleted(step: Gone): void {
    const { address, recorded, desired } = step;
    const type = this.#input.typeOf(recorded.type);
    if (desired === undefined) {
      this.#converged.push({ address, type: type.token });
      return;
    }
    const above = parentIdentity(type, recorded.identity);
    const along = above === undefined ? undefined : this.#gone.get(identityKey(type.parent?.type ?? '', above));
    this.#add({
      ...{ id: findingId(address, undefined, 'deleted'), address, type: type.token, class: 'deleted' },
      severity: severityOf(type, undefined, this.#input.settings.severity),
      objectId: recorded.identity.id,
      ...this.#source(step),
      ...defined({ with: along }),
      ...adviceOn('deleted', true),
    });
  }

  #changed(
    step: Step,
    type: ResourceType,
    { rule, shown, lastSeen, actual: now }: FieldComparison,
    move: Exclude<ReturnType<typeof moveIn>, 'converged'>,
    facts: ObjectFacts,
  ): void {
    const { address, desired, actual } = step;
    const field = rule.name;
    const old = shown(lastSeen);
    const updatedAt = actual?.values[type.revision ?? ''];
    const isMoved = this.#moved(step, field) !== undefined;
    const declared = isMoved ? undefined : desired?.properties.get(field);
    const change = step.changes.find(({ rule }) => rule.name === field);
    const replaces = change && change.shown.rule === 'replace';
    const finding: Untimed = {
      ...{ id: findingId(address, field, move.class), address, type: type.token, class: move.class, field },
      ...defined({ old, new: shown(now) }),
      severity: severityOf(type, rule, this.#input.settings.severity),
      ...(typeof updatedAt === 'string' ? { updatedAt } : {}),
      ...defined({ objectId: actual?.identity.id }),
      ...this.#source(step, field),
      ...(move.alsoInFile ? { alsoInFile: true } : {}),
      ...adviceOn(move.class, desired !== undefined, rule, declared, old, replaces),
    };
    this.#add(finding, (paths) => {
      const { drifted, strayed } = compareField(rule, { ...facts, ignored: [...facts.ignored, ...paths] });
      return !drifted && !strayed;
    });
  }

  /**
   * Puts a finding where a rule wants it: among the ignored ones, or back in view with the rule that ran out. `isOnly`: whether it is
   * no difference without the parts that these paths leave out.
   */
  #add(finding: Untimed, isOnly?: (paths: readonly string[]) => boolean): void {
    const rule = coveringRule(this.#activeRules(finding.address), finding, isOnly);
    if (rule !== undefined) {
      const { id, address, type, field } = finding;
      this.#ignored.push({
        ...{ id, address, type, class: finding.class, reason: rule.reason },
        ...defined({ field, until: rule.until }),
      });
      return;
    }
    const over = coveringRule(this.#expiredRules(finding.address), finding, isOnly);
    const expired = over?.until === undefined ? {} : { expired: { reason: over.reason, until: over.until } };
    this.#push({ ...finding, ...expired });
  }

  #push(finding: Untimed): void {
    const { at } = this.#input;
    this.#findings.push({ ...finding, trend: 'new', firstSeen: at, lastSeen: at });
  }

  #expiredRule(rule: DriftRule): Untimed {
    const { address, field } = rule;
    return {
      ...{ id: findingId(address, field, 'expired-rule'), address, class: 'expired-rule', severity: 'low' },
      type: this.#input.steps.get(address)?.type.token ?? '',
      ...defined({ field }),
      ...{ source: rule.source, expired: { reason: rule.reason, until: rule.until ?? '' } },
      ...adviceOn('expired-rule', false),
    };
  }

  #source({ desired }: Step, field?: string): { readonly source?: string } {
    if (desired === undefined) return {};
    const range = (field === undefined ? undefined : desired.propertyKeys.get(field)) ?? desired.at;
    const { file, line, column } = this.#input.desired.sources.place(range);
    return { source: `${file}:${line}:${column}` };
  }
}

/** Known by one check alone. */
type Untimed = Omit<Finding, 'trend' | 'firstSeen' | 'lastSeen'>;

/** What the catalogue says to a change outside. */
function moveIn(
  field: FieldComparison,
  { declared }: ObjectFacts,
  isDesired: boolean,
): 'converged' | { readonly class: 'modified' | 'undeclared-changed'; readonly alsoInFile: boolean } {
  const said = declared.get(field.rule.name);
  if (field.strayed) return { class: 'undeclared-changed', alsoInFile: false };
  if (hasUnknown(said ?? null)) return { class: 'modified', alsoInFile: false };
  // The line is gone from the file: the planner knows whether the platform is at its default.
  if (said === undefined)
    return isDesired && !needsChange(field) ? 'converged' : { class: 'modified', alsoInFile: true };
  return field.same ? 'converged' : { class: 'modified', alsoInFile: field.configured };
}

type Gone = Step & { readonly recorded: RecordedResource };

function isGone(step: Step): step is Gone {
  return (
    step.recorded !== undefined && step.actual === undefined && step.reasons.some((reason) => reason.kind === 'gone')
  );
}

/** A rule without a field covers everything of its address; several that name parts of a field cover it together. */
function coveringRule(
  rules: readonly DriftRule[],
  finding: Untimed,
  isOnly: ((paths: readonly string[]) => boolean) | undefined,
): DriftRule | undefined {
  const whole = rules.find(({ field }) => field === undefined || field === finding.field);
  if (whole !== undefined || isOnly === undefined) return whole;
  const parts = rules.filter(({ field }) => field?.split('.')[0] === finding.field);
  return isOnly(parts.flatMap(({ field }) => field ?? [])) ? parts[0] : undefined;
}

function byPlace(
  a: { readonly address: Address; readonly field?: string },
  b: { readonly address: Address; readonly field?: string },
): number {
  return compareText(a.address, b.address) || compareText(a.field ?? '', b.field ?? '');
}

/** A read that failed, as the first check tells it. */
function uncheckedFinding({ address, type, diagnostic }: NotCompared, at: string): UncheckedFinding {
  return {
    id: findingId(address ?? type, undefined, 'not-compared'),
    ...defined({ address }),
    ...{ type, diagnostic, trend: 'new', firstSeen: at },
  };
}

/** Steps that the catalogue asks for, and not a change outside. */
function unappliedChanges({ steps, meta: { sources } }: Plan): readonly Unapplied[] {
  return steps.flatMap((step): readonly Unapplied[] => {
    const { address, type, action } = step;
    const configured = step.fields.filter(({ cause }) => cause !== 'drift').map(({ field }) => field);
    if (isOnlyDrift(step, configured)) return [];
    const fields = action === 'update' || action === 'replace' ? configured : [];
    return [{ address, type, action, fields, ...defined({ source: ownMember(sources, address) }) }];
  });
}

function isOnlyDrift(step: PlanStep, configured: readonly string[]): boolean {
  if (step.reasons.some((reason) => reason.kind === 'gone')) return true;
  if (step.action === 'update') return configured.length === 0;
  return step.action === 'replace' && step.cause === 'drift';
}

/** Rules that hold on a day, and those that have run out. */
interface ActiveRules {
  readonly active: readonly DriftRule[];
  readonly expired: readonly DriftRule[];
}

/** `today` is `YYYY-MM-DD`; a rule holds through its last day. */
function rulesOn(rules: readonly DriftRule[], today: string): ActiveRules {
  const isOver = (rule: DriftRule): boolean => rule.until !== undefined && rule.until < today;
  return { active: rules.filter((rule) => !isOver(rule)), expired: rules.filter(isOver) };
}

/** Finds the rules of an address; those without a `*` by one look-up. */
function ruleFinder(rules: readonly DriftRule[]): (address: Address) => readonly DriftRule[] {
  const exact = new Map<Address, DriftRule[]>();
  const patterns: { readonly pattern: Pattern; readonly rule: DriftRule }[] = [];
  for (const rule of rules) {
    if (rule.address.includes('*')) patterns.push({ pattern: patternOf(rule.address), rule });
    else addTo(exact, rule.address, rule);
  }
  return (address) => [
    ...(exact.get(address) ?? []),
    ...patterns.filter(({ pattern }) => pattern.test(address)).map(({ rule }) => rule),
  ];
}

/** Names a finding in every check that sees it. Forty bits: two among ten thousand are alike once in 20,000 checks. */
function findingId(address: Address, field: string | undefined, kind: DriftClass | 'not-compared'): string {
  return sha256(canonicalJson([address, field ?? null, kind])).slice(0, 10);
}
