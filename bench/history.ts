import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { StateBackend } from '@platform-sync/core/model/state-store';
import { openStateStore } from '@platform-sync/state/open';
import { openConnection } from '@platform-sync/state/sqlite-driver';
import { latestRuns } from '@platform-sync/core/model/run-summary';
import { runAfter } from '../src/fleet/console/history-view.js';
import { startDurablePostgres } from '../test/postgres/server.js';

/** How long the history of very many runs takes to answer: `npx tsx bench/history.ts [RUNS] [postgres]`. Rows are made up, four a run. */
const runs = Number(process.argv[2] ?? 1_000_000);
const bodies = [
  `'begin', null, '{"kind":"begin","command":"apply","owner":"ann@ci","since":"2026-01-01T00:00:00.000Z"}'`,
  `'plan', null, '{"kind":"plan","mode":"apply","lifted":[],"steps":[{"address":"api-1","action":"update","fields":["name"]}]}'`,
  `'record', 'api-' || (n % 1000), '{"kind":"record","before":null}'`,
  `'end', null, '{"kind":"end","status":"done","steps":[],"requests":3}'`,
];
/** `moment`: of the nth run, half a minute after the one before. */
const inserts = (counted: string, moment: string): readonly string[] =>
  bodies.map(
    (body, index) => `insert into sync_runs (project, stack, number, run, at, kind, address, body, digest)
      select 'shop', 'default', n * 4 + ${String(index)}, n, ${moment}, ${body}, 'x' from ${counted}`,
  );

const folder = mkdtempSync(join(tmpdir(), 'sync-history-'));
const path = join(folder, 'state.db');
const server = process.argv[3] === 'postgres' ? await startDurablePostgres(undefined) : undefined;
try {
  const url = await server?.createDatabase();
  const backend: StateBackend = url === undefined ? { backend: 'sqlite', path } : { backend: 'postgres', url };
  const store = await openStateStore(backend, 'shop', 'default');
  await store.read();
  if (url === undefined) fill(path);
  else await fillPostgres(url);
  for (const address of [undefined, 'api-7', 'api-gone'])
    for (let turn = 0; turn < 3; turn += 1) {
      const began = performance.now();
      const found = await latestRuns(store, { limit: 20, ...(address === undefined ? {} : { address }) });
      const ms = Math.round(performance.now() - began);
      console.log(`${address ?? 'all'}: ${String(found.length)} runs in ${String(ms)} ms`);
    }
  const began = performance.now();
  const rows = await store.runs({ run: Math.ceil(runs / 2), after: 0, limit: 1000 });
  console.log(`one run: ${String(rows.length)} rows in ${String(Math.round(performance.now() - began))} ms`);
  for (const month of ['2025-01', '2025-03']) {
    const from = performance.now();
    const before = await runAfter(store, `${month}-15T00:00:00.000Z`);
    const found = await latestRuns(store, { limit: 50, ...(before === undefined ? {} : { before }) });
    console.log(
      `before the 15th of ${month}: ${String(found.length)} runs in ${String(Math.round(performance.now() - from))} ms`,
    );
  }
  if (url !== undefined) await explain(url);
  await store.close();
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}

function fill(file: string): void {
  const connection = openConnection(file, 60_000);
  const write = (text: string): unknown => connection.prepare(text).run([]);
  write('pragma synchronous = off');
  const counted = `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${String(runs)}) select n from counted)`;
  for (const insert of inserts(counted, `strftime('%Y-%m-%dT%H:%M:%fZ', 1735689600 + n * 31, 'unixepoch')`))
    write(insert);
  connection.close();
}

/** How the database finds what a page asks for. */
async function explain(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const stack = `from sync_runs where project = 'shop' and stack = 'default'`;
  for (const text of [
    `select * ${stack} and run = ${String(Math.ceil(runs / 2))} and kind in ('begin', 'plan', 'end') order by (number + 0)`,
    `select * ${stack} and address = 'api-7' and number < ${String(runs * 2)} order by number desc limit 200`,
    `select * ${stack} and kind in ('begin') order by number desc limit 50`,
  ]) {
    const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`explain (analyze, costs off) ${text}`);
    console.log([text, ...rows.map((row) => `  ${row['QUERY PLAN']}`)].join('\n'));
  }
  await client.end();
}

async function fillPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const moment = `to_char(to_timestamp(1735689600 + n * 31) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const counted = `generate_series(1, ${String(runs)}) as counted(n)`;
  for (const insert of inserts(counted, moment)) await client.query(insert);
  await client.query('analyze sync_runs');
  await client.end();
}
