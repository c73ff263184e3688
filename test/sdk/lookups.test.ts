import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Cloud,
  DiagnosticError,
  Output,
  Platform,
  ProviderError,
  getGatewayControlPlaneListOutput,
  getPlatformIpAddresses,
  getPortal,
  getServiceIamPolicy,
  getServiceIamPolicyOutput,
  getSystemAccountOutput,
  getTeam,
  getTeamList,
  getTeamListOutput,
  getTeamOutput,
  interpolate,
  output,
  secret,
  type Event,
  type GetTeamArgs,
  type PlatformSettings,
} from '@platform-sync/sdk/index';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';

const token = 'canary-token-of-a-program';
const headers = { authorization: `Bearer ${token}` };
let sandbox: RunningSandbox;
let platform: Platform;

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, token });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await fetch(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE', headers });
  platform = new Platform({ personalAccessToken: token, serverUrl: sandbox.url }, { env: {} });
  return () => platform.close();
});

async function requests(): Promise<number> {
  const answer = await fetch(`${sandbox.url}/_sandbox/requests`, { headers });
  return ((await answer.json()) as { total: number }).total;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the direct form', () => {
  it('promises the record, its arguments among it', async () => {
    const team = await getTeam({ filter: { name: { contains: '-developers-4' } } }, { provider: platform });
    expect(team.name).toMatch(/-developers-4$/);
    expect(team.filter).toEqual({ name: { contains: '-developers-4' } });
  });

  it('reads all pages of a list', async () => {
    const { datas } = await getTeamList({}, { provider: platform });
    expect(datas).toHaveLength(27);
    expect(datas[0]).toHaveProperty('systemTeam', true);
  });

  it('takes options first where there are no arguments', async () => {
    const { egressIps } = await getPlatformIpAddresses({ provider: platform });
    expect(Object.keys(egressIps)).toEqual(['us', 'eu']);
  });

  it('takes undefined for what is left out', async () => {
    const given: { filter: undefined } = { filter: undefined };
    const { datas } = await getTeamList(given as unknown as GetTeamArgs, { provider: platform });
    expect(datas).toHaveLength(27);
  });

  it('calls an identical lookup once, however its arguments are written, and again after it failed', async () => {
    const twice = { name: { contains: 'admins', eq: 'search-admins-11' } };
    const reversed = { name: { eq: 'search-admins-11', contains: 'admins' } };
    const [first, second] = await Promise.all([
      getTeamList({ filter: twice }, { provider: platform }),
      getTeamList({ filter: reversed }, { provider: platform }),
      getTeamListOutput({ filter: { name: output(reversed.name) } }, { provider: platform }).promise(),
    ]);
    expect(second).toBe(first);
    expect(await requests()).toBe(1);
    const nobody = { filter: { name: { eq: 'nobody' } } };
    await failure(getTeam(nobody, { provider: platform }));
    await failure(getTeam(nobody, { provider: platform }));
    expect(await requests()).toBe(3);
  });

  it('calls once for each instance', async () => {
    const other = new Platform({ personalAccessToken: token, serverUrl: sandbox.url }, { env: {} });
    await Promise.all([platform, other].map((provider) => getTeamList({}, { provider })));
    await other.close();
    expect(await requests()).toBe(2);
  });

  it('gives records that nobody can change for the others', async () => {
    const team = await getTeam({ filter: { name: { contains: '-developers-4' } } }, { provider: platform });
    expect(() => Object.assign(team.labels, { env: 'mine' })).toThrow(TypeError);
  });
});

