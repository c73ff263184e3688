import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AcceptResult } from '@platform-sync/engine/api';
import type { Json } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

const syncYaml = `project: test
guards: { maxDeletePercent: 100 }
overlays: overlays/*.yaml
parameters:
  about: { default: Given }
`;
const main = `sources: { docs: platform:ApiDocument, specs: platform:Api }
variables:
  version: '1'
resources:
  pets:
    type: platform:Api
    properties: { version: "\${version}", description: "\${param.about}", labels: { team: a } }
  cats:
    type: platform:Api
    properties: { version: '1', description: Cats, labels: { team: a, tier: x } }
`;
const patches = `# what differs
defaults:
  platform:Api: { attributes: { stage: [prod] } }
patches:
  cats: { properties: { description: Cats of prod, labels: { tier: y } } } # theirs
`;
const guide = `---
# front matter
title: Guide
status: unpublished # not yet
---

# Guide

Text.
`;
const dogs = 'openapi: 3.0.3\ninfo:\n  title: Dogs\n  version: "1"\npaths: {}\n';

describe('accept writes to the file that a value comes from, or says where it stands', () => {
  let world: World;
  freshWorlds((made) => (world = made));

  async function start(): Promise<void> {
    await world.write({
      'sync.yaml': syncYaml,
      'catalogue/main.yaml': main,
      'overlays/prod.yaml': patches,
      'catalogue/docs/cats/guide.md': guide,
      'catalogue/docs/cats/plain.md': '# Plain\n\nText.\n',
      'catalogue/specs/dogs.yaml': dogs,
    });
    await world.apply();
  }
  async function edit(collection: string, address: string, body: Json): Promise<void> {
    const id = await world.open(async (project) => {
      const record = (await (await project.state()).read()).resources.get(address);
      return record?.identity.id ?? '';
    });
    const { status } = await world.call('POST', `/_sandbox/objects/${collection}/${id}`, body);
    expect([200, 204]).toContain(status);
  }
  const text = (file: string): Promise<string> => readFile(join(world.folder, file), 'utf8');
  const accept = (...names: string[]): Promise<AcceptResult> => world.open((project) => project.acceptDrift(names));
  const reasons = (result: AcceptResult): Readonly<Record<string, string>> =>
    Object.fromEntries(result.skipped.map(({ finding, why }) => [`${finding.address}.${finding.field ?? ''}`, why]));

  it('a patch of an overlay, in its own line; a map in each file that has a part of it', async () => {
    await start();
    await edit('apis', 'cats', { description: 'Clicked', labels: { team: 'b', tier: 'z' } });
    const result = await accept('cats');
    expect(reasons(result)).toEqual({});
    expect(result.files).toEqual(['catalogue/main.yaml', 'overlays/prod.yaml']);
    expect(await text('overlays/prod.yaml')).toBe(
      patches.replace('Cats of prod', 'Clicked').replace('tier: y', 'tier: z'),
    );
    expect(await text('catalogue/main.yaml')).toBe(main.replace('team: a, tier', 'team: b, tier'));
    expect((await world.plan()).steps).toEqual([]);
  });

  it('leaves what the defaults of an overlay say for all of a type, unless it patches the resource itself', async () => {
    await start();
    await edit('apis', 'pets', { attributes: { stage: ['dev'] } });
    await edit('apis', 'cats', { attributes: { stage: ['dev'] } });
    const result = await accept('cats', 'pets');
    expect(reasons(result)).toEqual({
      'pets.attributes': 'the value stands among the defaults of an overlay, for all resources of the type',
    });
    expect(result.files).toEqual(['overlays/prod.yaml']);
    const [address] = (await world.plan()).steps.map((step) => step.address);
    expect(address).toBe('pets');
  });

  it('leaves what parameters and variables give, with the place of each', async () => {
    await start();
    await edit('apis', 'pets', { description: 'Clicked', version: '2' });
    const result = await accept('pets');
    expect(reasons(result)['pets.description']).toContain('the parameter about (sync.yaml:5): change it there');
    expect(reasons(result)['pets.version']).toContain('the variable version (catalogue/main.yaml:3): change it there');
    expect(result.files).toEqual([]);
    expect([await text('catalogue/main.yaml'), await text('sync.yaml')]).toEqual([main, syncYaml]);
  });

  it('front matter and text of a page, both at once', async () => {
    await start();
    await edit('documents', 'cats/guide', { title: 'Guide: new', status: 'published', content: '# Guide\n\nOther.' });
    const result = await accept('cats/guide');
    expect(reasons(result)).toEqual({});
    expect(result.files).toEqual(['catalogue/docs/cats/guide.md']);
    expect(await text('catalogue/docs/cats/guide.md')).toBe(
      guide
        .replace('title: Guide', 'title: "Guide: new"')
        .replace('unpublished', 'published')
        .replace('Text.', 'Other.'),
    );
    expect((await world.plan()).steps).toEqual([]);
  });

  it('gives a page front matter for what its heading said, or nothing', async () => {
    await start();
    await edit('documents', 'cats/plain', { title: 'Clicked', status: 'published' });
    expect(reasons(await accept('cats/plain'))).toEqual({});
    expect(await text('catalogue/docs/cats/plain.md')).toMatch(
      /^---\n(?:title: Clicked\nstatus: published|status: published\ntitle: Clicked)\n---\n\n# Plain\n\nText.\n$/,
    );
    expect((await world.plan()).steps).toEqual([]);
  });

  it('leaves what a specification says, and what it has no place for', async () => {
    await start();
    await edit('apis', 'dogs', { name: 'Clicked', labels: { team: 'c' } });
    const result = await accept('dogs');
    expect(reasons(result)['dogs.name']).toContain('the specification catalogue/specs/dogs.yaml says it');
    expect(await text('catalogue/specs/dogs.yaml')).toBe(dogs);
  });

  describe('into an overlay of its stack', () => {
    const stacks = 'stacks:\n  default: { overlays: overlays/own.yaml }\n  dev: {}\n';
    const blocks = main.slice(main.indexOf('variables'));
    async function startWith(overlay: string): Promise<void> {
      await world.write({
        'sync.yaml': syncYaml.replace('overlays: overlays/*.yaml\n', '') + stacks,
        'catalogue/main.yaml': blocks,
        'overlays/own.yaml': overlay,
      });
      await world.apply();
    }
    const acceptInto = (...names: string[]): Promise<AcceptResult> =>
      world.open((project) => project.acceptDrift(names, { overlay: 'overlays/own.yaml' }));
    /** What another stack would make of the catalogue. */
    const ofDev = (): Promise<Json> =>
      world.open(
        async (project) => ((await project.plan()).plan?.steps ?? []).map(({ address, fields }) => [address, fields]),
        {
          stack: 'dev',
        },
      ) as Promise<Json>;

    it.each([
      ['that has patches of others', 'patches:\n  pets: { options: { protect: true } }\n'],
      ['that has a patch of it', 'patches:\n  cats: { properties: { labels: { tier: y } } } # theirs\n'],
      ['that has an empty list of them', '# none yet\npatches:\n'],
      ['that says there are none', 'patches: {} # none yet\n'],
      ['that has none', 'variables: { own: 1 }\n'],
    ])('%s, and no other stack changes', async (_what, overlay) => {
      await startWith(overlay);
      const before = await ofDev();
      await edit('apis', 'cats', { description: 'Clicked: "new"', labels: { team: 'b', tier: 'z' } });
      const result = await acceptInto('cats');
      expect(reasons(result)).toEqual({});
      expect(result.files).toEqual(['overlays/own.yaml']);
      expect(await text('catalogue/main.yaml')).toBe(blocks);
      expect((await world.plan()).steps).toEqual([]);
      expect(await ofDev()).toEqual(before);
    });

    it('leaves an overlay that says nothing', async () => {
      await startWith('# nothing\n');
      await edit('apis', 'cats', { labels: { team: 'b', tier: 'x' } });
      const result = await acceptInto('cats');
      expect(reasons(result)['cats.labels']).toContain('an overlay that says nothing yet');
      expect(await text('catalogue/main.yaml')).toBe(blocks);
    });
  });
});
