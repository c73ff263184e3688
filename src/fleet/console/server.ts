import { type FastifyInstance, fastify } from 'fastify';
import type { ConsoleOptions, RunningConsole } from '@platform-sync/core/model/console';
import type { JobQueue } from '@platform-sync/core/model/fleet';
import { FleetRecord } from '@platform-sync/state/fleet-record';
import { fleetSchema } from '@platform-sync/state/fleet-schema';
import { realTiming } from '@platform-sync/state/lease-term';
import { migrate } from '@platform-sync/state/migrations';
import { openPostgres } from '@platform-sync/state/postgres';
import { sql } from '@platform-sync/state/sql';
import { latestRuns } from '@platform-sync/core/model/run-summary';
import { momentIn } from '@platform-sync/core/model/world';
import { traceRequests } from '../telemetry.js';
import { ConsoleStore } from './store.js';
import { Login } from './login.js';
import { consoleRoutes } from './routes.js';
import { Allowance, guard, type Service } from './guard.js';
import { standings } from './fleet-view.js';
import { historyPage, shownRuns } from './history-view.js';

const kilobyte = 1_024;

/** Serves the console until it is closed. Throws where its database or its settings can't be used. */
export async function serveConsole(options: ConsoleOptions, queue: JobQueue): Promise<RunningConsole> {
  // Who comes after a pause waits for no new connection.
  const database = openPostgres(options.database, realTiming, 8, { min: 2, idleTimeoutMillis: 60_000 });
  try {
    await migrate(database);
    const tables = await fleetSchema(database);
    const fleet = await options.fleet();
    const store = await ConsoleStore.open(database, tables.name.replace(/_fleet$/, ''), options.world);
    const service: Service = {
      ...{ options, queue, store, record: new FleetRecord(database, tables) },
      login: new Login(fleet.settings, options.clientSecret),
      nobodies: new Allowance(options.world, 60),
      origin: new URL(fleet.settings.url).origin,
      isAlive: async () => void (await database.first(sql`select 1 as one`)),
    };
    const app = await made(service);
    await app.listen({ host: options.host, port: options.port });
    const warmed = warm(service);
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : options.port;
    const close = async (): Promise<void> => {
      await Promise.all([app.close(), warmed]);
      await Promise.all([queue.close(), database.close()]);
    };
    return { url: `http://${options.host}:${String(port)}`, close };
  } catch (error) {
    await Promise.all([queue.close(), database.close()]);
    throw database.problem(error);
  }
}

/** Asks and writes once what pages ask and write: the first reader waits for no connection, and for nothing that is done once. */
async function warm({ record, queue, options: { fleet, world } }: Service): Promise<void> {
  try {
    const [{ stacks }, known, jobs] = await Promise.all([fleet(), record.stacks(), queue.list()]);
    const rows = standings(stacks, known, jobs);
    const row = rows.find(({ lastApply }) => lastApply !== undefined);
    if (row === undefined) return;
    const history = record.history(row);
    const runs = await latestRuns(history, { limit: shownRuns });
    const address = runs.flatMap(({ steps = [] }) => steps)[0]?.address;
    if (address !== undefined) await latestRuns(history, { address, limit: shownRuns });
    historyPage(row, runs, { now: momentIn(world) });
  } catch {
    // Whoever asks hears of it.
  }
}

/** With a limit for all that somebody may send, and for how long that may take. */
async function made(service: Service): Promise<FastifyInstance> {
  const app = fastify({
    ...{ logger: false, bodyLimit: 64 * kilobyte, requestTimeout: 15_000, connectionTimeout: 60_000 },
    ...{ trustProxy: 'loopback', exposeHeadRoutes: true, forceCloseConnections: true },
    routerOptions: { maxParamLength: 300 },
    // Without the last, who sends a byte now and then is looked at twice a minute only.
    http: { maxHeaderSize: 16 * kilobyte, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  // What a forge has signed is the text itself.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  traceRequests(app, service.options.world);
  guard(app, service);
  consoleRoutes(app, service);
  await app.ready();
  return app;
}
