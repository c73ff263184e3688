import pg from 'pg';

type Query = (text: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

const nothing: pg.QueryResult = { rows: [], rowCount: 0, command: '', oid: 0, fields: [] };

/**
 * The pool as the job engine is given it: a statement waits until the database takes it, and gives nothing when `goesOn` says no. The
 * engine hears of no error, because nobody waits for what it writes of a job that has ended: an error there would end the process.
 */
export function patientPool(pool: pg.Pool, goesOn: (error: unknown) => Promise<boolean>): pg.Pool {
  const query: Query = async (...statement) => {
    for (;;)
      try {
        return await pool.query(...statement);
      } catch (error) {
        if (!(await goesOn(error))) return nothing;
      }
  };
  // Each statement has a connection of its own, as in the pool: the engine sends no transaction by it.
  const client = Object.assign(new pg.Client(), { query, release: () => undefined });
  // By the other way to ask, with a callback, the engine gets a connection that stays open.
  const connect = (...heard: Parameters<typeof pool.connect>): unknown =>
    heard.length > 0 ? pool.connect(...heard) : Promise.resolve(client);
  return new Proxy(pool, { get: (all, name): unknown => (name === 'connect' ? connect : Reflect.get(all, name)) });
}
