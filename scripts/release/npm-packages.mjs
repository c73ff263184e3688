// The packages as a registry gets them, each in a folder to pack. The repository's own package.json is of the workspaces: what is
// shipped is made from it here, once, for the release and for the tests of it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const own = readJson('package.json');
const libsqlName = '@platform-sync/libsql';

/**
 * Brings libsql to Nodes that have no SQLite without a flag. A package manager leaves out an optional package whose engines are
 * others, and with it what only that one needs: so newer Nodes install nothing but the program. Yarn 1 takes every Node for a 0.x,
 * too, and so would install it where the range has no beginning.
 */
const libsql = {
  name: libsqlName,
  version: own.version,
  description: 'The driver of SQLite that platform-sync takes on a Node.js that has none of its own.',
  license: own.license,
  engines: { node: '>=20.0.0 <22.13.0 || >=23.0.0 <23.4.0' },
  main: 'index.js',
  files: ['index.js'],
  dependencies: { libsql: own.dependencies.libsql },
};

/** What `sync fleet work` needs beside the program. */
const fleet = {
  name: 'platform-sync-fleet',
  version: own.version,
  description: readJson('src/fleet/package.json').description,
  license: own.license,
  engines: own.engines,
  type: 'module',
  exports: { '.': './dist/main.js' },
  files: ['dist'],
  dependencies: Object.fromEntries(['graphile-worker', 'jose', 'pg'].map((each) => [each, own.dependencies[each]])),
  peerDependencies: { [own.name]: own.version },
};

/** Brings Spectral to projects that name rules for specifications; whoever has such rules installs it beside the program. */
const houseRules = {
  name: '@platform-sync/house-rules',
  version: own.version,
  description: 'What checks rules for API specifications in the format of Spectral, for platform-sync.',
  license: own.license,
  engines: own.engines,
  main: 'index.cjs',
  files: ['index.cjs', 'THIRD-PARTY-LICENSES.txt'],
};

export function shippedManifest() {
  const { name, version, description, license, type, engines, bin, exports, files } = own;
  const optionalDependencies = { [libsqlName]: libsql.version };
  // Of this very version, and never installed unasked.
  const peerDependencies = { [houseRules.name]: houseRules.version };
  const peerDependenciesMeta = { [houseRules.name]: { optional: true } };
  return {
    ...{ name, version, description, license, type, engines, bin, exports, files },
    ...{ optionalDependencies, peerDependencies, peerDependenciesMeta },
  };
}

/** Packs all packages into a folder, built anew where no `dist` is given; gives the paths of the tarballs. They are staged in folders of `scratch`: libsql, product, fleet, house-rules. */
export function packAll(into, scratch, dist) {
  const jobs = pack(stageFleet(join(scratch, 'fleet')), into);
  const small = pack(stageLibsql(join(scratch, 'libsql')), into);
  const folder = stageProduct(join(scratch, 'product'), integrityOf(small));
  if (dist === undefined) build(join(folder, 'dist'));
  else cpSync(dist, join(folder, 'dist'), { recursive: true });
  const rules = pack(stageHouseRules(join(scratch, 'house-rules'), join(folder, 'dist')), into);
  return { product: pack(folder, into), libsql: small, fleet: jobs, houseRules: rules };
}

/** The paths that `packAll` gave the tarballs of a folder. */
export function packedIn(folder) {
  const file = ({ name, version }) => join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  return { product: file(own), libsql: file(libsql), fleet: file(fleet), houseRules: file(houseRules) };
}

/** The part of a build that the program is shipped without. */
function stageHouseRules(folder, dist) {
  cpSync(join(dist, 'house-rules'), folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  write(folder, 'package.json', houseRules);
  return folder;
}

/** All but dist/. `integrity` is that of the packed libsql package, where it is known. */
export function stageProduct(folder, integrity) {
  mkdirSync(folder, { recursive: true });
  for (const name of ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'schemas'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  compressDescriptions(join(folder, 'schemas/descriptions'));
  for (const name of readdirSync(join(folder, 'schemas'), { recursive: true }).filter((each) => each.endsWith('.json')))
    writeWithoutSpaces(join(folder, 'schemas', name));
  write(folder, 'package.json', shippedManifest());
  write(folder, 'npm-shrinkwrap.json', shrinkwrap(integrity));
  return folder;
}

function compressDescriptions(folder) {
  for (const name of readdirSync(folder)) {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    rmSync(join(folder, name));
  }
}

/** Programs read them: a tenth of them is there for people, who find them in the repository. */
function writeWithoutSpaces(file) {
  writeFileSync(file, `${JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))}\n`);
}

function build(out) {
  const command = [join(root, 'scripts/build.mjs'), '--out', out];
  execFileSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

export function stageLibsql(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  write(folder, 'package.json', libsql);
  writeFileSync(join(folder, 'index.js'), "module.exports = require('libsql');\n");
  return folder;
}

export function stageFleet(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, 'src/fleet/README.md'), join(folder, 'README.md'));
  write(folder, 'package.json', fleet);
  const command = [join(root, 'src/fleet/build.mjs'), join(folder, 'dist')];
  execFileSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

/** What package-lock.json says about the packages that users get, so that every install by npm gets what was tested. */
function shrinkwrap(integrity) {
  const { packages, ...lock } = readJson('package-lock.json');
  const { files: _files, exports: _exports, description: _description, type: _type, ...product } = shippedManifest();
  const { name: _name, description: _about, main: _main, files: _shipped, ...entry } = libsql;
  return {
    ...lock,
    packages: {
      '': product,
      [`node_modules/${libsqlName}`]: { ...entry, ...(integrity === undefined ? {} : { integrity }), optional: true },
      ...Object.fromEntries(
        installedWith(packages).map(([path, { dev: _dev, ...each }]) => [path, { ...each, optional: true }]),
      ),
    },
  };
}

/** The packages that come along where Node has no SQLite, as the lock has them. */
export function installedWith(packages) {
  return installed(packages, libsql);
}

/** What a package's dependencies lead to, in the order of the lock. */
function installed(packages, manifest) {
  const found = new Set();
  const add = (from, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = placeOf(packages, from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path, packages[path]);
    }
  };
  add('', manifest);
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

/** npm gives all files of a tarball one date and one owner. */
function pack(folder, into) {
  const place = join(folder, '..', 'packed');
  mkdirSync(place, { recursive: true });
  mkdirSync(into, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
    ...{ cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  });
  const [name] = readdirSync(place);
  cpSync(join(place, name), join(into, name));
  rmSync(place, { recursive: true });
  return join(into, name);
}

function integrityOf(file) {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
}

function write(folder, name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
