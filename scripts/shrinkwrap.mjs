// Writes npm-shrinkwrap.json for the package: what package-lock.json says about the packages that users get, so that every
// install by npm gets the very versions that were tested. `--remove` takes it away: in the repository it would be a second lock.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Another folder to write to can be named, for a package that is staged there.
const folder = process.argv.slice(2).find((word) => !word.startsWith('--'));
const target = join(folder === undefined ? root : resolve(folder), 'npm-shrinkwrap.json');

if (process.argv.includes('--remove')) rmSync(target, { force: true });
else writeFileSync(target, `${JSON.stringify(shrinkwrap(), null, 2)}\n`);

function shrinkwrap() {
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies: _devDependencies, workspaces: _workspaces, ...own } = packages[''];
  const shipped = installed(packages, own);
  return { ...lock, packages: { '': own, ...Object.fromEntries(shipped) } };
}

/** What the package's own dependencies lead to, in the order of the lock; what workspaces need is in the bundle. */
function installed(packages, own) {
  const found = new Set();
  const add = (from, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = placeOf(packages, from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path, packages[path]);
    }
  };
  add('', own);
  return Object.entries(packages).filter(([path]) => found.has(path));
}

/** As Node looks for a package: beside the one that asks, then further up. */
function placeOf(packages, from, name) {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[path] !== undefined) return path;
  return from === ''
    ? undefined
    : placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}
