import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { types } from './all-types.js';
import { restOf } from './edit.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const plane = '${plane.id}';
const lua = 'return { name = "shop-sign", fields = {} }';
const inPlane = (type: string, properties: JsonObject): JsonObject => ({
  type: `platform:${type}`,
  properties: { controlPlaneId: plane, ...properties },
});

/** Plugins of kinds that have types, and of others, in one list; one of the others for a service, and one for a route. */
const resources: Readonly<Record<string, Json>> = {
  plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } },
  orders: inPlane('GatewayService', { name: 'orders', host: 'orders.example.com' }),
  open: inPlane('GatewayRoute', { name: 'open', paths: ['/open'], serviceId: '${orders.id}' }),
  schema: inPlane('GatewayCustomPluginSchema', { name: 'shop-sign', luaSchema: lua }),
  sign: inPlane('GatewayCustomPlugin', {
    ...{ name: 'shop-sign', instanceName: 'sign', serviceId: '${orders.id}' },
    config: { keys: [{ kid: 'a', use: null }], 'Header-Name': 'x-sign', deep: { maxAge: 3 } },
  }),
  stamp: inPlane('GatewayCustomPlugin', { name: 'stamp', routeId: '${open.id}', config: {} }),
  limit: inPlane('GatewayPluginRateLimiting', { instanceName: 'limit', config: { minute: 60, policy: 'local' } }),
  cors: inPlane('GatewayPluginCors', { instanceName: 'cors', config: { origins: ['https://example.com'] } }),
};

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
});
afterAll(() => world.close());

function write(changed: Readonly<Record<string, Json>> = {}): Promise<void> {
  return world.write({
    'sync.yaml': settings,
    'catalogue/gateway.yaml': { resources: { ...resources, ...changed } },
  });
}

const sign = (properties: JsonObject): Json =>
  inPlane('GatewayCustomPlugin', {
    ...{ name: 'shop-sign', instanceName: 'sign', serviceId: '${orders.id}' },
    ...properties,
  });

async function pluginsOf(): Promise<{
  readonly path: string;
  readonly data: readonly (JsonObject & { id: string })[];
}> {
  const { body: planes } = await world.call('GET', '/v2/control-planes?filter[name][eq]=shop');
  const [own] = (planes as { data: { id: string }[] }).data;
  const path = `/v2/control-planes/${own?.id ?? ''}/core-entities/plugins`;
  const { body } = await world.call('GET', `${path}?size=100`);
  return { path, data: (body as { data: (JsonObject & { id: string })[] }).data };
}

