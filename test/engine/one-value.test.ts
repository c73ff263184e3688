import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { foreignLabelPrefixes } from '@platform-sync/platform/wire';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { ownTypes } from '../harness/own-types.js';
import { actionsOf, type World } from '../harness/world.js';

/** What is shown is what is sent, and what is recorded is what was sent. */

const theirs = `${foreignLabelPrefixes[0] ?? ''}namespace`;

let world: World;
freshWorlds((made) => (world = made));

const settings = (more = ''): string =>
  `project: test\nguards: {maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: test}]}\n${more}`;
const write = (resources: Record<string, JsonObject>, more = '') =>
  world.write({ 'sync.yaml': settings(more), 'catalogue/all.yaml': { resources } });
const api = (properties: JsonObject, options: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name: 'Pets', ...properties },
  ...(Object.keys(options).length === 0 ? {} : { options }),
});

async function object(): Promise<JsonObject> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  return ((body as Record<string, readonly JsonObject[]>)['apis'] ?? [])[0] ?? {};
}

/** Changes the one API behind the tool's back. */
async function edit(changes: JsonObject): Promise<void> {
  await world.call('POST', `/_sandbox/objects/apis/${String((await object())['id'])}`, changes);
}

const recordedLabels = (): Promise<unknown> =>
  world.open(async (project) => (await (await project.state()).read()).resources.get('pets')?.inputs['labels']);

describe('a part that is left alone', () => {
  it('is not sent with its neighbour, and not recorded as if it had been', async () => {
    await write({ pets: api({ labels: { team: 'a', tier: '1' } }) });
    await world.apply();
    await edit({ labels: { team: 'hand', tier: '1' } });
    const options = { ignoreChanges: ['labels.team'] };
    await write({ pets: api({ labels: { team: 'b', tier: '2' } }, options) });
    const [step] = (await world.plan()).steps;
    expect(step?.patch).toEqual([{ op: 'replace', path: '/labels/tier', value: '2' }]);
    await world.apply();
    expect((await object())['labels']).toEqual({ team: 'hand', tier: '2' });
    // What stands there, and not what the platform made of ours: it is put right the day it is left alone no more.
    expect(await recordedLabels()).toEqual({ team: 'hand', tier: '2' });
    expect((await world.plan()).steps).toEqual([]);
    await write({ pets: api({ labels: { team: 'a', tier: '2' } }) });
    expect((await world.plan()).steps[0]?.patch).toEqual([{ op: 'replace', path: '/labels/team', value: 'a' }]);
  });
});

describe('labels', () => {
  it('of others stay, come and go without a word, and those of ours are kept', async () => {
    await write({ pets: api({ labels: { team: 'a' } }) });
    await world.apply();
    await edit({ labels: { team: 'b', by: 'hand', [theirs]: 'x' } });
    expect((await world.plan()).steps[0]?.patch).toEqual([{ op: 'replace', path: '/labels/team', value: 'a' }]);
    await world.apply();
    expect((await object())['labels']).toEqual({ team: 'a', by: 'hand', [theirs]: 'x' });
    await write({ pets: api({}) });
    await world.apply();
    expect((await object())['labels']).toEqual({ by: 'hand', [theirs]: 'x' });
    expect((await world.plan()).steps).toEqual([]);
  });

  it('exact: every key is ours but those of others', async () => {
    await write({ pets: api({ labels: { team: 'a' } }) }, 'labels: exact\n');
    await world.apply();
    await edit({ labels: { team: 'a', by: 'hand', [theirs]: 'x' } });
    expect((await world.plan()).steps[0]?.patch).toEqual([{ op: 'remove', path: '/labels/by' }]);
    await world.apply();
    expect((await object())['labels']).toEqual({ team: 'a', [theirs]: 'x' });
    await edit({ labels: { team: 'a', [theirs]: 'y' } });
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.open((project) => project.drift({ remember: false }))).findings).toEqual([]);
  });

  it('that begin as sync.yaml says are those of others, and are not exported', async () => {
    await write({ pets: api({ labels: { team: 'a' } }) }, 'labels: {foreign: [ops-], own: exact}\n');
    await world.apply();
    await edit({ labels: { team: 'a', 'ops-owner': 'x' } });
    expect((await world.plan()).steps).toEqual([]);
    const { files } = await world.open((project) => project.export({ types: ownTypes }));
    expect([...files.values()].join('\n')).not.toContain('ops-owner');
  });
});

