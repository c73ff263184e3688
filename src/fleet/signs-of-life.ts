import { sql, type Sql } from '@platform-sync/state/sql';
import { inJobs, type Opened } from './opened.js';

/** Which workers live, as all of a database see it: what those hold that don't is anybody's. */
export class SignsOfLife {
  readonly #opened: Opened;
  readonly #jobs: Sql;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.#jobs = inJobs(opened, 'jobs');
  }

  /** Shows that this worker lives, and takes from those that don't what they hold. Gives the jobs that it holds itself. */
  async beat(id: string): Promise<readonly string[]> {
    const { database, tables, timing } = this.#opened;
    const { deadMs } = timing;
    const workers = tables.table('workers');
    const now = database.now();
    await database.run(sql`insert into ${workers} (id, seen) values (${id}, ${now})
      on conflict (id) do update set seen = excluded.seen`);
    // One that died before its first sign of life is known by its job alone.
    const dead = await database.rows<{ readonly id: string }>(sql`
      select id from ${workers} where seen < ${now} - ${deadMs}
      union select locked_by as id from ${this.#jobs}
      where locked_by not in (select id from ${workers})
        and extract(epoch from locked_at) * 1000 < ${now} - ${deadMs}`);
    if (dead.length > 0) await this.gone(dead.map((one) => one.id));
    const held = await database.rows<{ readonly id: string }>(sql`
      select cast(id as text) as id from ${this.#jobs} where locked_by = ${id}`);
    return held.map((one) => one.id);
  }

  /** No longer, when this worker was taken for dead. */
  holds(worker: string, job: string): Promise<boolean> {
    const { database } = this.#opened;
    const held = sql`select from ${this.#jobs} where id = cast(${job} as bigint) and locked_by = ${worker}`;
    return database.first(held).then(
      (row) => row !== undefined,
      () => true,
    );
  }

  /** Frees what workers hold that are no more, before they are forgotten. */
  async gone(ids: readonly string[]): Promise<void> {
    const { database, tables, utils } = this.#opened;
    await utils.forceUnlockWorkers([...ids]);
    await database.run(sql`delete from ${tables.table('workers')}
      where id in (select cast(value as text) from json_array_elements_text(cast(${JSON.stringify(ids)} as json)))`);
  }
}
