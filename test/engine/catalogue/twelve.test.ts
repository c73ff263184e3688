import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, visit } from 'yaml';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { makeWorld, type World } from '../../harness/world.js';
import { desiredOf, scratchFolder } from './scratch-project.js';
import { environments, longApi, longForm, twelveFolder, type Environment, type Stack } from './twelve-long-form.js';

const reads = { env: {}, packages: providerPackages };
const stacks = Object.keys(environments) as readonly Stack[];

async function desiredIn(root: string, stack: string): Promise<DesiredState> {
  const { config, diagnostics } = await loadProjectConfig(root, { ...reads, stack });
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  const loaded = await loadCatalogue(config, reads);
  if (loaded.desired === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  expect(loaded.diagnostics).toEqual([]);
  return loaded.desired;
}

/** Each resource as what it means, references to parameters worked out. */
function meanings({ resources, variables }: DesiredState): Json {
  const param = variables.get('param');
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const node = value as {
      kind?: string;
      to?: string;
      path?: string[];
      target?: string;
      value?: unknown;
      items?: unknown[];
      entries?: Map<string, { value: unknown }>;
    };
    if (node.kind === 'reference' && node.target === 'param' && param?.kind === 'map')
      return plain(param.entries.get(String(node.path?.[0]))?.value);
    if (node.kind === 'reference') return `\${${String(node.target)}.${String(node.path?.join('.'))}}`;
    if (node.kind === 'list') return node.items?.map(plain);
    if (node.kind === 'map')
      return Object.fromEntries([...(node.entries ?? [])].map(([key, entry]) => [key, plain(entry.value)]));
    return node.value;
  };
  return Object.fromEntries(
    [...resources].map(([address, { type, properties, options }]) => [
      address,
      {
        type,
        options,
        properties: Object.fromEntries([...properties].map(([name, value]) => [name, plain(value)])),
      } as unknown as Json,
    ]),
  );
}

/** Texts of all files, by path. */
function filesBelow(root: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(root, file), readFileSync(file, 'utf8')]),
  );
}

/** The YAML of a file: all of it, or the front matter of a page. */
function yamlOf(file: string, text: string): string {
  if (!file.endsWith('.md')) return text;
  return /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
}

function scalarsOf(yaml: string): readonly string[] {
  const found: string[] = [];
  for (const document of parseAllDocuments(yaml))
    visit(document, { Scalar: (_, { value }) => void (typeof value === 'string' && found.push(value)) });
  return found;
}

