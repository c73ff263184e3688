import type { RunEnd, RunPlan } from '@platform-sync/core/model/run';
import type { Intent, RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { Database, Statements } from './database.js';
import {
  chunks,
  intentCells,
  ofStack,
  parsed,
  refusal,
  resourceCells,
  resourceOf,
  type StackKey,
  type StoredResource,
} from './rows.js';
import { list, sql, type Sql } from './sql.js';
import type { Address } from '@platform-sync/core/model/address';
import type { JsonObject } from '@platform-sync/core/model/value';

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

/** What many changes come to in the end: each row is written once, however many commits touched it. */
class NetChanges {
  readonly puts = new Map<Address, RecordedResource>();
  readonly removes = new Set<Address>();
  readonly begun = new Map<string, Intent>();
  readonly closed = new Set<string>();
  outputs: JsonObject | undefined;
  targets: Readonly<Record<string, string>> | undefined;

  begin(intent: Intent): void {
    this.closed.delete(intent.id);
    this.begun.set(intent.id, intent);
  }

  add(change: Exclude<StateChange, Move>): void {
    switch (change.kind) {
      case 'put':
        this.removes.delete(change.resource.address);
        this.puts.set(change.resource.address, change.resource);
        break;
      case 'remove':
        this.puts.delete(change.address);
        this.removes.add(change.address);
        break;
      case 'close-intent':
        this.begun.delete(change.id);
        this.closed.add(change.id);
        break;
      case 'outputs':
        this.outputs = change.outputs;
        break;
      case 'targets':
        this.targets = change.targets;
        break;
    }
  }
}

/** Changes in their order, with moves that stand next to each other taken together. */
type Run =
  | { readonly kind: 'moves'; readonly moves: readonly Move[] }
  | { readonly kind: 'others'; readonly changes: readonly Exclude<StateChange, Move>[] };

function runsOf(changes: readonly StateChange[]): readonly Run[] {
  const runs: ({ kind: 'moves'; moves: Move[] } | { kind: 'others'; changes: Exclude<StateChange, Move>[] })[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (change.kind === 'move') {
      if (last?.kind === 'moves') last.moves.push(change);
      else runs.push({ kind: 'moves', moves: [change] });
    } else if (last?.kind === 'others') last.changes.push(change);
    else runs.push({ kind: 'others', changes: [change] });
  }
  return runs;
}

type Move = Extract<StateChange, { kind: 'move' }>;

/**
 * Moves that stand next to each other in one commit happen at the same time: two records can swap their addresses,
 * and a chain of renames may come in any order. Gives new address by former one.
 * Throws DiagnosticError when a record is missing or an address would be held twice.
 */
function planMoves(moves: readonly Move[], exists: (address: Address) => boolean): ReadonlyMap<Address, Address> {
  const to = new Map<Address, Address>();
  const taken = new Set<Address>();
  for (const move of moves) {
    if (to.has(move.from) || !exists(move.from)) {
      throw refusal('state-address-missing', `there is no "${move.from}" in the state to move`, { address: move.from });
    }
    if (taken.has(move.to)) throw occupied(move);
    to.set(move.from, move.to);
    taken.add(move.to);
  }
  for (const move of moves) if (exists(move.to) && !to.has(move.to)) throw occupied(move);
  return to;
}

function occupied(move: Move): Error {
  return refusal('state-address-taken', `"${move.from}" cannot move to "${move.to}": another record has that address`, {
    address: move.to,
  });
}

/** Dependencies with the moved addresses replaced, sorted again; the same array when none of them moved. */
function renameDependencies(
  dependencies: readonly Address[],
  moved: ReadonlyMap<Address, Address>,
): readonly Address[] {
  if (!dependencies.some((address) => moved.has(address))) return dependencies;
  return dependencies.map((address) => moved.get(address) ?? address).sort();
}

/** The record at its new address; the same object when nothing about it changes. */
function moveRecord(record: RecordedResource, moved: ReadonlyMap<Address, Address>): RecordedResource {
  const address = moved.get(record.address) ?? record.address;
  const dependencies = renameDependencies(record.dependencies, moved);
  if (address === record.address && dependencies === record.dependencies) return record;
  return { ...record, address, dependencies };
}
