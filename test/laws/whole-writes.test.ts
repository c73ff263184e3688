import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { LaterPlatform, withLater } from '../harness/later-platform.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** A type whose update is a PUT: where it is, what the file says of it, and what others set. */
interface Case {
  readonly type: string;
  readonly folder: string;
  readonly field: string;
  readonly ours: (value: number) => JsonObject;
  readonly theirs: (value: number) => JsonObject;
  /** Ours, changed by others. */
  readonly taken: JsonObject;
}

const cases: readonly Case[] = [
  {
    ...{ type: 'GatewayService', folder: 'services', field: 'host' },
    ours: (value) => ({ name: 'orders', host: `h${value}.example.com` }),
    theirs: (value) => ({ retries: value, tags: [`t${value}`], path: `/p${value}` }),
    taken: { host: 'taken.example.com' },
  },
  {
    ...{ type: 'GatewayConsumer', folder: 'consumers', field: 'tags' },
    ours: (value) => ({ username: 'ada', tags: [`t${value}`] }),
    theirs: (value) => ({ custom_id: `c${value}` }),
    taken: { tags: ['taken'] },
  },
  {
    ...{ type: 'GatewayPluginCors', folder: 'plugins', field: 'config' },
    ours: (value) => ({ instanceName: 'cors', config: { origins: [`https://o${value}.example.com`] } }),
    theirs: (value) => ({ config: { max_age: value }, tags: [`t${value}`] }),
    taken: { config: { origins: ['https://taken.example.com'] } },
  },
  {
    ...{ type: 'GatewayUpstream', folder: 'upstreams', field: 'slots' },
    ours: (value) => ({ name: 'backend', slots: 100 + value }),
    theirs: (value) => ({ healthchecks: { active: { timeout: value } }, tags: [`t${value}`] }),
    taken: { slots: 999 },
  },
];

const plain = ({ updated_at: _updated, ...object }: JsonObject): JsonObject => object;

describe('a write that takes the place of the whole object', () => {
  let world: World;
  let platform: LaterPlatform;
  beforeAll(async () => {
    world = await makeWorld({ shuffle: 3 });
    platform = new LaterPlatform(() => world.sandbox.url);
    world.env['PLATFORM_SERVER_URL'] = await platform.open();
  });
  beforeEach(() => {
    platform.puts.length = 0;
  });
  afterAll(async () => {
    await platform.close();
    await world.close();
  });

  async function declare({ type, ours }: Case, value: number): Promise<void> {
    const plane = { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } };
    const it = { type: `platform:${type}`, properties: { controlPlaneId: '${plane.id}', ...ours(value) } };
    await world.write({ 'catalogue/all.yaml': { resources: { plane, it } } });
  }

  async function begin(each: Case): Promise<string> {
    world.loseState();
    platform.later.clear();
    await world.call('POST', '/_sandbox/reset');
    await declare(each, 1);
    await world.apply();
    const { body } = await world.call('GET', '/_sandbox/objects');
    const { described = [], 'gateway-services': services = [] } = body as Record<string, JsonObject[]>;
    const service = services.find(({ name }) => name === each.ours(1)['name']);
    const row = described.find((one) => String(one['id']).includes(`/${each.folder}/`));
    platform.puts.length = 0;
    if (each.type !== 'GatewayService') return String(row?.['id'] ?? '');
    return `/v2/control-planes/${String(service?.['control_plane_id'])}/core-entities/services/${String(service?.['id'])}`;
  }

  async function edit(path: string, change: JsonObject): Promise<void> {
    const { body } = await world.call('GET', path);
    const { id: _id, created_at: _created, updated_at: _updated, ...now } = body as JsonObject;
    const config =
      isObject(now['config']) && isObject(change['config']) ? { ...now['config'], ...change['config'] } : {};
    const next = { ...now, ...change, ...('config' in change ? { config } : {}) };
    const { status } = await world.call('PUT', path, next);
    expect(status).toBe(200);
  }

  /** Plans, lets others work, applies. */
  async function applyAfter(others: () => Promise<void>, refresh: 'none' | 'full'): Promise<string> {
    return world.open(async (project) => {
      const planned = await project.plan(refresh === 'none' ? { refresh } : {});
      expect(planned.plan && actionsOf(planned.plan)).toEqual(['update it']);
      await others();
      return (await project.apply(planned)).status;
    });
  }

  it.each(cases)(
    'changes nothing of a $type that the plan did not show',
    async (each) => {
      const edits = fc.record({
        before: fc.option(fc.integer({ min: 2, max: 9 })),
        after: fc.option(fc.integer({ min: 2, max: 9 })),
        unknown: fc.option(fc.integer()),
        refresh: fc.constantFrom('none' as const, 'full' as const),
      });
      await fc.assert(
        fc.asyncProperty(edits, async ({ before, after, unknown, refresh }) => {
          const path = await begin(each);
          if (before !== null) await edit(path, each.theirs(before));
          await declare(each, 2);
          const status = await applyAfter(async () => {
            if (after !== null) await edit(path, each.theirs(after));
            if (unknown !== null) platform.later.set(path, { later: unknown, inside: { deep: unknown } });
          }, refresh);
          expect(status).toBe('done');
          expect(platform.puts.map((put) => put.path)).toEqual([path]);
          const { body } = await world.call('GET', path);
          const now = withLater(body as JsonObject, platform.later.get(path) ?? {});
          const then = platform.puts[0]?.before;
          if (!isObject(then)) throw new Error('the object was not read before it was written');
          expect(now[each.field]).not.toEqual(then[each.field]);
          const unmoved = each.field === 'config' ? { ...(then['config'] as JsonObject) } : {};
          const shown =
            each.field === 'config'
              ? { ...unmoved, origins: (now['config'] as JsonObject)['origins'] ?? null }
              : (now[each.field] ?? null);
          expect(plain(now)).toEqual({ ...plain(then), [each.field]: shown });
          expect((await world.plan()).steps).toEqual([]);
        }),
        { numRuns: lawRuns(15), examples: [[{ before: null, after: 2, unknown: null, refresh: 'none' }]] },
      );
    },
    lawTimeoutMs,
  );

  it.each(cases)('writes nothing of a $type where others changed what is ours, and says so by name', async (each) => {
    const path = await begin(each);
    await declare(each, 2);
    world.events.length = 0;
    const status = await applyAfter(() => edit(path, each.taken), 'full');
    expect(status).not.toBe('done');
    expect(platform.puts).toEqual([]);
    expect(JSON.stringify(world.events)).toContain('changed-since-plan');
    expect(JSON.stringify(world.events)).toContain(`(${each.field})`);
  });

  it('says what it kept', async () => {
    const [service] = cases;
    if (service === undefined) throw new Error('no case');
    const path = await begin(service);
    await declare(service, 2);
    world.events.length = 0;
    await applyAfter(() => edit(path, { retries: 9 }), 'full');
    expect(JSON.stringify(world.events)).toContain('kept-change');
    expect(JSON.stringify(world.events)).toContain('(retries)');
  });
});
