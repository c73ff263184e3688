import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { plain } from './plain.js';
import { scratchFolder } from './scratch-project.js';

const settings = 'project: shop\nstacks: {prod: {overlays: catalogue/prod*.yaml}, dev: }\n';
const base = `
defaults: {platform:Api: {labels: {stage: dev, team: a}}}
resources:
  pets:
    type: platform:Api
    properties: {version: "1", labels: {own: x}}
    children:
      guide: {type: platform:ApiDocument, properties: {title: Guide, content: Text}}
  cats: {type: platform:Api, properties: {description: Cats, labels: {stage: mine}}}
`;

async function load(
  files: Readonly<Record<string, string>>,
  stack = 'prod',
): Promise<{ desired: DesiredState | undefined; diagnostics: readonly Diagnostic[] }> {
  const root = scratchFolder({ 'sync.yaml': settings, 'catalogue/main.yaml': base, ...files });
  const reads = { env: {}, packages: providerPackages };
  const { config, diagnostics } = await loadProjectConfig(root, { ...reads, stack });
  if (config === undefined) return { desired: undefined, diagnostics };
  const loaded = await loadCatalogue(config, reads);
  return { desired: loaded.desired, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}

async function propertiesOf(overlay: string, stack?: string): Promise<Readonly<Record<string, unknown>>> {
  const { desired, diagnostics } = await load({ 'catalogue/prod.yaml': overlay }, stack);
  expect(diagnostics).toEqual([]);
  return Object.fromEntries(
    [...(desired?.resources ?? [])].map(([address, { properties }]) => [
      address,
      Object.fromEntries([...properties].map(([name, value]) => [name, plain(value)])),
    ]),
  );
}

const api = (properties: object): object => ({ name: expect.any(String) as string, ...properties });
const unpatched = {
  pets: api({ version: '1', labels: { own: 'x', stage: 'dev', team: 'a' } }),
  'pets/guide': expect.objectContaining({ title: 'Guide', content: 'Text' }) as object,
  cats: api({ description: 'Cats', labels: { stage: 'mine', team: 'a' } }),
};

describe('an overlay', () => {
  it.each<[string, string, object]>([
    ['says nothing', '', {}],
    [
      'changes fields, and merges maps',
      'patches: {pets: {properties: {version: "2", labels: {own: y, more: z}}}}',
      { pets: api({ version: '2', labels: { own: 'y', more: 'z', stage: 'dev', team: 'a' } }) },
    ],
    [
      'changes a child by its address',
      'patches: {pets/guide: {properties: {status: published}}}',
      { 'pets/guide': expect.objectContaining({ title: 'Guide', status: 'published' }) as object },
    ],
    [
      'takes fields and defaults away',
      'patches: {pets: {properties: {version: !unset, labels: {team: !unset}}}}',
      { pets: api({ labels: { own: 'x', stage: 'dev' } }) },
    ],
    [
      'gives defaults in all files: over those of a file, under what a resource says',
      'defaults: {platform:Api: {labels: {stage: prod, tier: gold}}}',
      {
        pets: api({ version: '1', labels: { own: 'x', stage: 'prod', team: 'a', tier: 'gold' } }),
        cats: api({ description: 'Cats', labels: { stage: 'mine', team: 'a', tier: 'gold' } }),
      },
    ],
    ['brings resources along', 'resources: {dogs: {type: platform:Api}}', { dogs: api({}) }],
  ])('%s', async (_name, overlay, expected) => {
    expect(await propertiesOf(overlay)).toEqual({ ...unpatched, ...expected });
    expect(await propertiesOf(overlay, 'dev')).toEqual(unpatched);
  });

  it('switches resources off, with what stands under them', async () => {
    expect(await propertiesOf('patches: {pets: !unset}')).toEqual({ cats: unpatched.cats });
    const { pets, cats } = unpatched;
    expect(await propertiesOf('patches: {pets/guide: !unset}')).toEqual({ pets, cats });
  });

  it('changes options', async () => {
    const { desired } = await load({ 'catalogue/prod.yaml': 'patches: {pets: {options: {protect: true}}}' });
    expect(desired?.resources.get('pets')?.options.protect).toBe(true);
    expect(desired?.resources.get('cats')?.options.protect).toBe(false);
  });

  it('is where a field it gives comes from', async () => {
    const { desired } = await load({ 'catalogue/prod.yaml': '\npatches:\n  pets:\n    properties: {version: "2"}\n' });
    const key = desired?.resources.get('pets')?.propertyKeys.get('version');
    expect(key && desired?.sources.place(key)).toMatchObject({ file: 'catalogue/prod.yaml', line: 4 });
    const labels = desired?.resources.get('pets')?.propertyKeys.get('labels');
    expect(labels && desired?.sources.place(labels)).toMatchObject({ file: 'catalogue/main.yaml' });
  });

  it('says the same in one file or in several, whatever they are called', async () => {
    const parts = [
      'patches: {pets: {properties: {version: "2"}}}',
      'patches: {pets: {properties: {labels: {own: y}}}, cats: {options: {protect: true}}}',
      'patches: {pets: {properties: {labels: {more: z}}}, pets/guide: !unset}',
    ];
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ];
    const digests = await Promise.all(
      orders.map(async (order) => {
        const files = order.map((part, at) => [`catalogue/prod-${at}.yaml`, parts[part] ?? ''] as const);
        return (await load(Object.fromEntries(files))).desired?.digest;
      }),
    );
    const whole = 'patches:\n  pets: {properties: {version: "2", labels: {own: y, more: z}}}\n';
    const one = `${whole}  cats: {options: {protect: true}}\n  pets/guide: !unset\n`;
    digests.push((await load({ 'catalogue/prod.yaml': one })).desired?.digest);
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toBeDefined();
  });

  it('that matches nothing is told', async () => {
    const { diagnostics } = await load({});
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['No overlay matches catalogue/prod*.yaml.']);
  });
});
