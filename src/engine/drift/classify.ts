import { type Address, compareText } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { DesiredState } from '../model/desired.js';
import {
  driftSeverities,
  type Converged,
  type DriftRule,
  type DriftSettings,
  type IgnoredFinding,
} from '../model/drift.js';
import { identityKey, parentIdentity } from '../model/identity.js';
import type { UnmanagedObject } from '../model/plan.js';
import type { ResourceType } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';
import type { Proposal } from '../plan/proposal.js';
import type { Seals } from '../value/seal.js';
import { adviceOn } from './advice.js';
import { movedReferences } from './moved-reference.js';
import { compareFields, type FieldDrift } from './field-drift.js';
import { findingId, type BareFinding } from './finding-id.js';
import { ruleFinder, rulesOn } from './rules.js';
import { severityOf } from './severity.js';
import { unmanagedFinding } from './unmanaged.js';

interface ClassifyInput {
  readonly proposals: ReadonlyMap<Address, Proposal>;
  readonly desired: DesiredState;
  readonly typeOf: (token: string) => ResourceType;
  readonly settings: Pick<DriftSettings, 'severity' | 'ignore'>;
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string;
  readonly seals: Seals;
  /** What nobody manages and is asked for. */
  readonly unmanaged?: readonly UnmanagedObject[];
}

interface Classified {
  /** Worst first. */
  readonly findings: readonly BareFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly converged: readonly Converged[];
  /** Objects that were compared. */
  readonly compared: number;
  /** Addresses of which nothing is known. */
  readonly unread: ReadonlySet<Address>;
}

/** What of everything that state knows is not as recorded. Pure: equal inputs give equal findings. */
export function classify(input: ClassifyInput): Classified {
  const classifier = new Classifier(input);
  for (const proposal of input.proposals.values()) classifier.look(proposal);
  for (const object of input.unmanaged ?? []) classifier.add(object);
  return classifier.done();
}

class Classifier {
  readonly #input: ClassifyInput;
  readonly #moved: ReturnType<typeof movedReferences>;
  readonly #activeRules: (address: Address) => readonly DriftRule[];
  readonly #expiredRules: (address: Address) => readonly DriftRule[];
  readonly #expired: readonly DriftRule[];
  readonly #gone: ReadonlyMap<string, Address>;
  readonly #findings: BareFinding[] = [];
  readonly #ignored: IgnoredFinding[] = [];
  readonly #converged: Converged[] = [];
  readonly #unread = new Set<Address>();
  #compared = 0;

  constructor(input: ClassifyInput) {
    const { active, expired } = rulesOn(input.settings.ignore, input.today);
    this.#input = input;
    this.#moved = movedReferences(input.proposals);
    this.#expired = expired;
    this.#activeRules = ruleFinder(active);
    this.#expiredRules = ruleFinder(expired);
    const gone = [...input.proposals.values()].filter(isGone);
    this.#gone = new Map(gone.map(({ recorded, address }) => [identityKey(recorded.type, recorded.identity), address]));
  }

