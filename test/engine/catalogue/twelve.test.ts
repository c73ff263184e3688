import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../../src/engine/catalogue/load.js';
import { loadProjectConfig } from '../../../src/engine/project/project-file.js';
import type { DesiredState } from '../../../src/engine/model/desired.js';
import type { Json } from '../../../src/engine/model/value.js';
import { providerPackages } from '../../../src/providers/registry.js';
import { desiredOf, scratchFolder } from './scratch-project.js';

/** Twelve APIs of four teams, with documents and what differs between dev and prod. */
const folder = path.resolve(import.meta.dirname, '../../../fixtures/twelve');
const reads = { env: {}, packages: providerPackages };
const teams = {
  pets: ['petstore', 'grooming', 'adoption'],
  shop: ['orders', 'carts', 'returns'],
  money: ['payments', 'invoices', 'refunds'],
  people: ['accounts', 'profiles', 'logins'],
} as const;

async function desiredIn(root: string, stack: string): Promise<DesiredState> {
  const { config, diagnostics } = await loadProjectConfig(root, { ...reads, stack });
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  const loaded = await loadCatalogue(config, reads);
  if (loaded.desired === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  expect(loaded.diagnostics).toEqual([]);
  return loaded.desired;
}

/** What a person had to write without sources, parameters and overlays. */
function longForm(stack: 'dev' | 'prod'): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const resources: Record<string, Json> = {};
  for (const [team, apis] of Object.entries(teams))
    for (const [at, api] of apis.entries()) {
      if (stack === 'prod' && api === 'logins') continue;
      const title = api.charAt(0).toUpperCase() + api.slice(1);
      const about = stack === 'prod' && api === 'payments';
      files[`${api}.txt`] = readFileSync(path.join(folder, 'catalogue', team, 'specs', `${api}.yaml`), 'utf8');
      const page = (name: string, content: string, children: Json): Json => ({
        type: 'platform:ApiDocument',
        properties: { title: name, content, status: stack === 'dev' ? 'unpublished' : 'published' },
        ...(children === null ? {} : { children }),
      });
      const errors = page(`Errors of ${api}`, `# Errors of ${api}\n\nNone so far.\n`, null);
      resources[api] = {
        type: 'platform:Api',
        properties: {
          name: title,
          version: `1.${at}.0`,
          description: about ? 'Payments that are real.' : `All about ${api}.`,
          labels: { team, tier: stack === 'prod' ? 'gold' : 'bronze' },
          attributes: { host: [stack === 'prod' ? 'example.com' : 'dev.example.com'] },
        },
        children: {
          version: { type: 'platform:ApiVersion', properties: { specContent: { 'fn::readFile': `${api}.txt` } } },
          start: page(`Start with ${api}`, `# ${title}\n\nFirst steps.\n`, { errors }),
        },
        ...(about ? { options: { protect: true } } : {}),
      };
    }
  return { ...files, 'main.yaml': JSON.stringify({ resources }) };
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

function linesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8').split('\n'));
}

describe('twelve APIs of four teams', () => {
  it.each(['dev', 'prod'] as const)('mean in %s what the long form means', async (stack) => {
    const short = await desiredIn(folder, stack);
    expect(short.resources.size).toBe(stack === 'dev' ? 48 : 44);
    expect(meanings(short)).toEqual(meanings(await desiredOf(longForm(stack))));
  });

  it('have no line over 100 characters, and no JSON inside of texts', () => {
    const lines = linesBelow(folder);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /["']\s*[{[]\s*\\?"/.test(line))).toEqual([]);
  });

  it('one more API takes its specification and no line; one more environment takes one', async () => {
    const root = scratchFolder({});
    cpSync(folder, root, { recursive: true });
    writeFileSync(
      path.join(root, 'catalogue/pets/specs/walks.yaml'),
      'openapi: 3.0.0\ninfo: { title: Walks, version: 1.0.0 }\n',
    );
    const settings = readFileSync(path.join(root, 'sync.yaml'), 'utf8');
    writeFileSync(path.join(root, 'sync.yaml'), `${settings}  test: { parameters: { host: test.example.com } }\n`);
    const { resources } = await desiredIn(root, 'test');
    expect(resources.get('walks')?.properties.get('labels')).toBeDefined();
    expect(resources.size).toBe(50);
  });
});
