import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { lookupCalls } from '@platform-sync/platform/lookups/lookup-calls';
import { brandedNames } from '@platform-sync/platform/wire';
import { failure, page, rig } from './rig.js';

const token = (name: string): string => `platform:index/${name}:${name}`;
const managed = brandedNames.platformManaged ?? '';

const all = ['contains', 'eq', 'neq', 'ocontains', 'oeq'];
const controlPlaneFilter = {
  cloudGateway: true,
  clusterType: ['eq', 'neq', 'oeq'],
  id: ['eq', 'oeq'],
  name: ['contains', 'eq', 'neq'],
};
const accountFilter = { description: ['contains', 'eq'], name: ['contains', 'eq'], platformManaged: true };
const teamFilter = { name: ['contains', 'eq'] };

/** What the lookups are documented to offer: path, filter members (true = boolean, else operators), other arguments. */
const offered: Readonly<
  Record<string, { path: string; filter?: Record<string, true | string[]>; sort?: boolean; labels?: boolean }>
> = {
  getCloudGatewayNetwork: { path: '/v2/cloud-gateways/networks', filter: { name: all, state: ['oeq'] } },
  getCloudGatewayProviderAccountList: { path: '/v2/cloud-gateways/provider-accounts' },
  getGatewayControlPlane: {
    path: '/v2/control-planes',
    filter: controlPlaneFilter as Record<string, true | string[]>,
    sort: true,
    labels: true,
  },
  getGatewayControlPlaneList: {
    path: '/v2/control-planes',
    filter: controlPlaneFilter as Record<string, true | string[]>,
    sort: true,
    labels: true,
  },
  getMeshControlPlanes: { path: '/v1/mesh/control-planes' },
  getPlatformIpAddresses: { path: '/ip-addresses.json' },
  getPortal: {
    path: '/v3/portals',
    sort: true,
    filter: {
      authenticationEnabled: true,
      autoApproveApplications: true,
      autoApproveDevelopers: true,
      rbacEnabled: true,
      canonicalDomain: all,
      defaultApiVisibility: all,
      defaultDomain: all,
      defaultPageVisibility: all,
      description: all,
      name: all,
      defaultApplicationAuthStrategyId: ['eq', 'neq', 'oeq'],
      id: ['eq', 'neq', 'oeq'],
    },
  },
  getPortalClassicList: { path: '/v2/portals', sort: true },
  getSystemAccount: { path: '/v3/system-accounts', filter: accountFilter as Record<string, true | string[]> },
  getSystemAccountList: { path: '/v3/system-accounts', filter: accountFilter as Record<string, true | string[]> },
  getTeam: { path: '/v3/teams', filter: teamFilter },
  getTeamList: { path: '/v3/teams', filter: teamFilter },
};

const snake = (name: string): string =>
  name === 'platformManaged' ? managed : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const paging = 'page[size]=100&page[number]=1';

test('every lookup of the package has its call, and the other way round', () => {
  const names = [...platformPackage.lookups.values()].map(({ name }) => name).sort();
  expect(Object.keys(lookupCalls).sort()).toEqual(names);
  expect(Object.keys(offered).sort()).toEqual(names);
});

const members = Object.entries(offered).flatMap(([name, { path, filter = {} }]) =>
  Object.entries(filter).map(([member, operators]) => ({ name, path, member, operators })),
);

