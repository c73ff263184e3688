import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { structuredReader } from '@platform-sync/report/diff/structured-text';
import { planReports } from '@platform-sync/report/reports';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { emptied } from '../harness/emptied.js';
import { ownTypes } from '../harness/own-types.js';
import { actionsOf, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const yaml = (version: string, path = '/pets'): string =>
  `openapi: 3.0.3\ninfo:\n  title: Pets\n  version: "${version}"\npaths:\n  ${path}:\n    get: {responses: {"200": {description: ok}}}\n`;
const json = (version: string, path = '/pets'): string =>
  JSON.stringify({
    paths: { [path]: { get: { responses: { 200: { description: 'ok' } } } } },
    info: { version, title: 'Pets' },
    openapi: '3.0.3',
  });

const version = (specContent: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiVersion',
  properties: { specContent, ...more },
});

const apiWith = (children: JsonObject, properties: JsonObject = {}): JsonObject => ({
  petstore: { type: 'platform:Api', properties: { name: 'Petstore', ...properties }, children },
});

async function write(resources: JsonObject): Promise<void> {
  await world.write({ 'catalogue/all.yaml': { resources } });
}

async function versionRows(): Promise<readonly JsonObject[]> {
  return ((await world.call('GET', '/_sandbox/objects')).body as { versions: readonly JsonObject[] }).versions;
}

async function edit(called: string, patch: JsonObject): Promise<void> {
  const row = (await versionRows()).find((each) => each['version'] === called);
  await world.call('POST', `/_sandbox/objects/versions/${String(row?.['id'])}`, patch);
}

async function problems(): Promise<readonly string[]> {
  const { diagnostics } = await world.open((project) => project.validate());
  return diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
}

