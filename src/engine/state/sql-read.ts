import type { Kysely, Transaction } from 'kysely';
import { compareText } from '../model/address.js';
import type { RecordedResource, StackState } from '../model/state.js';
import type { ManagedElsewhere } from '../model/state-store.js';
import type { JsonObject } from '../model/value.js';
import { intentOf, parsed, resourceReader, type StackKey } from './rows.js';
import type { Tables } from './tables.js';

/** Ids in one statement: databases limit how many values one may have. */
const idsAtOnce = 500;

/** Rows of the state in one answer. */
const rowsAtOnce = 2000;

/** What other stacks have recorded of objects with these ids. */
export async function readElsewhere(
  db: Kysely<Tables>,
  key: StackKey,
  ids: readonly string[],
): Promise<readonly ManagedElsewhere[]> {
  const found: ManagedElsewhere[] = [];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await db
      .selectFrom('sync_resources')
      .innerJoin('sync_stacks', (join) =>
        join
          .onRef('sync_stacks.project', '=', 'sync_resources.project')
          .onRef('sync_stacks.stack', '=', 'sync_resources.stack'),
      )
      .select(['sync_resources.project', 'sync_resources.stack', 'address', 'type', 'id', 'scope', 'targets'])
      .where('id', 'in', ids.slice(at, at + idsAtOnce))
      .where((row) =>
        row.or([row('sync_resources.project', '!=', key.project), row('sync_resources.stack', '!=', key.stack)]),
      )
      .execute();
    for (const { project, stack, address, type, id, scope, targets } of rows)
      found.push({
        ...{ project, stack, address, type },
        identity: { id, scope: parsed(scope, `the record of ${address}`) },
        targets: parsed(targets, 'the list of targets'),
      });
  }
  return found;
}

/** What a stack tells; undefined when there is none of that name. */
export async function readOutputs(db: Kysely<Tables>, key: StackKey): Promise<JsonObject | undefined> {
  const stack = await db
    .selectFrom('sync_stacks')
    .select('outputs')
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .executeTakeFirst();
  return stack && parsed(stack.outputs, 'the list of outputs');
}

/** The stack as the transaction sees it; undefined when there is none yet. */
export async function readStack(trx: Transaction<Tables>, key: StackKey): Promise<StackState | undefined> {
  const stack = await trx
    .selectFrom('sync_stacks')
    .select(['lineage', 'serial', 'fingerprint_key', 'targets', 'outputs'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .executeTakeFirst();
  if (stack === undefined) return undefined;
  const resources = await readRecords(trx, key);
  const intents = await trx
    .selectFrom('sync_intents')
    .select(['id', 'body'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
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
  trx: Transaction<Tables>,
  { project, stack }: StackKey,
): Promise<ReadonlyMap<string, RecordedResource>> {
  const read = resourceReader();
  const found: RecordedResource[] = [];
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows = await trx
      .selectFrom('sync_resources')
      .select(['address', 'type', 'id', 'scope', 'dependencies', 'body'])
      .where('project', '=', project)
      .where('stack', '=', stack)
      .where('address', '>', last)
      .orderBy('address')
      .limit(rowsAtOnce)
      .execute();
    for (const row of rows) found.push(read(row));
    last = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.address;
  }
  // Sorted here: a database sorts by its own locale.
  found.sort((a, b) => compareText(a.address, b.address));
  return new Map(found.map((record) => [record.address, record]));
}
