import type { FleetCause, FleetMessage, StackNews, Teller } from '@platform-sync/core/model/fleet';
import { groupBy } from '@platform-sync/core/model/graph';
import type { World } from '@platform-sync/core/model/world';
import type { Database, Statements } from '@platform-sync/state/database';
import type { FleetTables } from '@platform-sync/state/fleet-schema';
import { sql, type Sql } from '@platform-sync/state/sql';
import { Outbox } from './outbox.js';

/** Milliseconds. */
interface NewsTiming {
  /** What is seen soon after something else goes into one message with it, */
  readonly gatherMs: number;
  /** and so does what the checks find that wait or run, but no longer than this. */
  readonly roundMs: number;
  /** Longer than any receiver is waited for: after this, another worker may send what this one took to send. */
  readonly sentMs: number;
}

export const usualNews: NewsTiming = { gatherMs: 10_000, roundMs: 300_000, sentMs: 120_000 };

/** A cause of one stack. `fresh`: nobody has heard of it; `over`: of its end. */
export interface CauseRow extends StackNews {
  readonly state: 'fresh' | 'told' | 'over';
}

interface MessageRow extends FleetMessage {
  readonly nth: number;
  readonly tries: number;
}

interface Gathered {
  readonly causes: readonly FleetCause[];
  /** The end of each of their causes is told, or need not be. */
  readonly gone: readonly CauseRow[];
}

const isEnd = new Set<StackNews['kind']>(['resolved', 'recovered']);

/** What is the same for whoever hears of it: a cause that got worse is the cause that it was. */
function nameOf({ kind, cause }: Pick<StackNews, 'kind' | 'cause'>): string {
  return `${kind === 'worse' ? 'new' : kind} ${cause}`;
}

/**
 * The message that rows of one receiver make: a cause is told with all stacks that have it, and not again while one of them has it
 * still; its end when the last one is rid of it.
 */
export function gathered(rows: readonly CauseRow[]): Gathered {
  const groups = [...groupBy(rows, nameOf).values()];
  const of = (group: readonly CauseRow[], kind: FleetCause['kind']): FleetCause => ({
    ...{ kind, cause: group[0]?.cause ?? '', stacks: [...new Set(group.map(({ stack }) => stack))].sort() },
  });
  const begun = groups.flatMap((group) => {
    const isKnown = group.some(({ state }) => state !== 'fresh');
    return isKnown ? [] : [of(group, group[0]?.kind ?? 'new')];
  });
  const ended = groups.filter((group) => group.every(({ state }) => state === 'over'));
  const ends = ended.map((group) => of(group, group[0]?.kind === 'failed' ? 'recovered' : 'resolved'));
  return { causes: [...begun, ...ends], gone: ended.flat() };
}

/** What all workers of a database tell together. */
export class FleetNews {
  readonly #database: Database;
  readonly #world: Pick<World, 'id'>;
  readonly #timing: NewsTiming;
  readonly #causes: Sql;
  readonly #messages: Sql;
  readonly #jobs: Sql;
  readonly #outbox: Outbox<MessageRow>;

  constructor(
    { database, tables, world }: { database: Database; tables: FleetTables; world: Pick<World, 'id'> },
    jobs: Sql,
    timing: NewsTiming,
  ) {
    this.#database = database;
    this.#world = world;
    this.#timing = timing;
    this.#causes = tables.table('causes');
    this.#messages = tables.table('messages');
    this.#jobs = jobs;
    this.#outbox = new Outbox(database, { table: this.#messages, key: sql`number`, sentMs: timing.sentMs });
  }

  /** Keeps what was seen. What is kept already stays as it is. */
  async keep(receiver: string, news: readonly StackNews[]): Promise<void> {
    const { now, each } = this.#database;
    await this.#database.transaction(async (trx) => {
      await this.#alone(trx);
      const ends = each(JSON.stringify(news.filter(({ kind }) => isEnd.has(kind))));
      const begun = each(JSON.stringify(news.filter(({ kind }) => !isEnd.has(kind))));
      // Of what nobody heard of, nobody hears the end.
      await trx.run(sql`delete from ${this.#causes} where receiver = ${receiver} and state = 'fresh'
        and (stack, item) in (select value->>'stack', value->>'item' from ${ends})`);
      await trx.run(sql`update ${this.#causes} set state = 'over', at = ${now()} where receiver = ${receiver}
        and state = 'told' and (stack, item) in (select value->>'stack', value->>'item' from ${ends})`);
      await trx.run(sql`insert into ${this.#causes} as known (receiver, stack, item, kind, cause, state, at)
        select ${receiver}, value->>'stack', value->>'item', value->>'kind', value->>'cause', 'fresh', ${now()} from ${begun}
        on conflict (receiver, stack, item) do update set kind = excluded.kind, cause = excluded.cause,
          state = case when known.cause <> excluded.cause then 'fresh' when known.state = 'over' then 'told' else known.state end,
          at = case when known.cause <> excluded.cause then excluded.at else known.at end`);
    });
  }

  /** Sends what is due, one message after the other. */
  async deliver({ receiver, isQuiet, send }: Teller): Promise<void> {
    if (await isQuiet()) return;
    await this.#gather(receiver);
    await this.#outbox.deliver(
      // A receiver hears of an end after the beginning: while the first waits, all wait.
      sql`select min(number) as nth from ${this.#messages} where receiver = ${receiver}`,
      ({ id, causes }) => send({ id, causes }),
      ({ nth }) => sql`delete from ${this.#messages} where number = ${nth}`,
    );
  }

  async #gather(receiver: string): Promise<void> {
    const { gatherMs, roundMs } = this.#timing;
    const now = this.#database.now();
    const due = sql`select 1 as due from ${this.#causes} mine where receiver = ${receiver} and state <> 'told'
      and (state = 'fresh' or not exists (select from ${this.#causes} other
        where other.receiver = mine.receiver and other.cause = mine.cause and other.state <> 'over'))
      and (at < ${now} - ${roundMs} or at < ${now} - ${gatherMs} and not exists (select from ${this.#jobs}
        where key like 'check %' and attempts < max_attempts and (locked_at is not null or run_at <= now())))
      limit 1`;
    // Mostly nothing is.
    if ((await this.#database.first(due)) === undefined) return;
    await this.#database.transaction(async (trx) => {
      await this.#alone(trx);
      const rows = await trx.rows<CauseRow>(sql`select stack, item, kind, cause, state from ${this.#causes}
        where receiver = ${receiver} order by stack, item`);
      const { causes, gone } = gathered(rows);
      await trx.run(sql`update ${this.#causes} set state = 'told' where receiver = ${receiver} and state = 'fresh'`);
      await trx.run(sql`delete from ${this.#causes} where receiver = ${receiver} and state = 'over'
        and (stack, item) in (select value->>'stack', value->>'item' from ${this.#database.each(JSON.stringify(gone))})`);
      if (causes.length === 0) return;
      await trx.run(sql`insert into ${this.#messages} (id, receiver, causes, until, tries)
        values (${this.#world.id()}, ${receiver}, cast(${JSON.stringify(causes)} as jsonb), 0, 0)`);
    });
  }

  /** Who sees half of what another keeps would tell half of it. */
  async #alone(trx: Statements): Promise<void> {
    await trx.run(sql`lock table ${this.#causes} in share row exclusive mode`);
  }
}
