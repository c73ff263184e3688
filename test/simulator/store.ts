import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from '@platform-sync/state/database';
import type { Sql } from '@platform-sync/state/sql';
import type { Chance, Decisions } from './chance.js';
import type { Rates } from './scenario.js';
import { leaseMs } from './types.js';
import type { VirtualTime } from './virtual-time.js';

/** How a process reaches the database. */
export interface Wire {
  readonly time: VirtualTime;
  readonly decisions: Decisions;
  readonly name: string;
  readonly rates: () => Rates;
  /** An event of the process: it never comes to one that is dead, and waits for one that stands still. */
  readonly later: (ms: number, task: () => void) => void;
  /** Hears of each question when it is asked. */
  readonly onAsked: () => void;
  /** Hears that something that was asked for has been done. */
  readonly onDone: () => void;
  /** Hears that something will be refused, or done and never answered. */
  readonly onLost: () => void;
  /** Nobody reaches it until then. */
  readonly awayUntil: () => number;
}

/** What becomes of what is asked: how long it is on its way, and whether it is done and answered. */
interface Fate {
  readonly there: number;
  readonly ends: 'answered' | 'refused' | 'unanswered';
  /** How long its answer is on its way, or until whoever asked gives up; absent: a millisecond, or no time. */
  readonly back?: number;
}

/** Whoever asks gives a statement up after so long. */
const patienceMs = leaseMs / 3;
/** A transaction has several: so long at least and at most. */
const patienceOfMany = [2 * patienceMs, 10 * patienceMs] as const;
/** How many of a thousand questions that are not answered are swallowed: nobody says so, either. */
const swallowedOften = 400;

const usual: Fate = { there: 1, ends: 'answered' };

/** A database that is elsewhere: what is asked of it takes a while, may be refused, and its answer may never come. */
export function remoteDatabase(inner: Database, wire: Wire): Database {
  let times = 0;
  const asked = <T>(work: () => Promise<T>, isOne = true): Promise<T> => {
    times += 1;
    return sent(wire, `${wire.name} asks the store ${String(times)}`, work, isOne);
  };
  return {
    location: 'the simulated database',
    now: inner.now,
    each: inner.each,
    rows: <Row>(statement: Sql) => asked(() => inner.rows<Row>(statement)),
    first: <Row>(statement: Sql) => asked(() => inner.first<Row>(statement)),
    run: (statement) => asked(() => inner.run(statement)),
    transaction: <T>(work: (trx: Statements) => Promise<T>) => asked(() => inner.transaction(work), false),
    snapshot: <T>(work: (trx: Statements) => Promise<T>) => asked(() => inner.snapshot(work), false),
    lockSchema: inner.lockSchema,
    problem: (error) => (error instanceof StateStoreError ? error : inner.problem(error)),
    close: () => Promise.resolve(),
  };
}

function sent<T>(
  { time, decisions, later, onAsked, onDone, onLost, ...wire }: Wire,
  label: string,
  work: () => Promise<T>,
  isOne: boolean,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const away = (): void => {
      reject(new StateStoreError('unreachable', 'the simulated database does not answer', 'Wait.'));
    };
    onAsked();
    const fate = decisions.of(label, usual, (chance) => fateOf(wire, time.now, chance, isOne));
    const { there, ends, back = 1 } = fate;
    // Who asks may end before it gives up.
    if (ends !== 'answered') onLost();
    const arrive = (): void => {
      if (ends === 'refused') return fate.back === undefined ? away() : later(back, away);
      work().then(
        (result) => {
          onDone();
          later(back, () => (ends === 'unanswered' ? away() : resolve(result)));
        },
        (error: unknown) => later(1, () => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    };
    // What a process sent still arrives when it is dead.
    time.in(there, '', arrive);
  });
}

function fateOf(
  { rates: now, awayUntil }: Pick<Wire, 'rates' | 'awayUntil'>,
  at: number,
  chance: Chance,
  isOne: boolean,
): Fate {
  const rates = now();
  const there = chance.happens(rates.storeSlow) ? chance.between(50, 12_000) : chance.between(0, 3);
  if (at + there < awayUntil() || chance.happens(rates.storeRefused)) return { there, ends: 'refused' };
  const ends = chance.happens(rates.storeLost) ? 'unanswered' : 'answered';
  if (ends === 'unanswered' && chance.happens(swallowedOften))
    return {
      there,
      ends: chance.pick(['refused', 'unanswered'] as const),
      back: isOne ? patienceMs : chance.between(...patienceOfMany),
    };
  return chance.happens(rates.storeSlow) ? { there, ends, back: chance.between(50, 12_000) } : { there, ends };
}
