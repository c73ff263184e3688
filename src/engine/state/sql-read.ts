import { compareText } from '@platform-sync/core/model/address';
import type { Freeze } from '@platform-sync/core/model/run';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Database, Statements } from './database.js';
import { intentOf, ofStack, parsed, resourceReader, type StackKey, type StoredResource } from './rows.js';
import { sql, type Sql } from './sql.js';
import type { IntentRow, StackRow } from './tables.js';

/** Rows of the state in one answer. */
const rowsAtOnce = 2000;

/** What a stack tells; undefined when there is none of that name. */
export async function readOutputs(database: Statements, key: StackKey): Promise<JsonObject | undefined> {
  const stack = await database.first<Pick<StackRow, 'outputs'>>(
    sql`select outputs from sync_stacks where ${ofStack(key)}`,
  );
  return stack && parsed(stack.outputs, 'the list of outputs');
}

/** The stack as the transaction sees it; undefined when there is none yet. `only`: rows of the addresses whose records are wanted. */
export async function readStack(trx: Statements, key: StackKey, only?: Sql): Promise<StackState | undefined> {
  const stack = await trx.first<StackRow>(
    sql`select lineage, serial, fingerprint_key, targets, outputs from sync_stacks where ${ofStack(key)}`,
  );
  if (stack === undefined) return undefined;
  const resources = await readRecords(trx, key, only);
  const intents = await trx.rows<Pick<IntentRow, 'id' | 'body'>>(
    sql`select id, body from sync_intents where ${ofStack(key)}`,
  );
  return {
    project: key.project,
    stack: key.stack,
    lineage: stack.lineage,
    serial: stack.serial,
    fingerprintKey: stack.fingerprint_key,
    targets: parsed(stack.targets, 'the list of targets'),
    resources,
    outputs: parsed(stack.outputs, 'the list of outputs'),
    intents: intents.map(intentOf).sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id)),
  };
}

/** By pages: the texts of rows are as large as what is made of them. */
async function readRecords(
  trx: Statements,
  key: StackKey,
  only: Sql | undefined,
): Promise<ReadonlyMap<string, RecordedResource>> {
  const wanted = only === undefined ? sql`` : sql`and address in (select value from ${only})`;
  const read = resourceReader();
  const found: RecordedResource[] = [];
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows: readonly StoredResource[] = await trx.rows(sql`
      select address, type, id, scope, dependencies, body from sync_resources
      where ${ofStack(key)} ${wanted} and address > ${last} order by address limit ${rowsAtOnce}`);
    for (const row of rows) found.push(read(row));
    last = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.address;
  }
  // Sorted here: a database sorts by its own locale.
  found.sort((a, b) => compareText(a.address, b.address));
  return new Map(found.map((record) => [record.address, record]));
}

/** What holds back other runs, unless its time is over. */
export async function readFreeze(database: Database, key: StackKey): Promise<Freeze | undefined> {
  const row = await database.first<Pick<StackRow, 'frozen'> & { now: number }>(
    sql`select frozen, ${database.now()} as now from sync_stacks where ${ofStack(key)}`,
  );
  if (row === undefined || row.frozen === null) return undefined;
  const freeze = parsed<Freeze>(row.frozen, 'the freeze');
  return freeze.until !== undefined && Date.parse(freeze.until) <= Number(row.now) ? undefined : freeze;
}
