import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../src/engine/api.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf } from '../harness/world.js';
import type { World } from '../harness/world.js';

/**
 * What is easily got wrong about the types behind a published API: one edit each, and what a plan makes of it. Every row is
 * applied, too, and leaves nothing to do.
 */
interface Trap {
  readonly before: JsonObject;
  /** Default: the files stay as they are. */
  readonly after?: JsonObject;
  /** What others do on the platform between the two. */
  readonly meanwhile?: () => Promise<unknown>;
  readonly actions: readonly string[];
  readonly options?: PlanOptions;
  /** The platform refuses it: what is told. */
  readonly refused?: string;
}

let world: World;
freshWorlds((made) => (world = made));

const seeded = (kind: string, number: number): string => `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kind}0${number}`;
const portal = (number: number): string => seeded('0c', number);
const strategy = (number: number): string => seeded('13', number);

const yaml = (version: string, path = '/pets'): string =>
  `openapi: 3.0.3\ninfo:\n  title: Pets\n  version: "${version}"\npaths:\n  ${path}:\n    get: {responses: {"200": {description: ok}}}\n`;
const json = (version: string): string =>
  JSON.stringify({
    paths: { '/pets': { get: { responses: { 200: { description: 'ok' } } } } },
    info: { version, title: 'Pets' },
    openapi: '3.0.3',
  });
const version = (specContent: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiVersion',
  properties: { specContent, ...more },
});
const publication = (properties: JsonObject): JsonObject => ({ type: 'platform:ApiPublication', properties });
const enforced: JsonObject = {
  type: 'platform:ApiImplementation',
  properties: { controlPlaneReference: { controlPlane: { id: seeded('0a', 1) } } },
};
const pets = (children: JsonObject, properties: JsonObject = {}): JsonObject => ({
  pets: { type: 'platform:Api', properties: { name: 'Pets', ...properties }, children },
});
const shown = (properties: JsonObject): JsonObject => pets({ shown: publication(properties) });

async function rows(collection: string): Promise<readonly JsonObject[]> {
  return (
    ((await world.call('GET', '/_sandbox/objects')).body as Record<string, readonly JsonObject[]>)[collection] ?? []
  );
}

/** Changes the first object of a collection as somebody else would. */
async function edit(collection: string, patch: JsonObject): Promise<void> {
  const [row] = await rows(collection);
  await world.call('POST', `/_sandbox/objects/${collection}/${encodeURIComponent(String(row?.['id']))}`, patch);
}

