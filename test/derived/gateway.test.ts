import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { gatewayCatalogue, gatewayTypes } from './gateway.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 7 });
});
afterAll(() => world.close());

const write = (change?: (resources: Record<string, Json>) => void): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/gateway.yaml': gatewayCatalogue(change) });

const inPlane = (what: string): string => `GET /v2/control-planes/{controlPlaneId}/core-entities/${what}`;
/** One list per collection. */
const lists: Readonly<Record<string, number>> = {
  'GET /v2/control-planes': 1,
  [inPlane('consumers')]: 1,
  // Plugins of four kinds lie in one list.
  [inPlane('plugins')]: 1,
  // Two pages.
  [inPlane('routes')]: 2,
  [inPlane('services')]: 1,
  [inPlane('upstreams')]: 1,
  [inPlane('upstreams/{UpstreamIdForTarget}/targets')]: 5,
};

/** Merges a patch into what the platform has at a place of the plane, behind our back. */
async function edit(what: string, name: string, patch: JsonObject): Promise<void> {
  const { body: planes } = await world.call('GET', '/v2/control-planes?filter[name][eq]=shop');
  const [plane] = (planes as { data: { id: string }[] }).data;
  const { body } = await world.call('GET', '/_sandbox/objects');
  const { described, 'gateway-services': services } = body as unknown as {
    readonly described: readonly { id: string; object: JsonObject }[];
    readonly 'gateway-services': readonly (JsonObject & { id: string })[];
  };
  const row = described.find(
    ({ id, object }) =>
      id.startsWith(`/v2/control-planes/${plane?.id ?? ''}/core-entities/${what}/`) &&
      [object['name'], object['instance_name'], object['username'], object['target']].includes(name),
  );
  const service = services.find((each) => each['control_plane_id'] === plane?.id && each['name'] === name);
  const [collection, id] = what === 'services' ? ['gateway-services', service?.id] : ['described', row?.id];
  const change = patch['$delete'] === true || what === 'services' ? patch : { object: patch };
  const { status } = await world.call(
    'POST',
    `/_sandbox/objects/${collection}/${encodeURIComponent(id ?? '')}`,
    change,
  );
  expect(status).toBeLessThan(300);
}

