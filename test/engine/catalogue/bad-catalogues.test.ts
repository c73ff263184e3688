import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogueCodes } from '../../../src/engine/catalogue/problem/codes.js';
import { loadCatalogue } from '../../../src/engine/catalogue/load.js';
import { loadProjectConfig } from '../../../src/engine/project/project-file.js';
import type { Diagnostic } from '../../../src/engine/model/diagnostic.js';
import { providerPackages } from '../../../src/providers/registry.js';
import { reservedLabelPrefixes } from '../../../src/providers/platform/wire.js';
import { configOf, load, loadFiles, scratchFolder } from './scratch-project.js';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/bad');
const names = readdirSync(folder).sort();

interface CaseOptions {
  readonly stack?: string;
  /** Reads sync.yaml although the case has none. */
  readonly project?: boolean;
}

/** One expected finding; `summary` and `hint` need only be part of what is said. */
interface Expected {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity?: string;
  readonly code: string;
  readonly summary?: string;
  readonly hint?: string;
}

function readJson<T>(file: string, fallback: T): T {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : fallback;
}

async function diagnose(root: string, options: CaseOptions): Promise<readonly Diagnostic[]> {
  const reads = { env: {}, packages: providerPackages };
  const hasProject = options.project === true || existsSync(path.join(root, 'sync.yaml'));
  const { stack } = options;
  const project = hasProject
    ? await loadProjectConfig(root, { ...reads, ...(stack !== undefined && { stack }) })
    : { config: configOf(root), diagnostics: [] };
  if (project.config === undefined) return project.diagnostics;
  return [...project.diagnostics, ...(await loadCatalogue(project.config, reads)).diagnostics];
}

/** What people bring along, and the folders that show what is said to it. */
const habits: Readonly<Record<string, readonly string[]>> = {
  'marks of a merge': [
    ...['merge-conflict', 'merge-conflict-in-settings', 'merge-conflict-in-an-overlay', 'source-merge-conflict'],
    ...['merge-mark-alone', 'merge-mark-in-the-middle', 'merge-mark-at-the-end', 'merge-mark-in-a-specification'],
  ],
  'a missing blank': ['first', 'later', 'section', 'setting', 'type'].map((where) => `blank-missing-${where}`),
  'a child by a dot': ['child-by-dot'],
  'files of other programs': ['kubernetes-manifest', 'vendor-command-line-file', 'gateway-configuration'],
  'a specification among catalogue files': [
    ...['specification-as-catalogue', 'broken-file-beside-specification', 'overlay-is-a-specification'],
  ],
  'empty files': ['empty-files', 'source-empty-page', 'source-empty-specification'],
  'labels and attributes': [
    ...['label-rules', 'reserved-label-prefixes', 'too-many-labels', 'attribute-json', 'attribute-shape'],
  ],
  ids: [
    ...['is-a-key', 'is-a-name', 'is-a-child', 'is-a-key-of-another-type', 'of-nothing', 'half-written'],
    ...['misspelt-key', 'in-a-list', 'in-a-record', 'in-a-variable', 'in-a-parameter', 'in-an-overlay', 'in-defaults'],
  ].map((what) => `id-${what}`),
  parameters: [
    ...['missing', 'unknown', 'declared-wrongly', 'of-stack-wrong', 'secret-in-plain-text', 'none-declared'],
    ...['named-like-an-address', 'two-of-one-variable', 'with-reference', 'of-wrong-type-for-property'],
  ].map((what) => `parameter-${what}`),
  overlays: [
    ...['patches-nothing', 'patches-twice', 'missing', 'pattern-misspelt', 'folder-misspelt', 'moves-a-child'],
    ...['switches-off-what-is-needed', 'sets-computed', 'unknown-keys', 'wrong-values', 'outside-project'],
  ].map((what) => `overlay-${what}`),
  sources: [
    ...['broken-specification', 'folder-without-page', 'front-matter', 'no-specification', 'of-wrong-files'],
    ...['page-without-api', 'page-at-top', 'same-address-twice', 'without-files', 'and-other-type'],
  ].map((what) => `source-${what}`),
  'letting go': ['removed-and-declared', 'removed-and-renamed', 'removed-wrong-shape'],
};

describe('bad catalogues', () => {
  it.each(Object.entries(habits))('show what is said to %s', (_habit, folders) => {
    expect(folders.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(names)('%s', async (name) => {
    const root = path.join(folder, name);
    const found = await diagnose(root, readJson<CaseOptions>(path.join(root, 'options.json'), {}));
    const expected = readJson<readonly Expected[]>(path.join(root, 'expected.json'), []);
    const placed = ({ place, severity, code }: Diagnostic): Expected => ({
      ...(place && { file: place.file, line: place.line, column: place.column }),
      ...(severity !== 'error' && { severity }),
      code,
    });
    // The whole list, in order: nothing is missed and nothing follows from something else.
    expect(found.map(placed)).toEqual(expected.map(({ summary: _summary, hint: _hint, ...where }) => where));
    expect(expected).not.toHaveLength(0);
    for (const [index, { summary = '', hint }] of expected.entries()) {
      expect(found[index]?.summary).toContain(summary);
      if (hint === undefined) expect(found[index]?.hint).toBeUndefined();
      else expect(found[index]?.hint).toContain(hint);
    }
  });

  it('speak of codes that are explained, in sentences', async () => {
    for (const name of names) {
      const root = path.join(folder, name);
      for (const { code, summary } of await diagnose(
        root,
        readJson<CaseOptions>(path.join(root, 'options.json'), {}),
      )) {
        expect(Object.keys(catalogueCodes), `${name}: ${code}`).toContain(code);
        expect(summary, name).toMatch(/^\S.*[.?]$/);
      }
    }
  });
});

/** `code` or `file:line:column code` of everything found. */
function brief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, place }) =>
    place ? `${place.file}:${String(place.line)}:${String(place.column)} ${code}` : code,
  );
}

