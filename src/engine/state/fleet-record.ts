import { sha256 } from '@platform-sync/core/model/canonical';
import { groupBy } from '@platform-sync/core/model/graph';
import type { DriftHistory } from '@platform-sync/core/model/drift';
import type { FleetRow, Job, JobFound, Settled } from '@platform-sync/core/model/fleet';
import type { Plan } from '@platform-sync/core/model/plan';
import type { History } from '@platform-sync/core/model/run-summary';
import { defined } from '@platform-sync/core/model/value';
import type { Database, Statements } from './database.js';
import type { FleetTables } from './fleet-schema.js';
import { historyOf } from './sql-drift.js';
import { parsed } from './rows.js';
import { readRuns } from './sql-runs.js';
import { sql } from './sql.js';
import type { CheckRow, FindingRow } from './tables.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

/** What a database remembers of one stack. */
export interface RememberedStack {
  readonly history: DriftHistory;
  readonly lastApply?: NonNullable<FleetRow['lastApply']>;
  /** How the last job of each kind left it. */
  readonly jobs: readonly { readonly kind: Job['kind']; readonly at: string; readonly found: JobFound['found'] }[];
}

/** A plan that a job has made. */
export interface KeptPlan {
  readonly effect: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly authors: readonly string[];
  readonly commit?: string;
  /** How many it has; absent: a version kept it that did not say. */
  readonly steps?: number;
  readonly plan: Plan;
}

/** The newest commit of a request. */
export interface ProposedCommit {
  readonly platform: string;
  /** `acme/shop` */
  readonly repository: string;
  readonly number: number;
  readonly commit: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly authors: readonly string[];
  /** `found` absent: not planned yet, or, where nothing `waits` any more, never. */
  readonly stacks: readonly (Place & { readonly found?: Pick<FleetRow, 'state' | 'cause'> })[];
  readonly waits: boolean;
}

interface ProposalRow extends Place, Pick<ProposedCommit, 'platform' | 'repository' | 'at' | 'authors'> {
  readonly nth: number;
  readonly number: number;
  readonly made_of: string;
  readonly told: string;
  readonly state: FleetRow['state'] | null;
  readonly cause: string | null;
}

/** More than anybody has open. */
const mostRequests = 100;

function proposedOf(rows: readonly ProposalRow[]): readonly ProposedCommit[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { platform, repository, number, made_of: commit, at, authors, told } = first;
  const stacks = rows.map(({ project, stack, state, cause }) => ({
    ...{ project, stack },
    ...(state === null ? {} : { found: { state, cause: cause ?? '' } }),
  }));
  const waits = told !== 'done' && stacks.some(({ found }) => found === undefined);
  return [{ platform, repository, number: Number(number), commit, at, authors, stacks, waits }];
}

interface JobRow extends Place {
  readonly kind: Job['kind'];
  readonly at: string;
  readonly body: string;
}

interface RunRow extends Place {
  readonly at: string;
  readonly by: string;
  readonly status: string | null;
}

/** What a database remembers of all its stacks, in as few statements for a thousand as for one. */
export class FleetRecord {
  readonly #database: Database;
  readonly #tables: FleetTables;

  constructor(database: Database, tables: FleetTables) {
    this.#database = database;
    this.#tables = tables;
  }

