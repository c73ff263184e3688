import { compareText, type Address } from '../model/address.js';
import { canonicalJson, sha256 } from '../model/canonical.js';
import { defined } from '../model/defined.js';
import {
  driftSeverities,
  type DriftStatus,
  type Finding,
  type IgnoredFinding,
  type ResolvedFinding,
  type UncheckedFinding,
} from '../model/drift.js';
import type { DriftHistory, DriftNote, DriftObservation, SeenFinding } from '../model/drift-history.js';
import type { NotCompared } from '../model/plan.js';
import { findingId, type BareFinding } from './finding-id.js';
import { typeNameIn } from './unmanaged.js';

interface WithHistory {
  readonly findings: readonly Finding[];
  readonly notCompared: readonly UncheckedFinding[];
  readonly resolved: readonly ResolvedFinding[];
  readonly note: DriftNote;
}

export interface Check {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly status: DriftStatus;
  readonly findings: readonly BareFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly notCompared: readonly NotCompared[];
  /** See `DriftResult`. */
  readonly unrecorded?: number;
  /** Addresses of which nothing is known. */
  readonly unread: ReadonlySet<Address>;
  /** Objects that nobody manages: names of types that were looked at, and of those of which nothing can be said now. */
  readonly watched: { readonly types: ReadonlySet<string>; readonly silent: ReadonlySet<string> };
}

/** Lays a check over what earlier ones saw: what is new, worse, known and resolved; and what to remember of it. */
export function withHistory(check: Check, history: DriftHistory): WithHistory {
  const open = new Map(history.findings.filter((seen) => seen.resolvedAt === undefined).map((seen) => [seen.id, seen]));
  const observations = check.findings.map(observationOf);
  const findings = check.findings.map((finding, at): Finding => {
    const before = open.get(finding.id);
    const now = observations[at];
    const trend = before === undefined ? 'new' : now !== undefined && isWorse(before, now) ? 'worse' : 'known';
    return { ...finding, trend, firstSeen: before?.firstSeen ?? check.at, lastSeen: check.at };
  });
  const notCompared = check.notCompared.map((entry) => unchecked(entry, open, check.at));
  const all = [...observations, ...notCompared.map(uncheckedObservation)];
  // Several reads of one type can fail; each id is remembered once.
  const seen = [...new Map(all.map((observation) => [observation.id, observation])).values()];
  const resolved = resolvedBy(check, open, new Set(seen.map(({ id }) => id)));
  const note = { at: check.at, status: check.status, seen, resolved: resolved.map(({ id }) => id) };
  return { findings, notCompared, resolved, note };
}

/** It weighs more, or somebody moved it again. */
function isWorse(before: SeenFinding, now: DriftObservation): boolean {
  return (
    driftSeverities.indexOf(now.severity) < driftSeverities.indexOf(before.severity) || now.digest !== before.digest
  );
}

function observationOf(finding: BareFinding): DriftObservation {
  const { id, address, field, severity } = finding;
  return {
    ...{ id, address, class: finding.class, severity, digest: sha256(canonicalJson(finding.new ?? null)) },
    ...defined({ field }),
  };
}

function unchecked(entry: NotCompared, open: ReadonlyMap<string, SeenFinding>, at: string): UncheckedFinding {
  const id = findingId(entry.address ?? entry.type, undefined, 'not-compared');
  const before = open.get(id);
  return {
    id,
    ...defined({ address: entry.address }),
    ...{ type: entry.type, diagnostic: entry.diagnostic },
    trend: before === undefined ? 'new' : 'known',
    firstSeen: before?.firstSeen ?? at,
  };
}

function uncheckedObservation({ id, address, type }: UncheckedFinding): DriftObservation {
  return { id, address: address ?? type, class: 'not-compared', severity: 'medium', digest: '' };
}

/** Open ones that were looked at and are no more; of what could not be read, nothing is resolved. */
function resolvedBy(
  check: Check,
  open: ReadonlyMap<string, SeenFinding>,
  seen: ReadonlySet<string>,
): readonly ResolvedFinding[] {
  // Without any record nothing was looked at.
  if (check.status === 'failed' || check.unrecorded !== undefined) return [];
  const ignored = new Set(check.ignored.map(({ id }) => id));
  return [...open.values()]
    .filter((known) => !seen.has(known.id) && wasLookedAt(check, known))
    .map(({ digest: _digest, resolvedAt: _none, ...known }) => ({
      ...known,
      by: ignored.has(known.id) || isUnasked(check, known) ? ('ignored' as const) : ('settled' as const),
    }))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.field ?? '', b.field ?? ''));
}

function wasLookedAt({ unread, watched }: Check, { address, class: kind }: SeenFinding): boolean {
  if (kind === 'not-compared') return true;
  return kind === 'unmanaged' ? !watched.silent.has(typeNameIn(address) ?? '') : !unread.has(address);
}

/** `drift.unmanaged` does not ask for objects of its type any more. */
function isUnasked({ watched }: Check, { address, class: kind }: Pick<SeenFinding, 'address' | 'class'>): boolean {
  return kind === 'unmanaged' && !watched.types.has(typeNameIn(address) ?? '');
}
