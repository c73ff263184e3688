import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportResult } from '@platform-sync/engine/api';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { ownTypes } from '../harness/own-types.js';
import { makeWorld, type World } from '../harness/world.js';
import { trickyText } from '../engine/export/tricky-text.js';
import { asResources, randomCatalogue } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

const runs = lawRuns(60);

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const collections = [
  'auth-strategies',
  'portals',
  'portal-pages',
  'portal-snippets',
  'portal-teams',
  'apis',
  'documents',
  'versions',
  'implementations',
  'publications',
  'products',
  'product-documents',
];

/** What somebody did in the platform's own pages: which object (counted around), and which texts went where. */
const click = fc.record({
  pick: fc.nat(50),
  kind: fc.constantFrom('delete', 'name', 'body', 'body', 'labels', 'status', 'metadata'),
  text: fc.oneof(trickyText, fc.string({ unit: 'binary', maxLength: 30 })),
});
type Click = typeof click extends fc.Arbitrary<infer T> ? T : never;

describe('export, adopt, plan', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ shuffle: 11 });
  });
  afterAll(() => world.close());

  it(
    'what is exported is valid, adopts without a write, and then plans empty',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomCatalogue,
          fc.array(click, { maxLength: 5 }),
          fc.boolean(),
          async (catalogue, clicks, asSources) => {
            world.loseState();
            await world.call('POST', '/_sandbox/reset');
            await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: asResources(catalogue) } });
            await world.apply();
            world.loseState();
            for (const done of clicks) await carryOut(world, done);
            const before = await objects(world);
            await world.resetRequests();

            const exported = await exportAll(world, asSources);
            // The same bytes, whatever order the platform answers in.
            expect([...(await exportAll(world, asSources)).files]).toEqual([...exported.files]);
            const leftOut = exported.diagnostics
              .map(({ code }) => code)
              .filter((code) => code !== 'export-field-left-out');
            if (leftOut.length === 0) expect(exported.objects).toBe(Object.values(before).flat().length);

            await rm(join(world.folder, 'catalogue'), { recursive: true });
            // Nothing to export leaves no file, and that nothing should exist has to be said.
            const files = exported.files.size > 0 ? exported.files : new Map([['nothing.yaml', 'resources: {}\n']]);
            await world.write({ 'sync.yaml': settings, ...inFolder('catalogue', files) });
            const valid = await world.open((project) => project.validate());
            // Specifications need not be valid to be exported: the platform keeps them, too.
            expect(valid.diagnostics.filter(({ code }) => !code.endsWith('-specification'))).toEqual([]);
            expect(valid.desired?.resources.size).toBe(exported.objects);

            const adopted = await world.open(async (project) => project.apply(await project.plan({ mode: 'adopt' })));
            expect(adopted.steps.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
              Array(exported.objects).fill('adopt done'),
            );
            const plan = await world.plan({ refresh: 'full' });
            expect(plan.steps).toEqual([]);
            expect(plan.notCompared).toEqual([]);
            const { byRoute } = await world.requests();
            expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET '))).toEqual([]);
            expect(canonicalJson(await objects(world))).toBe(canonicalJson(before));
          },
        ),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );
});

async function exportAll(world: World, asSources: boolean): Promise<ExportResult> {
  const result = await world.open((project) => project.export({ types: ownTypes, asSources }));
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return result;
}

function inFolder(folder: string, files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, text]) => [`${folder}/${path}`, text]));
}

async function objects(world: World): Promise<Readonly<Record<string, readonly JsonObject[]>>> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  const dump = body as Readonly<Record<string, readonly JsonObject[]>>;
  return Object.fromEntries(collections.map((name) => [name, dump[name] ?? []]));
}

async function carryOut(world: World, { pick, kind, text }: Click): Promise<void> {
  const all = Object.entries(await objects(world)).flatMap(([name, rows]) => rows.map((row) => ({ name, row })));
  const chosen = all[pick % Math.max(1, all.length)];
  if (chosen === undefined) return;
  const patch = patchOf(chosen.name, kind, text);
  await world.call('POST', `/_sandbox/objects/${chosen.name}/${encodeURIComponent(String(chosen.row['id']))}`, patch);
}

function patchOf(collection: string, kind: Click['kind'], text: string): Json {
  if (kind === 'delete' || collection === 'implementations') return { $delete: true };
  if (collection === 'versions') return { content: `x${text}` };
  if (collection === 'publications') return { auto_approve_registrations: true };
  const isDocument = collection.endsWith('documents');
  if (kind === 'labels' && !isDocument) return { labels: { clicked: 'yes' } };
  if (kind === 'status' && isDocument) return { status: 'published' };
  if (kind === 'metadata' && collection === 'product-documents') return { metadata: { [text]: { 'fn::env': [text] } } };
  // Half a character can't be asked for by name: no URL can hold it.
  if (kind === 'name') return { [isDocument ? 'title' : 'name']: text.replace(/\p{Surrogate}/gu, '') };
  return { [isDocument ? 'content' : 'description']: text };
}
