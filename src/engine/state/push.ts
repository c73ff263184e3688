import type { Address } from '@platform-sync/core/model/address';
import type { Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import { readDocument } from './document.js';
import { ofStack, refusal, type StackKey } from './rows.js';
import type { Database, Statements } from './database.js';
import { sql } from './sql.js';
import { type Content, writeContent } from './sql-write.js';

/**
 * What a stack becomes when a document is pushed over it. Throws DiagnosticError when it must not.
 * A stack that was never written takes the document as it is, so that moving to another store changes nothing.
 * Over anything else the serial grows, so that no two contents ever have the same lineage and serial.
 */
export function pushed(current: StackState, document: string, options: { readonly force: boolean }): StackState {
  const next = readDocument(document);
  if (!options.force) checkPush(current, next);
  const serial = next.serial > current.serial || current.serial === 0 ? next.serial : current.serial + 1;
  const intents = [...next.intents, ...stillOpen(current, next)];
  // What is open, or let go of, is where the stack was, whatever the document knew of that.
  const targets = { ...current.targets, ...next.targets };
  return { ...next, project: current.project, stack: current.stack, serial, intents, targets };
}

/**
 * Writes that runs have left open since the document was pulled: what became of them the document does not know. Throws where it has
 * another record at an address where one may get its own.
 */
function stillOpen(current: StackState, next: StackState): readonly Intent[] {
  if (current.lineage !== next.lineage) return [];
  const known = new Set(next.intents.map(({ id }) => id));
  const open = current.intents.filter(({ id }) => !known.has(id));
  const idAt = (state: StackState, address: Address): string | undefined => state.resources.get(address)?.identity.id;
  const taken = open.find(
    ({ address }) => next.resources.has(address) && idAt(next, address) !== idAt(current, address),
  );
  if (taken === undefined) return open;
  throw refusal(
    'state-unfinished',
    `the ${taken.action} of ${taken.address} was not finished in the stack ${current.stack}, and the document has another object there`,
    { hint: 'Settle it first: sync apply' },
  );
}

function checkPush(current: StackState, next: StackState): void {
  if (next.project !== current.project || next.stack !== current.stack) {
    throw refusal(
      'state-other-stack',
      `the document is of stack ${next.stack} of project ${next.project}, ` +
        `not of stack ${current.stack} of project ${current.project}`,
      { hint: 'Push it to that stack, or use --force.' },
    );
  }
  if (current.serial === 0) return;
  if (next.lineage !== current.lineage) {
    throw refusal(
      'state-other-lineage',
      `the document has lineage ${next.lineage}, the stack in the store has ${current.lineage}`,
      { hint: 'Use --force to replace the stack all the same.' },
    );
  }
  if (next.serial < current.serial) {
    throw refusal(
      'state-older-serial',
      `the document has serial ${String(next.serial)}, the stack in the store has ${String(current.serial)} already`,
      { hint: 'Pull again, or use --force to go back.' },
    );
  }
}

/** Records whose objects the next content does not have: let go of, as if one by one. */
export function droppedBy(current: StackState, next: StackState): readonly RecordedResource[] {
  return [...current.resources.values()].filter(
    ({ address, identity }) => next.resources.get(address)?.identity.id !== identity.id,
  );
}

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