describe('metadata', () => {
  it('is owned key by key, like every map', async () => {
    const product = (metadata?: JsonObject): Record<string, JsonObject> => {
      const page = { title: 'G', slug: 'g', content: 'g', status: 'published', ...(metadata && { metadata }) };
      const children = { guide: { type: 'platform:ApiProductDocument', properties: page } };
      return { shop: { type: 'platform:ApiProduct', properties: { name: 'Shop', portalIds: [] }, children } };
    };
    const documents = async (): Promise<readonly JsonObject[]> => {
      const { body } = await world.call('GET', '/_sandbox/objects');
      return Object.values(body as Record<string, readonly JsonObject[]>)
        .flat()
        .filter((one) => 'metadata' in one && 'slug' in one);
    };
    await write(product({ a: { deep: 1 }, b: [1] }));
    await world.apply();
    expect((await documents()).map(({ metadata }) => metadata)).toEqual([{ a: { deep: 1 }, b: [1] }]);
    await write(product({ a: { deep: 2 } }));
    expect((await world.plan()).steps[0]?.patch).toEqual([
      { op: 'remove', path: '/metadata/b' },
      { op: 'replace', path: '/metadata/a/deep', value: 2 },
    ]);
    await world.apply();
    expect((await documents()).map(({ metadata }) => metadata)).toEqual([{ a: { deep: 2 } }]);
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('null', () => {
  it('clears a value that was never declared, and keeps it clear', async () => {
    await write({ pets: api({}) });
    await world.apply();
    await edit({ description: 'by hand' });
    await write({ pets: api({ description: null }) });
    await world.apply();
    expect((await object())['description']).toBeNull();
    expect((await world.plan()).steps).toEqual([]);
    await edit({ description: 'again' });
    expect((await world.plan()).steps).toMatchObject([
      { action: 'update', cause: 'drift', fields: [{ old: 'again' }] },
    ]);
    await write({ pets: api({}) });
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('adopting', () => {
  const spec = (title: string) => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1"}\npaths: {}\n`;

  it('by the command only records: what differs is what the next plan shows', async () => {
    await write({ pets: api({ description: 'old', labels: { team: 'a' } }) });
    await world.apply();
    world.loseState();
    await write({ pets: api({ description: 'new', labels: { team: 'a' } }) });
    await world.resetRequests();
    const plan = await world.plan({ mode: 'adopt' });
    expect(plan.steps).toMatchObject([{ action: 'adopt', fields: [], patch: [] }]);
    await world.apply({ mode: 'adopt' });
    expect(Object.keys((await world.requests()).byRoute).every((route) => route.startsWith('GET '))).toBe(true);
    expect((await world.plan()).steps).toMatchObject([
      { action: 'update', cause: 'config', patch: [{ op: 'replace', path: '/description', value: 'new' }] },
    ]);
  });

  it('in a plan is one reviewed step, and what it changes is an update to the guards', async () => {
    await write({ pets: api({ description: 'old' }) });
    await world.apply();
    const id = String((await object())['id']);
    world.loseState();
    await write({ pets: api({ description: 'new' }, { import: id }) });
    expect((await world.plan()).steps).toMatchObject([{ action: 'adopt', fields: [{ field: 'description' }] }]);
    await world.apply();
    expect((await object())['description']).toBe('new');
    expect((await world.plan()).steps).toEqual([]);
  });

  it('with a difference that only a replacement could make right is blocked until the file or an option decides', async () => {
    await write({ pets: api({ version: '1', specContent: spec('a') }) });
    await world.apply();
    const id = String((await object())['id']);
    world.loseState();
    const wanted = { version: '1', specContent: spec('b') };
    await write({ pets: api(wanted, { import: id }) });
    const plan = await world.plan();
    expect(plan.guards.map(({ name }) => name)).toEqual(['fixed:pets']);
    expect(plan.steps).toMatchObject([{ action: 'adopt', fields: [{ field: 'specContent', rule: 'replace' }] }]);
    await write({ pets: api(wanted, { import: id, ignoreChanges: ['specContent'] }) });
    expect((await world.plan()).guards).toEqual([]);
    await write({ pets: api(wanted, { import: id }) });
    await world.apply({ allow: [{ guard: 'fixed:pets', reason: 'will be replaced' }] });
    expect(actionsOf(await world.plan())).toEqual(['replace pets']);
  });
});

describe('options', () => {
  it('that change are steps of their own, and a danger where they lift something', async () => {
    await write({ pets: api({}) });
    await world.apply();
    await write({ pets: api({}, { protect: true, retainOnDelete: true }) });
    expect((await world.plan()).steps).toMatchObject([
      {
        action: 'options',
        options: [
          { option: 'protect', old: false, new: true },
          { option: 'retainOnDelete', old: false, new: true },
        ],
        risks: [],
      },
    ]);
    await world.resetRequests();
    await world.apply();
    expect(Object.keys((await world.requests()).byRoute).every((route) => route.startsWith('GET '))).toBe(true);
    expect((await world.plan()).steps).toEqual([]);
    await write({ pets: api({ description: 'new' }) });
    expect((await world.plan()).steps).toMatchObject([
      { action: 'update', risks: [{ kind: 'unprotects' }, { kind: 'stops-retaining' }] },
    ]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });

  it('destroy says that it was asked for', async () => {
    await write({ pets: api({}) });
    await world.apply();
    expect((await world.plan({ mode: 'destroy' })).steps).toMatchObject([{ reasons: [{ kind: 'destroy' }] }]);
  });
});
