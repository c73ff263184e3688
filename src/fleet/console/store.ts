import { sha256 } from '@platform-sync/core/model/canonical';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import { groupBy } from '@platform-sync/core/model/graph';
import { defined } from '@platform-sync/core/model/value';
import { momentIn, type World } from '@platform-sync/core/model/world';
import type { Database } from '@platform-sync/state/database';
import { type SchemaStep, upgradeSchema } from '@platform-sync/state/fleet-schema';
import { sql, Sql } from '@platform-sync/state/sql';
import type { Person } from './access.js';
import type { Approval } from './approval.js';

/** In order; never edit one that was released. Each only adds, so that a console of the version before goes on meanwhile. */
export const consoleSteps: readonly SchemaStep[] = [
  (schema) => [
    `create table ${schema}.sessions (id text primary key, who jsonb not null, ends bigint not null)`,
    `create table ${schema}.logins (id text primary key, body jsonb not null, ends bigint not null)`,
    `create table ${schema}.audit (number bigint primary key, at text not null, who text not null, act text not null,
      target text not null, outcome text not null, words text not null, digest text not null)`,
    `create table ${schema}.head (id integer primary key, number bigint not null, digest text not null)`,
    `insert into ${schema}.head values (1, 0, '')`,
    `create table ${schema}.approvals (project text not null, stack text not null, effect text not null, who text not null,
      names jsonb not null, at text not null, glass text, used text, primary key (project, stack, effect, who))`,
    `create table ${schema}.tokens (id text primary key, digest text not null unique, who jsonb not null, ends bigint not null)`,
    `create table ${schema}.deliveries (id text primary key, ends bigint not null)`,
  ],
  // When somebody was seen last; where nothing says it, when they logged in.
  (schema) => [`alter table ${schema}.sessions add column seen bigint`],
];

/** How long whoever logged in stays so, */
export const sessionMs = 8 * 3_600_000;
/** and how long without a word. */
const idleMs = 2 * 3_600_000;
/** Somebody who is seen again within this is as good as seen before: reading a page writes nothing. */
const seenMs = 60_000;
/** How long a login may take. */
const loginMs = 10 * 60_000;

/** What was asked for or done. */
interface Act {
  readonly who: string;
  /** As the table of admissions names it: `POST /logout`. */
  readonly act: string;
  /** `PROJECT/STACK`, or what else it was about. */
  readonly target: string;
  readonly outcome: 'done' | 'denied' | 'failed';
  /** Why, or what came of it. */
  readonly words: string;
}

export interface AuditRow extends Act {
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Of this row and the one before it. */
  readonly digest: string;
}

/** What came of reading the whole audit. */
export interface AuditCheck {
  /** So many are as they were written, */
  readonly rows: number;
  /** and this is the digest of the last of them. */
  readonly digest: string;
  /** The first that is missing, or not as it was written. */
  readonly wrong?: number;
  /** The row that the noted digest is of. */
  readonly at?: number;
}

/** What lets a program in for a while. */
export interface ProgramToken {
  readonly id: string;
  readonly who: Person;
  readonly ends: number;
}

/** A login under way: what its answer must fit. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path to go to. */
  readonly then: string;
}

/** What the console keeps for itself, in a schema of its own that may be dropped: who is logged in, and who did what. */
export class ConsoleStore {
  readonly #database: Database;
  readonly #schema: string;
  readonly #world: World;

  private constructor(database: Database, schema: string, world: World) {
    this.#database = database;
    this.#schema = schema;
    this.#world = world;
  }

  /** `base`: name of the schema that it is made beside, without its ending. */
  static async open(database: Database, base: string, world: World, steps = consoleSteps): Promise<ConsoleStore> {
    const schema = `"${base.slice(0, 48).replaceAll('"', '""')}_console"`;
    await upgradeSchema(database, schema, steps, 'what the console keeps');
    return new ConsoleStore(database, schema, world);
  }

