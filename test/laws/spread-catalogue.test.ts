import fc from 'fast-check';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeExpression } from '@platform-sync/catalogue/build/meaning';
import { knownValue, type Hole } from '@platform-sync/catalogue/build/known-value';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { providerPackages } from '@platform-sync/sdk/registry';
import { lawRuns, lawTimeoutMs } from './runs.js';
import { plainFiles, spreadCatalogue, spreadFiles, type Files } from './spread-catalogue.js';

const runs = lawRuns(150);
const reads = { env: {}, packages: providerPackages };

interface Loaded {
  readonly desired?: DesiredState;
  readonly diagnostics: readonly Diagnostic[];
}

/** The catalogue of the stack `prod` of a project with these files. */
async function load(files: Files): Promise<Loaded> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'spread-')));
  try {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), textOf(content));
    }
    const { config, diagnostics } = await loadProjectConfig(root, { ...reads, stack: 'prod' });
    if (config === undefined) return { diagnostics };
    const loaded = await loadCatalogue(config, reads);
    return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function textOf(content: string | JsonObject): string {
  return typeof content === 'string' ? content : JSON.stringify(content, null, 2);
}

async function desiredOf(files: Files): Promise<DesiredState> {
  const { desired, diagnostics } = await load(files);
  if (desired === undefined)
    throw new Error(`${JSON.stringify(diagnostics, null, 1)}\n${JSON.stringify(files, null, 1)}`);
  return desired;
}

/** Address → type and values, what only a run can tell as what is asked for. */
function meaningOf({ resources, variables }: DesiredState): JsonObject {
  const scope = { variables, unusable: new Set<string>(), broken: new WeakSet() };
  const meaning = [...resources.values()].map(({ address, type, properties }) => {
    const values = [...properties].map(([name, expression]): readonly [string, Json] => {
      const holes: Hole[] = [];
      const value = knownValue(expression, scope, holes);
      return [name, [value, ...holes.map((hole) => encodeExpression(hole.expression))]];
    });
    return [address, { type, ...Object.fromEntries(values) }] as const;
  });
  return Object.fromEntries(meaning);
}

/** The same files: keys in another order, what one file says in several, under other names. */
function shuffled(files: Files, seed: number): Files {
  const found: Record<string, string | JsonObject> = {};
  for (const [file, content] of Object.entries(files)) {
    if (typeof content === 'string' || file === 'sync.yaml') found[file] = content;
    else
      parted(content, seed).forEach(
        (part, index) => (found[`${path.dirname(file)}/${'zam'[(index + seed) % 3]}${index}.yaml`] = part),
      );
  }
  const mixed = shuffle(Object.entries(found), seed).map(([file, content]) => {
    return [file, typeof content === 'string' ? content : mix(content, seed)] as const;
  });
  return Object.fromEntries(mixed);
}

/** Sections by file; what is in maps by name, each name in one of two files. */
function parted(content: JsonObject, seed: number): readonly JsonObject[] {
  const parts: Record<string, JsonObject>[] = [{}, {}];
  for (const [section, entries] of Object.entries(content)) {
    Object.entries(entries as JsonObject).forEach(([name, value], index) => {
      const part = parts[(index + seed) % 2] ?? {};
      part[section] = { ...part[section], [name]: value };
    });
  }
  // A file that says nothing is no catalogue file.
  return parts.map((part) => ({ resources: {}, ...part }));
}