describe('filters', () => {
  const operands = members.flatMap(({ operators, ...rest }) =>
    operators === true ? [] : operators.map((operator) => ({ ...rest, operator })),
  );
  test.each(operands)('$name: $member $operator', async ({ name, path, member, operator }) => {
    const { provider, calls } = await rig(() => page([{ id: 'x', name: 'X' }]));
    const args = { filter: { [member]: { [operator]: 'a b,c' } } };
    expect(await provider.lookup(token(name), args)).toMatchObject(args);
    expect(calls()).toEqual([`GET ${path}?filter[${snake(member)}][${operator}]=a b,c&${paging}`]);
  });

  const booleans = members.filter(({ operators }) => operators === true);
  test.each(booleans)('$name: $member false', async ({ name, path, member }) => {
    const { provider, calls } = await rig(() => page([{ id: 'x' }]));
    await provider.lookup(token(name), { filter: { [member]: false } });
    expect(calls()).toEqual([`GET ${path}?filter[${snake(member)}]=false&${paging}`]);
  });

  const missing = members.flatMap(({ operators, name, member }) =>
    operators === true
      ? []
      : all
          .filter((operator) => !operators.includes(operator))
          .map((operator) => ({ name, member, operator, operators })),
  );
  test.each(missing)(
    '$name: $member has no $operator, and the error says what it has',
    async ({ name, member, operator, operators }) => {
      const { provider, server } = await rig(() => page([]));
      const error = await failure(provider.lookup(token(name), { filter: { [member]: { [operator]: 'x' } } }));
      expect(error.diagnostics).toMatchObject([
        {
          code: 'unknown-operator',
          field: `filter.${member}.${operator}`,
          summary: `filter.${member} has no operator ${operator}; it has ${operators.join(', ')}.`,
        },
      ]);
      expect(server.seen).toEqual([]);
    },
  );

  test('several members go together; null is left out', async () => {
    const { provider, calls } = await rig(() => page([]));
    const filter = { name: { eq: 'a', contains: null }, cloudGateway: true, id: null };
    await provider.lookup(token('getGatewayControlPlaneList'), { filter, sort: null });
    expect(calls()).toEqual([`GET /v2/control-planes?filter[name][eq]=a&filter[cloud_gateway]=true&${paging}`]);
  });

  test.each<[string, JsonObject, string, string]>([
    ['an unknown member', { filter: { nmae: { eq: 'x' } } }, 'unknown-argument', 'filter.nmae'],
    ['a member that is no object', { filter: { name: 'x' } }, 'invalid-argument', 'filter.name'],
    ['an operand that is no text', { filter: { name: { eq: 5 } } }, 'invalid-argument', 'filter.name.eq'],
    ['a boolean as text', { filter: { cloudGateway: 'true' } }, 'invalid-argument', 'filter.cloudGateway'],
    ['a filter that is no object', { filter: 'name' }, 'invalid-argument', 'filter'],
    ['an unknown argument', { page: 2 }, 'unknown-argument', 'page'],
  ])('%s is an error before any call', async (_, args, code, field) => {
    const { provider, server } = await rig(() => page([]));
    const error = await failure(provider.lookup(token('getGatewayControlPlaneList'), args));
    expect(error).toMatchObject({ kind: 'invalid', diagnostics: [{ code, field }] });
    expect(server.seen).toEqual([]);
  });

  test('all mistakes are told at once', async () => {
    const { provider } = await rig(() => page([]));
    const args = { filter: { name: { like: 'x' }, nope: true }, sort: 'name' };
    expect((await failure(provider.lookup(token('getGatewayControlPlaneList'), args))).diagnostics).toHaveLength(3);
  });
});

describe('sort', () => {
  test.each([
    ['created_at desc', 'created_at desc'],
    ['createdAt desc', 'created_at desc'],
    ['name', 'name'],
    ['name asc', 'name asc'],
    ['name DESC', 'name desc'],
    [' name ,  createdAt   desc', 'name,created_at desc'],
  ])('%j is sent as %j and echoed as written', async (sort, sent) => {
    const { provider, calls } = await rig(() => page([]));
    expect(await provider.lookup(token('getPortalClassicList'), { sort })).toMatchObject({ sort });
    expect(calls()).toEqual([`GET /v2/portals?sort=${sent}&${paging}`]);
  });

  const sorting = Object.entries(offered).filter(([, { sort }]) => sort === true);
  test.each(sorting)('%s: each of its fields, and no other', async (name) => {
    const { provider, server } = await rig(() => page([{ id: 'x' }]));
    const fields = lookupCalls[name]?.sortBy ?? [];
    for (const field of fields) await provider.lookup(token(name), { sort: `${field} desc` });
    expect(server.seen).toHaveLength(fields.length);
    const error = await failure(provider.lookup(token(name), { sort: 'labels' }));
    expect(error.diagnostics[0]).toMatchObject({ code: 'invalid-sort', field: 'sort' });
    expect(error.diagnostics[0]?.hint).toContain('createdAt');
  });

  test.each<[Json]>([['name down'], ['name asc x'], [''], ['name,'], ['-name'], [5]])(
    '%j is refused before any call',
    async (sort) => {
      const { provider, server } = await rig(() => page([]));
      expect((await failure(provider.lookup(token('getPortalClassicList'), { sort }))).diagnostics[0]?.code).toBe(
        'invalid-sort',
      );
      expect(server.seen).toEqual([]);
    },
  );
});

