import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from '@platform-sync/state/database';
import type { Sql } from '@platform-sync/state/sql';
import type { Chance } from './chance.js';
import type { Rates } from './scenario.js';
import type { VirtualTime } from './virtual-time.js';

/** How a process reaches the database. */
export interface Wire {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly rates: () => Rates;
  /** An event of the process: it never comes to one that is dead, and waits for one that stands still. */
  readonly later: (ms: number, task: () => void) => void;
  /** Does the work of a transaction, and sees what it does. */
  readonly watched: <T>(trx: Statements, work: (trx: Statements) => Promise<T>) => Promise<T>;
  /** Nobody reaches it until then. */
  readonly awayUntil: () => number;
}

/** A database that is elsewhere: what is asked of it takes a while, may be refused, and its answer may never come. */
export function remoteDatabase(inner: Database, wire: Wire): Database {
  return {
    location: 'the simulated database',
    now: inner.now,
    each: inner.each,
    rows: <Row>(statement: Sql) => asked(wire, () => inner.rows<Row>(statement)),
    first: <Row>(statement: Sql) => asked(wire, () => inner.first<Row>(statement)),
    run: (statement) => asked(wire, () => inner.run(statement)),
    transaction: <T>(work: (trx: Statements) => Promise<T>) =>
      asked(wire, () => inner.transaction((trx) => wire.watched(trx, work))),
    snapshot: <T>(work: (trx: Statements) => Promise<T>) => asked(wire, () => inner.snapshot(work)),
    lockSchema: inner.lockSchema,
    problem: (error) => (error instanceof StateStoreError ? error : inner.problem(error)),
    close: () => Promise.resolve(),
  };
}

function asked<T>({ time, chance, rates, later, awayUntil }: Wire, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const away = (): void =>
      reject(new StateStoreError('unreachable', 'the simulated database does not answer', 'Wait.'));
    const isRefused = chance.happens(rates().storeRefused);
    const isLost = chance.happens(rates().storeLost);
    const there = chance.happens(rates().storeSlow) ? chance.between(50, 12_000) : chance.between(0, 3);
    const arrive = (): void => {
      if (isRefused || time.now < awayUntil()) return away();
      work().then(
        (result) => later(1, () => (isLost ? away() : resolve(result))),
        (error: unknown) => later(1, () => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    };
    // What a process sent still arrives when it is dead.
    time.in(there, '', arrive);
  });
}