describe('errors', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    [
      'an argument there is not',
      { filters: {} },
      'The argument filters of getTeam does not exist; getTeam takes filter.',
    ],
    [
      'a member there is not',
      { filter: { nam: {} } },
      'The argument filter.nam of getTeam does not exist; filter takes name.',
    ],
    [
      'an operator the member has not',
      { filter: { name: { neq: 'x' } } },
      'The argument filter.name.neq of getTeam does not exist; filter.name takes contains, eq.',
    ],
    ['a wrong type', { filter: { name: { eq: 5 } } }, 'The argument filter.name.eq of getTeam must be text.'],
    ['no object', 'Payments', 'The arguments of getTeam must be an object.'],
    [
      'what JSON cannot say',
      { filter: { name: { eq: new Date(0) } } },
      'The argument filter.name.eq of getTeam must be text, a number, true or false, a list or an object.',
    ],
  ];

  it.each(wrong)('%s is refused before any call', async (_name, args, sentence) => {
    const error = await failure(getTeam(args as GetTeamArgs, { provider: platform }));
    expect(error).toBeInstanceOf(DiagnosticError);
    expect((error as DiagnosticError).diagnostics.map((each) => [each.code, each.summary])).toEqual([
      ['invalid-arguments', sentence],
    ]);
    expect(await requests()).toBe(0);
  });

  it('tells a missing argument', async () => {
    const error = await failure(getServiceIamPolicy({} as { serviceName: string }, { provider: new Cloud() }));
    expect(String(error)).toContain('The argument serviceName of getServiceIamPolicy is required.');
  });

  it('names the filter that found nothing, or the matches', async () => {
    const nothing = await failure(getTeam({ filter: { name: { eq: 'nobody' } } }, { provider: platform }));
    expect(nothing).toBeInstanceOf(ProviderError);
    expect(String(nothing)).toContain('getTeam found nothing with the filter name eq "nobody".');
    const several = (await failure(getPortal({}, { provider: platform }))) as ProviderError;
    expect(several.diagnostics[0]?.code).toBe('several-found');
  });

  it('says where a refused token came from, never the token', async () => {
    const refused = new Platform({ personalAccessToken: 'canary-wrong-token', serverUrl: sandbox.url }, { env: {} });
    const error = (await failure(getTeamList({}, { provider: refused }))) as ProviderError;
    await refused.close();
    expect(error.kind).toBe('unauthenticated');
    expect(error.diagnostics[0]?.hint).toContain('the setting personalAccessToken');
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
  });

  it('refuses an instance of another provider, and one that is closed', async () => {
    const other = new Cloud() as unknown as Platform;
    expect(String(await failure(getTeam({}, { provider: other })))).toContain(
      'getTeam belongs to the provider platform',
    );
    await platform.close();
    expect(String(await failure(getTeam({}, { provider: platform })))).toContain('provider-closed');
    expect(await requests()).toBe(0);
  });

  it('refuses settings there are not', async () => {
    const strange = new Platform({ serverURL: sandbox.url } as PlatformSettings, { env: {} });
    expect(String(await failure(getTeam({}, { provider: strange })))).toContain(
      'The provider platform has no setting serverURL; it has platformAccessToken',
    );
  });
});

describe('the output form', () => {
  it('takes plain arguments, promises and Outputs at any depth', async () => {
    const name = 'search-viewers-18';
    const forms = [
      getTeamOutput({ filter: { name: { eq: name } } }, { provider: platform }),
      getTeamOutput({ filter: { name: Promise.resolve({ eq: output(name) }) } }, { provider: platform }),
      getTeamOutput(output({ filter: { name: { eq: Promise.resolve(name) } } }), { provider: platform }),
    ];
    const ids = await Promise.all(forms.map((team) => team.id.promise()));
    expect(new Set(ids).size).toBe(1);
    expect(await requests()).toBe(1);
  });

  it('chains lookups', async () => {
    const portal = getTeamOutput({ filter: { name: { eq: 'search-viewers-18' } } }, { provider: platform });
    const account = getSystemAccountOutput(
      { filter: { name: { contains: interpolate`${portal.labels['area'] ?? ''}-robot-4` } } },
      { provider: platform },
    );
    expect(await account.name.promise()).toBe('search-robot-4');
  });

  it('calls nothing while an argument is unknown', async () => {
    const team = getTeamOutput(
      { filter: { name: { eq: Output.unknown<string>('petstore.name') } } },
      { provider: platform },
    );
    expect(await team.id.isKnown()).toBe(false);
    expect(await team.dependencies()).toEqual(['petstore.name']);
    expect(await requests()).toBe(0);
  });

  it('calls nothing while the settings are unknown', async () => {
    const later = new Platform(
      { serverUrl: Output.unknown<string>('cluster.url') },
      { env: { PLATFORM_TOKEN: token } },
    );
    const list = getTeamListOutput({}, { provider: later });
    expect(await list.isKnown()).toBe(false);
    expect(String(await failure(getTeamList({}, { provider: later })))).toContain('they wait for cluster.url');
    expect(await requests()).toBe(0);
  });

  it('is secret when an argument is, and says nothing of it in errors', async () => {
    const found = getTeamOutput({ filter: { name: { eq: secret('search-viewers-18') } } }, { provider: platform });
    expect([await found.isSecret(), await found.id.isSecret()]).toEqual([true, true]);
    expect((await found.reveal()).name).toBe('search-viewers-18');
    const missed = getTeamOutput({ filter: { name: { eq: secret('canary-name') } } }, { provider: platform });
    const error = await failure(missed.reveal());
    expect(String(error)).toContain('(secret)');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
  });

  it('is not secret because the token is', async () => {
    const provider = new Platform({ personalAccessToken: secret(token), serverUrl: output(sandbox.url) }, { env: {} });
    const list = getTeamListOutput({}, { provider });
    expect(await list.isSecret()).toBe(false);
    expect(await list.datas.length.promise()).toBe(27);
    await provider.close();
  });

  it('waits for dependsOn, and depends on what that depends on', async () => {
    const order: string[] = [];
    let finish = (): void => undefined;
    const before = new Promise<void>((resolve) => {
      finish = resolve;
    }).then(() => order.push('before'));
    const list = getGatewayControlPlaneListOutput(
      { filterLabels: output('env:dev', ['a.label']) },
      { provider: platform, dependsOn: [before, output(1, ['b.id'])] },
    );
    const done = list.apply(() => order.push('lookup'));
    expect(await requests()).toBe(0);
    finish();
    await done.promise();
    expect(order).toEqual(['before', 'lookup']);
    expect(await list.dependencies()).toEqual(['a.label', 'b.id']);
    expect(await requests()).toBe(1);
  });

  it('calls nothing while something in dependsOn is unknown', async () => {
    const list = getTeamListOutput({}, { provider: platform, dependsOn: Output.unknown('petstore.id') });
    expect(await list.isKnown()).toBe(false);
    expect(await list.dependencies()).toEqual(['petstore.id']);
    expect(await requests()).toBe(0);
  });

  it('is not secret because of dependsOn', async () => {
    const list = getTeamListOutput({}, { provider: platform, dependsOn: secret('x') });
    expect(await list.isSecret()).toBe(false);
  });

  it('rejects once for all who wait, with the reason', async () => {
    const missed = getTeamOutput({ filter: { name: { eq: 'nobody' } } }, { provider: platform });
    const ends = await Promise.all([
      failure(missed.promise()),
      failure(missed.id.promise()),
      failure(missed.isKnown()),
    ]);
    expect(ends.map((error) => error instanceof ProviderError)).toEqual([true, true, true]);
    expect(await requests()).toBe(1);
  });

  it('rejects with what dependsOn rejects with, without a call', async () => {
    const list = getTeamListOutput({}, { provider: platform, dependsOn: Promise.reject(new Error('first failed')) });
    await expect(list.promise()).rejects.toThrow('first failed');
    expect(await requests()).toBe(0);
  });
});