  /** Gives the secret that the browser keeps; the database knows its digest alone. */
  async beginSession(who: Person): Promise<string> {
    const secret = this.#world.secret(32);
    const now = this.#world.now();
    await this.#database.run(sql`delete from ${this.#of('sessions')} where ends <= ${now}`);
    await this.#database.run(sql`insert into ${this.#of('sessions')} (id, who, ends, seen)
      values (${sha256(secret)}, cast(${JSON.stringify(who)} as jsonb), ${now + sessionMs}, ${now})`);
    return secret;
  }

  async session(secret: string): Promise<Person | undefined> {
    const [now, id] = [this.#world.now(), sha256(secret)];
    const row = await this.#database.first<{ readonly who: Person; readonly at: string }>(sql`
      select who, at from (select who, coalesce(seen, ends - ${sessionMs}) as at
        from ${this.#of('sessions')} where id = ${id} and ends > ${now}) known
      where at > ${now - idleMs}`);
    if (row !== undefined && Number(row.at) < now - seenMs)
      await this.#database.run(sql`update ${this.#of('sessions')} set seen = ${now} where id = ${id}`);
    return row?.who;
  }

  async endSession(secret: string): Promise<void> {
    await this.#database.run(sql`delete from ${this.#of('sessions')} where id = ${sha256(secret)}`);
  }

  /** Wherever they have logged in. */
  async endSessions({ id }: Pick<Person, 'id'>): Promise<void> {
    await this.#database.run(sql`delete from ${this.#of('sessions')} where who->>'id' = ${id}`);
  }

  async beginLogin(login: PendingLogin): Promise<string> {
    const secret = this.#world.secret(32);
    const now = this.#world.now();
    await this.#database.run(sql`delete from ${this.#of('logins')} where ends <= ${now}`);
    await this.#database.run(sql`insert into ${this.#of('logins')} (id, body, ends)
      values (${sha256(secret)}, cast(${JSON.stringify(login)} as jsonb), ${now + loginMs})`);
    return secret;
  }

  /** Once: whoever comes again begins anew. */
  async takeLogin(secret: string): Promise<PendingLogin | undefined> {
    const row = await this.#database.first<{ readonly body: PendingLogin }>(sql`delete from ${this.#of('logins')}
      where id = ${sha256(secret)} and ends > ${this.#world.now()} returning body`);
    return row?.body;
  }

  /** Gives the secret that the program keeps. */
  async makeToken(who: Person, forMs: number): Promise<string> {
    const secret = `sync_${this.#world.secret(32)}`;
    const ends = this.#world.now() + forMs;
    await this.#database.run(sql`insert into ${this.#of('tokens')} (id, digest, who, ends)
      values (${this.#world.secret(8)}, ${sha256(secret)}, cast(${JSON.stringify(who)} as jsonb), ${ends})`);
    return secret;
  }

  async tokenOf(secret: string): Promise<Person | undefined> {
    const row = await this.#database.first<Pick<ProgramToken, 'who'>>(sql`select who from ${this.#of('tokens')}
      where digest = ${sha256(secret)} and ends > ${this.#world.now()}`);
    return row?.who;
  }

  /** Those that still hold. */
  tokens(): Promise<readonly ProgramToken[]> {
    return this.#database.rows<ProgramToken>(sql`select id, who, ends from ${this.#of('tokens')}
      where ends > ${this.#world.now()} order by ends`);
  }

  async endToken(id: string): Promise<void> {
    await this.#database.run(sql`delete from ${this.#of('tokens')} where id = ${id}`);
  }

  /** Of each person once for an effect, until that is applied. */
  async approve({ project, stack }: Place, effect: string, { who, names, at, glass }: Approval): Promise<void> {
    await this.#database.run(sql`insert into ${this.#of('approvals')} (project, stack, effect, who, names, at, glass)
      values (${project}, ${stack}, ${effect}, ${who}, cast(${JSON.stringify(names)} as jsonb), ${at}, ${glass ?? null})
      on conflict (project, stack, effect, who)
        do update set names = excluded.names, at = excluded.at, glass = excluded.glass, used = null`);
  }

  /** They hold for one apply: what does the same another day is approved anew. */
  async use({ project, stack }: Place, effect: string): Promise<void> {
    await this.#database.run(sql`update ${this.#of('approvals')} set used = ${momentIn(this.#world)}
      where project = ${project} and stack = ${stack} and effect = ${effect} and used is null`);
  }

  /** Those of one stack that hold, by effect. */
  async approvals({ project, stack }: Place): Promise<ReadonlyMap<string, readonly Approval[]>> {
    const rows = await this.#database.rows<ApprovalRow>(sql`select * from ${this.#of('approvals')}
      where project = ${project} and stack = ${stack} and used is null order by at`);
    const groups = groupBy(rows, ({ effect }) => effect);
    return new Map([...groups].map(([effect, group]) => [effect, group.map(approvalOf)]));
  }

  /** What was said of effects of any stack since a moment, and whether they were applied. */
  async approvalsSince(moment: string): Promise<readonly SaidOfEffect[]> {
    const rows = await this.#database.rows<ApprovalRow & { readonly used: string | null }>(
      sql`select * from ${this.#of('approvals')} where at >= ${moment} or used >= ${moment}`,
    );
    return rows.map(({ used, ...row }) => ({
      ...{ project: row.project, stack: row.stack, effect: row.effect },
      ...{ ...approvalOf(row), ...defined({ used: used ?? undefined }) },
    }));
  }

  /** All that was ever said of an effect that was applied or waits, the first first. */
  async said({ project, stack }: Place, effect: string): Promise<readonly Approval[]> {
    const rows = await this.#database.rows<ApprovalRow>(sql`select * from ${this.#of('approvals')}
      where project = ${project} and stack = ${stack} and effect = ${effect} order by at`);
    return rows.map(approvalOf);
  }

  /** Where the glass was broken since a moment, the latest first. */
  broken(since: string): Promise<readonly ApprovalRow[]> {
    return this.#database.rows<ApprovalRow>(sql`select * from ${this.#of('approvals')}
      where glass is not null and at >= ${since} order by at desc limit 20`);
  }

  /** That somebody has brought this before. */
  async isDelivered(id: string): Promise<boolean> {
    const known = await this.#database.first(sql`select id from ${this.#of('deliveries')}
      where id = ${id} and ends > ${this.#world.now()}`);
    return known !== undefined;
  }

  async noteDelivery(id: string, forMs: number): Promise<void> {
    const now = this.#world.now();
    await this.#database.run(sql`delete from ${this.#of('deliveries')} where ends <= ${now}`);
    await this.#database.run(sql`insert into ${this.#of('deliveries')} (id, ends)
      values (${id}, ${now + forMs}) on conflict do nothing`);
  }

  /** Adds a row, bound to the one before it. */
  async note(act: Act): Promise<void> {
    const at = momentIn(this.#world);
    await this.#database.transaction(async (trx) => {
      const head = await trx.first<Pick<AuditRow, 'number' | 'digest'>>(
        sql`select number, digest from ${this.#of('head')} for update`,
      );
      const row = { number: Number(head?.number ?? 0) + 1, at, ...act };
      const digest = auditDigest(head?.digest ?? '', row);
      await trx.run(sql`insert into ${this.#of('audit')} (number, at, who, act, target, outcome, words, digest)
        values (${row.number}, ${at}, ${act.who}, ${act.act}, ${act.target}, ${act.outcome}, ${act.words}, ${digest})`);
      await trx.run(sql`update ${this.#of('head')} set number = ${row.number}, digest = ${digest}`);
    });
  }

  /** The newest first. */
  audit({ before, limit }: { readonly before?: number; readonly limit: number }): Promise<readonly AuditRow[]> {
    const older = before === undefined ? sql`` : sql`where number < ${before}`;
    return this.#database.rows<AuditRow>(
      sql`select * from ${this.#of('audit')} ${older} order by number desc limit ${limit}`,
    );
  }

  /** Reads all of the audit; `noted`: a digest that somebody wrote down. */
  async verifyAudit(noted?: string): Promise<AuditCheck> {
    let [digest, number] = ['', 0];
    let at: number | undefined;
    const wrong = (): AuditCheck => ({ rows: number, digest, wrong: number + 1, ...defined({ at }) });
    for (;;) {
      const rows = await this.#database.rows<AuditRow>(
        sql`select * from ${this.#of('audit')} where number > ${number} order by number limit 2000`,
      );
      for (const row of rows) {
        if (Number(row.number) !== number + 1 || auditDigest(digest, row) !== row.digest) return wrong();
        [digest, number] = [row.digest, number + 1];
        if (digest === noted) at = number;
      }
      if (rows.length === 0) break;
    }
    const head = await this.#database.first<Pick<AuditRow, 'number' | 'digest'>>(
      sql`select * from ${this.#of('head')}`,
    );
    if (Number(head?.number) !== number || head?.digest !== digest) return wrong();
    return { rows: number, digest, ...defined({ at }) };
  }

  #of(name: string): Sql {
    return new Sql([`${this.#schema}.${name}`], []);
  }
}

type Place = Pick<FleetRow, 'project' | 'stack'>;

export interface SaidOfEffect extends Place, Approval {
  readonly effect: string;
  /** When it was applied. */
  readonly used?: string;
}

interface ApprovalRow extends Place, Omit<Approval, 'glass'> {
  readonly effect: string;
  readonly glass: string | null;
}

function approvalOf({ who, names, at, glass }: ApprovalRow): Approval {
  return { who, names, at, ...defined({ glass: glass ?? undefined }) };
}

function auditDigest(
  before: string,
  { number, at, who, act, target, outcome, words }: Omit<AuditRow, 'digest'>,
): string {
  return sha256(JSON.stringify([before, Number(number), at, who, act, target, outcome, words]));
}