  look(proposal: Proposal): void {
    const { recorded, actual, address } = proposal;
    if (recorded === undefined) return;
    if (isGone(proposal)) {
      this.#compared += 1;
      this.#deleted(proposal);
      return;
    }
    if (actual === undefined) {
      this.#unread.add(address);
      return;
    }
    this.#compared += 1;
    const type = recorded.type === proposal.type.token ? proposal.type : this.#input.typeOf(recorded.type);
    const compared = { type, actual: actual.values, proposal };
    for (const drift of compareFields(compared, this.#input.seals)) {
      if (drift.class === 'converged') this.#converged.push({ address, type: type.token, field: drift.rule.name });
      else this.#changed(proposal, type, drift, drift.class);
    }
  }

  add(object: UnmanagedObject): void {
    this.#add(unmanagedFinding(object, this.#input.typeOf(object.type), this.#input.settings.severity));
  }

  done(): Classified {
    const expired = new Map(this.#expired.map((rule) => [JSON.stringify([rule.address, rule.field]), rule]));
    for (const rule of expired.values()) this.#findings.push(this.#expiredRule(rule));
    const weight = (finding: BareFinding): number => driftSeverities.indexOf(finding.severity);
    this.#findings.sort((a, b) => weight(a) - weight(b) || byPlace(a, b));
    return {
      findings: this.#findings,
      ignored: this.#ignored.sort(byPlace),
      converged: this.#converged.sort(byPlace),
      compared: this.#compared,
      unread: this.#unread,
    };
  }

  #deleted(proposal: Gone): void {
    const { address, recorded, desired } = proposal;
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
      ...this.#source(proposal),
      ...defined({ with: along }),
      ...adviceOn('deleted', true),
    });
  }

  #changed(proposal: Proposal, type: ResourceType, drift: FieldDrift, kind: 'modified' | 'undeclared-changed'): void {
    const { address, desired, actual } = proposal;
    const field = drift.rule.name;
    const updatedAt = actual?.values[type.revision ?? ''];
    const isMoved = this.#moved(proposal, field) !== undefined;
    const declared = isMoved ? undefined : desired?.properties.get(field);
    const decision = proposal.decisions.find(({ rule }) => rule.name === field);
    const replaces = decision && decision.change.rule === 'replace';
    const finding: BareFinding = {
      ...{ id: findingId(address, field, kind), address, type: type.token, class: kind, field },
      ...defined({ old: drift.old, new: drift.new }),
      severity: severityOf(type, drift.rule, this.#input.settings.severity),
      ...(typeof updatedAt === 'string' ? { updatedAt } : {}),
      ...defined({ objectId: actual?.identity.id }),
      ...this.#source(proposal, field),
      ...(drift.alsoInFile ? { alsoInFile: true } : {}),
      ...adviceOn(kind, desired !== undefined, drift.rule, declared, drift.old, replaces),
    };
    this.#add(finding, drift);
  }

  /** Puts a finding where a rule wants it: among the ignored ones, or back in view with the rule that ran out. */
  #add(finding: BareFinding, drift?: FieldDrift): void {
    const rule = coveringRule(this.#activeRules(finding.address), finding, drift);
    if (rule !== undefined) {
      const { id, address, type, field } = finding;
      this.#ignored.push({
        ...{ id, address, type, class: finding.class, reason: rule.reason },
        ...defined({ field, until: rule.until }),
      });
      return;
    }
    const over = coveringRule(this.#expiredRules(finding.address), finding, drift);
    const expired = over?.until === undefined ? {} : { expired: { reason: over.reason, until: over.until } };
    this.#findings.push({ ...finding, ...expired });
  }

  #expiredRule(rule: DriftRule): BareFinding {
    const { address, field } = rule;
    return {
      ...{ id: findingId(address, field, 'expired-rule'), address, class: 'expired-rule', severity: 'low' },
      type: this.#input.proposals.get(address)?.type.token ?? '',
      ...defined({ field }),
      ...{ source: rule.source, expired: { reason: rule.reason, until: rule.until ?? '' } },
      ...adviceOn('expired-rule', false),
    };
  }

  #source({ desired }: Proposal, field?: string): { readonly source?: string } {
    if (desired === undefined) return {};
    const range = (field === undefined ? undefined : desired.propertyKeys.get(field)) ?? desired.at;
    const { file, line, column } = this.#input.desired.sources.place(range);
    return { source: `${file}:${line}:${column}` };
  }
}

type Gone = Proposal & { readonly recorded: RecordedResource };

function isGone(proposal: Proposal): proposal is Gone {
  return (
    proposal.recorded !== undefined &&
    proposal.actual === undefined &&
    proposal.reasons.some((reason) => reason.kind === 'gone')
  );
}

/** A rule without a field covers everything of its address; several that name parts of a field cover it together. */
function coveringRule(
  rules: readonly DriftRule[],
  finding: BareFinding,
  drift: FieldDrift | undefined,
): DriftRule | undefined {
  const whole = rules.find(({ field }) => field === undefined || field === finding.field);
  if (whole !== undefined || drift === undefined) return whole;
  const parts = rules.filter(({ field }) => field?.split('.')[0] === finding.field);
  return drift.isOnly(parts.flatMap(({ field }) => field ?? [])) ? parts[0] : undefined;
}

function byPlace(
  a: { readonly address: Address; readonly field?: string },
  b: { readonly address: Address; readonly field?: string },
): number {
  return compareText(a.address, b.address) || compareText(a.field ?? '', b.field ?? '');
}