const traps: Readonly<Record<string, Trap>> = {
  '1.1 a second version is another object, not a change of the first': {
    before: pets({ v1: version(yaml('1.0.0')) }),
    after: pets({ v1: version(yaml('1.0.0')), v2: version(yaml('2.0.0')) }),
    actions: ['create pets/v2'],
  },
  '1.1 a breaking change of a specification is made in place': {
    before: pets({ v1: version(yaml('1.0.0')) }),
    after: pets({ v1: version(yaml('1.0.0', '/dogs')) }),
    actions: ['update pets/v1'],
  },
  '1.1 to say the name that a version has is no change': {
    before: pets({ v1: version(yaml('1.0.0')) }),
    after: pets({ v1: version(yaml('1.0.0'), { version: '1.0.0' }) }),
    actions: [],
  },
  '1.1 JSON and YAML of one specification are the same': {
    before: pets({ v1: version(yaml('1.0.0')) }),
    after: pets({ v1: version(json('1.0.0')) }),
    actions: [],
  },
  '1.1 what is no specification is taken, with a message': {
    before: pets({ v1: version(yaml('1.0.0'), { version: '1' }) }),
    after: pets({ v1: version('nothing of the kind', { version: '1' }) }),
    actions: ['update pets/v1'],
  },
  '1.1 a version moves to another API only as another object': {
    before: { ...pets({}), cats: { type: 'platform:Api' }, v1: version(yaml('1'), { apiId: '${pets.id}' }) },
    after: { ...pets({}), cats: { type: 'platform:Api' }, v1: version(yaml('1'), { apiId: '${cats.id}' }) },
    actions: ['replace v1'],
  },
  '1.1 operations under enforced access are not taken away': {
    before: pets({ v1: version(yaml('1.0.0')), gateway: enforced }),
    after: pets({ v1: version(yaml('1.0.0', '/dogs')), gateway: enforced }),
    actions: ['update pets/v1'],
    refused: '--allow force:pets/v1 --reason',
  },
  '1.1 unless that is said to be meant': {
    before: pets({ v1: version(yaml('1.0.0')), gateway: enforced }),
    after: pets({ v1: version(yaml('1.0.0', '/dogs')), gateway: enforced }),
    options: { allow: [{ guard: 'force:pets/v1', reason: 'nobody calls it' }] },
    actions: ['update pets/v1'],
  },
  '1.1 lists show no content: an edit there is found by the revision': {
    before: pets({ v1: version(yaml('1.0.0')) }),
    meanwhile: () => edit('versions', { content: yaml('1.0.0', '/cats') }),
    actions: ['update pets/v1'],
  },
  "1.2 a strategy that is left out is the portal's, and no difference": {
    before: shown({ portalId: portal(2) }),
    after: shown({ portalId: portal(2) }),
    actions: [],
  },
  '1.2 null is no strategy, which is not the same as none said': {
    before: shown({ portalId: portal(2) }),
    after: shown({ portalId: portal(2), authStrategyIds: null }),
    actions: ['update pets/shown'],
  },
  "1.2 a strategy of one's own": {
    before: shown({ portalId: portal(2), authStrategyIds: null }),
    after: shown({ portalId: portal(2), authStrategyIds: [strategy(2)] }),
    actions: ['update pets/shown'],
  },
  '1.2 the whole is put: what a change does not name stays': {
    before: shown({ portalId: portal(2), visibility: 'public', authStrategyIds: [strategy(2)] }),
    after: shown({
      ...{ portalId: portal(2), visibility: 'public', authStrategyIds: [strategy(2)] },
      autoApproveRegistrations: true,
    }),
    actions: ['update pets/shown'],
  },
  '1.2 the visibility that is left out is private': {
    before: shown({ portalId: portal(1), visibility: 'public' }),
    after: shown({ portalId: portal(1) }),
    actions: ['update pets/shown'],
  },
  '1.2 another portal is another publication': {
    before: shown({ portalId: portal(1) }),
    after: shown({ portalId: portal(2) }),
    actions: ['replace pets/shown'],
  },
  '1.2 a publication ends before what it shows': {
    before: pets({ v1: version(yaml('1.0.0')), gateway: enforced, shown: publication({ portalId: portal(1) }) }),
    after: pets({}),
    actions: ['delete pets/shown', 'delete pets/gateway', 'delete pets/v1'],
  },
  '1.2 a publication comes after what it shows': {
    before: pets({}),
    after: pets({ a: publication({ portalId: portal(1) }), gateway: enforced, v1: version(yaml('1.0.0')) }),
    actions: ['create pets/gateway', 'create pets/v1', 'create pets/a'],
  },
};

describe('traps', () => {
  it.each(Object.entries(traps))('%s', async (_name, { before, after, meanwhile, actions, options, refused }) => {
    const settings = 'project: test\nguards: {maxDeletePercent: 100}\n';
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: before } });
    await world.apply();
    await meanwhile?.();
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: after ?? before } });
    expect(actionsOf(await world.plan(options))).toEqual(actions);
    if (refused !== undefined) {
      const result = await world.open(async (project) => project.apply(await project.plan(options)));
      expect(JSON.stringify(result)).toContain(refused);
      expect(actionsOf(await world.plan())).toEqual(actions);
      return;
    }
    await world.apply(options);
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  });
});
