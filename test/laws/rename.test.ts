import fc from 'fast-check';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Document, isScalar, visit } from 'yaml';
import { renamed } from '@platform-sync/catalogue/edit/rename';
import { withEdits } from '@platform-sync/catalogue/edit/text';
import type { Project } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { PaperWorld, paperFolder, removeFolder } from '../harness/paper-world.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** Each begins another one, or is a word that stands everywhere in such files. */
const keys = ['api', 'api-x', 'api2', 'name', 'id', 'guide', 'type', 'options', 'A_1'] as const;

const randomResource = fc.record({
  key: fc.constantFrom(...keys),
  isNamed: fc.boolean(),
  /** Resources before it that its text, its options or its pages name. */
  seen: fc.array(fc.nat(5), { maxLength: 3 }),
  needs: fc.array(fc.nat(5), { maxLength: 2 }),
  pages: fc.uniqueArray(fc.constantFrom('guide', 'api', 'id'), { maxLength: 2 }),
  alias: fc.constantFrom('was', undefined),
  patch: fc.constantFrom('properties', 'aliases', undefined, undefined),
});
const randomProject = fc.record({
  resources: fc.uniqueArray(randomResource, { minLength: 1, maxLength: 5, selector: ({ key }) => key }),
  style: fc.record({ isFlow: fc.boolean(), quotes: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE') }),
  changed: fc.nat(5),
  renames: fc.array(fc.tuple(fc.nat(20), fc.constantFrom('x', 'api', 'new-key', 'guide', 'api_2', 'was')), {
    ...{ minLength: 1, maxLength: 8 },
  }),
});
type RandomProject = typeof randomProject extends fc.Arbitrary<infer T> ? T : never;

/** The files of a project with two stacks, in one of several styles. */
function filesOf({ resources, style }: RandomProject, change: string): Readonly<Record<string, string>> {
  const patches: Record<string, JsonObject> = {};
  const blocks = resources.map(({ key, isNamed, seen, needs, pages, alias, patch }, at) => {
    const before = resources.slice(0, at).map((other) => other.key);
    const named = (picks: readonly number[]): readonly string[] =>
      before.length === 0 ? [] : [...new Set(picks.map((pick) => before[pick % before.length] ?? ''))];
    const text = named(seen).map((other) => `on \${${other}.id} and $\${${other}.id}`);
    const own = { description: `${change} ${text.join(', ')}`, version: `1.${at}` };
    if (patch === 'properties') patches[key] = { properties: { labels: { of: [...before, key][0] ?? '' } } };
    if (patch === 'aliases') patches[key] = { options: { aliases: [`before-${key}`] } };
    for (const page of pages) patches[`${key}/${page}`] = { properties: { content: `See \${${key}.id}.\n` } };
    const children = pages.map((page) => {
      const properties = { title: page, slug: page, content: `Of \${ ${key}.id }.\n`, status: 'published' };
      return [page, { type: 'platform:ApiDocument', properties }] as const;
    });
    const options = {
      ...(named(needs).length === 0 ? {} : { dependsOn: named(needs) }),
      ...(alias === undefined ? {} : { aliases: [`${alias}-${at}`] }),
    };
    const block = {
      ...{ type: 'platform:Api', properties: isNamed ? { name: `API ${at}`, ...own } : own },
      ...(pages.length === 0 ? {} : { children: Object.fromEntries(children) }),
      ...(Object.keys(options).length === 0 ? {} : { options }),
    };
    return [key, block] as const;
  });
  const [first] = resources;
  const variables = { shown: `\${${first?.key ?? ''}.id}`, told: `as \${${first?.key ?? ''}.version}` };
  const rule = { address: first?.key ?? '', field: 'description', reason: 'theirs' };
  const written = (data: JsonObject): string => textOf(data, style);
  return {
    'sync.yaml': written({
      project: 'test',
      drift: { ignore: [rule] },
      stacks: { default: {}, prod: { overlays: ['overlays/*.yaml'] } },
    }),
    'catalogue/all.yaml': written({ variables, resources: Object.fromEntries(blocks), outputs: { first: '${shown}' } }),
    'overlays/prod.yaml': written({ variables: { own: `\${${first?.key ?? ''}.id}` }, patches }),
  };
}

function addressesOf({ resources }: RandomProject): readonly string[] {
  return resources.flatMap(({ key, pages }) => [key, ...pages.map((page) => `${key}/${page}`)]);
}

function textOf(data: JsonObject, { isFlow, quotes }: RandomProject['style']): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Map: (key, node) => void (node.flow = isFlow && key !== null),
    Scalar: (_key, node) => void (isScalar(node) && typeof node.value === 'string' ? (node.type = quotes) : undefined),
  });
  return document.toString({ lineWidth: 0 });
}

/** What a plan does, by the addresses that resources had. */
function meaning({ steps }: Plan, before: ReadonlyMap<string, string>): readonly string[] {
  return steps
    .filter(({ action }) => action !== 'move')
    .map(({ address, action, fields }) => {
      const changes = fields.map(({ field, rule }) => `${field} ${rule ?? ''}`).sort();
      return `${action} ${before.get(address) ?? address} ${changes.join()}`;
    })
    .sort();
}

describe('law: a rename changes nothing but an address', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await paperFolder({ one: {} });
    mkdirSync(join(folder, 'one/overlays'));
  });
  afterAll(() => removeFolder(folder));

  it(
    'what a plan does stays the same but for moves, in every stack, in any style',
    async () => {
      let renames = 0;
      const write = (files: Readonly<Record<string, string>>): void => {
        for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, 'one', file), text);
      };
      await fc.assert(
        fc.asyncProperty(randomProject, fc.constantFrom('default', 'prod'), async (project, stack) => {
          const cwd = join(folder, 'one');
          const world = new PaperWorld();
          write(filesOf(project, 'first'));
          await world.apply(cwd, { open: { stack } });
          write(filesOf(project, 'then'));
          let origin: ReadonlyMap<string, string> = new Map(addressesOf(project).map((address) => [address, address]));
          const planned = await world.open(cwd, (opened) => opened.plan(), { stack });
          if (planned.plan === undefined) throw new Error(JSON.stringify(planned.diagnostics));
          const wanted = meaning(planned.plan, origin);
          const rename = async (opened: Project, [pick, key]: readonly [number, string]): Promise<void> => {
            const all = [...origin.keys()];
            const address = all[pick % all.length] ?? '';
            const to = renamed(address, { address, key });
            const result = await opened.rename(address, key);
            if ('why' in result) return expect(result.why).toMatch(all.includes(to) ? /already/ : /was called before/);
            renames += 1;
            for (const [file, { edits }] of result.files) {
              const path = join(cwd, file);
              writeFileSync(path, withEdits(readFileSync(path, 'utf8'), edits));
            }
            origin = new Map([...origin].map(([known, first]) => [renamed(known, { address, key }), first]));
          };
          for (const one of project.renames) await world.open(cwd, (opened) => rename(opened, one), { stack });
          const after = await world.open(cwd, (opened) => opened.plan(), { stack });
          expect(after.plan && meaning(after.plan, origin)).toEqual(wanted);
          await world.apply(cwd, { open: { stack } });
          const { plan } = await world.open(cwd, (opened) => opened.plan(), { stack });
          expect(plan?.steps).toEqual([]);
          expect(world.platform.objects.size).toBe((await world.storeOf(stack).read()).resources.size);
        }),
        { numRuns: lawRuns(132) },
      );
      expect(renames).toBeGreaterThan(30);
    },
    lawTimeoutMs,
  );
});
