import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { sourceAliases } from '../../scripts/workspaces.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Beside the packages, so that what is built finds them. */
const shelf = join(root, 'node_modules/.cache/platform-sync-tests');
const made = new Map<string, Promise<string>>();

/** What lies beside dist/ in the package. */
const beside = ['bin', 'schemas', 'package.json'];

/** Path of the program as it is shipped. Built when the sources have changed since the last time, once for all tests. */
export async function builtProgram(): Promise<string> {
  return join(await builtPackage(), 'bin/sync.js');
}

/** Folder with what `npm run build` puts into dist/, the types left out. */
export async function builtDist(): Promise<string> {
  return join(await builtPackage(), 'dist');
}

/** The launcher comes along: by it a plan takes a fifth less CPU time than by the script that it starts. */
function builtPackage(): Promise<string> {
  return kept('package', ['src/**', 'bin/**', 'schemas/**', 'scripts/{,release/}*.mjs'], async (folder) => {
    const out = join(folder, 'dist');
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types', '--out', out]);
    for (const name of beside) await cp(join(root, name), join(folder, name), { recursive: true });
  });
}

/** Path of a test's own child program, of one file that starts four times as fast as by compiling on the way. */
export async function builtChild(file: string): Promise<string> {
  const name = basename(file, '.ts');
  const folder = await kept(
    relative(root, file).replaceAll(/[^\w-]/g, '-'),
    ['src/**', 'schemas/**', 'test/**/*.ts'],
    async (outdir) => {
      const { build } = await import('esbuild');
      await build({
        ...{ entryPoints: [file], outdir, absWorkingDir: root, logLevel: 'warning' },
        ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external' },
        alias: sourceAliases,
      });
    },
  );
  return join(folder, `${name}.js`);
}

/** A folder that is made again whenever one of the sources is another one than before. */
export function kept(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const known = made.get(name) ?? orMade(name, sources, make);
  made.set(name, known);
  return known;
}

async function orMade(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const place = join(shelf, name);
  const folder = join(place, digestOf(sources));
  if (existsSync(folder)) return folder;
  await mkdir(place, { recursive: true });
  const own = await mkdtemp(join(place, 'making-'));
  await make(join(own, 'made'));
  // Another worker may have been quicker: its folder holds the same.
  await rename(join(own, 'made'), folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
  await rm(own, { recursive: true, force: true });
  await clearOld(place);
  return folder;
}

/** What sources of another day led to; younger ones may be in use. */
async function clearOld(place: string): Promise<void> {
  const day = 24 * 3_600_000;
  for (const name of await readdir(place)) {
    const age = await stat(join(place, name)).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > day) await rm(join(place, name), { recursive: true, force: true });
  }
}

function digestOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(['package.json', 'package-lock.json', ...sources], { cwd: root }).sort())
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