  /** By `PROJECT/STACK`. */
  stacks(): Promise<ReadonlyMap<string, RememberedStack>> {
    return this.#database.snapshot(async (trx) => {
      const findings = await trx.rows<FindingRow>(sql`select * from sync_findings where resolved_at is null`);
      const checks = await trx.rows<CheckRow>(sql`select * from sync_checks`);
      // Of each stack the last run that carried a plan out, without its steps.
      const runs = await trx.rows<RunRow>(sql`
        select s.project, s.stack, b.at,
          coalesce(cast(p.body as json)->>'actor', cast(b.body as json)->>'owner') as by, cast(e.body as json)->>'status' as status
        from sync_stacks s
        cross join lateral (select run, body from sync_runs
          where project = s.project and stack = s.stack and kind = 'plan' order by number desc limit 1) p
        cross join lateral (select at, body from sync_runs
          where project = s.project and stack = s.stack and run = p.run and kind = 'begin' limit 1) b
        left join lateral (select body from sync_runs
          where project = s.project and stack = s.stack and run = p.run and kind = 'end' limit 1) e on true`);
      const jobs = await trx.rows<JobRow>(
        sql`select project, stack, kind, at, body from ${this.#tables.table('found')}`,
      );
      const [byFinding, byCheck] = [groupBy(findings, ofPlace), groupBy(checks, ofPlace)];
      const [byRun, byJob] = [groupBy(runs, ofPlace), groupBy(jobs, ofPlace)];
      const names = new Set([...byCheck.keys(), ...byRun.keys(), ...byJob.keys()]);
      return new Map(
        [...names].map((name) => {
          const [run] = byRun.get(name) ?? [];
          const lastApply = run && { at: run.at, by: run.by, ...defined({ status: run.status ?? undefined }) };
          const history = historyOf(byFinding.get(name) ?? [], byCheck.get(name)?.[0]);
          return [name, { history, ...defined({ lastApply }), jobs: (byJob.get(name) ?? []).map(jobOf) }];
        }),
      );
    });
  }

  /** What a proposal comes to is nothing that its stack is. */
  async note(job: Job, { found, plan, authors = [], settled }: JobFound, at: string): Promise<void> {
    const { kind, project, stack, commit } = job;
    await this.#database.transaction(async (trx) => {
      if (commit === undefined && kind !== 'settle') await this.#keepFound(trx, job, found, at);
      if (settled !== undefined) await this.#keepSettled(trx, job, settled, at);
      if (plan?.effectDigest === undefined) return;
      const plans = this.#tables.table('plans');
      await trx.run(sql`insert into ${plans} (project, stack, effect, at, authors, made_of, body, steps)
        values (${project}, ${stack}, ${plan.effectDigest}, ${at}, cast(${JSON.stringify(authors)} as jsonb), ${commit ?? null},
          ${JSON.stringify(plan)}, ${plan.steps.length})
        on conflict (project, stack, effect) do update
          set at = excluded.at, authors = excluded.authors || ${plans}.authors, made_of = excluded.made_of, body = excluded.body,
              steps = excluded.steps`);
      // What nobody applied for a while is planned anew by whoever wants it.
      await trx.run(sql`delete from ${plans} where project = ${project} and stack = ${stack} and effect not in
        (select effect from ${plans} where project = ${project} and stack = ${stack} order by at desc limit 20)`);
    });
  }

  /** The newest first, without what they do. */
  async plans({ project, stack }: Place): Promise<readonly Omit<KeptPlan, 'plan'>[]> {
    const rows = await this.#database.rows<PlanRow>(sql`select effect, at, authors, made_of, steps
      from ${this.#tables.table('plans')} where project = ${project} and stack = ${stack} order by at desc`);
    return rows.map(keptOf);
  }

  /** What is no longer clean is so since the first job that found it, unless the job knows better. */
  async #keepFound(
    trx: Statements,
    { kind, project, stack }: Job,
    found: JobFound['found'],
    at: string,
  ): Promise<void> {
    const table = this.#tables.table('found');
    const of = sql`project = ${project} and stack = ${stack} and kind = ${kind}`;
    const known = await trx.first<Pick<JobRow, 'at' | 'body'>>(sql`select at, body from ${table} where ${of}`);
    const before = known && parsed<JobFound['found']>(known.body, `what a ${kind} found`);
    const run = await trx.first<Pick<RunRow, 'at'>>(sql`select at from sync_runs
      where project = ${project} and stack = ${stack} and kind = 'begin' order by number desc limit 1`);
    // What a run has left is another matter than what it met; no run mends what keeps a check from being made.
    const isSame = before?.state === found.state && (kind === 'check' || (run?.at ?? '') < (known?.at ?? ''));
    const since = isSame ? (before.since ?? known?.at) : at;
    const body = JSON.stringify(found.state === 'clean' ? found : { ...defined({ since }), ...found });
    await trx.run(sql`insert into ${table} (project, stack, kind, at, body)
      values (${project}, ${stack}, ${kind}, ${at}, ${body})
      on conflict (project, stack, kind) do update set at = excluded.at, body = excluded.body`);
  }

  async #keepSettled(trx: Statements, { project, stack }: Place, settled: Settled, at: string): Promise<void> {
    const table = this.#tables.table('settled');
    // Whoever wants the same once more, or tries again, wants one thing.
    const id = sha256(JSON.stringify([settled.verb, settled.findings]));
    await trx.run(sql`insert into ${table} (project, stack, id, at, body)
      values (${project}, ${stack}, ${id}, ${at}, ${JSON.stringify(settled)})
      on conflict (project, stack, id) do update set at = excluded.at, body = excluded.body`);
    await trx.run(sql`delete from ${table} where project = ${project} and stack = ${stack} and id not in
      (select id from ${table} where project = ${project} and stack = ${stack} order by at desc limit 20)`);
  }

  /** What came of findings that somebody wanted settled, the newest first. */
  async settled({ project, stack }: Place): Promise<readonly (Settled & { readonly at: string })[]> {
    const rows = await this.#database.rows<{ readonly at: string; readonly body: string }>(sql`select at, body
      from ${this.#tables.table('settled')} where project = ${project} and stack = ${stack} order by at desc`);
    return rows.map(({ at, body }) => ({ ...parsed<Settled>(body, 'what came of findings'), at }));
  }

  /** Rows of one stack's runs. */
  history(place: Place): History {
    return { runs: (question) => readRuns(this.#database, place, question) };
  }

  /** Of all stacks, those since a moment that change something, the newest first, without what they do. */
  async plansSince(moment: string): Promise<readonly (Place & Omit<KeptPlan, 'plan'>)[]> {
    const rows = await this.#database.rows<
      Place & PlanRow
    >(sql`select project, stack, effect, at, authors, made_of, steps
      from ${this.#tables.table('plans')} where at >= ${moment} and coalesce(steps, 1) > 0 order by at desc limit 500`);
    return rows.map((row) => ({ project: row.project, stack: row.stack, ...keptOf(row) }));
  }

  /** Of each request since a moment its newest commit, with what stacks say of it, the newest first. */
  async requestsSince(moment: string): Promise<readonly ProposedCommit[]> {
    const proposals = this.#tables.table('proposals');
    const rows = await this.#database.rows<ProposalRow>(sql`
      select p.nth, p.platform, p.project as repository, p.number, p.made_of, p.at, p.authors, p.told, a.project, a.stack,
        cast(a.body as json)->'found'->>'state' as state, cast(a.body as json)->'found'->>'cause' as cause
      from (select * from ${proposals} p where at >= ${moment} and not exists (select from ${proposals} n
          where n.platform = p.platform and n.project = p.project and n.number = p.number and n.nth > p.nth)
        order by nth desc limit ${mostRequests}) p
      join ${this.#tables.table('answers')} a on a.nth = p.nth order by p.nth desc, a.project, a.stack`);
    return [...groupBy(rows, ({ nth }) => nth).values()].flatMap(proposedOf);
  }

  /** That a run still holds its stack. */
  async isUnderWay({ project, stack }: Place, run: number): Promise<boolean> {
    const row = await this.#database
      .first(sql`select 1 as one from sync_stacks where project = ${project} and stack = ${stack}
      and lease_id is not null and lease_fence = ${run} and lease_expires > ${this.#database.now()}`);
    return row !== undefined;
  }

  async plan({ project, stack }: Place, effect: string): Promise<KeptPlan | undefined> {
    const row = await this.#database.first<PlanRow & { readonly body: string }>(sql`
      select effect, at, authors, made_of, steps, body from ${this.#tables.table('plans')}
      where project = ${project} and stack = ${stack} and effect = ${effect}`);
    return row && { ...keptOf(row), plan: parsed<Plan>(row.body, `the plan ${effect}`) };
  }
}

function jobOf({ kind, at, body }: JobRow): RememberedStack['jobs'][number] {
  return { kind, at, found: parsed<JobFound['found']>(body, `what a ${kind} found`) };
}

interface PlanRow {
  readonly effect: string;
  readonly at: string;
  readonly authors: readonly string[];
  readonly made_of: string | null;
  readonly steps: number | null;
}

function keptOf({ effect, at, authors, made_of: commit, steps }: PlanRow): Omit<KeptPlan, 'plan'> {
  return { effect, at, authors, ...defined({ commit: commit ?? undefined, steps: steps ?? undefined }) };
}

function ofPlace({ project, stack }: Place): string {
  return `${project}/${stack}`;
}
