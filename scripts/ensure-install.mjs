// Installs the packages when one is missing or another than the lockfile says. Uses nothing but Node. `--without-tools` is content
// with what the program and its build need, the `dependencies` of package.json: `npm start` then takes half the time.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRun = process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1]);
if (isRun) ensureInstalled(!process.argv.includes('--without-tools'));

function ensureInstalled(wantsTools) {
  const lock = packagesIn('package-lock.json');
  // npm writes this file at the end of every install: what it has put there.
  const installed = packagesIn('node_modules/.package-lock.json');
  if (isComplete(lock, installed, wantsTools)) return;
  // Beside a whole program only the tools are put; all else begins anew. Who has the tools keeps them.
  if (isComplete(lock, installed, false)) return npm('install', '--no-save', '--include=dev');
  const hasTools = Object.values(installed).some(({ dev }) => dev);
  npm('ci', wantsTools || hasTools ? '--include=dev' : '--omit=dev');
}

/** Packages by their folders, as npm writes them. What is for other systems may be missing, and what comes with peers. */
export function isComplete(lock, installed, wantsTools) {
  return Object.entries(lock)
    .filter(([folder, { optional, peer }]) => folder !== '' && !optional && !peer)
    .filter(([, { dev, devOptional }]) => wantsTools || !(dev || devOptional))
    .every(([folder, { version }]) => folder in installed && installed[folder].version === version);
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Kinds are named: a shell that is set up for production would leave out the tools by itself. */
function npm(...args) {
  console.error(`Installing packages (npm ${args.join(' ')}) …`);
  const program = process.env.npm_execpath;
  const [command, ...before] = program?.endsWith('.js') ? [process.execPath, program] : ['npm'];
  const { status, error } = spawnSync(command, [...before, ...args, '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error === undefined && status === 0) return;
  console.error(`npm ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
  process.exit(1);
}
