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
  const { devDependencies: _devDependencies, ...own } = packages[''];
  const shipped = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  return { ...lock, packages: { '': own, ...Object.fromEntries(shipped) } };
}
