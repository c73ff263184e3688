import { rmSync } from 'node:fs';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from '@platform-sync/state/database';
import { realTiming } from '@platform-sync/state/lease-term';
import { sql } from '@platform-sync/state/sql';
import { openSqlite } from '@platform-sync/state/sqlite';
import { type BlockNumber, digestOf } from './blocks.js';
import type { KnownLists } from './lists.js';

/** A file as it was read. */
export interface KnownFile {
  readonly file: string;
  /** Of the file system; empty where the file may still have changed in the same moment. */
  readonly stamp: string;
}

/** What is remembered of a stack as a whole. */
export interface KnownStack {
  /** All that counts beside files and state. */
  readonly settings: string;
  readonly files: readonly (KnownFile & { readonly reads: readonly string[] })[];
  /** Some of what the patterns of the catalogue find is read as data: as long as a block reads it, it is no part of the catalogue. */
  readonly isMixed: boolean;
  /** Files that those read as data. No digest: it may hold a secret. */
  readonly data: readonly (KnownFile & { readonly digest: string })[];
  readonly resources: number;
  /** Those of which there are resources. */
  readonly providers: readonly string[];
  /** Blocks that are evaluated anew, come what may. */
  readonly always: readonly BlockNumber[];
  readonly plan?: KnownPlan;
  /** A digest of all other rows: one that was kept with others is not believed. */
  readonly whole: string;
}

export interface KnownPlan {
  readonly lineage: string;
  readonly targets: string;
  /** The last row of the history that the state had then. */
  readonly history: { readonly number: number; readonly digest: string };
  /** Blocks with a step. */
  readonly steps: readonly BlockNumber[];
  /** Addresses of all steps, and those that a record leaves. */
  readonly addresses: readonly string[];
  /** Somebody asked for the digest of the catalogue, and what it is made of is kept. */
  readonly hasMeanings: boolean;
}

/** What is remembered of one file; lists and records go by the place of a block in it. */
export interface KnownBlocks {
  /** A digest of what stands around blocks. */
  readonly around: string;
  /** It gives more than resources: where what stands around blocks is another thing, so may everything be. */
  readonly isTelling: boolean;
  /** Of each block; a single empty one where the file stands as one. */
  readonly keys: readonly string[];
  /** Of each block's text; empty for what is evaluated anew anyhow, since it may hold a secret. */
  readonly digests: readonly string[];
  /** Those that read files. */
  readonly reading: readonly number[];
  readonly needs: Readonly<Record<number, readonly BlockNumber[]>>;
  readonly users: Readonly<Record<number, readonly BlockNumber[]>>;
  /** Addresses as they go on behind the key, a line each: mostly the same few texts. */
  readonly trees: readonly string[];
  readonly treeOf: readonly number[];
}

/** Keys of objects that could be elsewhere, too: digests of one length, one after the other, and the block of each. */
export interface KnownKeys {
  readonly digests: string;
  readonly owners: readonly BlockNumber[];
}

/** What the memory holds, of one moment. */
export interface Recollection {
  stack(): Promise<KnownStack | undefined>;
  blocks(file: number): Promise<KnownBlocks | undefined>;
  /** Of each file, the keys of its resources at the top, with a space between; with one before them where all stand in one block. */
  names(): Promise<readonly string[] | undefined>;
  keys(): Promise<KnownKeys | undefined>;
  /** Key of a resource at the top → what its tree means. */
  meanings(file: number): Promise<Readonly<Record<string, string>> | undefined>;
  /** Of a plan that read what exists. */
  lists(): Promise<KnownLists | undefined>;
}

/** All that is kept of a stack. */
export interface Lesson {
  readonly stack: Omit<KnownStack, 'whole'>;
  readonly blocks: readonly KnownBlocks[];
  readonly names: readonly string[];
  readonly keys: KnownKeys;
  readonly meanings: readonly Readonly<Record<string, string>>[];
  readonly lists: KnownLists | undefined;
}

const form = 'memory 4';

