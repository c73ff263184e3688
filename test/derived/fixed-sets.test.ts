import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { forgetfulPlatform, type ForgetfulPlatform } from '../harness/forgetful-platform.js';
import type { LyingPlatform } from '../harness/lying-platform.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
let platform: LyingPlatform;
let close: LyingWorld['close'];
beforeAll(async () => void ({ world, platform, close } = await lyingWorld({ shuffle: 9 })));
afterAll(() => close());

async function write(template?: JsonObject): Promise<void> {
  const portal = { type: 'platform:Portal', properties: { name: 'shop' } };
  const mail = {
    type: 'platform:PortalEmailTemplate',
    properties: { portalId: '${portal.id}', templateName: 'reset-password', ...template },
  };
  const resources = template === undefined ? { portal } : { portal, mail };
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
}

async function templates(): Promise<string> {
  const { body } = await world.call('GET', '/v3/portals?filter[name][eq]=shop');
  const [portal] = (body as unknown as { data: { id: string }[] }).data;
  return `/v3/portals/${portal?.id ?? ''}/email-templates`;
}

async function live(): Promise<JsonObject> {
  const { body } = await world.call('GET', `${await templates()}/reset-password`);
  return body as JsonObject;
}

/** Whether the platform shows those that nobody has touched, or has no such thing until somebody does: no description tells. */
const ways: Readonly<Record<string, boolean>> = { 'shows them': true, 'has none of them': false };

function hideUntouched(): void {
  const isTouched = (item: JsonObject): boolean => item['enabled'] !== true || (item['content'] ?? null) !== null;
  platform.tell((path, _query, right) => {
    if (!path.includes('/email-templates') || right.status !== 200) return undefined;
    const body = JSON.parse(right.text) as JsonObject;
    const { data } = body as unknown as { data?: readonly JsonObject[] };
    if (data !== undefined) return { ...right, text: JSON.stringify({ ...body, data: data.filter(isTouched) }) };
    if (isTouched(body)) return undefined;
    return {
      status: 404,
      type: 'application/problem+json',
      text: JSON.stringify({ status: 404, title: 'Not Found', detail: 'Not found' }),
    };
  });
}

describe.each(Object.entries(ways))(
  'one of a fixed set, on a platform that %s before anybody changes one',
  (_, shows) => {
    beforeAll(() => {
      if (!shows) hideUntouched();
    });
    afterAll(async () => {
      platform.tell();
      await write();
      await world.apply();
    });

    it('is nobody’s until somebody changes it, and then is unmanaged', async () => {
      await write();
      await world.apply();
      const plan = await world.plan();
      expect([actionsOf(plan), plan.notCompared]).toEqual([[], []]);
      expect(plan.unmanaged.filter(({ type }) => type.includes('EmailTemplate'))).toEqual([]);
      await world.call('PATCH', `${await templates()}/reset-password`, { enabled: false });
      const { objects } = await world.open((project) => project.export({ types: ['platform:PortalEmailTemplate'] }));
      expect(objects).toBe(1);
      await world.call('DELETE', `${await templates()}/reset-password`);
    });

    it('is changed in place of being made, is at rest, and is put back in place of being deleted', async () => {
      await write({ content: { subject: 'Hello' }, enabled: false });
      expect(actionsOf(await world.plan())).toEqual(['create mail']);
      await world.apply();
      expect(await live()).toMatchObject({ content: { subject: 'Hello' }, enabled: false });
      expect(actionsOf(await world.plan())).toEqual([]);

      await write({ content: { subject: 'Hello' } });
      expect(actionsOf(await world.plan())).toEqual(['update mail']);
      await world.apply();
      expect(await live()).toMatchObject({ content: { subject: 'Hello' }, enabled: true });
      expect(actionsOf(await world.plan())).toEqual([]);

      await write();
      expect(actionsOf(await world.plan())).toEqual(['delete mail']);
      await world.apply();
      expect((await live())['content'] ?? null).toBeNull();
      expect(actionsOf(await world.plan())).toEqual([]);
    });

    it('that somebody put back is missed, and is changed again', async () => {
      await write({ content: { subject: 'Hello' } });
      await world.apply();
      await world.call('DELETE', `${await templates()}/reset-password`);
      const plan = await world.plan();
      expect(plan.steps.map(({ action, address, cause }) => `${action} ${address} ${cause}`)).toEqual([
        shows ? 'update mail drift' : 'create mail drift',
      ]);
      await world.apply();
      expect(await live()).toMatchObject({ content: { subject: 'Hello' } });
    });
  },
);

describe('one of a fixed set, of which the platform does not keep what was written', () => {
  let front: ForgetfulPlatform;
  let outer: World;
  beforeAll(async () => {
    outer = world;
    world = await makeWorld();
    front = await forgetfulPlatform(world.sandbox.url);
    world.env['PLATFORM_SERVER_URL'] = front.url;
  });
  afterAll(async () => {
    await front.close();
    await world.close();
    world = outer;
  });

  it('is changed once and told, and is neither made nor changed again until the file says something else', async () => {
    front.pass(({ path, body }) =>
      path.includes('/email-templates/')
        ? { body: { enabled: true }, answer: (right) => ({ ...right, ...body }) }
        : undefined,
    );
    await write({ content: { subject: 'Hello' } });
    expect(actionsOf(await world.plan())).toEqual(['create portal', 'create mail']);
    await world.apply();
    for (const run of [1, 2]) {
      const plan = await world.plan();
      expect([run, actionsOf(plan), plan.notices.map(({ code }) => code)]).toEqual([
        run,
        [],
        run === 1 ? ['not-kept'] : [],
      ]);
      await world.apply();
    }
    const { unmanaged } = await world.plan();
    expect(unmanaged.filter(({ type }) => type.includes('EmailTemplate'))).toEqual([]);
    await write({ content: { subject: 'Other' } });
    expect(actionsOf(await world.plan())).toEqual(['update mail']);
    front.pass();
    await world.apply();
    expect(await live()).toMatchObject({ content: { subject: 'Other' } });
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});

describe('a block about one of a fixed set', () => {
  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['what is so anyway', { enabled: true }],
    ['null', { content: null }],
    ['a record of nothing', { content: {} }],
  ])('that says %s is refused, for no change would come of it', async (_, properties) => {
    await write(properties);
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ code, severity }) => [severity, code])).toEqual([['error', 'nothing-changed']]);
  });
});
