import type { Transaction } from 'kysely';
import { compareText } from '../model/address.js';
import type { StackState } from '../model/state.js';
import { intentOf, parsed, resourceOf, type StackKey } from './rows.js';
import type { Tables } from './tables.js';

/** The stack as the transaction sees it; undefined when there is none yet. */
export async function readStack(trx: Transaction<Tables>, key: StackKey): Promise<StackState | undefined> {
  const stack = await trx
    .selectFrom('sync_stacks')
    .select(['lineage', 'serial', 'fingerprint_key', 'targets', 'outputs'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .executeTakeFirst();
  if (stack === undefined) return undefined;
  const resources = await trx
    .selectFrom('sync_resources')
    .select(['address', 'type', 'id', 'scope', 'dependencies', 'body'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
  const intents = await trx
    .selectFrom('sync_intents')
    .select(['id', 'body'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
  // Sorted here: a database sorts by its own locale.
  resources.sort((a, b) => compareText(a.address, b.address));
  return {
    project: key.project,
    stack: key.stack,
    lineage: stack.lineage,
    serial: stack.serial,
    fingerprintKey: stack.fingerprint_key,
    targets: parsed(stack.targets, 'the list of targets'),
    resources: new Map(resources.map((row) => [row.address, resourceOf(row)])),
    outputs: parsed(stack.outputs, 'the list of outputs'),
    intents: intents.map(intentOf).sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id)),
  };
}
