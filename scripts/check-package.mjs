// Is the package fit to be published? Packs what `npm run build` left in dist/, as a release does, and lets two judges look at it;
// or at the tarball that is named.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packAll } from './release/npm-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'sync-package-'));

try {
  const tarball = process.argv[2] ?? packAll(join(place, 'npm'), place, join(root, 'dist')).product;
  judge('publint', join(root, 'node_modules/publint/src/cli.js'), 'run', tarball, '--strict');
  // The package has ES modules only. Every Node it supports reads them with require(), but TypeScript before 5.8 says
  // otherwise: the profile leaves out its old CommonJS resolution, and nothing else.
  judge('attw', join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only');
} finally {
  rmSync(place, { recursive: true, force: true });
}

function judge(name, program, ...args) {
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status !== 0) process.exitCode = 1;
}
