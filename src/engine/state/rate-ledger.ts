import type { Grant, Urgency } from '@platform-sync/core/model/shared-rate';
import { ownMember } from '@platform-sync/core/model/value';

/** What is remembered of one server and token. Pure JSON; moments are the database's milliseconds. */
export interface RateLedger {
  /** The first moment that nobody has. */
  readonly next: number;
  /** Who waits, by stack. */
  readonly waiting: Readonly<Record<string, Waiter>>;
}

interface Waiter {
  readonly since: number;
  readonly seen: number;
  readonly count: number;
  readonly urgency: Urgency;
}

export interface Ask {
  /** The stack. */
  readonly asker: string;
  readonly wanted: number;
  readonly perMinute: number;
  readonly urgency: Urgency;
}

export const emptyLedger: RateLedger = { next: 0, waiting: {} };

/** A request may leave so long after its moment. */
const lifeMs = 1_000;
/** Moments are given away so long ahead, so that none passes unused while an answer is on its way. */
const aheadMs = 1_500;
/** Requests of so long go to one asker at a time. */
const packetMs = 1_000;
/** Somebody who waits asks again at least so often, and is gone after `goneMs`. */
const askAgainMs = { least: 25, most: 1_000 };
const goneMs = 4_000;
/** So much earlier somebody counts as having come. Bounded, so that whoever came before that is not passed by. */
const headStartMs: Readonly<Record<Urgency, number>> = { scheduled: 0, asked: 20_000, writing: 40_000 };

/**
 * Gives away moments in the order in which stacks came to wait, a packet a turn. Every request has a moment of its own, and any
 * minute meets at most `perMinute` of them, however late within its life each leaves.
 */
export function granted(
  ledger: RateLedger,
  ask: Ask,
  now: number,
): { readonly ledger: RateLedger; readonly grant: Grant } {
  const { asker, urgency, perMinute } = ask;
  const apartMs = (60_000 + lifeMs) / perMinute;
  const count = Math.max(1, Math.min(ask.wanted, Math.floor(packetMs / apartMs)));
  const next = Math.max(ledger.next, now);
  const here = Object.entries(ledger.waiting).filter(([name, { seen }]) => name !== asker && now - seen < goneMs);
  const since = ownMember(ledger.waiting, asker)?.since ?? now;
  const own = { since, seen: now, count, urgency };
  const before = here.filter(([name, each]) => turn(each) < turn(own) || (turn(each) === turn(own) && name < asker));
  // A moment that would pass unused is anybody's.
  const isFree = next <= now || (before.length === 0 && next <= now + aheadMs);
  if (isFree)
    return {
      ledger: { next: next + count * apartMs, waiting: Object.fromEntries(here) },
      grant: { count, inMs: next - now, apartMs, lifeMs },
    };
  const earlier = before.reduce((sum, [, each]) => sum + each.count * apartMs, 0);
  const inMs = Math.min(Math.max(next + earlier - aheadMs - now, askAgainMs.least), askAgainMs.most);
  return {
    ledger: { next, waiting: { ...Object.fromEntries(here), [asker]: own } },
    grant: { count: 0, inMs, apartMs, lifeMs },
  };
}

export function heldFor(ledger: RateLedger, ms: number, now: number): RateLedger {
  return { ...ledger, next: Math.max(ledger.next, now + ms) };
}

function turn({ since, urgency }: Waiter): number {
  return since - headStartMs[urgency];
}
