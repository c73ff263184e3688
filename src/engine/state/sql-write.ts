import type { Transaction } from 'kysely';
import type { Intent, StateChange } from '../model/state.js';
import { moveRecord, planMoves, renameDependencies, type Move } from './moves.js';
import { NetChanges } from './net-changes.js';
import { intentRow, parsed, resourceOf, resourceRow, type StackKey } from './rows.js';
import { runsOf } from './runs.js';
import type { Tables } from './tables.js';

/** One begin or one commit. */
export interface Content {
  readonly intent?: Intent;
  readonly changes: readonly StateChange[];
}

/** Rows a statement: far below both databases' limits on parameters, and few enough round trips. */
const chunkSize = 500;

/** Writes the content of several begins and commits in their order, with as few statements as that takes. */
export async function writeContent(
  trx: Transaction<Tables>,
  key: StackKey,
  contents: readonly Content[],
): Promise<void> {
  let net = new NetChanges();
  for (const content of contents) {
    if (content.intent !== undefined) net.begin(content.intent);
    for (const run of runsOf(content.changes)) {
      if (run.kind === 'others') {
        for (const change of run.changes) net.add(change);
        continue;
      }
      await writeNet(trx, key, net);
      net = new NetChanges();
      await writeMoves(trx, key, run.moves);
    }
  }
  await writeNet(trx, key, net);
}

async function writeNet(trx: Transaction<Tables>, key: StackKey, net: NetChanges): Promise<void> {
  await removeRows(trx, 'sync_resources', 'address', key, [...net.removes]);
  await removeRows(trx, 'sync_intents', 'id', key, [...net.closed]);
  for (const part of chunks([...net.puts.values()])) {
    await trx
      .insertInto('sync_resources')
      .values(part.map((resource) => resourceRow(key, resource)))
      .onConflict((conflict) =>
        conflict.columns(['project', 'stack', 'address']).doUpdateSet((row) => ({
          type: row.ref('excluded.type'),
          id: row.ref('excluded.id'),
          scope: row.ref('excluded.scope'),
          dependencies: row.ref('excluded.dependencies'),
          body: row.ref('excluded.body'),
        })),
      )
      .execute();
  }
  for (const part of chunks([...net.begun.values()])) {
    await trx
      .insertInto('sync_intents')
      .values(part.map((intent) => intentRow(key, intent)))
      .onConflict((conflict) =>
        conflict.columns(['project', 'stack', 'id']).doUpdateSet((row) => ({
          created_at: row.ref('excluded.created_at'),
          body: row.ref('excluded.body'),
        })),
      )
      .execute();
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
async function writeMoves(trx: Transaction<Tables>, key: StackKey, moves: readonly Move[]): Promise<void> {
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
  await writeNet(trx, key, net);
}

async function removeRows(
  trx: Transaction<Tables>,
  table: 'sync_resources' | 'sync_intents',
  column: 'address' | 'id',
  key: StackKey,
  values: readonly string[],
): Promise<void> {
  for (const part of chunks(values)) {
    await trx
      .deleteFrom(table)
      .where('project', '=', key.project)
      .where('stack', '=', key.stack)
      .where(column as 'id', 'in', part)
      .execute();
  }
}

function chunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += chunkSize) parts.push(items.slice(at, at + chunkSize));
  return parts;
}
