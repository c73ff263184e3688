import type { StackState } from '@platform-sync/core/model/state';
import type { Database, Statements } from './database.js';
import { ofStack, type StackKey } from './rows.js';
import { sql } from './sql.js';
import { writeContent, type Content } from './sql-write.js';

/** Puts another content in the place of all a stack holds; its lease stays. */
export async function replaceStack(
  trx: Statements,
  key: StackKey,
  next: StackState,
  each: Database['each'],
): Promise<void> {
  await trx.run(sql`delete from sync_resources where ${ofStack(key)}`);
  await trx.run(sql`delete from sync_intents where ${ofStack(key)}`);
  const puts = [...next.resources.values()].map((resource) => ({ kind: 'put', resource }) as const);
  const contents: Content[] = [{ changes: puts }, ...next.intents.map((intent) => ({ intent, changes: [] }))];
  await writeContent(trx, key, contents, each);
  await trx.run(sql`update sync_stacks set lineage = ${next.lineage}, serial = ${next.serial},
      fingerprint_key = ${next.fingerprintKey}, targets = ${JSON.stringify(next.targets)},
      outputs = ${JSON.stringify(next.outputs)}
    where ${ofStack(key)}`);
}
