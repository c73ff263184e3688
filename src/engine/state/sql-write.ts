import type { RunEnd, RunPlan } from '@platform-sync/core/model/run';
import type { Intent, StateChange } from '@platform-sync/core/model/state';
import type { Database, Statements } from './database.js';
import { moveRecord, planMoves, renameDependencies, type Move } from './moves.js';
import { NetChanges } from './net-changes.js';
import {
  chunks,
  intentCells,
  ofStack,
  parsed,
  resourceCells,
  resourceOf,
  type StackKey,
  type StoredResource,
} from './rows.js';
import { runsOf } from './runs.js';
import { list, sql, type Sql } from './sql.js';

/** One begin or one commit. */
export interface Content {
  readonly intent?: Intent;
  readonly changes: readonly StateChange[];
  /** What the run says of itself. */
  readonly notes?: readonly (RunPlan | RunEnd)[];
}

type Each = Database['each'];

/** Writes the content of several begins and commits in their order, with as few statements as that takes. */
export async function writeContent(
  trx: Statements,
  key: StackKey,
  contents: readonly Content[],
  each: Each,
): Promise<void> {
  let net = new NetChanges();
  for (const content of contents) {
    if (content.intent !== undefined) net.begin(content.intent);
    for (const run of runsOf(content.changes)) {
      if (run.kind === 'others') {
        for (const change of run.changes) net.add(change);
        continue;
      }
      await writeNet(trx, key, net, each);
      net = new NetChanges();
      await writeMoves(trx, key, run.moves, each);
    }
  }
  await writeNet(trx, key, net, each);
}

async function writeNet(trx: Statements, key: StackKey, net: NetChanges, each: Each): Promise<void> {
  const { project, stack } = key;
  for (const part of chunks(net.removes))
    await trx.run(sql`delete from sync_resources where ${ofStack(key)} and address in (${texts(part, each)})`);
  for (const part of chunks(net.closed))
    await trx.run(sql`delete from sync_intents where ${ofStack(key)} and id in (${texts(part, each)})`);
  for (const part of chunks(net.puts.values()))
    await trx.run(sql`insert into sync_resources (project, stack, address, type, id, scope, dependencies, body)
      select ${project}, ${stack}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      from ${each(JSON.stringify(part.map(resourceCells)))} where true
      on conflict (project, stack, address) do update set type = excluded.type, id = excluded.id,
        scope = excluded.scope, dependencies = excluded.dependencies, body = excluded.body`);
  for (const part of chunks(net.begun.values()))
    await trx.run(sql`insert into sync_intents (project, stack, id, created_at, body)
      select ${project}, ${stack}, value ->> 0, value ->> 1, value ->> 2
      from ${each(JSON.stringify(part.map(intentCells)))} where true
      on conflict (project, stack, id) do update set created_at = excluded.created_at, body = excluded.body`);
  const { outputs, targets } = net;
  if (outputs !== undefined)
    await trx.run(sql`update sync_stacks set outputs = ${JSON.stringify(outputs)} where ${ofStack(key)}`);
  if (targets !== undefined)
    await trx.run(sql`update sync_stacks set targets = ${JSON.stringify(targets)} where ${ofStack(key)}`);
}

function texts(values: readonly string[], each: Each): Sql {
  return sql`select value ->> 0 from ${each(JSON.stringify(values.map((value) => [value])))}`;
}

/** Reads every record's dependencies once, whatever the number of moves, and the whole of those that change. */
async function writeMoves(trx: Statements, key: StackKey, moves: readonly Move[], each: Each): Promise<void> {
  const rows = await trx.rows<Pick<StoredResource, 'address' | 'dependencies'>>(
    sql`select address, dependencies from sync_resources where ${ofStack(key)}`,
  );
  const addresses = new Set(rows.map((row) => row.address));
  const moved = planMoves(moves, (address) => addresses.has(address));
  const touched = rows.filter((row) => {
    if (moved.has(row.address)) return true;
    const dependencies = parsed<readonly string[]>(row.dependencies, `the record of ${row.address}`);
    return renameDependencies(dependencies, moved) !== dependencies;
  });
  const net = new NetChanges();
  for (const part of chunks(touched.map((row) => row.address))) {
    const found = await trx.rows<StoredResource>(sql`
      select address, type, id, scope, dependencies, body from sync_resources
      where ${ofStack(key)} and address in (${list(part)})`);
    for (const row of found) net.add({ kind: 'put', resource: moveRecord(resourceOf(row), moved) });
  }
  // Not through `net.add`: the address a record leaves may be the one another has just come to.
  for (const from of moved.keys()) if (!net.puts.has(from)) net.removes.add(from);
  await writeNet(trx, key, net, each);
}
