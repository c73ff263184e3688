import type { Job, JobFound, RequestAnswer, RequestNews } from '@platform-sync/core/model/fleet';
import { momentIn, type World } from '@platform-sync/core/model/world';
import type { Database, Statements } from '@platform-sync/state/database';
import type { FleetTables } from '@platform-sync/state/fleet-schema';
import { parsed } from '@platform-sync/state/rows';
import { sql, type Sql } from '@platform-sync/state/sql';
import { Outbox } from './outbox.js';
import { jobKey } from './schedule.js';

const dayMs = 24 * 3_600_000;
/** A request that could not be told for so long is left alone. */
const toldMs = 7 * dayMs;
/** Who brought a commit of a request is known for so long after the last. */
const keptMs = 90 * dayMs;

interface DueRow extends Omit<RequestNews, 'commit' | 'answers'> {
  readonly nth: number;
  readonly tries: number;
  readonly made_of: string;
}

interface AnswerRow extends Pick<RequestAnswer, 'project' | 'stack'> {
  readonly body: string | null;
}

/** What all workers of a database tell requests: that their plans wait, and what came of them. Told twice, it is the same. */
export class FleetRequests {
  readonly #database: Database;
  readonly #world: Pick<World, 'now'>;
  readonly #proposals: Sql;
  readonly #answers: Sql;
  readonly #jobs: Sql;
  readonly #outbox: Outbox<DueRow>;

  constructor(
    { database, tables, world }: { database: Database; tables: FleetTables; world: Pick<World, 'now'> },
    jobs: Sql,
    sentMs: number,
  ) {
    this.#database = database;
    this.#world = world;
    this.#proposals = tables.table('proposals');
    this.#answers = tables.table('answers');
    this.#jobs = jobs;
    this.#outbox = new Outbox(database, { table: this.#proposals, key: sql`nth`, sentMs });
  }

  /**
   * Notes that these jobs are of one commit of one request; gives those that are to be done: none for what came too late. Whoever
   * brought any commit of the request is an author of this one: a later push by another makes nobody an outsider.
   */
  async begin(trx: Statements, jobs: readonly Job[]): Promise<readonly Job[]> {
    const [{ from, request, commit, authors: brought = [] } = {}] = jobs;
    if (from === undefined || commit === undefined) return jobs;
    const { platform, project, at } = from;
    const number = Number(request);
    const of = sql`platform = ${platform} and project = ${project} and number = ${number}`;
    const newer = await trx.first(sql`select nth from ${this.#proposals} where ${of} and at > ${at} limit 1`);
    if (newer !== undefined) return [];
    const known = await trx.rows<{ readonly authors: readonly string[] }>(
      sql`select authors from ${this.#proposals} where ${of}`,
    );
    const authors = [...new Set([...brought, ...known.flatMap((row) => row.authors)])];
    const old = momentIn({ now: () => this.#world.now() - keptMs });
    await trx.run(sql`delete from ${this.#proposals} where at < ${old} or ${of} and made_of = ${commit}`);
    const made = await trx.first<{ readonly nth: number }>(sql`
      insert into ${this.#proposals} (platform, project, number, made_of, at, authors, told, until, tries)
      values (${platform}, ${project}, ${number}, ${commit}, ${at}, cast(${JSON.stringify(authors)} as jsonb), '', 0, 0) returning nth`);
    const rows = jobs.map((job) => ({ job: jobKey(job), project: job.project, stack: job.stack }));
    await trx.run(sql`insert into ${this.#answers} (nth, job, project, stack)
      select cast(${made?.nth ?? 0} as bigint), value->>'job', value->>'project', value->>'stack'
      from ${this.#database.each(JSON.stringify(rows))}`);
    return jobs.map((job) => ({ ...job, authors }));
  }

  /** What a job has found, for the request that its commit is of. */
  async answer(job: Job, { found, comment }: JobFound): Promise<void> {
    if (job.commit === undefined) return;
    await this.#database.run(sql`update ${this.#answers} set body = ${JSON.stringify({ found, comment })}
      where job = ${jobKey(job)} and nth in (select nth from ${this.#proposals} where made_of = ${job.commit})`);
  }

  /** Tells all that there is to be told now, and what is not taken, later. */
  async deliver(tell: (news: RequestNews) => Promise<boolean>): Promise<void> {
    await this.#outbox.deliver(
      this.#due(),
      async ({ nth, made_of: commit, platform, project, number, state, newest }) =>
        tell({
          platform,
          project,
          number: Number(number),
          commit,
          state,
          newest,
          answers: await this.#said(nth),
        }).catch(() => false),
      ({ nth, state }) => sql`update ${this.#proposals} set told = ${state}, until = 0, tries = 0 where nth = ${nth}`,
    );
  }

  /** The first that has not been told how it stands now. What was done, or is of an older commit, changes no more. */
  #due(): Sql {
    const of = sql`n.platform = p.platform and n.project = p.project and n.number = p.number`;
    const old = momentIn({ now: () => this.#world.now() - toldMs });
    return sql`
      select nth, state, newest from (
        select p.nth, p.told, newer.made_of as newest, case
          when newer.nth > p.nth then 'superseded'
          when exists (select from ${this.#answers} a join ${this.#jobs} j on j.key = a.job
            where a.nth = p.nth and a.body is null and j.attempts < j.max_attempts) then 'waiting'
          else 'done' end as state
        from ${this.#proposals} p
        cross join lateral (select nth, made_of from ${this.#proposals} n where ${of} order by nth desc limit 1) newer
        where p.told in ('', 'waiting') and p.until <= ${this.#database.now()} and p.at >= ${old}) known
      where state <> told order by nth limit 1`;
  }

  async #said(nth: number): Promise<readonly RequestAnswer[]> {
    const rows = await this.#database.rows<AnswerRow>(
      sql`select project, stack, body from ${this.#answers} where nth = ${nth} order by project, stack`,
    );
    return rows.map(({ project, stack, body }) => ({
      ...{ project, stack },
      ...(body === null ? {} : parsed<Pick<JobFound, 'found' | 'comment'>>(body, 'what a request is told')),
    }));
  }
}