describe('label filters', () => {
  test.each(['team:payments', 'critical', 'team:payments,critical, env:prod'])('%j', async (filterLabels) => {
    const { provider, calls } = await rig(() => page([]));
    expect(await provider.lookup(token('getGatewayControlPlaneList'), { filterLabels })).toMatchObject({
      filterLabels,
    });
    expect(calls()).toEqual([`GET /v2/control-planes?labels=${filterLabels}&${paging}`]);
  });

  test.each<[Json]>([[''], ['a,,b'], [':x'], ['a:'], ['a:b:c'], [7]])('%j is refused', async (filterLabels) => {
    const { provider } = await rig(() => page([]));
    const error = await failure(provider.lookup(token('getGatewayControlPlaneList'), { filterLabels }));
    expect(error.diagnostics[0]).toMatchObject({ code: 'invalid-argument', field: 'filterLabels' });
  });
});

describe('one object', () => {
  const team = (id: string): JsonObject => ({ id, name: `Team ${id}` });
  const filter = { name: { contains: 'Team' } };

  test('none: an error that names the filter', async () => {
    const { provider } = await rig(() => page([]));
    const error = await failure(provider.lookup(token('getTeam'), { filter }));
    expect(error).toMatchObject({ kind: 'not-found', diagnostics: [{ code: 'nothing-found' }] });
    expect(error.message).toBe('getTeam found nothing with the filter name contains "Team".');
  });

  test('several: an error that names them, never silently the first', async () => {
    const { provider } = await rig(() => page([team('a'), team('b')]));
    const error = await failure(provider.lookup(token('getTeam'), { filter }));
    expect(error.diagnostics).toMatchObject([
      { code: 'several-found', detail: 'Matches: Team a (a), Team b (b).', hint: 'Make the filter more exact.' },
    ]);
    expect(error.message).toContain('found 2 objects');
  });

  test('more than ten: ten of them', async () => {
    const { provider } = await rig(() => page(Array.from({ length: 30 }, (_, at) => team(`t${at}`))));
    const { diagnostics, message } = await failure(provider.lookup(token('getTeam'), {}));
    expect(message).toContain('more than 10 objects with no filter');
    expect(diagnostics[0]?.detail).toMatch(/Team t9 \(t9\) and more\.$/);
    expect(diagnostics[0]?.detail).not.toContain('t10');
  });

  test('a second match on a later page is seen, too', async () => {
    const { provider } = await rig((_, nth) => page([team(`t${nth}`)], 2, 1));
    expect((await failure(provider.lookup(token('getTeam'), { filter }))).diagnostics[0]?.code).toBe('several-found');
  });

  test('with a sort, the first one', async () => {
    const { provider } = await rig(() => page([{ id: 'p1' }, { id: 'p2' }]));
    expect(await provider.lookup(token('getPortal'), { sort: 'created_at desc' })).toMatchObject({ id: 'p1' });
    expect((await failure(provider.lookup(token('getPortal'), {}))).diagnostics[0]?.hint).toContain('sort');
  });
});

