import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AcceptResult } from '@platform-sync/engine/api';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

const syncYaml = '# the project\nproject: test # its name\nguards: {maxDeletePercent: 100}\n';

describe('what is done about findings', () => {
  let world: World;
  freshWorlds((made) => (world = made));

  async function edit(collection: string, address: string, body: Json): Promise<void> {
    const id = await world.open(async (project) => {
      const record = (await (await project.state()).read()).resources.get(address);
      return record?.identity.id ?? '';
    });
    const { status } = await world.call('POST', `/_sandbox/objects/${collection}/${id}`, body);
    expect([200, 204]).toContain(status);
  }

  const text = (file: string): Promise<string> => readFile(join(world.folder, file), 'utf8');
  const write = (files: Readonly<Record<string, string>>): Promise<void> =>
    world.write({ 'sync.yaml': syncYaml, ...files });
  const accept = (...names: string[]): Promise<AcceptResult> => world.open((project) => project.acceptDrift(names));
  const reasons = (result: AcceptResult): Readonly<Record<string, string>> =>
    Object.fromEntries(result.skipped.map(({ finding, why }) => [`${finding.address}.${finding.field ?? ''}`, why]));

  describe('accept', () => {
    it('writes a text into the file it is read from', async () => {
      const main = 'resources:\n  pets: {type: platform:Api, properties: {description: !file pets.md}}\n';
      await write({ 'catalogue/main.yaml': main, 'catalogue/pets.md': '# Pets\n\nOld\n\n' });
      await world.apply();
      await edit('apis', 'pets', { description: '# Pets\n\nNew' });
      const result = await accept('pets');
      expect(result).toMatchObject({ skipped: [], files: ['catalogue/pets.md'] });
      expect(await text('catalogue/pets.md')).toBe('# Pets\n\nNew\n\n');
      expect(await text('catalogue/main.yaml')).toBe(main);
      expect((await world.plan()).steps).toEqual([]);
    });

    it('leaves a file that others read, too, and takes the rest', async () => {
      const main =
        'resources:\n' +
        '  pets: {type: platform:Api, properties: {version: "1", description: !file both.md}}\n' +
        '  cats: {type: platform:Api, properties: {description: !file both.md}}\n';
      await write({ 'catalogue/main.yaml': main, 'catalogue/both.md': 'Old\n' });
      await world.apply();
      await edit('apis', 'pets', { description: 'New', version: '2' });
      const result = await accept('pets');
      expect(result.accepted.map(({ field }) => field)).toEqual(['version']);
      expect(reasons(result)['pets.description']).toContain('more than this value');
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['accept-undone']);
      expect(await text('catalogue/both.md')).toBe('Old\n');
      expect(await text('catalogue/main.yaml')).toBe(main.replace('"1"', '"2"'));
    });

    it('leaves a value that an anchor shares', async () => {
      const main =
        'resources:\n' +
        '  pets: {type: platform:Api, properties: {labels: &labels {team: a}}}\n' +
        '  cats: {type: platform:Api, properties: {labels: *labels}}\n';
      await write({ 'catalogue/main.yaml': main });
      await world.apply();
      await edit('apis', 'pets', { labels: { team: 'b' } });
      await edit('apis', 'cats', { labels: { team: 'c' } });
      expect((await accept('pets', 'cats')).accepted).toEqual([]);
      expect(await text('catalogue/main.yaml')).toBe(main);
    });

    it('writes over a default of the file, for the one resource', async () => {
      const main =
        'defaults:\n  platform:Api: {version: "1", labels: {team: a, tier: x}}\n' +
        'resources:\n  pets:\n    type: platform:Api\n    properties:\n      labels: {tier: y} # own\n  cats: {type: platform:Api}\n';
      await write({ 'catalogue/main.yaml': main });
      await world.apply();
      await edit('apis', 'pets', { version: '2', labels: { team: null, tier: 'z' } });
      expect((await accept('pets')).skipped).toEqual([]);
      expect(await text('catalogue/main.yaml')).toBe(
        main.replace('labels: {tier: y} # own\n', 'labels: {tier: z, team: null} # own\n      version: "2"\n'),
      );
      expect((await world.plan()).steps).toEqual([]);
    });

    it('declares what was left to the platform', async () => {
      await write({ 'catalogue/main.yaml': 'resources:\n  pets:\n    type: platform:Api\n' });
      await world.apply();
      await edit('apis', 'pets', { slug: 'clicked', name: 'Clicked' });
      expect((await accept('pets')).skipped).toEqual([]);
      expect(await text('catalogue/main.yaml')).toBe(
        'resources:\n  pets:\n    type: platform:Api\n    properties:\n      name: Clicked\n      slug: clicked\n',
      );
      expect((await world.plan()).steps).toEqual([]);
    });

    it('names what it leaves: references, what nesting fills in, deletions', async () => {
      const main = [
        'resources:',
        '  pets:',
        '    type: platform:Api',
        '    properties: {description: "about ${cats.name}"}',
        '    children:',
        '      top:',
        '        type: platform:ApiDocument',
        '        properties: {title: Top, content: x}',
        '        children: {below: {type: platform:ApiDocument, properties: {title: Below, content: y}}}',
        '  cats: {type: platform:Api}',
        '  dogs: {type: platform:Api}',
        '',
      ].join('\n');
      await write({ 'catalogue/main.yaml': main });
      await world.apply();
      await edit('apis', 'pets', { description: 'clicked' });
      await edit('documents', 'pets/top/below', { parent_document_id: null });
      await edit('apis', 'dogs', { $delete: true });
      const result = await accept('pets', 'pets/top/below', 'dogs');
      expect(result.accepted).toEqual([]);
      expect(reasons(result)).toEqual({
        'pets.description': 'the catalogue has a text with references here',
        'pets/top/below.parentDocumentId': 'it follows from where the block stands',
        'dogs.': 'the object is gone: take its block out of the catalogue by hand',
      });
      expect(await text('catalogue/main.yaml')).toBe(main);
    });

    it('takes many values of many files at once', async () => {
      const resource = (name: string): string =>
        `resources:\n  ${name}:\n    type: platform:Api\n    properties: {version: "1", description: a, labels: {team: a}}\n`;
      await write({ 'catalogue/a.yaml': resource('a'), 'catalogue/b.yaml': resource('b') });
      await world.apply();
      for (const name of ['a', 'b']) {
        await edit('apis', name, { version: '2', description: `line\nof ${name}`, labels: { team: 'b', tier: 'x' } });
      }
      expect(await accept('a', 'b')).toMatchObject({ skipped: [], files: ['catalogue/a.yaml', 'catalogue/b.yaml'] });
      expect(await text('catalogue/b.yaml')).toContain(
        'properties: {version: "2", description: "line\\nof b", labels: {team: b, tier: x}}',
      );
      expect((await world.plan()).steps).toEqual([]);
    });
  });

  it('refuses names of nothing, and then does nothing', async () => {
    await write({ 'catalogue/main.yaml': 'resources:\n  pets: {type: platform:Api, properties: {version: "1"}}\n' });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const names = ['pets', 'cats'];
    const codes = await world.open(async (project) => {
      const results = [
        await project.revertDrift(names),
        await project.acceptDrift(names),
        await project.recordDrift(names),
        await project.ignoreDrift(names, { reason: 'x' }),
      ];
      return results.map(({ diagnostics }) => diagnostics.map(({ code }) => code));
    });
    expect(codes).toEqual(Array.from({ length: 4 }, () => ['unknown-finding']));
    expect(await text('sync.yaml')).toBe(syncYaml);
    expect((await world.open((project) => project.drift())).findings).toHaveLength(1);
  });

  it('revert leaves alone what else is to be applied elsewhere', async () => {
    const main = (version: string): string =>
      `resources:\n  pets:\n    type: platform:Api\n    properties: {version: "${version}"}\n    children:\n      guide: {type: platform:ApiDocument, properties: {title: Guide, content: x}}\n  cats: {type: platform:Api}\n`;
    await write({ 'catalogue/main.yaml': main('1') });
    await world.apply();
    await edit('documents', 'pets/guide', { content: 'clicked' });
    await write({ 'catalogue/main.yaml': main('2') });
    await world.open(async (project) => {
      const planned = await project.revertDrift(['pets/guide.content']);
      expect(planned.plan?.steps.map(({ address, fields }) => [address, fields.map(({ field }) => field)])).toEqual([
        ['pets/guide', ['content']],
      ]);
      expect((await project.apply(planned)).status).toBe('done');
    });
    expect((await world.plan()).steps.map(({ address }) => address)).toEqual(['pets']);
  });

  it('revert of all takes the grave findings, leaves what has something to apply, and does nothing where there are more', async () => {
    const main = (version: string): string =>
      `resources:\n  pets: {type: platform:Api, properties: {version: "${version}", description: a}}\n  cats: {type: platform:Api, properties: {description: a}}\n  dogs: {type: platform:Api, properties: {description: a}}\n`;
    await write({ 'catalogue/main.yaml': main('1') });
    await world.apply();
    for (const name of ['pets', 'cats', 'dogs']) await edit('apis', name, { description: 'clicked' });
    await write({ 'catalogue/main.yaml': main('2') });
    const reverted = (choice: { severity: 'high' | 'medium' | 'low'; atMost: number }): Promise<readonly unknown[]> =>
      world.open(async (project) => {
        const { plan, diagnostics } = await project.revertDrift(choice);
        return [plan?.steps.map(({ address }) => address), diagnostics.map(({ code }) => code)];
      });
    // What the commit has not applied yet waits for its apply, and its finding with it.
    expect(await reverted({ severity: 'low', atMost: 2 })).toEqual([['cats', 'dogs'], []]);
    expect(await reverted({ severity: 'high', atMost: 2 })).toEqual([[], []]);
    expect(await reverted({ severity: 'low', atMost: 1 })).toEqual([undefined, ['too-many-findings']]);
  });

  it('revert tells of each whole write of its own, and of no other, which secret it may take away', async () => {
    const main = (cert: string): string => {
      const certificate = (name: string, own: string): string =>
        `      ${name}: {type: platform:AiGatewayCertificate, properties: {name: ${name}, cert: ${own}, key: k, labels: {a: b}}}\n`;
      const all = certificate('both', cert) + certificate('left', cert) + certificate('strayed', 'x');
      return `resources:\n  edge:\n    type: platform:AiGateway\n    properties: {name: edge, displayName: Edge}\n    children:\n${all}`;
    };
    await write({ 'catalogue/main.yaml': main('x') });
    await world.apply();
    type Row = { readonly id: string; readonly object: JsonObject };
    const { described } = (await world.call('GET', '/_sandbox/objects')).body as unknown as { described: Row[] };
    for (const { id, object } of described)
      if (object['name'] === 'both' || object['name'] === 'strayed')
        await world.call('POST', `/_sandbox/objects/described/${encodeURIComponent(id)}`, {
          object: { labels: { a: 'clicked' }, updated_at: '2099-01-01T00:00:00Z' },
        });
    await write({ 'catalogue/main.yaml': main('y') });
    const { plan } = await world.open((project) => project.revertDrift(['edge/both', 'edge/strayed']));
    expect(plan?.notices.map(({ code, address, field }) => [code, address, field])).toEqual([
      ['secret-left-out', 'edge/both', 'keyAlt'],
      ['secret-left-out', 'edge/strayed', 'keyAlt'],
    ]);
  });

  it('revert is stopped by guards', async () => {
    await write({
      'catalogue/main.yaml':
        'resources:\n  pets: {type: platform:Api, options: {protect: true}, properties: {version: "1"}}\n',
    });
    await world.apply();
    await edit('apis', 'pets', { $delete: true });
    const planned = await world.open((project) => project.revertDrift(['pets']));
    expect(planned.plan?.guards.map(({ name, lifted }) => [name, lifted])).toEqual([['everythingGone', undefined]]);
    const allow = [{ guard: 'everythingGone', reason: 'I know' }];
    const lifted = await world.open((project) => project.revertDrift(['pets'], { allow }));
    expect(lifted.plan?.guards).toMatchObject([{ lifted: 'I know' }]);
  });

  it('record takes a deletion and a cleared field into state, and tells when they move again', async () => {
    await write({
      'catalogue/main.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {version: "1", description: a}}\n  cats: {type: platform:Api}\n',
    });
    await world.apply();
    await edit('apis', 'pets', { description: null });
    await edit('apis', 'cats', { $delete: true });
    await world.open((project) => project.recordDrift(['pets', 'cats']));
    const after = await world.open((project) => project.drift());
    expect(after).toMatchObject({ status: 'clean', findings: [] });
    expect(after.unapplied.map(({ action, address }) => `${action} ${address}`)).toEqual([
      'create cats',
      'update pets',
    ]);
    await edit('apis', 'pets', { description: 'again' });
    expect((await world.open((project) => project.drift())).findings).toMatchObject([
      { field: 'description', new: 'again' },
    ]);
  });

  it('record of one field keeps the others findings', async () => {
    await write({
      'catalogue/main.yaml':
        'resources:\n  pets:\n    type: platform:Api\n    children:\n      guide: {type: platform:ApiDocument, properties: {title: A, content: a}}\n',
    });
    await world.apply();
    await edit('documents', 'pets/guide', { title: 'B', content: 'b' });
    await world.open((project) => project.recordDrift(['pets/guide.title']));
    const after = await world.open((project) => project.drift());
    expect(after.findings.map(({ field }) => field)).toEqual(['content']);
  });

  it('ignore adds a rule, keeps the rest of sync.yaml, and brings an old rule up to date', async () => {
    await write({ 'catalogue/main.yaml': 'resources:\n  pets: {type: platform:Api, properties: {version: "1"}}\n' });
    await world.apply();
    await edit('apis', 'pets', { version: '2' });
    const ignore = (until: string) =>
      world.open((project) => project.ignoreDrift(['pets.version'], { reason: 'until "May"', until }));
    expect((await ignore('2020-01-31')).diagnostics).toEqual([]);
    const expected = (until: string): string =>
      `${syncYaml}drift:\n  ignore:\n    - {address: pets, field: version, reason: until "May", until: "${until}"}\n`;
    expect(await text('sync.yaml')).toBe(expected('2020-01-31'));
    const over = await world.open((project) => project.drift());
    expect(over.findings.map(({ class: kind }) => kind)).toEqual(['modified', 'expired-rule']);
    await ignore('2999-01-31');
    expect(await text('sync.yaml')).toBe(expected('2999-01-31'));
    expect(await world.open((project) => project.drift())).toMatchObject({
      status: 'clean',
      ignored: [{ address: 'pets', field: 'version', until: '2999-01-31' }],
    });
  });
});
