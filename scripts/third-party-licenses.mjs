// What the bundle carries of others keeps its licence: one text with each package's name, version and licence file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of packages that are in a bundle, sorted; `inputs` as esbuild's metafile names them. */
export function bundledPackages(inputs) {
  const folders = new Set(
    Object.keys(inputs).flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? []),
  );
  return [...folders].sort();
}

/** A text that several packages share is there once, below all their names. Throws for a package that says nothing of its licence. */
export function thirdPartyLicenses(root, folders) {
  const names = new Map();
  for (const folder of folders) {
    const { name, text } = told(join(root, folder));
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const parts = [...names].map(([text, packages]) => `${packages.join('\n')}\n\n${text}`);
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function told(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined && typeof license !== 'string') throw new Error(`${name} does not say its licence`);
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return { name: `${name} ${version}`, text };
}