function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  return items
    .map((item, index) => [((index + 1) * 7919 * (seed + 1)) % 104_729, item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

function mix(value: JsonObject, seed: number): JsonObject {
  const visit = (part: Json): Json =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(shuffle(Object.entries(part), seed).map(([key, member]) => [key, visit(member as Json)]));
  return visit(value) as JsonObject;
}

/** One slip of a person in one file; undefined where these files have no place for it. */
interface Slip {
  readonly code: string;
  readonly of: (files: Files, pick: number) => Files | undefined;
}

const inText = (code: string, folder: string, change: (text: string) => string): Slip => ({
  code,
  of: (files, pick) => {
    const found = Object.entries(files).filter(([file]) => file.startsWith(folder));
    const [file, text] = found[pick % found.length] ?? [];
    return file === undefined || typeof text !== 'string' ? undefined : { ...files, [file]: change(text) };
  },
});
const inPages = (code: string, change: (text: string) => string): Slip => inText(code, 'catalogue/docs/', change);
const inSpecs = (code: string, change: (text: string) => string): Slip => inText(code, 'catalogue/specs/', change);

const overlay = 'overlays/prod.yaml';
const inPatch = (code: string, properties: JsonObject): Slip => ({
  code,
  of: (files) => {
    const content = files[overlay] as { readonly patches: JsonObject };
    const patches = { ...content.patches, api0: { properties } };
    return { ...files, [overlay]: { ...content, patches } };
  },
});
const inSection = (code: string, file: string, section: string, entries: JsonObject): Slip => ({
  code,
  of: (files) => {
    const content = files[file] as Readonly<Record<string, JsonObject | undefined>>;
    return { ...files, [file]: { ...content, [section]: { ...content[section], ...entries } } as JsonObject };
  },
});

const slips: readonly Slip[] = [
  inPages('yaml-syntax', (text) => text.replace('title: ', 'title: ["')),
  inPages('merge-conflict', (text) =>
    text.replace('title: ', '<<<<<<< HEAD\ntitle: ').replace('slug: ', '>>>>>>> b\nslug: '),
  ),
  inPages('unknown-key', (text) => text.replace('title: ', 'titel: ')),
  inPages('bad-form', (text) => text.replace('slug: "', 'slug: "no slug ')),
  inPages('wrong-type', (text) => text.replace('slug: ', 'order: first\nslug: ')),
  inPages('wrong-type', (text) => text.replace(/^title: .*$/m, 'title: [a, b]')),
  inSpecs('not-a-specification', () => 'paths: {}\n'),
  inSpecs('not-a-specification', () => ''),
  inSpecs('yaml-syntax', (text) => text.replace('info: {', 'info: {{')),
  inSpecs('too-long', (text) => text.replace('"version":"', `"version":"${'1'.repeat(256)}`)),
  inSpecs('wrong-type', (text) => text.replace('"title":', '"title":[],"t":')),
  inPatch('unknown-property', { nmae: 'x' }),
  inPatch('wrong-type', { labels: 'x' }),
  inPatch('bad-form', { labels: { team: 'not a label' } }),
  inPatch('unknown-reference', { description: '${apo0.id}' }),
  inPatch('unknown-parameter', { description: '${param.nobody}' }),
  inSection('patch-of-nothing', overlay, 'patches', { 'api0/pag0': { properties: { title: 'x' } } }),
  {
    code: 'duplicate-address',
    of: (files) => {
      const all = files['catalogue/all.yaml'] as { readonly resources: JsonObject };
      const address = Object.keys(all.resources).find((name) => name.startsWith('api'));
      return address === undefined
        ? undefined
        : { ...files, 'catalogue/b.yaml': { resources: { [address]: { type: 'platform:Api' } } } };
    },
  },
  inSection('missing-parameter', 'sync.yaml', 'parameters', { nobody: {} }),
  inSection('bad-parameter', 'sync.yaml', 'parameters', { nobody: { type: 'number', default: 'many' } }),
  inSection('no-source-files', 'catalogue/all.yaml', 'sources', { nowhere: 'platform:Api' }),
  inSection('source-type', 'catalogue/all.yaml', 'sources', { docs: 'platform:ApiProduct' }),
  inSection('duplicate-name', 'catalogue/all.yaml', 'variables', { api0: 'x' }),
  inSection('not-an-id', 'catalogue/all.yaml', 'resources', {
    stray: { type: 'platform:ApiDocument', properties: { apiId: 'api0', title: 'x', content: 'x' } },
  }),
];

describe('a catalogue of sources, parameters and overlays', () => {
  it(
    'means what the same says in one file',
    async () => {
      await fc.assert(
        fc.asyncProperty(spreadCatalogue, async (catalogue) => {
          const plain = await desiredOf(plainFiles(catalogue));
          expect(meaningOf(await desiredOf(spreadFiles(catalogue)))).toEqual(meaningOf(plain));
        }),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );

  it(
    'does not depend on the order of files and keys, nor on which file says what',
    async () => {
      await fc.assert(
        fc.asyncProperty(spreadCatalogue, fc.nat(1000), async (catalogue, seed) => {
          const files = spreadFiles(catalogue);
          const one = await desiredOf(files);
          const other = await desiredOf(shuffled(files, seed));
          expect(other.digest).toBe(one.digest);
          expect(meaningOf(other)).toEqual(meaningOf(one));
        }),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );

  it(
    'keeps the address and the values of each API when another one leaves',
    async () => {
      await fc.assert(
        fc.asyncProperty(spreadCatalogue, async (catalogue) => {
          const last = `api${catalogue.apis.length - 1}`;
          const before = Object.entries(meaningOf(await desiredOf(spreadFiles(catalogue))));
          const left = spreadFiles({ ...catalogue, apis: catalogue.apis.slice(0, -1) });
          expect(Object.entries(meaningOf(await desiredOf(left))).sort()).toEqual(
            before.filter(([address]) => address !== last && !address.startsWith(`${last}/`)).sort(),
          );
        }),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );

  it(
    'has each error at a line of a file that a person wrote, whatever is broken',
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(spreadCatalogue, fc.constantFrom(...slips), fc.nat(20), async (catalogue, slip, pick) => {
          const files = spreadFiles(catalogue);
          const broken = slip.of(files, pick);
          if (broken === undefined) return;
          const { diagnostics } = await load(broken);
          expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
          expect(diagnostics.map(({ code }) => code)).toContain(slip.code);
          for (const { place, summary, related = [] } of diagnostics) {
            expect(place, summary).toBeDefined();
            for (const each of [place, ...related.map((other) => other.place)]) {
              const lines = textOf(broken[each?.file ?? ''] ?? '').split('\n');
              expect(each?.text ?? lines[(each?.line ?? 0) - 1], summary).toBe(lines[(each?.line ?? 0) - 1]);
              expect(lines[(each?.line ?? 0) - 1]?.length ?? -1, summary).toBeGreaterThanOrEqual(
                (each?.column ?? 0) - 1,
              );
            }
          }
          seen.add(slip.code);
        }),
        { numRuns: runs },
      );
      expect(seen.size).toBeGreaterThan(4);
    },
    lawTimeoutMs,
  );
});
