import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const yaml = (version: string, path = '/pets'): string =>
  `openapi: 3.0.3\ninfo:\n  title: Pets\n  version: "${version}"\npaths:\n  ${path}:\n    get: {responses: {"200": {description: ok}}}\n`;
const json = (version: string): string =>
  JSON.stringify({
    paths: { '/pets': { get: { responses: { 200: { description: 'ok' } } } } },
    info: { version, title: 'Pets' },
    openapi: '3.0.3',
  });

async function write(properties: JsonObject, children: JsonObject = {}): Promise<void> {
  const pets = { type: 'platform:Api', properties: { name: 'Pets', ...properties }, children };
  await world.write({ 'catalogue/all.yaml': { resources: { pets } } });
}

async function versions(): Promise<readonly JsonObject[]> {
  return ((await world.call('GET', '/_sandbox/objects')).body as { versions: readonly JsonObject[] }).versions;
}

/** Changes the version of that name as somebody else would. */
async function edit(called: string, patch: JsonObject): Promise<void> {
  const row = (await versions()).find((each) => each['version'] === called);
  await world.call('POST', `/_sandbox/objects/versions/${String(row?.['id'])}`, patch);
}

async function add(called: string, content: string): Promise<void> {
  const [api] = ((await world.call('GET', '/_sandbox/objects')).body as { apis: readonly JsonObject[] }).apis;
  await world.call('POST', '/_sandbox/seed', {
    versions: [{ api_id: api?.['id'] ?? null, version: called, content }],
  });
}

async function changes(): Promise<unknown> {
  const { steps } = await world.plan();
  return steps.map(({ action, cause, fields }) => [action, cause, fields.map(({ field, rule }) => `${field} ${rule}`)]);
}

async function total(work: () => Promise<unknown>): Promise<number> {
  await world.resetRequests();
  await work();
  return (await world.requests()).total;
}

const putRight = [['update', 'drift', ['specContent update']]];

