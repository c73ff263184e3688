import { sql, type Transaction } from 'kysely';
import type { Database } from './database.js';
import type { Intent, StateChange } from '../model/state.js';
import { moveRecord, planMoves, renameDependencies, type Move } from './moves.js';
import { NetChanges } from './net-changes.js';
import { intentCells, parsed, resourceCells, resourceOf, type StackKey } from './rows.js';
import { runsOf } from './runs.js';
import type { Tables } from './tables.js';

/** One begin or one commit. */
export interface Content {
  readonly intent?: Intent;
  readonly changes: readonly StateChange[];
}

type Each = Database['each'];

/** Rows a statement: far below both databases' limits on parameters, and few enough round trips. */
const chunkSize = 500;

/** Writes the content of several begins and commits in their order, with as few statements as that takes. */
export async function writeContent(
  trx: Transaction<Tables>,
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

async function writeNet(trx: Transaction<Tables>, key: StackKey, net: NetChanges, each: Each): Promise<void> {
  await removeRows(trx, 'sync_resources', 'address', key, [...net.removes], each);
  await removeRows(trx, 'sync_intents', 'id', key, [...net.closed], each);
  for (const part of chunks([...net.puts.values()])) {
    const rows = each(JSON.stringify(part.map(resourceCells)));
    await sql`insert into sync_resources (project, stack, address, type, id, scope, dependencies, body)
      select ${key.project}, ${key.stack}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      from ${rows} where true
      on conflict (project, stack, address) do update set type = excluded.type, id = excluded.id,
        scope = excluded.scope, dependencies = excluded.dependencies, body = excluded.body`.execute(trx);
  }
  for (const part of chunks([...net.begun.values()])) {
    const rows = each(JSON.stringify(part.map(intentCells)));
    await sql`insert into sync_intents (project, stack, id, created_at, body)
      select ${key.project}, ${key.stack}, value ->> 0, value ->> 1, value ->> 2 from ${rows} where true
      on conflict (project, stack, id) do update set created_at = excluded.created_at, body = excluded.body`.execute(
      trx,
    );
  }
  const { outputs, targets } = net;
  if (outputs === undefined && targets === undefined) return;
  await trx
    .updateTable('sync_stacks')
    .set({
      ...(outputs === undefined ? {} : { outputs: JSON.stringify(outputs) }),
      ...(targets === undefined ? {} : { targets: JSON.stringify(targets) }),
    })
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
}

/** Reads every record's dependencies once, whatever the number of moves, and the whole of those that change. */
async function writeMoves(trx: Transaction<Tables>, key: StackKey, moves: readonly Move[], each: Each): Promise<void> {
  const rows = await trx
    .selectFrom('sync_resources')
    .select(['address', 'dependencies'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
  const addresses = new Set(rows.map((row) => row.address));
  const moved = planMoves(moves, (address) => addresses.has(address));
  const touched = rows.filter((row) => {
    if (moved.has(row.address)) return true;
    const dependencies = parsed<readonly string[]>(row.dependencies, `the record of ${row.address}`);
    return renameDependencies(dependencies, moved) !== dependencies;
  });
  const net = new NetChanges();
  for (const part of chunks(touched.map((row) => row.address))) {
    const found = await trx
      .selectFrom('sync_resources')
      .select(['address', 'type', 'id', 'scope', 'dependencies', 'body'])
      .where('project', '=', key.project)
      .where('stack', '=', key.stack)
      .where('address', 'in', part)
      .execute();
    for (const row of found) net.add({ kind: 'put', resource: moveRecord(resourceOf(row), moved) });
  }
  // Not through `net.add`: the address a record leaves may be the one another has just come to.
  for (const from of moved.keys()) if (!net.puts.has(from)) net.removes.add(from);
  await writeNet(trx, key, net, each);
}

async function removeRows(
  trx: Transaction<Tables>,
  table: 'sync_resources' | 'sync_intents',
  column: 'address' | 'id',
  key: StackKey,
  values: readonly string[],
  each: Each,
): Promise<void> {
  for (const part of chunks(values)) {
    const rows = each(JSON.stringify(part.map((value) => [value])));
    await sql`delete from ${sql.table(table)} where project = ${key.project} and stack = ${key.stack}
      and ${sql.ref(column)} in (select value ->> 0 from ${rows})`.execute(trx);
  }
}

function chunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += chunkSize) parts.push(items.slice(at, at + chunkSize));
  return parts;
}
