import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Where the processes that `buildChildren` has made are; without it they run from their sources. */
const variable = 'SYNC_CHAOS_CHILDREN';

/** File and arguments of node to start a process of these tests with. */
export function childProgram(name: 'apply-child' | 'sandbox-child'): { file: string; execArgv: string[] } {
  const built = process.env[variable];
  return built === undefined
    ? { file: fileURLToPath(new URL(`${name}.ts`, import.meta.url)), execArgv: ['--import', 'tsx'] }
    : { file: join(built, `${name}.js`), execArgv: [] };
}

/** Compiles them once: who starts a thousand of them does not want to do it each time. Gives what takes them away again. */
export async function buildChildren(): Promise<() => Promise<void>> {
  // Beside the packages, so that they are found.
  const folder = await mkdtemp(join(root, 'node_modules/.chaos-'));
  await build({
    absWorkingDir: root,
    entryPoints: ['test/fault/apply-child.ts', 'test/fault/sandbox-child.ts'],
    outdir: folder,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
