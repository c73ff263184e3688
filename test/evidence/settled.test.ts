import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import {
  forgetfulPlatform,
  type ForgetfulPlatform,
  type Passing,
  type PassingWrite,
} from '../harness/forgetful-platform.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

/** What the platform made of our own write is nobody's change. All types: test/derived/settled.test.ts. */
let world: World;
let platform: ForgetfulPlatform;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 5 });
  platform = await forgetfulPlatform(world.sandbox.url);
  world.env['PLATFORM_SERVER_URL'] = platform.url;
});
afterAll(async () => {
  await platform.close();
  await world.close();
});
beforeEach(async () => {
  platform.pass();
  world.loseState();
  world.events.length = 0;
  await world.call('POST', '/_sandbox/reset');
});

/** The platform takes a member, says so, and has forgotten it. */
const forgetting =
  (isIt: (name: string) => boolean) =>
  ({ body }: PassingWrite): Passing => {
    const without = (record: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, member]) =>
          isIt(name) ? [] : [[name, isObject(member) ? without(member) : member]],
        ),
      );
    const over = (right: JsonObject, sent: JsonObject): JsonObject => ({
      ...right,
      ...Object.fromEntries(
        Object.entries(sent).flatMap(([name, member]) => {
          const inner = right[name];
          if (isIt(name)) return [[name, member]];
          return isObject(member) && isObject(inner) ? [[name, over(inner, member)]] : [];
        }),
      ),
    });
    return { body: without(body), answer: (right) => over(right, body) };
  };

const notKept = (): readonly (string | undefined)[] =>
  world.events.flatMap((event) =>
    event.type === 'diagnostic' && event.diagnostic.code === 'not-kept' ? [event.diagnostic.field] : [],
  );

async function findings(): Promise<readonly string[]> {
  const drift = await world.open((project) => project.drift({ remember: false }));
  return drift.findings.map(({ address, field = '' }) => `${address} ${field}`);
}

it('an account is not made again for what the platform does not keep of it, and it is told once', async () => {
  const properties = { name: 'bot', description: 'builds', platformManaged: true };
  await world.write({ 'catalogue/all.yaml': { resources: { bot: { type: 'platform:SystemAccount', properties } } } });
  platform.pass(forgetting((name) => name.endsWith('_managed')));
  await world.apply();
  const plan = await world.plan();
  expect(actionsOf(plan)).toEqual([]);
  expect(plan.notices.map(({ code, field }) => `${code} ${field ?? ''}`)).toEqual(['not-kept platformManaged']);
  expect(await findings()).toEqual([]);
  platform.taken();
  await world.apply();
  expect(platform.taken()).toEqual([]);
  expect((await world.plan()).notices).toEqual([]);
});

const plane = { plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } } };

it('a member of a record is written once more, found not to be kept, and written no more', async () => {
  const cors = (maxAge: number): JsonObject => ({
    ...plane,
    cors: {
      type: 'platform:GatewayPluginCors',
      properties: {
        controlPlaneId: '${plane.id}',
        instanceName: 'cors',
        config: { origins: ['https://a.example.com'], maxAge },
      },
    },
  });
  await world.write({ 'catalogue/all.yaml': { resources: cors(5) } });
  platform.pass(forgetting((name) => name === 'max_age'));
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual(['update cors']);
  await world.apply();
  expect(notKept()).toEqual(['config']);
  expect(actionsOf(await world.plan())).toEqual([]);
  expect(await findings()).toEqual([]);
  platform.pass();
  await world.write({ 'catalogue/all.yaml': { resources: cors(6) } });
  expect(actionsOf(await world.plan())).toEqual(['update cors']);
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
});

it("what was replaced for a change outside is replaced for it again by somebody's word alone", async () => {
  const parent = { controlPlaneId: '${plane.id}' };
  const ada = { type: 'platform:GatewayConsumer', properties: { ...parent, username: 'ada' } };
  const key = {
    type: 'platform:GatewayKeyAuth',
    properties: { ...parent, consumerId: '${ada.id}', key: 'not for people', tags: ['ours'] },
  };
  await world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': { resources: { ...plane, ada, key } },
  });
  await world.apply();
  const takeTags = async (): Promise<void> => {
    const { body } = await world.call('GET', '/_sandbox/objects');
    const rows = Object.entries(body as Record<string, JsonObject[]>).flatMap(([collection, all]) =>
      all.map((row) => ({ collection, row })),
    );
    const found = rows.find(({ row }) => String(row['id']).includes('/key-auth/'));
    if (found === undefined) throw new Error('there is no key');
    const id = encodeURIComponent(String(found.row['id']));
    const { status } = await world.call('POST', `/_sandbox/objects/${found.collection}/${id}`, {
      object: { tags: ['theirs'] },
    });
    expect(status).toBe(200);
  };
  await takeTags();
  const first = await world.plan();
  expect([actionsOf(first), first.guards]).toEqual([['replace key'], []]);
  await world.apply();
  expect(notKept()).toEqual([]);
  await takeTags();
  const second = await world.plan();
  expect(second.guards.map(({ name }) => name)).toEqual(['replace:key']);
  await world.apply({ allow: [{ guard: 'replace:key', reason: 'test' }] });
  expect(actionsOf(await world.plan())).toEqual([]);
});

it('what a default brings into a record that answers left out is no finding', async () => {
  await world.write({
    'catalogue/all.yaml': {
      resources: {
        ...plane,
        cors: {
          type: 'platform:GatewayPluginCors',
          properties: { controlPlaneId: '${plane.id}', instanceName: 'cors', config: { maxAge: 5 } },
        },
      },
    },
  });
  platform.pass(({ body }) => ({
    body,
    answer: (right) => ({ ...right, ...('config' in body ? { config: body['config'] ?? null } : {}) }),
  }));
  await world.apply();
  expect(await findings()).toEqual([]);
  expect(actionsOf(await world.plan())).toEqual([]);
});
