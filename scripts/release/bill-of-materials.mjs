// What the program is made of, as CycloneDX: the packages that are in the bundle, and those that come along at an install.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedWith, shippedManifest } from './npm-packages.mjs';

/** `bundled` are the folders of packages that the bundle has parts of, `ruling` of those in the package of house rules. No date and no random number: the same in gives the same out. */
export function billOfMaterials(root, bundled, ruling = []) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const own = shippedManifest();
  const inside = bundled.map((folder) => component(folder, packages[folder], 'required'));
  const optional = [
    ...installedWith(packages),
    ...ruling.filter((folder) => !bundled.includes(folder)).map((folder) => [folder, packages[folder]]),
  ];
  const beside = new Map(optional.map(([path, entry]) => [path, component(path, entry, 'optional')]));
  const components = [...inside, ...beside.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', ...named(own.name, own.version), licenses: [{ expression: own.license }] },
      properties: [
        {
          name: 'platform-sync:scope',
          value: 'required: in the bundle; optional: installed on a Node.js without SQLite, or with house rules',
        },
      ],
    },
    components,
    dependencies: [
      { ref: purl(own.name, own.version), dependsOn: components.map((each) => each.purl) },
      ...components.map((each) => ({ ref: each.purl })),
    ],
  };
}

/** A package that the lock says no licence of keeps the file that its author ships, which THIRD-PARTY-LICENSES.txt has. */
function component(path, { version, integrity, license }, scope) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    ...{ type: 'library', ...named(name, version), scope },
    ...(license === undefined ? {} : { licenses: [licence(license)] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** What is no expression of SPDX is a name. */
function licence(words) {
  return /^SEE /.test(words) ? { license: { name: words } } : { expression: words };
}

function named(fullName, version) {
  const [name, group] = fullName.split('/').reverse();
  const ref = purl(fullName, version);
  return { 'bom-ref': ref, ...(group === undefined ? {} : { group }), name, version, purl: ref };
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashOf(integrity) {
  return { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') };
}