describe('versions of an API (facts 1.1)', () => {
  it('1: are several, and each takes the name its specification says', async () => {
    await write(
      apiWith({
        v1: version(yaml('1.0.0')),
        v2: version(yaml('2.0.0')),
        next: version(yaml('2.0.0'), { version: 'next' }),
      }),
    );
    await world.apply();
    expect((await versionRows()).map((row) => row['version']).sort()).toEqual(['1.0.0', '2.0.0', 'next']);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('2: no edit of a specification replaces anything', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')), v2: version(yaml('2.0.0')) }));
    await world.apply();
    const before = (await versionRows()).map((row) => row['id']);
    await write(apiWith({ v1: version(yaml('1.0.0', '/dogs')), v2: version(yaml('2.0.1')) }));
    expect(actionsOf(await world.plan())).toEqual(['update petstore/v1', 'update petstore/v2']);
    await world.apply();
    expect((await versionRows()).map((row) => row['id'])).toEqual(before);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('3: another spelling of the same document is no change, on either side', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')) }));
    await world.apply();
    await write(apiWith({ v1: version(json('1.0.0')) }));
    expect(actionsOf(await world.plan())).toEqual([]);
    await edit('1.0.0', { content: json('1.0.0') });
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
    await edit('1.0.0', { content: json('1.0.0', '/cats') });
    const { steps } = await world.plan();
    expect(steps.map(({ action, cause, fields }) => [action, cause, fields.map(({ field }) => field)])).toEqual([
      ['update', 'drift', ['specContent']],
    ]);
  });

  it('4: an API with specContent and a version of the same name are refused beside each other', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')) }, { specContent: yaml('1.0.0') }));
    expect(await problems()).toEqual(['same-object: petstore and petstore/v1 describe the same ApiVersion.']);
    await write(apiWith({ v1: version(yaml('9'), { version: '1.0.0' }) }, { specContent: json('1.0.0') }));
    expect(await problems()).toEqual(['same-object: petstore and petstore/v1 describe the same ApiVersion.']);
    await write(apiWith({ v1: version(yaml('1')) }, { version: '1', specContent: 'openapi: 3.0.0' }));
    expect(await problems()).toEqual(['same-object: petstore and petstore/v1 describe the same ApiVersion.']);
    await write(apiWith({ v2: version(yaml('2.0.0')) }, { specContent: yaml('1.0.0') }));
    expect(await problems()).toEqual([]);
    await write({
      ...apiWith({}, { specContent: yaml('1.0.0') }),
      other: { type: 'platform:ApiVersion', properties: { apiId: '${petstore.id}', specContent: yaml('1.0.0') } },
    });
    expect(await problems()).toEqual(['same-object: petstore and other describe the same ApiVersion.']);
  });

  it('5: a version of that name on the platform is adopted, not made twice', async () => {
    await write(apiWith({}, { specContent: yaml('1.0.0') }));
    await world.apply();
    world.loseState();
    await write(apiWith({ v1: version(yaml('1.0.0')) }, { version: '1.0.0' }));
    await world.apply({ mode: 'adopt' });
    expect(await versionRows()).toHaveLength(1);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('6: what would take operations away from enforced access is refused by the platform, and told', async () => {
    const plane = {
      type: 'platform:ApiImplementation',
      properties: { controlPlaneReference: { controlPlane: { id: controlPlane } } },
    };
    await write(apiWith({ v1: version(yaml('1.0.0')), gateway: plane }));
    await world.apply();
    await write(apiWith({ v1: version(yaml('1.0.0', '/dogs')), gateway: plane }));
    const result = await world.open(async (project) => project.apply(await project.plan()));
    expect(JSON.stringify(result)).toContain('Operations with access control would be removed: GET /pets');
    expect(actionsOf(await world.plan())).toEqual(['update petstore/v1']);
  });

  it('7: without its line, a version takes the name its specification says, and not one that another has', async () => {
    await write(apiWith({ a: version(yaml('1.0.0'), { version: 'a' }), b: version(yaml('2.0.0')) }));
    await world.apply();
    await write(apiWith({ a: version(yaml('1.0.0')), b: version(yaml('2.0.0')) }));
    expect(actionsOf(await world.plan())).toEqual(['update petstore/a']);
    await world.apply();
    expect((await versionRows()).map((row) => row['version']).sort()).toEqual(['1.0.0', '2.0.0']);
  });

  it('8: specContent becomes a version of its own, and nothing is replaced or written', async () => {
    await write(apiWith({}, { version: '1.0.0', specContent: yaml('1.0.0') }));
    await world.apply();
    const before = await versionRows();
    await write(apiWith({ v1: version(json('1.0.0')) }, { version: '1.0.0' }));
    const plan = await world.plan({ allow: [{ guard: 'adopt', reason: 'moved' }] });
    expect(actionsOf(plan)).toEqual(['update petstore', 'adopt petstore/v1']);
    await world.resetRequests();
    await world.apply({ allow: [{ guard: 'adopt', reason: 'moved' }] });
    const { byRoute } = await world.requests();
    expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET '))).toEqual([]);
    expect(await versionRows()).toEqual(before);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('tell in a review what breaks clients', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')) }));
    await world.apply();
    await write(apiWith({ v1: version(yaml('1.0.0', '/dogs')) }));
    const plan = await world.plan();
    const reports = planReports(plan, { read: await structuredReader(plan) });
    expect(reports.get('plan.md')).toContain('GET /pets');
    expect(reports.get('plan.md')).toContain('breaks clients: GET `/pets` is removed');
  });
});

const controlPlane = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';

describe('requests for versions', () => {
  const fleet = (count: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `api${n}`,
        { type: 'platform:Api', properties: { name: `API ${n}` }, children: { v1: version(yaml('1.0.0')) } },
      ]),
    );
  const total = async (work: () => Promise<unknown>): Promise<number> => {
    await world.resetRequests();
    await work();
    return (await world.requests()).total;
  };

  it('are none where each API shows its one version unmoved, two where one moved', async () => {
    await write(fleet(20));
    expect(await total(() => world.apply())).toBe(41);
    expect(await total(() => world.plan())).toBe(1);
    const [row] = await versionRows();
    await world.call('POST', `/_sandbox/objects/versions/${String(row?.['id'])}`, { content: yaml('1.0.0', '/cats') });
    expect((await world.plan()).summary.update).toBe(1);
    // The list of that API's versions, and its text, twice: a difference is read again before it is believed.
    expect(await total(() => world.plan())).toBeLessThanOrEqual(4);
  });

  it('see a second version only where a list is read', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')) }));
    await world.apply();
    const [row] = await versionRows();
    await world.call('POST', '/_sandbox/seed', {
      versions: [{ api_id: row?.['api_id'] ?? null, version: '2', content: yaml('2') }],
    });
    const plan = await world.plan();
    expect(plan.steps).toEqual([]);
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/apiVersion:ApiVersion', under: 'petstore', count: 1 }]);
  });

  it('find a version that is gone although another one shows', async () => {
    await write(apiWith({ v1: version(yaml('1.0.0')) }));
    await world.apply();
    const [row] = await versionRows();
    await world.call('POST', `/_sandbox/objects/versions/${String(row?.['id'])}`, { $delete: true });
    expect(actionsOf(await world.plan())).toEqual(['create petstore/v1']);
  });
});

describe('export', () => {
  it('writes the specification of an API as its version, and adopting that leaves nothing to do', async () => {
    await write(apiWith({}, { specContent: yaml('1.0.0') }));
    await world.apply();
    world.loseState();
    await emptied(world);
    const { files } = await world.open((project) => project.export({ types: ownTypes }));
    expect([...files.keys()].sort()).toEqual(['petstore.yaml', 'specs/petstore/version-1-0-0.yaml']);
    await rm(join(world.folder, 'catalogue'), { recursive: true, force: true });
    await world.write(Object.fromEntries([...files].map(([path, text]) => [`catalogue/${path}`, text])));
    expect(await problems()).toEqual([]);
    await world.apply({ mode: 'adopt' });
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('keeps it with the API where versions are not asked for', async () => {
    await write(apiWith({}, { specContent: yaml('1.0.0') }));
    await world.apply();
    const { files } = await world.open((project) => project.export({ types: ['Api'] }));
    expect([...files.keys()].sort()).toEqual(['petstore.yaml', 'specs/petstore.yaml']);
  });
});
