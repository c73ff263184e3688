import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyCollection, Row } from './collection.js';
import type { World } from './world.js';

/** A store on disk that is open. */
export interface Disk {
  /** Whether it already held objects when it was opened. */
  readonly hadObjects: boolean;
  close(): void;
}

/**
 * Opens `DIR/sandbox.db`, fills the world with what it holds and keeps every later change in it.
 * Each change is handed to the operating system before it is answered, so it survives the process being killed
 * (not the machine losing power: that would cost a disk flush a request).
 */
export async function openDisk(directory: string, world: World): Promise<Disk> {
  mkdirSync(directory, { recursive: true });
  const { openConnection } = await import('@platform-sync/state/sqlite-driver');
  const database = openConnection(join(directory, 'sandbox.db'), 0);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
  database.exec(
    'CREATE TABLE IF NOT EXISTS objects (number INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, ' +
      'id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (collection, id))',
  );
  const stored = database.prepare('SELECT collection, body FROM objects ORDER BY number').all<Stored>([]);
  for (const entry of stored) restore(entry, world);

  const save = database.prepare(
    'INSERT INTO objects (collection, id, body) VALUES (?, ?, ?) ON CONFLICT (collection, id) DO UPDATE SET body = excluded.body',
  );
  const drop = database.prepare('DELETE FROM objects WHERE collection = ? AND id = ?');
  let depth = 0;
  world.keep({
    write(collection, id, row) {
      if (row === undefined) drop.run([collection, id]);
      else save.run([collection, id, JSON.stringify(row)]);
    },
    together(work) {
      if (depth > 0) return work();
      depth += 1;
      database.exec('BEGIN');
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      } finally {
        depth -= 1;
      }
    },
  });
  const close = (): void => {
    // Closing alone leaves everything in the write-ahead log.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  };
  return { hadObjects: stored.length > 0, close };
}

interface Stored {
  readonly collection: string;
  readonly body: string;
}

function restore({ collection, body }: Stored, world: World): void {
  const target: AnyCollection | undefined = world.collections.get(collection);
  if (target !== undefined) world.place(target, JSON.parse(body) as Row);
}