/** The file of memories: few rows for a stack, and one or two for each of its files. Whatever is wrong with it is no failure. */
export class MemoryFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What `work` makes of the memory of a stack; undefined where there is none that can be read. */
  async recall<T>(stack: string, work: (known: Recollection) => Promise<T | undefined>): Promise<T | undefined> {
    let database: Database | undefined;
    try {
      database = await open(this.#path);
      return await database.snapshot((trx) => work(recollection(trx, stack)));
    } catch {
      return undefined;
    } finally {
      await database?.close().catch(() => undefined);
    }
  }

  /** Puts what is known now in the place of what was. False: it could not be kept. */
  async keep(stack: string, { stack: known, names, keys, blocks, meanings, lists }: Lesson): Promise<boolean> {
    const others: [string, unknown][] = [
      ['names', names],
      ['keys', keys],
      ...blocks.map((each, nth): [string, unknown] => [`blocks ${nth}`, each]),
      ...(lists === undefined ? [] : [['lists', lists] satisfies [string, unknown]]),
      ...meanings.map((each, nth): [string, unknown] => [`meanings ${nth}`, each]),
    ];
    const bodies = others.map(([name, value]) => rowOf(stack, name, value));
    const whole = digestOf(bodies.map(({ digest }) => digest).join(' '));
    const rows = [
      rowOf(stack, 'stack', { ...known, whole }),
      ...bodies.map((row) => ({ ...row, digest: among(whole, row.digest) })),
    ];
    const kept = await this.#write(stack, rows, true);
    if (kept !== 'damaged') return kept === 'kept';
    this.#forget();
    return (await this.#write(stack, rows, true)) === 'kept';
  }

  /** Puts newer stamps of the same files in. */
  async keepStack(stack: string, known: KnownStack): Promise<void> {
    await this.#write(stack, [rowOf(stack, 'stack', known)], false);
  }

  async #write(stack: string, rows: readonly Row[], isAll: boolean): Promise<'kept' | 'damaged' | 'not kept'> {
    let database: Database | undefined;
    try {
      database = await open(this.#path);
      await database.run(sql`create table if not exists remembered
        (stack text not null, name text not null, digest text not null, body text not null, primary key (stack, name))`);
      await database.transaction(async (trx) => {
        if (isAll) await trx.run(sql`delete from remembered where stack = ${stack}`);
        for (const { name, digest, body } of rows)
          await trx.run(sql`insert or replace into remembered (stack, name, digest, body)
            values (${stack}, ${name}, ${digest}, ${body})`);
      });
      return 'kept';
    } catch (error) {
      const problem = database?.problem(error) ?? error;
      return problem instanceof StateStoreError && problem.code === 'corrupt' ? 'damaged' : 'not kept';
    } finally {
      await database?.close().catch(() => undefined);
    }
  }

  /** A damaged one is of no use to anybody. */
  #forget(): void {
    try {
      for (const companion of ['', '-wal', '-shm']) rmSync(`${this.#path}${companion}`, { force: true });
    } catch {
      return;
    }
  }
}

/** Nobody waits long for a memory, or for a disk to have it: what a power cut leaves of it is believed by its digests. */
async function open(path: string): Promise<Database> {
  const database = openSqlite(path, { ...realTiming, ttlMs: 600 });
  await database.run(sql`pragma synchronous = OFF`);
  return database;
}

interface Row {
  readonly name: string;
  readonly digest: string;
  readonly body: string;
}

function rowOf(stack: string, name: string, value: unknown): Row {
  const body = JSON.stringify(value);
  return { name, digest: rowDigest(stack, name, body), body };
}

const among = (whole: string, digest: string): string => digestOf(`${whole} ${digest}`);

function rowDigest(stack: string, name: string, body: string): string {
  return digestOf(`${form}\n${stack}\n${name}\n${body}`);
}

function recollection(trx: Statements, stack: string): Recollection {
  let whole: string | undefined;
  let names: Promise<readonly string[] | undefined> | undefined;
  const read = async <T>(name: string): Promise<T | undefined> => {
    const row = await trx.first<Pick<Row, 'digest' | 'body'>>(
      sql`select digest, body from remembered where stack = ${stack} and name = ${name}`,
    );
    if (row === undefined) return undefined;
    // What a bad disk or another program changed is not believed.
    const digest = rowDigest(stack, name, row.body);
    if (row.digest !== (whole === undefined ? digest : among(whole, digest))) return undefined;
    // So it is what this program wrote, whose depth is known.
    return JSON.parse(row.body) as T;
  };
  return {
    stack: async () => {
      whole = undefined;
      const known = await read<KnownStack>('stack');
      whole = known?.whole;
      return known;
    },
    blocks: (file) => read(`blocks ${file}`),
    names: () => (names ??= read('names')),
    keys: () => read('keys'),
    meanings: (file) => read(`meanings ${file}`),
    lists: () => read('lists'),
  };
}
