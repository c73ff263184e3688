import { existsSync } from 'node:fs';
import { open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutboxWrite, Outbox } from '@platform-sync/core/model/outbox';
import type { StateChange } from '@platform-sync/core/model/state';
import { prepareStateFolder } from './state-file.js';
import { mostLevels, readJson } from '@platform-sync/core/model/read-json';

/** One line of JSON a write, in a file of the project's own folder that Git ignores. Made when first needed. */
export function outboxFile(root: string, project: string, stack: string): Outbox {
  const folder = join(root, '.sync');
  const path = join(folder, `kept-${project}-${stack}.jsonl`);
  let last: Promise<unknown> = Promise.resolve();
  return {
    location: path,
    add: (write) => {
      const turn = last.then(() => append(folder, path, write));
      last = turn.catch(() => undefined);
      return turn;
    },
    read: async () => outboxWrites(await textOf(path)),
    // Lines that stay behind are of closed intents, which say nothing any more.
    clear: async () => (existsSync(path) ? unlink(path).catch(() => undefined) : undefined),
  };
}

async function append(folder: string, path: string, write: OutboxWrite): Promise<void> {
  prepareStateFolder(folder);
  const file = await open(path, 'a', 0o600);
  try {
    // A line that an earlier process did not finish must not swallow this one.
    await file.appendFile(`\n${JSON.stringify(write)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function textOf(path: string): Promise<string> {
  // Mostly there is none, and a failed read costs more than a look.
  if (!existsSync(path)) return '';
  try {
    return await readFile(path, 'utf8');
  } catch {
    // The platform tells what became of the writes.
    return '';
  }
}

/** What stands in such a file. */
function outboxWrites(text: string): readonly OutboxWrite[] {
  return text.split('\n').flatMap(outboxWrite);
}

/** A line that is no whole write says nothing: its intent is settled by looking at the platform, as any other. */
function outboxWrite(line: string): readonly OutboxWrite[] {
  let parsed: unknown;
  try {
    parsed = readJson(line, mostLevels.own);
  } catch {
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null) return [];
  const { lineage, intent, changes } = parsed as Partial<Record<keyof OutboxWrite, unknown>>;
  if (typeof lineage !== 'string' || typeof intent !== 'string' || !Array.isArray(changes)) return [];
  return changes.every(isChange) ? [{ lineage, intent, changes }] : [];
}

function isChange(change: unknown): change is StateChange {
  if (typeof change !== 'object' || change === null || !('kind' in change)) return false;
  if (change.kind === 'close-intent') return 'id' in change && typeof change.id === 'string';
  if (change.kind === 'remove') return 'address' in change && typeof change.address === 'string';
  return change.kind === 'put' && 'resource' in change && isRecord(change.resource);
}

function isRecord(record: unknown): boolean {
  if (typeof record !== 'object' || record === null || !('address' in record && 'identity' in record)) return false;
  const { address, identity } = record;
  return typeof address === 'string' && typeof identity === 'object' && identity !== null && 'id' in identity;
}