function isJsonInside(scalar: string): boolean {
  try {
    const value: unknown = JSON.parse(scalar);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** A copy to change, and how many lines people wrote more since: what is documentation or a specification is no configuration. */
function copied(): { readonly root: string; readonly linesMore: () => number } {
  const root = scratchFolder({});
  cpSync(twelveFolder, root, { recursive: true });
  const lines = (): number =>
    [...filesBelow(root)]
      .filter(([file]) => !/\/(?:specs|docs)\//.test(file))
      .reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0);
  const before = lines();
  return { root, linesMore: () => lines() - before };
}

describe('twelve APIs of four teams', () => {
  const files = filesBelow(twelveFolder);

  it.each(stacks)('mean in %s what the long form means', async (stack) => {
    const short = await desiredIn(twelveFolder, stack);
    expect(short.resources.size).toBe(stack === 'dev' ? 48 : 44);
    expect(meanings(short)).toEqual(meanings(await desiredOf(longForm(environments[stack]))));
  });

  it('have no line over 100 characters', () => {
    const lines = [...files].flatMap(([file, text]) => text.split('\n').map((line, at) => `${file}:${at + 1} ${line}`));
    expect(lines.length).toBeGreaterThan(150);
    expect(lines.filter((line) => line.slice(line.indexOf(' ') + 1).length > 100)).toEqual([]);
  });

  it('have no JSON inside of scalars', () => {
    const scalars = [...files].flatMap(([file, text]) => scalarsOf(yamlOf(file, text)));
    expect(scalars).toContain('${param.tier}');
    expect(scalars.filter(isJsonInside)).toEqual([]);
    expect(scalarsOf(`host: '["a"]'\nlabels: "{\\"team\\": 1}"`).filter(isJsonInside)).toEqual([
      '["a"]',
      '{"team": 1}',
    ]);
  });

  it('grow by one API with its specification and its page, and not by a line', async () => {
    const { root, linesMore } = copied();
    writeFileSync(
      path.join(root, 'catalogue/pets/specs/walks.yaml'),
      'openapi: 3.0.0\ninfo: { title: Walks, version: 1.3.0, description: All about walks. }\n',
    );
    mkdirSync(path.join(root, 'catalogue/pets/docs/walks'));
    writeFileSync(path.join(root, 'catalogue/pets/docs/walks/start.md'), '---\ntitle: Start\n---\n\n# Walks\n');
    expect(linesMore()).toBeLessThanOrEqual(2);
    for (const stack of stacks) {
      const all = meanings(await desiredIn(root, stack)) as JsonObject;
      const { status } = environments[stack];
      const start = { type: 'platform:ApiDocument', properties: { title: 'Start', content: '# Walks\n', status } };
      const specContent = { 'fn::readFile': 'walks.txt' };
      const walks = {
        ...longApi('walks', '1.3.0', 'pets', environments[stack]),
        children: { version: { type: 'platform:ApiVersion', properties: { specContent } }, start },
      };
      const text = readFileSync(path.join(root, 'catalogue/pets/specs/walks.yaml'), 'utf8');
      const long = meanings(
        await desiredOf({ 'walks.txt': text, 'main.yaml': JSON.stringify({ resources: { walks } }) }),
      ) as JsonObject;
      expect(Object.keys(long)).toEqual(['walks', 'walks/version', 'walks/start']);
      expect(Object.fromEntries(Object.keys(long).map((address) => [address, all[address]]))).toEqual(long);
      expect(Object.keys(all).length).toBe((stack === 'dev' ? 48 : 44) + 3);
    }
  });

  it.each<readonly [string, string, Environment, string | undefined]>([
    [
      'one line, with its values in it',
      '  test: { parameters: { host: test.example.com, tier: gold } }\n',
      { ...environments.prod, host: 'test.example.com', isReal: false },
      undefined,
    ],
    [
      'two lines where it patches',
      '  test: { overlays: overlays/test.yaml, parameters: { host: test.example.com } }\n',
      { ...environments.dev, host: 'test.example.com' },
      'defaults: { platform:ApiDocument: { status: unpublished } }\n',
    ],
  ])('get one more environment by %s', async (_, line, environment, overlay) => {
    const { root, linesMore } = copied();
    const settings = path.join(root, 'sync.yaml');
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}${line}`);
    if (overlay !== undefined) writeFileSync(path.join(root, 'overlays/test.yaml'), overlay);
    expect(linesMore()).toBeLessThanOrEqual(2);
    expect(meanings(await desiredIn(root, 'test'))).toEqual(meanings(await desiredOf(longForm(environment))));
  });
});

describe('the objects of the twelve', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  it.each(stacks)('are in %s those of the long form: neither way is anything left to do', async (stack) => {
    const open = 'guards: { maxDeletePercent: 100 }\n';
    const settings = readFileSync(path.join(twelveFolder, 'sync.yaml'), 'utf8');
    const short = { ...Object.fromEntries(filesBelow(twelveFolder)), 'sync.yaml': `${settings}${open}` };
    const below = Object.entries(longForm(environments[stack])).map(([file, text]) => [`catalogue/${file}`, text]);
    const long = {
      ...Object.fromEntries(below),
      'sync.yaml': `project: twelve\nstacks: { dev: {}, prod: {} }\n${open}`,
    } as Readonly<Record<string, string>>;
    world.env['SYNC_STACK'] = stack;
    for (const [first, second] of [
      [short, long],
      [long, short],
    ] as const) {
      world.loseState();
      await world.call('POST', '/_sandbox/reset');
      await world.write(first);
      await world.apply();
      await world.write(second);
      const { steps, summary } = await world.plan({ refresh: 'full' });
      expect([steps, summary.unchanged]).toEqual([[], stack === 'dev' ? 48 : 44]);
    }
  });
});
