import { createHash } from 'node:crypto';
import type { Grant, SharedRate } from '@platform-sync/core/model/shared-rate';
import type { Database } from './database.js';
import { fleetSchema, type FleetTables } from './fleet-schema.js';
import { realTiming, type Timing } from './lease-term.js';
import { openPostgres } from './postgres.js';
import { type Ask, emptyLedger, granted, heldFor, type RateLedger } from './rate-ledger.js';
import { sql } from './sql.js';

/** Rates that runs of one database keep together. */
export class SharedRates {
  readonly #database: Database;
  #tables: Promise<FleetTables> | undefined;

  constructor(url: string, timing: Partial<Timing> = {}) {
    this.#database = openPostgres(url, { ...realTiming, ...timing }, 1);
  }

  /** `caller` names a server and a token; the database gets to know its digest alone. */
  of(caller: string, ask: Omit<Ask, 'wanted'>): SharedRate {
    const digest = createHash('sha256').update(caller).digest('hex');
    return {
      take: (wanted) => this.#take(digest, { ...ask, wanted }),
      refused: (ms) => this.#changed(digest, (ledger, now) => [heldFor(ledger, ms, now), undefined]),
    };
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #take(digest: string, ask: Ask): Promise<Grant> {
    return this.#changed(digest, (before, now) => {
      const { ledger, grant } = granted(before, ask, now);
      return [ledger, grant];
    });
  }

  async #changed<T>(digest: string, change: (ledger: RateLedger, now: number) => readonly [RateLedger, T]): Promise<T> {
    const { now } = this.#database;
    try {
      const rates = (await this.#opened()).table('rates');
      return await this.#database.transaction(async (trx) => {
        await trx.run(sql`insert into ${rates} (caller, ledger) values (${digest}, ${JSON.stringify(emptyLedger)})
          on conflict do nothing`);
        const row = await trx.first<{ readonly ledger: RateLedger }>(sql`select ledger from ${rates}
          where caller = ${digest} for update`);
        // Only now is it nobody else's turn.
        const time = await trx.first<{ readonly now: number }>(sql`select ${now()} as now`);
        const [ledger, result] = change(row?.ledger ?? emptyLedger, time?.now ?? 0);
        await trx.run(sql`update ${rates} set ledger = ${JSON.stringify(ledger)} where caller = ${digest}`);
        return result;
      });
    } catch (error) {
      throw this.#database.problem(error);
    }
  }

  /** One that failed is tried again at the next question. */
  #opened(): Promise<FleetTables> {
    this.#tables ??= fleetSchema(this.#database).catch((error: unknown) => {
      this.#tables = undefined;
      throw error;
    });
    return this.#tables;
  }
}