// One gateway through its whole life: each step begins where the one before has ended.
describe('a gateway of 266 resources', () => {
  it('is made, and nothing is left to do', async () => {
    await write();
    const plan = await world.plan();
    expect(plan.steps).toHaveLength(266);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('costs one list per collection when nothing changed', async () => {
    await world.resetRequests();
    expect(actionsOf(await world.plan())).toEqual([]);
    expect((await world.requests()).byRoute).toEqual(lists);
  });

  it('changes what the catalogue changes, and nothing beside it', async () => {
    const changed = (resources: Record<string, Json>): void => {
      const properties = (address: string): Record<string, Json> =>
        (resources[address] as { properties: Record<string, Json> }).properties;
      properties('service-7')['host'] = 'other.example.com';
      // The order of tags means nothing.
      properties('service-8')['tags'] = ['a', 'b'];
      properties('route-9')['paths'] = ['/r9', '/nine'];
      properties('route-10')['serviceId'] = '${service-1.id}';
      properties('plugin-4')['config'] = { minute: 30, policy: 'local' };
      properties('target-1')['weight'] = 50;
    };
    await write(changed);
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual([
      'replace target-1',
      'update plugin-4',
      'update route-10',
      'update route-9',
      'update service-7',
    ]);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    await write();
    await world.apply();
  });

  it('drifts: what somebody changed or deleted is found, named, and put right, and nothing else is written', async () => {
    await edit('services', 'service-3', { host: 'clicked.example.com' });
    await edit('routes', 'route-40', { methods: ['DELETE'] });
    await edit('plugins', 'plugin-5', { enabled: false, config: { origins: ['*'] } });
    await edit('upstreams', 'upstream-2', { healthchecks: { active: { http_path: '/clicked' } } });
    await edit('consumers', 'consumer-30', { $delete: true });
    // What the catalogue is silent about is left alone.
    await edit('services', 'service-4', { retries: 9 });
    await world.resetRequests();
    const plan = await world.plan();
    expect(plan.steps.map(({ action, address, cause }) => `${action} ${address} ${cause}`).sort()).toEqual([
      'create consumer-30 drift',
      'update plugin-5 drift',
      'update route-40 drift',
      'update service-3 drift',
      'update upstream-2 drift',
    ]);
    // What has moved is looked at once more, and what is missing is asked for.
    const { byRoute } = await world.requests();
    expect(Object.fromEntries(Object.entries(byRoute).filter(([route]) => lists[route] === undefined))).toEqual({
      [inPlane('consumers/{ConsumerId}')]: 1,
      [inPlane('plugins/{PluginId}')]: 1,
      [inPlane('routes/{RouteId}')]: 1,
      [inPlane('services/{ServiceId}')]: 2,
      [inPlane('upstreams/{UpstreamId}')]: 1,
    });
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('is exported, adopted without a write, and then costs one list per collection again', async () => {
    world.loseState();
    const { files, objects, diagnostics } = await world.open((project) => project.export({ types: gatewayTypes }));
    // Rate limits may hold a password, so none of them is written down.
    const secret = /^config of GatewayPluginRateLimiting .* was left out: it is a secret/;
    expect(diagnostics.filter(({ summary }) => !secret.test(summary))).toEqual([]);
    await rm(join(world.folder, 'catalogue'), { recursive: true });
    await world.write({
      'sync.yaml': settings,
      ...Object.fromEntries([...files].map(([name, text]) => [`catalogue/${name}`, text])),
    });
    // Those of the plane that the sandbox begins with are exported, too.
    expect(objects).toBeGreaterThanOrEqual(266);
    await world.resetRequests();
    const adopted = await world.open(async (project) => project.apply(await project.plan({ mode: 'adopt' })));
    expect(adopted.steps.filter(({ action, outcome }) => action !== 'adopt' || outcome !== 'done')).toEqual([]);
    expect(adopted.steps).toHaveLength(objects);
    expect(Object.keys((await world.requests()).byRoute).filter((route) => !route.startsWith('GET'))).toEqual([]);
    const plan = await world.plan({ refresh: 'full' });
    expect(plan.notCompared).toEqual([]);
    expect(actionsOf(plan)).toEqual([]);
  });

  it('is taken over with one list per collection, and a second answer about each object', async () => {
    await rm(join(world.folder, 'catalogue'), { recursive: true });
    await write();
    world.loseState();
    await world.resetRequests();
    const adopted = await world.open(async (project) => project.apply(await project.plan({ mode: 'adopt' })));
    expect(adopted.steps).toHaveLength(266);
    const { byRoute, total } = await world.requests();
    expect(byRoute).toEqual({
      ...lists,
      'GET /v2/control-planes/{controlPlaneId}': 1,
      [inPlane('consumers/{ConsumerId}')]: 30,
      [inPlane('plugins/{PluginId}')]: 60,
      [inPlane('routes/{RouteId}')]: 120,
      [inPlane('services/{ServiceId}')]: 40,
      // Five upstreams, which targets live in, by one more list.
      [inPlane('upstreams')]: 2,
      [inPlane('upstreams/{UpstreamIdForTarget}/targets/{TargetId}')]: 10,
    });
    expect(total).toBe(274);
  });

  it('is taken down with a last look at lists, not at each object, and nothing of it is left', async () => {
    await world.resetRequests();
    await world.apply({ mode: 'destroy' });
    const { total, byRoute } = await world.requests();
    // A call for each, and lists of plan and last look: of each kind of plugin, and of the six kinds that each consumer may hold; some
    // again where looks grow old on a busy machine.
    expect(total).toBeGreaterThanOrEqual(266);
    expect(total).toBeLessThan(4 * 266);
    expect(Object.keys(byRoute).filter((route) => /^GET .*core-entities.*\}$/.test(route))).toEqual([]);
    const { body } = await world.call('GET', '/_sandbox/objects');
    const { described, 'gateway-services': services } = body as unknown as Record<string, readonly JsonObject[]>;
    expect(described?.filter(({ id }) => String(id).includes('/core-entities/'))).toEqual([]);
    expect(services?.filter(({ name }) => !String(name).startsWith('service-'))).toEqual([]);
  });
});
