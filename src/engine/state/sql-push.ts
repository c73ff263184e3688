import type { Transaction } from 'kysely';
import type { StackState } from '../model/state.js';
import type { Database } from './database.js';
import type { StackKey } from './rows.js';
import { writeContent, type Content } from './sql-write.js';
import type { Tables } from './tables.js';

/** Puts another content in the place of all a stack holds; its lease stays. */
export async function replaceStack(
  trx: Transaction<Tables>,
  key: StackKey,
  next: StackState,
  each: Database['each'],
): Promise<void> {
  for (const table of ['sync_resources', 'sync_intents'] as const) {
    await trx.deleteFrom(table).where('project', '=', key.project).where('stack', '=', key.stack).execute();
  }
  const puts = [...next.resources.values()].map((resource) => ({ kind: 'put', resource }) as const);
  const contents: Content[] = [{ changes: puts }, ...next.intents.map((intent) => ({ intent, changes: [] }))];
  await writeContent(trx, key, contents, each);
  await trx
    .updateTable('sync_stacks')
    .set({
      lineage: next.lineage,
      serial: next.serial,
      fingerprint_key: next.fingerprintKey,
      targets: JSON.stringify(next.targets),
      outputs: JSON.stringify(next.outputs),
    })
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
}
