import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { billOfMaterials } from '../../scripts/release/bill-of-materials.mjs';
import { shippedManifest } from '../../scripts/release/npm-packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
};
const version = (name: string): string => lock.packages[`node_modules/${name}`]?.version ?? 'none';

it('names what is in the bundle, what comes along on a Node without SQLite, and what house rules bring, as the lock has it', () => {
  const bill = billOfMaterials(
    root,
    ['node_modules/undici', 'node_modules/@octokit/core'],
    ['node_modules/undici', 'node_modules/@stoplight/spectral-core'],
  );
  const told = bill.components.map(({ purl, scope }) => [purl, scope]);
  expect(told).toEqual(
    expect.arrayContaining([
      [`pkg:npm/undici@${version('undici')}`, 'required'],
      [`pkg:npm/%40octokit/core@${version('@octokit/core')}`, 'required'],
      [`pkg:npm/libsql@${version('libsql')}`, 'optional'],
      [`pkg:npm/%40stoplight/spectral-core@${version('@stoplight/spectral-core')}`, 'optional'],
      [`pkg:npm/%40libsql/win32-x64-msvc@${version('@libsql/win32-x64-msvc')}`, 'optional'],
    ]),
  );
  expect(told.filter(([, scope]) => scope === 'required')).toHaveLength(2);
  expect(bill.dependencies[0]?.dependsOn).toEqual(told.map(([purl]) => purl));
  for (const { purl, hashes, licenses } of bill.components) {
    expect(hashes?.[0]?.content, purl).toMatch(/^[0-9a-f]{128}$/);
    expect(licenses, purl).toHaveLength(1);
  }
});

it('is not of the tools: what is shipped depends on one package, and that one is left out by newer Nodes', () => {
  expect(Object.keys(shippedManifest())).not.toContain('devDependencies');
  expect(Object.keys(shippedManifest().optionalDependencies)).toEqual(['@platform-sync/libsql']);
});
