// Is the package fit to be published? Packs what `npm run build` left in dist/ and lets two judges look at the tarball.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Another folder with a package.json and a dist/ can be named.
const folder = process.argv[2] ?? root;
const place = mkdtempSync(join(tmpdir(), 'sync-package-'));

try {
  npm('pack', '--silent', '--ignore-scripts', '--pack-destination', place);
  const tarball = join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '');
  judge('publint', join(root, 'node_modules/publint/src/cli.js'), 'run', tarball, '--strict');
  // The package has ES modules only. Every Node it supports reads them with require(), but TypeScript before 5.8 says
  // otherwise: the profile leaves out its old CommonJS resolution, and nothing else.
  judge('attw', join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only');
} finally {
  rmSync(place, { recursive: true, force: true });
}

function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(1);
}

function judge(name, program, ...args) {
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status !== 0) process.exitCode = 1;
}
