import type * as real from 'node:fs';

/**
 * The disk of all simulated machines, in memory: the simulator's bundle has it in the place of `node:fs` and
 * `node:fs/promises`. Nothing of this machine's own disk is seen, so that no world follows from it.
 */
const files = new Map<string, Buffer>();
const folders = new Map<string, Set<string>>();

/** Nothing is there but the program itself. */
export function emptyDisk(): void {
  files.clear();
  folders.clear();
  folders.set('/', new Set());
  mkdirSync('/schemas');
  writeFileSync('/package.json', '{ "name": "platform-sync", "version": "0.0.0", "description": "simulated" }');
}

class Entry {
  readonly name: string;
  readonly mode = 0o644;
  readonly size: number;
  readonly #isFile: boolean;

  constructor(path: string) {
    this.name = path.slice(path.lastIndexOf('/') + 1);
    const bytes = files.get(path);
    this.#isFile = bytes !== undefined;
    this.size = bytes?.length ?? 0;
  }

  isFile(): boolean {
    return this.#isFile;
  }

  isDirectory(): boolean {
    return !this.#isFile;
  }

  isSymbolicLink(): boolean {
    return false;
  }
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function existsSync(path: string): boolean {
  return files.has(path) || folders.has(path);
}

export function statSync(path: string, { throwIfNoEntry = true } = {}): Entry | undefined {
  if (existsSync(path)) return new Entry(path);
  if (throwIfNoEntry) throw failure('ENOENT', path);
  return undefined;
}

export function realpathSync(path: string): string {
  if (existsSync(path)) return path;
  throw failure('ENOENT', path);
}
realpathSync.native = realpathSync;

export function readFileSync(path: string, how?: string | { readonly encoding?: string }): string | Buffer {
  const bytes = files.get(path);
  if (bytes === undefined) throw failure(folders.has(path) ? 'EISDIR' : 'ENOENT', path);
  return how === undefined ? bytes : bytes.toString('utf8');
}

export function writeFileSync(path: string, content: string | Buffer, { flag = 'w' } = {}): void {
  const folder = folders.get(above(path));
  if (folder === undefined) throw failure('ENOENT', path);
  if (folders.has(path)) throw failure('EISDIR', path);
  if (flag === 'wx' && files.has(path)) throw failure('EEXIST', path);
  folder.add(nameOf(path));
  const bytes = Buffer.from(content);
  files.set(path, flag === 'a' ? Buffer.concat([files.get(path) ?? Buffer.alloc(0), bytes]) : bytes);
}

export function mkdirSync(path: string): void {
  if (folders.has(path)) return;
  mkdirSync(above(path));
  folders.set(path, new Set());
  folders.get(above(path))?.add(nameOf(path));
}

export function rmSync(path: string, { force = false } = {}): void {
  if (!existsSync(path) && !force) throw failure('ENOENT', path);
  for (const name of folders.get(path) ?? []) rmSync(`${path}/${name}`);
  files.delete(path);
  folders.delete(path);
  folders.get(above(path))?.delete(nameOf(path));
}

export function renameSync(from: string, to: string): void {
  const bytes = files.get(from);
  if (bytes === undefined) throw failure('ENOENT', from);
  writeFileSync(to, bytes);
  rmSync(from);
}

export function readdirSync(path: string, how?: { readonly withFileTypes: true }): readonly (Entry | string)[] {
  const names = folders.get(path);
  if (names === undefined) throw failure(files.has(path) ? 'ENOTDIR' : 'ENOENT', path);
  return how === undefined ? [...names] : [...names].map((name) => new Entry(`${path}/${name}`));
}

export const lstatSync = statSync;
export const unlinkSync = rmSync;
export const chmodSync = (): void => undefined;
export const appendFileSync = (path: string, content: string): void => writeFileSync(path, content, { flag: 'a' });

const later =
  <Asked extends readonly unknown[], Result>(work: (...asked: Asked) => Result) =>
  async (...asked: Asked): Promise<Result> =>
    work(...asked);

export const readFile = later(readFileSync);
export const writeFile = later(writeFileSync);
export const appendFile = later(appendFileSync);
export const stat = later(statSync);
export const lstat = later(statSync);
export const realpath = later(realpathSync);
export const readdir = later(readdirSync);
export const mkdir = later(mkdirSync);
export const rename = later(renameSync);
export const unlink = later(rmSync);
export const rm = later(rmSync);

/** What is kept beside a project while the store is away is appended so. */
export async function open(path: string): Promise<object> {
  return {
    appendFile: later((content: string): void => appendFileSync(path, content)),
    sync: later((): void => undefined),
    close: later((): void => undefined),
  };
}

/** No command line of a world asks for it. */
const notHere = (): never => {
  throw failure('ENOSYS', 'the simulated disk');
};
export const accessSync = notHere;
export const closeSync = notHere;
export const copyFile = later(notHere);
export const copyFileSync = notHere;
export const fstatSync = notHere;
export const fsyncSync = notHere;
export const linkSync = notHere;
export const mkdtemp = later(notHere);
export const rmdir = later(notHere);
export const mkdtempSync = notHere;
export const openSync = notHere;
export const readSync = notHere;
export const readlinkSync = notHere;
export const writeSync = notHere;
export const watch = notHere;
export const constants: Partial<typeof real.constants> = {};
