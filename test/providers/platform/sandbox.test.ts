import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programTrust } from '@platform-sync/core/model/trust';
import { sameValue } from '@platform-sync/core/value/equality';
import type { Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { typeNamed } from './rig.js';

/** The provider against the stand-in, over real HTTP: what both sides believe of the wire must agree. */
let sandbox: RunningSandbox;
let provider: Provider;

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, shuffle: 7 });
  provider = await platformPackage.start({
    settings: { serverUrl: sandbox.url },
    env: { PLATFORM_TOKEN: 'sandbox-token' },
    trust: programTrust,
    concurrency: 8,
    userAgent: 'platform-sync/0.0.0 (test)',
  });
});

afterAll(async () => {
  await provider.close();
  await sandbox.close();
});

async function lookup(name: string, args: JsonObject = {}): Promise<JsonObject> {
  return provider.lookup(`platform:index/${name}:${name}`, args);
}

function differing(type: ResourceType, values: JsonObject, wanted: JsonObject): readonly string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => {
      const rule = type.fields[name];
      return rule !== undefined && !rule.writeOnly && !sameValue(rule, values[name], value);
    })
    .map(([name]) => name);
}

interface Story {
  readonly inputs: JsonObject;
  readonly set?: JsonObject;
  readonly clear?: readonly string[];
  /** What a second read shows after the update. */
  readonly after?: JsonObject;
}

/** One object's life: made, read, listed, found, changed, deleted twice. */
async function live(type: ResourceType, scope: Record<string, string>, story: Story): Promise<void> {
  const made = await provider.create(type, scope, { ...story.inputs, ...scope });
  expect(differing(type, made.values, story.inputs)).toEqual([]);
  const read = await provider.read(type, made.identity);
  expect(read?.identity).toEqual(made.identity);
  expect(differing(type, read?.values ?? {}, made.values)).toEqual([]);
  expect(await listed(type, scope, made.identity.id)).toMatchObject({ identity: made.identity });
  const found = await provider.find(type, scope, { ...story.inputs, ...scope });
  expect(found.map(({ identity }) => identity)).toEqual([made.identity]);
  if (type.updatable) {
    const { set = {}, clear = [], after = {} } = story;
    const changed = await provider.update(type, { identity: made.identity, set, clear, actual: made.values });
    expect(differing(type, changed.values, after)).toEqual([]);
    expect(differing(type, (await provider.read(type, made.identity))?.values ?? {}, after)).toEqual([]);
  }
  await provider.delete(type, made.identity);
  expect(await provider.read(type, made.identity)).toBeUndefined();
  await provider.delete(type, made.identity);
}

async function listed(
  type: ResourceType,
  scope: Record<string, string>,
  id: string,
): Promise<RemoteObject | undefined> {
  const { objects } = await provider.list(type, type.collection.scope.length === 0 ? {} : scope);
  return objects.find(({ identity }) => identity.id === id);
}

describe('the life of each type', () => {
  test('Api', () =>
    live(
      typeNamed('Api'),
      {},
      {
        inputs: {
          name: 'Life',
          version: '1',
          description: 'd',
          labels: { team: 'a', gone: 'b' },
          attributes: { domain: ['z', 'a', 'm'], old: ['x'] },
        },
        set: { labels: { team: 'c' }, attributes: { domain: ['m'] } },
        clear: ['description', 'version'],
        after: { labels: { team: 'c' }, attributes: { domain: ['m'] }, description: null, version: null, name: 'Life' },
      },
    ));

  test('ApiDocument, ApiImplementation', async () => {
    const api = await provider.create(typeNamed('Api'), {}, { name: 'Parent' });
    const scope = { apiId: api.identity.id };
    const document = typeNamed('ApiDocument');
    const above = await provider.create(document, scope, { ...scope, title: 'Above', content: 'x' });
    await live(document, scope, {
      inputs: { title: 'Guide', content: '# Guide\n', parentDocumentId: above.identity.id },
      set: { status: 'published', content: '# New' },
      clear: ['parentDocumentId'],
      after: { status: 'published', content: '# New', parentDocumentId: null, title: 'Guide', slug: 'guide' },
    });
    const plane = await lookup('getGatewayControlPlane', { filter: { name: { eq: 'default' } } });
    await live(typeNamed('ApiImplementation'), scope, {
      inputs: { controlPlaneReference: { controlPlane: { id: plane.id ?? '' } } },
    });
    await provider.delete(typeNamed('Api'), api.identity);
  });

  test('ApiProduct, ApiProductDocument', async () => {
    const type = typeNamed('ApiProduct');
    const portals = (await lookup('getPortalClassicList', { sort: 'name' })).datas as JsonObject[];
    const portalIds = portals.slice(0, 2).map(({ id }) => id ?? '');
    await live(
      type,
      {},
      {
        inputs: { name: 'Life', portalIds, publicLabels: { camelKey: 'v', gone: 'x' } },
        set: { portalIds: [], publicLabels: { camelKey: 'w' }, description: 'd' },
        after: { portalIds: [], publicLabels: { camelKey: 'w' }, description: 'd' },
      },
    );
    const product = await provider.create(type, {}, { name: 'Parent', portalIds: [] });
    await live(
      typeNamed('ApiProductDocument'),
      { apiProductId: product.identity.id },
      {
        inputs: {
          slug: 's',
          title: 'T',
          status: 'unpublished',
          content: '# C',
          metadata: { author: { full_name: 'x' }, gone: 1 },
        },
        set: { metadata: { author: { full_name: 'y' } }, status: 'published' },
        after: { metadata: { author: { full_name: 'y' } }, status: 'published', content: '# C' },
      },
    );
  });
});

