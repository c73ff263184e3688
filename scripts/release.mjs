// `npm run release -- --dry-run` makes everything that a release consists of, in release/ (or `--out FOLDER`):
//
//   npm/             the packages, as the registry gets them
//   recipes/         the tree of the release's commit: the GitHub action, the GitLab component, and the program
//   image/           what the image is built from: docker build release/image --build-arg NODE_IMAGE=node:24-slim@sha256:…
//   vscode/          the extension for VS Code
//   completions/     for bash, zsh and fish
//   schemas/         of all files and documents, each with an id
//   sbom.cdx.json, THIRD-PARTY-LICENSES.txt, LICENSE, SHA256SUMS
//
// The same sources give the same bytes; `--twice` makes all of it a second time, elsewhere, and compares. `--advisories FILE` holds
// the bill of materials against advisories in OSV's format instead, and makes nothing. Nothing is published from here: .github/workflows/release.yml does
// that, where the forge can attest what the artefacts were made from.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findAdvisories } from './release/advisories.mjs';
import { packAll, shippedManifest } from './release/npm-packages.mjs';
import { packedExtension } from './release/vscode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'release') },
    advisories: { type: 'string' },
    sbom: { type: 'string' },
  },
});
const out = resolve(values.out);

if (values.advisories !== undefined) checkAdvisories();
else if (!values['dry-run']) {
  console.error(
    'A release is published by .github/workflows/release.yml, from a tag. To make its artefacts here: npm run release -- --dry-run',
  );
  process.exitCode = 1;
} else {
  await make(out);
  console.log(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .filter((line) => !line.includes('  recipes/'))
      .join('\n'),
  );
  console.log(`made ${out}`);
  if (values.twice) await compareWithAnother();
}

async function make(into) {
  const scratch = mkdtempSync(join(tmpdir(), 'sync-release-'));
  try {
    rmSync(into, { recursive: true, force: true });
    const { product, houseRules } = packAll(join(into, 'npm'), scratch);
    const staged = join(scratch, 'product');
    stageRecipes(staged, join(into, 'recipes'));
    copy(root, ['Dockerfile', '.dockerignore'], join(into, 'image'));
    for (const file of [product, houseRules]) cpSync(file, join(into, 'image', basename(file)));
    await writeExtension(join(into, 'vscode'));
    writeCompletions(staged, join(into, 'completions'));
    writeSchemas(join(into, 'schemas'));
    copy(join(staged, 'dist'), ['sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt'], into);
    copy(root, ['LICENSE'], into);
    writeFileSync(join(into, 'SHA256SUMS'), checksums(into));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What a job fetches by the commit of a release, of either forge: no package is installed, and types are for programmers. */
function stageRecipes(staged, into) {
  copy(root, ['action.yml', 'ci', 'templates'], into);
  copy(staged, ['bin', 'schemas', 'package.json', 'LICENSE'], into);
  cpSync(join(staged, 'dist'), join(into, 'dist'), {
    recursive: true,
    filter: (path) => path !== join(staged, 'dist', 'types'),
  });
}

async function writeExtension(into) {
  mkdirSync(into, { recursive: true });
  const { version } = shippedManifest();
  writeFileSync(join(into, `platform-sync-${version}.vsix`), await packedExtension(version));
}

function writeCompletions(staged, into) {
  mkdirSync(into, { recursive: true });
  for (const [shell, file] of Object.entries({ bash: 'sync.bash', zsh: '_sync', fish: 'sync.fish' })) {
    const program = [join(staged, 'bin/sync.js'), 'completion', shell];
    writeFileSync(join(into, file), execFileSync(process.execPath, program, { encoding: 'utf8' }));
  }
}

/** The address of a schema is a name, of this version: nobody has to answer there. */
function writeSchemas(into) {
  mkdirSync(into, { recursive: true });
  const { version } = shippedManifest();
  for (const name of readdirSync(join(root, 'schemas')).filter((each) => each.endsWith('.schema.json'))) {
    const { $schema, $id: _own, ...schema } = JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'));
    const identified = { $schema, $id: `urn:platform-sync:${version}:${name}`, ...schema };
    writeFileSync(join(into, name), `${JSON.stringify(identified, null, 2)}\n`);
  }
}

function copy(from, names, into) {
  for (const name of names) cpSync(join(from, name), join(into, name), { recursive: true });
}

/** As `sha256sum --check` reads it. */
function checksums(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => name !== 'SHA256SUMS')
    .sort();
  return files.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join('');
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

async function compareWithAnother() {
  const place = mkdtempSync(join(tmpdir(), 'sync-twice-'));
  try {
    await make(join(place, 'second'));
    const [first, second] = [out, join(place, 'second')].map((folder) =>
      readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n'),
    );
    const differing = [
      ...first.filter((line) => !second.includes(line)),
      ...second.filter((line) => !first.includes(line)),
    ];
    if (differing.length === 0) return console.log(`ok     two builds are the same: ${first.length - 1} files`);
    console.error(`FAILED two builds differ:\n${differing.sort().join('\n')}`);
    process.exitCode = 1;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function checkAdvisories() {
  const sbom = readJson(
    values.sbom ?? join(root, 'dist/sbom.cdx.json'),
    'npm run build makes it; --sbom names another',
  );
  const found = orEnd(() => findAdvisories(sbom, readJson(values.advisories)), values.advisories);
  for (const { id, component, range, summary } of found.hits)
    console.log(`FAILED ${id}  ${component.purl} (${component.scope}): ${summary}; affected: ${range}`);
  console.log(`${found.advisories} advisories, ${found.components} packages, ${found.hits.length} affected`);
  if (found.hits.length > 0) process.exitCode = 1;
}

function readJson(path, hint = 'it must be JSON') {
  return orEnd(() => JSON.parse(readFileSync(path, 'utf8')), path, hint);
}

/** What is no answer is neither "affected" nor "not affected": 2. */
function orEnd(work, path, hint = 'https://ossf.github.io/osv-schema') {
  try {
    return work();
  } catch (error) {
    console.error(`${path} can not be taken: ${error.message} (${hint})`);
    process.exit(2);
  }
}