// One plane through its whole life: each step begins where the one before has ended.
describe('a plugin that the description does not know', () => {
  it('is made as it is written, after the schema that the gateway takes it by, and nothing is left to do', async () => {
    await write();
    const made = actionsOf(await world.plan());
    expect(made.indexOf('create schema')).toBeLessThan(made.indexOf('create sign'));
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    const { data } = await pluginsOf();
    expect(data.find(({ name }) => name === 'shop-sign')?.['config']).toEqual({
      ...{ keys: [{ kid: 'a', use: null }], 'Header-Name': 'x-sign', deep: { maxAge: 3 } },
    });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['another value deep in its configuration', { config: { deep: { maxAge: 4 } } }, ['update sign']],
    ['another name', { name: 'shop-seal' }, ['update sign']],
    ['no configuration any more', {}, ['update sign']],
  ])('%s is an update', async (_, properties, actions) => {
    await write({ sign: sign(properties) });
    expect(actionsOf(await world.plan())).toEqual(actions);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    await write();
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('leaves what the gateway fills in, and puts right what others change of its own', async () => {
    const { path, data } = await pluginsOf();
    const own = data.find(({ name }) => name === 'shop-sign');
    if (own === undefined) throw new Error('it is not there');
    const { id, created_at: _created, updated_at: _updated, ...body } = own;
    const config = { ...(own['config'] as JsonObject), filled: { in: true } };
    expect((await world.call('PUT', `${path}/${id}`, { ...body, config })).status).toBe(200);
    expect(actionsOf(await world.plan())).toEqual([]);
    const changed = { ...config, 'Header-Name': 'x-clicked' };
    expect((await world.call('PUT', `${path}/${id}`, { ...body, config: changed })).status).toBe(200);
    const plan = await world.plan();
    expect(plan.steps.map(({ action, address, cause }) => [action, address, cause])).toEqual([
      ['update', 'sign', 'drift'],
    ]);
    await world.apply();
    const { data: after } = await pluginsOf();
    expect(after.find(({ name }) => name === 'shop-sign')?.['config']).toEqual(config);
  });

  it('is unmanaged as what it is, and what has a type of its own is never taken for one', async () => {
    const { path } = await pluginsOf();
    const service = await world.call('POST', path.replace(/plugins$/, 'services'), {
      name: 'clicked',
      host: 'a.example',
    });
    const { id } = service.body as { readonly id: string };
    const strangers = await Promise.all([
      world.call('POST', path, { name: 'clicked', instance_name: 'clicked', config: { any: [1] } }),
      // Another one of its name may stand at another service.
      world.call('POST', path, { name: 'key-auth', instance_name: 'clicked-too', service: { id } }),
    ]);
    expect(strangers.map(({ status }) => status)).toEqual([201, 201]);
    await write({ kinds: inPlane('GatewayPluginKeyAuth', { instanceName: 'kinds' }) });
    await world.apply();
    const { unmanaged } = await world.plan();
    expect(unmanaged.filter(({ type }) => type.includes('lugin')).map(({ type, count }) => [type, count])).toEqual([
      ['platform:index/gatewayCustomPlugin:GatewayCustomPlugin', 1],
      ['platform:index/gatewayPluginKeyAuth:GatewayPluginKeyAuth', 1],
    ]);
  });

  it('is exported once, under its own type, adopted without a write, and lists are shared as before', async () => {
    world.loseState();
    const exported = ['ControlPlane', 'Service', 'Route', 'CustomPluginSchema', 'CustomPlugin'].map(
      (name) => `Gateway${name}`,
    );
    const kinds = ['Cors', 'KeyAuth'].map((kind) => `GatewayPlugin${kind}`);
    const { files, objects } = await world.open((project) => project.export({ types: [...exported, ...kinds] }));
    const text = [...files.values()].join('\n');
    for (const name of ['shop-sign', 'stamp', 'clicked'])
      expect(text.match(new RegExp(`name: ${name}$`, 'gm')) ?? []).not.toEqual([]);
    expect(text.match(/type: platform:GatewayCustomPlugin$/gm)).toHaveLength(3);
    // Called by its name where it has no instance name, and led by reference to what stands beside it.
    expect(text).toContain('      stamp:\n        type: platform:GatewayCustomPlugin\n');
    expect(text.match(/serviceId: \$\{shop\/orders\.id\}$/gm)).toHaveLength(2);
    expect(text).toContain('routeId: ${shop/open.id}');
    expect(text).not.toMatch(/(?:service|route)Id: [0-9a-f]{8}-/);
    await rm(join(world.folder, 'catalogue'), { recursive: true });
    await world.write({
      'sync.yaml': settings,
      ...Object.fromEntries([...files].map(([name, content]) => [`catalogue/${name}`, content])),
    });
    const adopted = await world.open(async (project) => project.apply(await project.plan({ mode: 'adopt' })));
    expect(adopted.steps.filter(({ action, outcome }) => action !== 'adopt' || outcome !== 'done')).toEqual([]);
    expect(adopted.steps).toHaveLength(objects);
    await world.resetRequests();
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
    const { byRoute } = await world.requests();
    expect(byRoute['GET /v2/control-planes/{controlPlaneId}/core-entities/plugins']).toBe(1);
    expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET'))).toEqual([]);
  });

  it('ends without a trace', async () => {
    await world.apply({ mode: 'destroy', allow: [{ guard: 'goes-along', reason: 'all in them may go' }] });
    const { body } = await world.call('GET', '/_sandbox/objects');
    const { described } = body as unknown as { described: { id: string }[] };
    expect(described.filter(({ id }) => id.includes('/plugins/'))).toEqual([]);
  });
});

describe('a plugin with a type of its own, declared as a custom one', () => {
  const kinds = types.filter(({ name }) => /^GatewayPlugin/.test(name));

  it('is refused, whichever it is, and told the type', async () => {
    expect(kinds.length).toBeGreaterThan(100);
    const wrong = kinds.map((type): [string, Json] => {
      const { tells } = restOf(type).definition;
      return [type.name, inPlane('GatewayCustomPlugin', { name: tells?.is ?? '', instanceName: type.name })];
    });
    const { plane: own } = resources;
    await world.write({
      'sync.yaml': settings,
      'catalogue/gateway.yaml': { resources: { plane: own ?? null, ...Object.fromEntries(wrong) } },
    });
    const { diagnostics } = await world.open((project) => project.validate());
    const said = diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
    expect(said.sort()).toEqual(
      kinds
        .map((type) => {
          const { tells } = restOf(type).definition;
          return `"name" of ${type.name} can't be "${tells?.is ?? ''}": ${type.shortToken} is the type for it.`;
        })
        .sort(),
    );
  });

  it('is refused where the name is said by a variable, too, and at the place of the value', async () => {
    await world.write({
      'sync.yaml': settings,
      'catalogue/gateway.yaml':
        'variables: {kind: key-auth}\nresources:\n  plane: {type: platform:GatewayControlPlane, properties: {name: shop}}\n  key:\n    type: platform:GatewayCustomPlugin\n    properties:\n      controlPlaneId: ${plane.id}\n      name: ${kind}\n',
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics).toMatchObject([
      {
        code: 'broken-rule',
        summary: '"name" of key can\'t be "key-auth": platform:GatewayPluginKeyAuth is the type for it.',
        place: { file: 'catalogue/gateway.yaml' },
        field: 'name',
      },
    ]);
  });
});
