import { compareText, type Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/value';
import {
  type DriftHistory,
  type DriftNote,
  type DriftResult,
  driftSeverities,
  type Finding,
  type FlapRule,
  type ResolvedFinding,
  type SeenFinding,
  type UncheckedFinding,
} from '@platform-sync/core/model/drift';
import { typeNameIn } from './unmanaged.js';

/** A check as the first of its stack would tell it, and what it looked at. */
export interface Check extends Pick<DriftResult, 'status' | 'findings' | 'ignored' | 'notCompared' | 'unrecorded'> {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Addresses of which nothing is known. */
  readonly unread: ReadonlySet<Address>;
  /** Objects that nobody manages: names of types that were looked at, and of those of which nothing can be said now. */
  readonly watched: { readonly types: ReadonlySet<string>; readonly silent: ReadonlySet<string> };
}

type Seen = DriftNote['seen'][number];

/** Lays a check over what earlier ones saw: what is new, worse, known and resolved; and what to remember of it. */
export function withHistory(
  check: Check,
  history: DriftHistory,
  rule: FlapRule = defaultFlapRule,
): Pick<DriftResult, 'findings' | 'notCompared' | 'resolved' | 'flapping'> & { readonly note: DriftNote } {
  const flaps = new Flaps(rule, check.at);
  const open = new Map(history.findings.filter((seen) => seen.resolvedAt === undefined).map((seen) => [seen.id, seen]));
  const gone = new Map(history.findings.filter((seen) => seen.resolvedAt !== undefined).map((seen) => [seen.id, seen]));
  const { at, status } = check;
  const marks = check.findings.map((finding) => {
    const came = flaps.cameNow(open.get(finding.id), gone.get(finding.id));
    return { ...markOf(finding), ...(came === 1 ? {} : { came }) };
  });
  const findings = check.findings.map((finding, index): Finding => {
    const [before, mark] = [open.get(finding.id), marks[index]];
    const often = flaps.isFlapping(mark) ? { flaps: mark.came } : {};
    // Of one that flaps only the time that made it so is news, unless it is worse than when it went.
    const earlier = before ?? ((mark?.came ?? 1) > rule.times ? gone.get(finding.id) : undefined);
    if (earlier === undefined) return { ...finding, ...often };
    const firstSeen = before?.firstSeen ?? finding.firstSeen;
    return { ...finding, ...often, trend: isWorse(earlier, mark) ? 'worse' : 'known', firstSeen };
  });
  const notCompared = check.notCompared.map((entry): UncheckedFinding => {
    const before = open.get(entry.id);
    return before === undefined ? entry : { ...entry, trend: 'known', firstSeen: before.firstSeen };
  });
  // Several reads of one type can fail; each id is remembered once.
  const seen = [...new Map([...marks, ...notCompared.map(uncheckedMark)].map((mark) => [mark.id, mark])).values()];
  const settled = resolvedBy(check, open, new Set(seen.map(({ id }) => id)));
  // Who was told that it comes and goes hears that it is gone when it has stayed so.
  const isAway = ({ id }: SeenFinding): boolean => !seen.some((one) => one.id === id);
  const unsteady = [
    ...settled.map((one) => ({ one, since: one.firstSeen })),
    ...[...gone.values()].filter(isAway).map(({ digest: _digest, resolvedAt: since = at, ...one }) => ({
      ...{ one: { ...one, by: 'settled' as const }, since },
    })),
  ].filter(({ one }) => flaps.isFlapping(one));
  const ofThem = (isQuiet: boolean): readonly ResolvedFinding[] =>
    unsteady.filter(({ since }) => flaps.isLongAgo(since) === isQuiet).map(({ one }) => one);
  const [quiet, flapping] = [ofThem(true), ofThem(false)];
  const resolved = [...settled.filter(({ id }) => !unsteady.some(({ one }) => one.id === id)), ...quiet];
  return {
    ...{ findings, notCompared, resolved },
    ...(flapping.length === 0 ? {} : { flapping }),
    note: {
      ...{ at, status, seen, resolved: settled.map(({ id }) => id) },
      ...(quiet.length === 0 ? {} : { quiet: quiet.map(({ id }) => id) }),
    },
  };
}

const defaultFlapRule: FlapRule = { times: 3, hours: 24 };

/** A finding that comes back within `hours` of its going, `times` in a row, flaps; until it has stayed as it is for so long. */
class Flaps {
  readonly #rule: FlapRule;
  readonly #at: number;

  constructor(rule: FlapRule, at: string) {
    this.#rule = rule;
    this.#at = Date.parse(at);
  }

  cameNow(before: SeenFinding | undefined, gone: SeenFinding | undefined): number {
    if (before !== undefined) return this.isLongAgo(before.firstSeen) ? 1 : (before.came ?? 1);
    return gone?.resolvedAt === undefined || this.isLongAgo(gone.resolvedAt) ? 1 : (gone.came ?? 1) + 1;
  }

  isFlapping(one: { readonly came?: number } | undefined): one is { readonly came: number } {
    return (one?.came ?? 1) >= this.#rule.times;
  }

  /** So long that what has been since then is how it is. */
  isLongAgo(time: string): boolean {
    return this.#at - Date.parse(time) >= this.#rule.hours * 3_600_000;
  }
}

/** It weighs more, or somebody moved it again. */
function isWorse(before: SeenFinding, now: Seen | undefined): boolean {
  if (now === undefined) return false;
  const weight = ({ severity }: Seen): number => driftSeverities.indexOf(severity);
  return weight(now) < weight(before) || now.digest !== before.digest;
}

function markOf(finding: Finding): Seen {
  const { id, address, field, severity } = finding;
  const digest = sha256(canonicalJson(finding.new ?? null));
  return { id, address, class: finding.class, severity, digest, ...defined({ field }) };
}

function uncheckedMark({ id, address, type }: UncheckedFinding): Seen {
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
