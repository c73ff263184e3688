import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateStore } from '@platform-sync/state/open';
import { openConnection } from '@platform-sync/state/sqlite-driver';
import { latestRuns } from '@platform-sync/cli/state/run-history';

/** How long the history of very many runs takes to answer: `npx tsx bench/history.ts [RUNS]`. Rows are made up, three a run. */
const runs = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'sync-history-'));
const path = join(folder, 'state.db');
try {
  const store = await openStateStore({ backend: 'sqlite', path }, 'shop', 'default');
  await store.read();
  fill(path);
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
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fill(file: string): void {
  const connection = openConnection(file, 60_000);
  const write = (text: string): unknown => connection.prepare(text).run([]);
  const bodies = [
    `'begin', null, '{"kind":"begin","command":"apply","owner":"ann@ci","since":"2026-01-01T00:00:00.000Z"}'`,
    `'plan', null, '{"kind":"plan","mode":"apply","lifted":[],"steps":[{"address":"api-1","action":"update","fields":["name"]}]}'`,
    `'record', 'api-' || (n % 1000), '{"kind":"record","before":null}'`,
    `'end', null, '{"kind":"end","status":"done","steps":[],"requests":3}'`,
  ];
  write('pragma synchronous = off');
  for (const [index, body] of bodies.entries())
    write(`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${String(runs)})
      insert into sync_runs (project, stack, number, run, at, kind, address, body, digest)
      select 'shop', 'default', n * 4 + ${String(index)}, n, '2026-01-01T00:00:00.000Z', ${body}, 'x' from counted`);
  connection.close();
}
