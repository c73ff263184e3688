import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FixResult } from '@platform-sync/engine/api';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const file = 'catalogue/a.yaml';

const catalogue = (key: string, guide: string): string => `# ours
resources:
  ${key}: # the shop
    type: platform:Api
    properties:
      name: Shop
    options:
      protect: true # never
    children:
      ${guide}:
        type: platform:ApiDocument
        properties: {title: Guide, content: Hello} # short
`;

const text = (): Promise<string> => readFile(join(world.folder, file), 'utf8');

async function planAndFix(dryRun = false): Promise<FixResult> {
  const plan = await world.plan();
  return world.open((project) => project.fix(plan, { dryRun }));
}

describe('sync fix', () => {
  it('writes moves found by key as aliases, and nothing else changes; a dry run writes nothing', async () => {
    await world.write({ [file]: catalogue('shop', 'guide') });
    await world.apply();
    const renamed = catalogue('store', 'manual');
    await world.write({ [file]: renamed });
    const fixes = [
      { address: 'store', option: 'aliases', value: 'shop' },
      { address: 'store/manual', option: 'aliases', value: 'shop/guide' },
    ];
    expect(await planAndFix(true)).toEqual({ fixed: fixes, skipped: [], files: [], diagnostics: [] });
    expect(await text()).toBe(renamed);
    expect(await planAndFix()).toEqual({ fixed: fixes, skipped: [], files: [file], diagnostics: [] });
    const added = (await text()).split('\n').filter((line) => !renamed.split('\n').includes(line));
    expect(added.map((line) => line.trim()).join('\n')).toMatch(
      /^aliases:[\s\S]*shop[\s\S]*options:[\s\S]*shop\/guide/,
    );
    for (const line of renamed.split('\n')) expect(await text()).toContain(line);
    const plan = await world.plan();
    expect(plan.steps.map(({ action, reasons }) => [action, reasons[0]?.kind])).toEqual([
      ['move', 'alias'],
      ['move', 'alias'],
    ]);
    expect((await planAndFix()).fixed).toEqual([]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('writes adoptions found by key as imports', async () => {
    await world.write({ [file]: catalogue('shop', 'guide') });
    await world.apply();
    world.loseState();
    const { fixed, files } = await planAndFix();
    expect(fixed.map(({ address, option }) => [address, option])).toEqual([
      ['shop', 'import'],
      ['shop/guide', 'import'],
    ]);
    expect(files).toEqual([file]);
    const plan = await world.plan();
    expect(plan.guards).toEqual([]);
    expect(plan.steps.map(({ action, reasons }) => [action, reasons[0]?.kind])).toEqual([
      ['adopt', 'import'],
      ['adopt', 'import'],
    ]);
  });

  it('says which block to write for what only a file of a source describes', async () => {
    const specification = 'openapi: 3.0.3\ninfo: {title: Shop, version: "1"}\npaths: {}\n';
    const sources = { [file]: 'sources: {specs: platform:Api}\n' };
    await world.write({ ...sources, 'catalogue/specs/shop.yaml': specification });
    await world.apply();
    await world.write({ ...sources, 'catalogue/specs/store.yaml': specification });
    const result = await planAndFix();
    expect(result.fixed).toEqual([]);
    expect(result.diagnostics.map(({ code, summary, hint }) => [code, summary, hint])).toEqual([
      [
        'cannot-fix',
        'aliases of store was not written: the block is missing: the file catalogue/specs/store.yaml of a source is all there is.',
        'Write one under "resources": store: {options: {aliases: [shop]}}',
      ],
    ]);
    expect(await readFile(join(world.folder, 'catalogue/specs/store.yaml'), 'utf8')).toBe(specification);
  });

  it('names what it cannot write, and puts the files back when more would change', async () => {
    await world.write({ [file]: catalogue('shop', 'guide') });
    await world.apply();
    const shared = (key: string): string => `resources:
  ${key}:
    type: platform:Api
    properties: {name: Shop}
    options: &all {protect: true}
  other:
    type: platform:Api
    properties: {name: Other}
    options: *all
`;
    await world.write({ [file]: shared('store') });
    const plan = await world.plan({ allow: [{ guard: 'delete:shop/guide', reason: 'x' }] });
    const result = await world.open((project) => project.fix(plan));
    expect(result.fixed).toEqual([]);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['fix-undone']);
    expect(await text()).toBe(shared('store'));
  });

  it('refuses the plan of another stack', async () => {
    await world.write({ [file]: catalogue('shop', 'guide') });
    const plan = await world.plan();
    const result = await world.open((project) => project.fix({ ...plan, stack: 'next' }));
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['fix-other-stack']);
  });
});
