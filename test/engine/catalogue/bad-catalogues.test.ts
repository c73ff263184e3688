import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainedCodes } from '../../../scripts/generate/errors.js';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { providerPackages } from '@platform-sync/sdk/registry';
import { expectedProblems, type Expected } from '../../harness/expected-problems.js';
import { withShortcut } from './judged.js';
import { configOf } from './scratch-project.js';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/bad');
const names = readdirSync(folder).sort();

interface CaseOptions {
  readonly stack?: string;
  /** Reads sync.yaml although the case has none. */
  readonly project?: boolean;
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
  'a reference without quotes': ['reference-in-braces', 'reference-in-brackets'],
  'files of other programs': ['kubernetes-manifest', 'vendor-command-line-file', 'gateway-configuration'],
  'a specification among catalogue files': [
    ...['specification-as-catalogue', 'broken-file-beside-specification', 'overlay-is-a-specification'],
  ],
  'empty files': ['empty-files', 'emptied-catalogue-file', 'source-empty-page', 'source-empty-specification'],
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

it.each(Object.entries(habits))('bad catalogues show what is said to %s', (_habit, folders) => {
  expect(folders.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each([
  ['bad catalogues', true],
  ['bad catalogues, by the parser of record alone', false],
])('%s', (_name, isOpen) => {
  withShortcut(isOpen);

  it.each(names)('%s', async (name) => {
    const root = path.join(folder, name);
    const found = await diagnose(root, readJson<CaseOptions>(path.join(root, 'options.json'), {}));
    const expected = expectedProblems(path.join(root, 'expected.txt'));
    const placed = ({ place, severity, code }: Diagnostic): Omit<Expected, 'summary'> => ({
      ...(place && { file: place.file, line: place.line, column: place.column }),
      ...(severity !== 'error' && { severity }),
      code,
    });
    // The whole list, in order: nothing is missed and nothing follows from something else.
    expect(found.map(placed)).toEqual(expected.map(({ summary: _summary, hint: _hint, ...where }) => where));
    expect(expected).not.toHaveLength(0);
    for (const [index, { summary, hint }] of expected.entries()) {
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
        expect(explainedCodes('CatalogueCode'), `${name}: ${code}`).toContain(code);
        expect(summary, name).toMatch(/^\S.*[.?]$/);
      }
    }
  });
});