describe('lists', () => {
  test('read all pages', async () => {
    const account = (at: number): JsonObject => ({ id: `a${at}`, [managed]: at % 2 === 0 });
    const { provider, calls } = await rig((_, nth) =>
      page(
        Array.from({ length: nth === 2 ? 1 : 100 }, (__, at) => account(nth * 100 + at)),
        201,
      ),
    );
    const result = await provider.lookup(token('getSystemAccountList'), {});
    expect(result.datas).toHaveLength(201);
    expect(calls()).toHaveLength(3);
    expect((result.datas as JsonObject[])[200]).toEqual({
      id: 'a200',
      platformManaged: true,
      name: null,
      description: null,
      createdAt: null,
      updatedAt: null,
    });
  });

  test('have an id that is the same for the same question, and only for it', async () => {
    const { provider } = await rig(() => page([]));
    const id = async (name: string, args: JsonObject): Promise<Json | undefined> =>
      (await provider.lookup(token(name), args)).id;
    const eq = { filter: { name: { eq: 'a' } } };
    const ids = await Promise.all([
      id('getTeamList', {}),
      id('getTeamList', { filter: null }),
      id('getTeamList', eq),
      id('getTeamList', { filter: { name: { eq: 'b' } } }),
      id('getSystemAccountList', eq),
    ]);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('an empty list is one, with a number of items or without', async () => {
    const { provider } = await rig((_, nth) => (nth === 0 ? page([]) : { status: 200, json: { data: [] } }));
    expect((await provider.lookup(token('getMeshControlPlanes'), {})).datas).toEqual([]);
    expect((await provider.lookup(token('getMeshControlPlanes'), {})).datas).toEqual([]);
  });

  test.each([{}, [], null, { data: null }, { data: {} }, { error: 'x' }, { data: [{ name: 'no id' }] }])(
    'an answer %j is no list',
    async (json) => {
      const { provider } = await rig(() => ({ status: 200, json }));
      expect((await failure(provider.lookup(token('getMeshControlPlanes'), {}))).kind).toBe('unexpected-answer');
    },
  );

  test.each([100, 50, 30])('all of 250 come where pages hold %i, whatever size the answer claims', async (size) => {
    const all = Array.from({ length: 250 }, (_, n) => ({ id: `i${n}` }));
    const { provider, server } = await rig(({ url }) => {
      const number = Number(new URL(url, 'http://x').searchParams.get('page[number]'));
      return page(all.slice((number - 1) * size, number * size), 250);
    });
    expect((await provider.lookup(token('getMeshControlPlanes'), {})).datas).toHaveLength(250);
    expect(server.seen).toHaveLength(Math.ceil(250 / size));
  });
});

describe('records', () => {
  const lookup = async (name: string, item: JsonObject): Promise<JsonObject> => {
    const { provider } = await rig(() => page([item]));
    return provider.lookup(token(name), {});
  };

  test('a control plane: nested names, labels as they are, hidden fields not shown', async () => {
    const config = {
      control_plane_endpoint: 'https://c',
      proxy_urls: [{ host: 'h', port: 1, protocol: 'http' }],
      cloud_gateway: false,
    };
    const item = { id: 'c1', name: 'C', description: '', labels: { Some_key: 'v' }, config, created_at: 'x' };
    expect(await lookup('getGatewayControlPlane', item)).toEqual({
      id: 'c1',
      name: 'C',
      description: '',
      labels: { Some_key: 'v' },
      config: {
        authType: null,
        clusterType: null,
        telemetryEndpoint: null,
        controlPlaneEndpoint: 'https://c',
        proxyUrls: [{ host: 'h', port: 1, protocol: 'http' }],
        cloudGateway: false,
      },
    });
  });

  test('always returned means always there', async () => {
    const record = await lookup('getPortal', { id: 'p1', default_application_auth_strategy_id: null, labels: null });
    const required = platformPackage.lookups.get(token('getPortal'))?.outputs.required as string[];
    expect(Object.keys(record)).toEqual(expect.arrayContaining(required));
    expect(record).toMatchObject({ defaultApplicationAuthStrategyId: null, labels: {}, description: null });
  });

  test('a network: times and lists unchanged, provider metadata translated', async () => {
    const item = {
      id: 'n1',
      availability_zones: ['use1-az1'],
      provider_metadata: { vpc_id: 'v', subnet_ids: ['s'] },
      created_at: '2026-01-01T00:00:00.000Z',
      entity_version: 3,
      state: 'ready',
    };
    expect(await lookup('getCloudGatewayNetwork', item)).toEqual({
      id: 'n1',
      availabilityZones: ['use1-az1'],
      providerMetadata: { vpcId: 'v', subnetIds: ['s'] },
      createdAt: '2026-01-01T00:00:00.000Z',
      entityVersion: 3,
    });
  });

  test('mesh features are camelCase on the wire already', async () => {
    const item = { id: 'm1', name: 'm', features: [{ type: 'MeshCreation', meshCreation: { enabled: true } }] };
    expect((await lookup('getMeshControlPlanes', item)).datas).toMatchObject([
      { features: [{ type: 'MeshCreation', meshCreation: { enabled: true } }] },
    ]);
  });

  test('the address list: regions and host names are keys, not names', async () => {
    const json = {
      updateDate: '2026-01-02-03-04-05',
      regions: { us_east: { 'Host_a.example': ['192.0.2.1'] } },
      ingressIPs: { us_east: ['192.0.2.2'] },
      egressIPs: { eu: ['192.0.2.3'] },
    };
    const { provider, calls } = await rig(() => ({ status: 200, json }));
    const record = await provider.lookup(token('getPlatformIpAddresses'), {});
    expect(record).toEqual({
      updateDate: json.updateDate,
      regions: json.regions,
      ingressIps: json.ingressIPs,
      egressIps: json.egressIPs,
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    expect(calls()).toEqual(['GET /ip-addresses.json']);
  });
});