test('the specification of an API can be read back', async () => {
  const type = typeNamed('Api');
  const specContent = '{"openapi": "3.1.0", "info": {"title": "T", "version": "4.2"}, "paths": {}}';
  const made = await provider.create(type, {}, { name: 'With specification', specContent });
  expect(await provider.readWriteOnly(type, made.identity)).toEqual({ specContent });
  expect(await provider.find(type, {}, { name: 'With specification', specContent })).toHaveLength(1);
});

test('a conflict and a refused value arrive as such', async () => {
  const type = typeNamed('Api');
  await provider.create(type, {}, { name: 'Twice', version: '1' });
  await expect(provider.create(type, {}, { name: 'Twice', version: '1' })).rejects.toMatchObject({ kind: 'conflict' });
  await expect(provider.create(type, {}, { name: 'Bad', slug: 'no slug!' })).rejects.toMatchObject({
    kind: 'invalid',
    diagnostics: [{ code: 'rejected-value', field: 'slug' }],
  });
});

describe('lookups', () => {
  const names = [...platformPackage.lookups.values()].filter(
    ({ outputs }) => 'datas' in (outputs.properties as JsonObject),
  );
  test.each(names.map(({ name }) => name))('%s lists something', async (name) => {
    expect((await lookup(name)).datas).not.toEqual([]);
  });

  test('the address list', async () => {
    const { ingressIps, egressIps, regions } = await lookup('getPlatformIpAddresses');
    for (const map of [ingressIps, egressIps, regions]) expect(Object.keys(map as JsonObject)).not.toEqual([]);
  });

  test.each([
    ['getCloudGatewayNetwork', { filter: { name: { eq: 'default-network' }, state: { oeq: 'ready,offline' } } }],
    ['getPortal', { filter: { name: { eq: 'dev' }, rbacEnabled: false } }],
    ['getTeam', { filter: { name: { eq: 'organization-admins' } } }],
  ])('%s finds the one', async (name, args) => {
    expect(await lookup(name, args)).toMatchObject({ name: args.filter.name.eq, filter: args.filter });
  });

  test('many who look for objects of one place at once read its list twice: the first, and all others together', async () => {
    const api = await provider.create(typeNamed('Api'), {}, { name: 'Looked through', version: '1.0' });
    const document = typeNamed('ApiDocument');
    const scope = { apiId: api.identity.id };
    const slugs = Array.from({ length: 30 }, (_, at) => `page-${at}`);
    for (const slug of slugs)
      await provider.create(document, scope, { title: slug, slug, content: slug, status: 'published', ...scope });
    const before = provider.requests();
    const found = await Promise.all(
      slugs.map((slug) => provider.find(document, scope, { title: slug, slug, ...scope })),
    );
    expect(found.map(([only]) => only?.values['slug'])).toEqual(slugs);
    // Each is then read in full.
    expect(provider.requests() - before).toBe(2 + slugs.length);
  });

  test('a system account that the platform manages is told apart', async () => {
    const mine = (await lookup('getSystemAccountList', { filter: { platformManaged: false } })).datas as JsonObject[];
    const all = (await lookup('getSystemAccountList')).datas as JsonObject[];
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.every(({ platformManaged }) => platformManaged === false)).toBe(true);
    expect(all.length).toBeGreaterThan(mine.length);
  });

  test('label filters', async () => {
    const { datas } = await lookup('getGatewayControlPlaneList', { filterLabels: 'team:payments,critical' });
    const labels = (datas as JsonObject[]).map((item) => item.labels as JsonObject);
    expect(labels.length).toBeGreaterThan(0);
    expect(labels.every((each) => each.team === 'payments' && 'critical' in each)).toBe(true);
  });
});
