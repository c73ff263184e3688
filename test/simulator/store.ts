import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from '@platform-sync/state/database';
import type { Sql } from '@platform-sync/state/sql';
import type { Chance, Decisions } from './chance.js';
import type { Rates } from './scenario.js';
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
  /** Hears that something was refused, or done and never answered. */
  readonly onLost: () => void;
  /** Nobody reaches it until then. */
  readonly awayUntil: () => number;
}

/** What becomes of what is asked: how long it is on its way, and whether it is done and answered. */
interface Fate {
  readonly there: number;
  readonly ends: 'answered' | 'refused' | 'unanswered';
  /** How long its answer is on its way; absent: a millisecond. */
  readonly back?: number;
}

const usual: Fate = { there: 1, ends: 'answered' };

/** A database that is elsewhere: what is asked of it takes a while, may be refused, and its answer may never come. */
export function remoteDatabase(inner: Database, wire: Wire): Database {
  let times = 0;
  const asked = <T>(work: () => Promise<T>): Promise<T> => {
    times += 1;
    return sent(wire, `${wire.name} asks the store ${String(times)}`, work);
  };
  return {
    location: 'the simulated database',
    now: inner.now,
    each: inner.each,
    rows: <Row>(statement: Sql) => asked(() => inner.rows<Row>(statement)),
    first: <Row>(statement: Sql) => asked(() => inner.first<Row>(statement)),
    run: (statement) => asked(() => inner.run(statement)),
    transaction: <T>(work: (trx: Statements) => Promise<T>) => asked(() => inner.transaction(work)),
    snapshot: <T>(work: (trx: Statements) => Promise<T>) => asked(() => inner.snapshot(work)),
    lockSchema: inner.lockSchema,
    problem: (error) => (error instanceof StateStoreError ? error : inner.problem(error)),
    close: () => Promise.resolve(),
  };
}

function sent<T>(
  { time, decisions, later, onAsked, onDone, onLost, ...wire }: Wire,
  label: string,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const away = (): void => {
      onLost();
      reject(new StateStoreError('unreachable', 'the simulated database does not answer', 'Wait.'));
    };
    onAsked();
    const { there, ends, back = 1 } = decisions.of(label, usual, (chance) => fateOf(wire, time.now, chance));
    const arrive = (): void => {
      if (ends === 'refused') return away();
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

function fateOf({ rates: now, awayUntil }: Pick<Wire, 'rates' | 'awayUntil'>, at: number, chance: Chance): Fate {
  const rates = now();
  const there = chance.happens(rates.storeSlow) ? chance.between(50, 12_000) : chance.between(0, 3);
  if (at + there < awayUntil() || chance.happens(rates.storeRefused)) return { there, ends: 'refused' };
  const ends = chance.happens(rates.storeLost) ? 'unanswered' : 'answered';
  return chance.happens(rates.storeSlow) ? { there, ends, back: chance.between(50, 12_000) } : { there, ends };
}