describe('the specification of an API', () => {
  it('costs nothing while its version is unmoved, and one request to show what moved', async () => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    expect(await total(() => world.plan())).toBe(1);
    await edit('1.0.0', { content: yaml('1.0.0', '/cats') });
    expect(await total(changes)).toBe(2);
    expect(await changes()).toEqual(putRight);
  });

  it('is put back in its version, and nothing is replaced', async () => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    const before = await versions();
    const { body } = await world.call('GET', '/v3/apis');
    await edit('1.0.0', { content: yaml('1.0.0', '/cats') });
    await world.apply();
    expect((await versions()).map(({ id, content }) => [id, content])).toEqual([[before[0]?.['id'], yaml('1.0.0')]]);
    const after = (await world.call('GET', '/v3/apis')).body as { data: JsonObject[] };
    expect(after.data.map(({ id }) => id)).toEqual((body as { data: JsonObject[] }).data.map(({ id }) => id));
    expect(await total(changes)).toBe(1);
    expect(await changes()).toEqual([]);
  });

  const meanwhile: Readonly<
    Record<string, { readonly edit: () => Promise<unknown>; readonly left: readonly string[] }>
  > = {
    'was spelt otherwise': { edit: () => edit('1.0.0', { content: json('1.0.0') }), left: [] },
    'was called otherwise': { edit: () => edit('1.0.0', { version: 'clicked' }), left: [] },
    'was emptied': { edit: () => edit('1.0.0', { content: null }), left: ['1.0.0'] },
    'was deleted': { edit: () => edit('1.0.0', { $delete: true }), left: ['1.0.0'] },
    'was replaced by one of the same name': {
      edit: async () => {
        await edit('1.0.0', { $delete: true });
        await add('1.0.0', yaml('1.0.0', '/cats'));
      },
      left: ['1.0.0'],
    },
    'was replaced by another one': {
      edit: async () => {
        await edit('1.0.0', { $delete: true });
        await add('1.1.0', yaml('1.1.0', '/cats'));
      },
      // What is not ours is not written over.
      left: ['1.0.0', '1.1.0'],
    },
    'got a newer one beside it': { edit: () => add('2.0.0', yaml('2.0.0', '/cats')), left: [] },
  };
  it.each(Object.entries(meanwhile))('%s', async (_name, { edit: editIt, left }) => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    await editIt();
    expect(await changes()).toEqual(left.length === 0 ? [] : putRight);
    if (left.length === 0) return;
    await world.apply();
    const now = await versions();
    expect(now.map(({ version }) => version).sort()).toEqual(left);
    expect(now.find(({ version }) => version === '1.0.0')?.['content']).toBe(yaml('1.0.0'));
    expect(await changes()).toEqual([]);
  });

  it('beside a managed version that is the current one is told by its name', async () => {
    const v2 = { type: 'platform:ApiVersion', properties: { specContent: yaml('2.0.0') } };
    await write({ specContent: yaml('1.0.0') }, { v2 });
    await world.apply();
    expect(await changes()).toEqual([]);
    await edit('1.0.0', { content: yaml('1.0.0', '/cats') });
    expect(await changes()).toEqual(putRight);
    await world.apply();
    expect((await versions()).map(({ content }) => content)).toEqual([yaml('1.0.0'), yaml('2.0.0')]);
    await write({ specContent: yaml('1.0.0'), description: 'now with the other summary on record' }, { v2 });
    await world.apply();
    await edit('1.0.0', { $delete: true });
    await world.apply({ refresh: 'full' });
    expect((await versions()).map(({ content }) => content).sort()).toEqual([yaml('1.0.0'), yaml('2.0.0')].sort());
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  });

  it('taken out of the file and put back is no change', async () => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    await write({});
    await world.apply();
    await write({ specContent: json('1.0.0') });
    expect(actionsOf(await world.plan())).toEqual([]);
    await world.apply();
    await write({ specContent: yaml('1.0.0', '/cats') });
    expect(actionsOf(await world.plan())).toEqual(['replace pets']);
  });

  it.each(['auto', 'full'] as const)(
    'is replaced by an edit of the file alone, whatever else moved (%s)',
    async (refresh) => {
      await write({ specContent: yaml('1.0.0') });
      await world.apply();
      await edit('1.0.0', { content: yaml('1.0.0', '/cats') });
      await world.open((project) => project.refresh());
      const { steps } = await world.plan({ refresh });
      expect(steps.map(({ action, fields }) => [action, fields.map(({ rule }) => rule)])).toEqual([
        ['update', ['update']],
      ]);
      await write({ specContent: yaml('1.0.0', '/dogs') });
      expect(actionsOf(await world.plan({ refresh }))).toEqual(['replace pets']);
    },
  );

  it('that others deleted is missed when the file, which fell silent about it, speaks of it again', async () => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    await edit('1.0.0', { $delete: true });
    // Something else is written, too: its answer says nothing of versions.
    await write({ description: 'no longer about pets' });
    await world.apply();
    expect(await changes()).toEqual([]);
    await write({ description: 'no longer about pets', specContent: yaml('1.0.0') });
    expect(await changes()).toEqual([['replace', 'config', ['specContent replace']]]);
    await world.apply();
    expect(await versions()).toMatchObject([{ version: '1.0.0' }]);
    expect(await changes()).toEqual([]);
  });

  it('is found, accepted, recorded and put back as drift', async () => {
    await write({ specContent: yaml('1.0.0') });
    await world.apply();
    await edit('1.0.0', { content: yaml('1.0.0', '/cats') });
    const result = await world.open((project) => project.drift());
    expect(result.findings.map(({ address, field, old, new: now }) => [address, field, old, now])).toEqual([
      ['pets', 'specContent', yaml('1.0.0'), yaml('1.0.0', '/cats')],
    ]);
    await world.open((project) => project.recordDrift(result.findings.map(({ id }) => id)));
    expect((await world.open((project) => project.drift())).findings).toEqual([]);
    // The file stays what is wanted, and nothing is replaced for it.
    expect(await changes()).toEqual(putRight);
  });

  it('tells what a replacement costs, and fix makes an edit in place of it', async () => {
    const spec = (path: string): string => yaml('1.0.0', path).replace(/^/gm, '        ').trimEnd();
    const file = (path: string): string =>
      `# head\nresources:\n  pets: # the pets\n    type: platform:Api\n    properties:\n      name: Pets\n      # what it is\n      specContent: | # as text\n${spec(path)}\n      description: All pets # about\n    children:\n      guide:\n        type: platform:ApiDocument\n        properties: {title: Guide, content: x}\n`;
    await world.write({ 'catalogue/all.yaml': file('/pets') });
    await world.apply();
    const [before] = await versions();
    await world.write({ 'catalogue/all.yaml': file('/dogs') });
    const plan = await world.plan();
    expect(plan.notices.map(({ code, summary }) => `${code}: ${summary}`)).toEqual([
      'costly-replacement: pets is deleted and made again for its specContent, which also ends: pets/guide.',
    ]);
    const result = await world.open((project) => project.fix(plan));
    expect(result.diagnostics).toEqual([]);
    expect(result.files).toEqual(['catalogue/all.yaml']);
    const text = await readFile(join(world.folder, 'catalogue/all.yaml'), 'utf8');
    expect(text).toContain('          specContent: | # as text\n            openapi: 3.0.3\n');
    expect(text).toContain('      description: All pets # about\n');
    expect(actionsOf(await world.plan())).toEqual(['update pets', 'adopt pets/version']);
    await world.apply();
    expect((await versions()).map(({ id, content }) => [id, content])).toEqual([
      [before?.['id'], yaml('1.0.0', '/dogs')],
    ]);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it.each(['specContent: !file ../specs/spec.yaml', 'specContent: "openapi: 3.0.3"', 'specContent: openapi'])(
    'is moved as it is written: %s',
    async (line) => {
      const file = (more: string): string =>
        `resources:\n  pets:\n    type: platform:Api\n    options: { allowBrokenSpecification: true }\n    properties:\n      ${line}${more}\n`;
      await world.write({ 'catalogue/all.yaml': file(''), 'specs/spec.yaml': yaml('1.0.0') });
      await world.apply();
      await world.write({
        'catalogue/all.yaml': file(line.includes('!file') ? '' : ' # edited').replace('openapi', 'swagger'),
        'specs/spec.yaml': yaml('1.0.0', '/dogs'),
      });
      const plan = await world.plan();
      expect(actionsOf(plan)).toEqual(['replace pets']);
      const result = await world.open((project) => project.fix(plan));
      expect([result.skipped, result.diagnostics]).toEqual([[], []]);
      expect(actionsOf(await world.plan())).not.toContain('replace pets');
    },
  );
});
