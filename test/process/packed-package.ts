import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packedIn, shippedManifest, stageLibsql, stageProduct } from '../../scripts/release/npm-packages.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PackedPackage {
  /** A folder with the fixture's programs, in which the package is installed from its tarball. */
  readonly folder: string;
  /** Of the test's own: what is left here goes with it. */
  readonly place: string;
  readonly files: readonly string[];
  close(): Promise<void>;
}

/** Installs the package as a registry would hand it out. Only what package.json names as dependencies can be found from it, so that a forgotten one shows. */
export async function installPacked(): Promise<PackedPackage> {
  const place = await mkdtemp(join(tmpdir(), 'sync-packed-'));
  const folder = join(place, 'consumer');
  await unpack(await tarball(place), place);
  await cp(join(root, 'fixtures/sdk-program'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await mkdir(join(folder, 'node_modules'));
  const files = await readdir(join(place, 'package'), { recursive: true, withFileTypes: true });
  await rename(join(place, 'package'), join(folder, 'node_modules/platform-sync'));
  await linkDependencies(join(folder, 'node_modules'));
  return {
    folder,
    place,
    files: files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => relative(join(place, 'package'), join(parentPath, name))),
    close: () => rm(place, { recursive: true, force: true }),
  };
}

/** Of the release that is made already, else built and packed here. */
async function tarball(place: string): Promise<string> {
  const release = process.env['SYNC_RELEASE'];
  if (release !== undefined) return packedIn(join(release, 'npm')).product;
  const staged = stageProduct(join(place, 'staged'));
  await run(process.execPath, [join(root, 'scripts/build.mjs'), '--out', join(staged, 'dist')], { cwd: root });
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
    cwd: staged,
    shell: process.platform === 'win32',
  });
  return packedIn(place).product;
}

async function unpack(tarball: string, into: string): Promise<void> {
  await run('tar', ['-xzf', tarball, '-C', into]);
}

async function linkDependencies(modules: string): Promise<void> {
  for (const name of Object.keys(shippedManifest().optionalDependencies)) stageLibsql(join(modules, name));
  // What that one brings. The types of Node are the consumer's own, as in any TypeScript project.
  for (const name of ['libsql', '@types/node', 'undici-types']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
}

/** Writes the TypeScript examples of the documentation into the folder; gives their names. */
export async function writeExamples(folder: string): Promise<readonly string[]> {
  const lookups = (await readdir(join(root, 'docs/reference'))).filter((name) => name.startsWith('get'));
  const pages = ['docs/sdk.md', ...lookups.map((name) => `docs/reference/${name}`)];
  const written = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(root, page), 'utf8');
      const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
      const names = blocks.map((_block, at) => `${basename(page, '.md')}-${String(at)}.ts`);
      await Promise.all(blocks.map((block, at) => writeFile(join(folder, names[at] ?? ''), block)));
      return names;
    }),
  );
  return written.flat();
}

/** Runs a program of the folder and gives what it printed, as JSON. */
export async function runProgram(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { stdout } = await run(process.execPath, [...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  });
  return JSON.parse(stdout);
}

/** What the compiler has to say; empty when all is well. */
export async function compile(folder: string, options: readonly string[]): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', 'false', '--types', 'node', ...options];
  return run(process.execPath, [compiler, ...args], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}