describe('bad catalogues that no repository can hold', () => {
  it('refuses catalogue and data files over 32 MiB', async () => {
    const large = Buffer.alloc(32 * 1024 * 1024 + 1, '#');
    const { diagnostics } = await loadFiles({
      'large.yaml': large,
      'main.yaml': 'resources:\n  shop: {type: platform:Api, properties: {specContent: !file large.txt}}\n',
      'large.txt': large,
    });
    expect(brief(diagnostics)).toEqual([
      'catalogue/large.yaml:1:1 file-too-large',
      'catalogue/main.yaml:2:62 file-too-large',
    ]);
  });

  it('reads a file of just 32 MiB', async () => {
    const { diagnostics } = await loadFiles({ 'main.yaml': Buffer.alloc(32 * 1024 * 1024, '#') });
    expect(diagnostics).toEqual([]);
  });

  it('refuses ways out of the project through symbolic links', async () => {
    const outside = scratchFolder({ 'secret.txt': 'canary', 'catalogue.yaml': 'resources: {}\n' });
    const root = scratchFolder({
      'catalogue/main.yaml':
        'resources:\n  shop: {type: platform:Api, properties: {description: !file link.txt, specContent: !file dir/secret.txt}}\n',
    });
    symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'catalogue/link.txt'));
    symlinkSync(outside, path.join(root, 'catalogue/dir'));
    const { diagnostics } = await load(root);
    expect(new Set(diagnostics.map((d) => d.code))).toEqual(new Set(['file-outside-project']));
    expect(brief(diagnostics)).toContain('catalogue/main.yaml:2:62 file-outside-project');
    expect(brief(diagnostics)).toContain('catalogue/main.yaml:2:91 file-outside-project');
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('follows symbolic links that stay inside', async () => {
    const root = scratchFolder({
      'catalogue/main.yaml': 'resources:\n  shop: {type: platform:Api, properties: {description: !file link.txt}}\n',
      'docs/shop.txt': 'All about the shop',
    });
    symlinkSync('../docs/shop.txt', path.join(root, 'catalogue/link.txt'));
    expect((await load(root)).diagnostics).toEqual([]);
  });

  it('does not wait for a folder or a device that poses as a file', async () => {
    const root = scratchFolder({ 'catalogue/main.yaml': 'variables: {a: !file folder.txt}\n' });
    mkdirSync(path.join(root, 'catalogue/folder.txt'));
    expect(brief((await load(root)).diagnostics)).toEqual(['catalogue/main.yaml:1:22 file-not-readable']);
  });

  it.each(reservedLabelPrefixes)('refuses labels that begin with a reserved prefix (%#)', async (prefix) => {
    const { diagnostics } = await loadFiles(
      `resources:\n  shop: {type: platform:Api, properties: {labels: {${prefix}x: a, x${prefix}: b}}}\n`,
    );
    expect(brief(diagnostics)).toEqual(['catalogue/main.yaml:2:52 reserved-name']);
    expect(diagnostics[0]?.hint).toContain(prefix);
  });

  const hostile: Readonly<Record<string, string>> = {
    'open brackets': `variables: ${'['.repeat(20_000)}`,
    'deep lists': `variables:\n  ${'- '.repeat(5_000)}x`,
    'deep maps': `variables: ${'{a: '.repeat(5_000)}`,
    'deep keys': '? '.repeat(5_000),
    'many quotes': 'a: "x\n'.repeat(2_000),
    'many names': `variables:\n${Array.from({ length: 150_000 }, (_, i) => `  k${String(i)}: v`).join('\n')}`,
    'names of built-in members':
      'resources: {__proto__: {type: platform:Api, properties: {__proto__: x, constructor: y, labels: {constructor: z}}}}\noutputs: {a: "${constructor.id}", b: "${__proto__.toString}"}',
    'control characters': 'variables: {a: "\\0"}\n\u0000\u0007',
    'a chain of variables': `variables:\n  k0: x\n${Array.from({ length: 5_000 }, (_, i) => `  k${String(i + 1)}: \${k${String(i)}}`).join('\n')}`,
    nothing: '',
    'a byte order mark': '\uFEFFresources: {}\n',
    'only text': 'hello',
    'only a list': '- a\n- b\n',
    'windows line ends': 'resources:\r\n  shop: {type: platform:Ap}\r\n',
  };
  it.each(Object.entries(hostile))('survives %s', async (_name, text) => {
    const { diagnostics } = await loadFiles(text);
    for (const { place } of diagnostics) expect(place?.line).toBeGreaterThan(0);
  });

  it('refuses a pattern that matches nothing, beside others that do', async () => {
    const root = scratchFolder({ 'catalogue/a.yaml': 'resources: {}\n' });
    const patterns = ['catalogue/*.yaml', 'catalog/*.yaml', '!catalogue/b.yaml'];
    const { diagnostics } = await loadCatalogue(
      { ...configOf(root), catalogue: patterns },
      { env: {}, packages: providerPackages },
    );
    expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ['no-catalogue-files', 'No file matches catalog/*.yaml.'],
    ]);
  });

  it('refuses where there is no file at all: nobody said that nothing should exist', async () => {
    const root = scratchFolder({ 'readme.md': 'x' });
    writeFileSync(path.join(root, 'other.yaml'), 'resources: {}\n');
    const { diagnostics, desired } = await load(root);
    expect(diagnostics).toMatchObject([{ code: 'no-catalogue-files', severity: 'error' }]);
    expect(desired).toBeUndefined();
  });
});
