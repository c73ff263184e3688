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
  const licences = new Map();
  for (const folder of folders) {
    const { name, text } = told(join(root, folder));
    const lines = text.split('\n');
    const holders = lines.filter(isHolder).map((line) => line.trim());
    const terms = lines
      .filter((line) => !isHolder(line))
      .join('\n')
      .trim();
    // The same words, whatever their lines, stand once, below everybody who gives them.
    const key = terms.replace(/\s+/g, ' ');
    const known = licences.get(key) ?? { terms, givers: [] };
    known.givers.push([name, ...holders].join('\n  '));
    licences.set(key, known);
  }
  const parts = [...licences.values()].map(({ terms, givers }) => `${givers.join('\n')}\n\n${terms}`);
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Of a notice: who has the right, and since when. */
function isHolder(line) {
  return /^\s*(?:Copyright|©|\(c\)).*(?:\d{4}|\([cC]\)|©)/.test(line);
}

function told(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined && typeof license !== 'string') throw new Error(`${name} does not say its licence`);
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return { name: `${name} ${version}`, text };
}