describe('instances', () => {
  it('the default one reads the environment, and comes again after it was closed', async () => {
    vi.stubEnv('PLATFORM_TOKEN', token);
    vi.stubEnv('PLATFORM_SERVER_URL', sandbox.url);
    try {
      expect((await getTeamList()).datas).toHaveLength(27);
      const instance = Platform.default();
      await instance.close();
      expect(Platform.default()).not.toBe(instance);
      expect((await getTeamList()).datas).toHaveLength(27);
    } finally {
      await Platform.default().close();
      vi.unstubAllEnvs();
    }
  });

  it('tell warnings to a listener', async () => {
    const events: Event[] = [];
    const provider = new Platform(
      { personalAccessToken: token, serviceAccessToken: 'canary-other', serverUrl: sandbox.url },
      { env: {}, onEvent: (event) => events.push(event) },
    );
    await getTeamList({}, { provider });
    await provider.close();
    expect(events.map((event) => event.type === 'diagnostic' && event.diagnostic.code)).toEqual(['several-tokens']);
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('show nothing of their settings', async () => {
    await getTeamList({}, { provider: platform });
    expect(inspect(platform, { depth: 9, showHidden: true })).not.toContain('canary');
    expect(JSON.stringify(platform)).toBe('{"name":"platform"}');
  });

  it('that could not start can be closed', async () => {
    const bad = new Platform({ personalAccessToken: '' }, { env: {} });
    expect(String(await failure(getTeamList({}, { provider: bad })))).toContain('empty');
    await bad.close();
    await new Platform().close();
  });
});

describe('terraformConfig', () => {
  const make = (settings: PlatformSettings, env: Record<string, string> = {}): Platform =>
    new Platform(settings, { env });

  it('has the settings in force under snake_case names, each secret one a secret', async () => {
    const settings = { serviceAccessToken: 'canary-a', platformAccessToken: 'canary-b' };
    const { result } = make(settings, { PLATFORM_SPAT: 'canary-c' }).terraformConfig();
    // A token of the environment is not in force where the program gives its own.
    expect(await result.reveal()).toEqual({
      service_access_token: 'canary-a',
      platform_access_token: 'canary-b',
      server_url: expect.stringMatching(/^https:/),
    });
    expect(await result['service_access_token']?.isSecret()).toBe(true);
    expect(await result['server_url']?.isSecret()).toBe(false);
    expect(await result['server_url']?.promise()).toMatch(/^https:/);
    expect(`${String(result)}${inspect(result)}${JSON.stringify(result)}`).not.toContain('canary');
  });

  it('is unknown while a setting is', async () => {
    const later = new Platform({ personalAccessToken: Output.unknown<string>('account.token') }, { env: {} });
    expect(await later.terraformConfig().dependencies()).toEqual(['account.token']);
    expect(await later.terraformConfig().isKnown()).toBe(false);
  });

  it('sends nothing', async () => {
    await platform.terraformConfig().reveal();
    expect(await requests()).toBe(0);
  });
});

describe('getServiceIamPolicy', () => {
  const name = 'payments.endpoints.example.cloud.goog';
  const cloud = (): Cloud =>
    new Cloud({ accessToken: token, serviceManagementCustomEndpoint: `${sandbox.url}/v1/` }, { env: {} });

  it('works in both forms', async () => {
    const provider = cloud();
    const policy = await getServiceIamPolicy({ serviceName: name }, { provider });
    expect(JSON.parse(policy.policyData)).toHaveProperty('bindings');
    const later = getServiceIamPolicyOutput({ serviceName: output(name) }, { provider });
    expect(await later.etag.promise()).toBe(policy.etag);
    await provider.close();
  });
});
