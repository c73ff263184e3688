import { status } from '@grpc/grpc-js';
import { snakeCase } from '@platform-sync/rest/names';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messages, structOf } from '../../pulumi/src/wire/messages.js';
import type { Json } from '@platform-sync/core/model/value';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { controlOf } from './control.js';
import { asSecret, Engine, refusal, unknownMarker, urnOf, type Members } from './engine.js';

const canary = 'canary-0123456789abcdef';
const apiType = 'platform:index/api:Api';
const documentType = 'platform:index/apiDocument:ApiDocument';
const policyType = 'cloud:endpoints/serviceIamPolicy:ServiceIamPolicy';
const apiUrn = urnOf(apiType, 'pets');

let sandbox: RunningSandbox;
const { control } = controlOf(() => sandbox.url);
let engine: Engine;
let cloud: Engine;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(async () => {
  await control('POST', '/_sandbox/reset');
  engine = await Engine.start('platform', sandbox.url);
  cloud = await Engine.start('cloud', sandbox.url);
  await engine.configure();
  await cloud.configure();
});
afterEach(async () => {
  await control('DELETE', '/_sandbox/faults');
  await engine.close();
  await cloud.close();
});
afterAll(() => sandbox.close());

const countOf = async (collection: string): Promise<number> =>
  ((await control('GET', '/_sandbox/objects')) as Record<string, unknown[]>)[collection]?.length ?? 0;
const fault = (rule: Json): Promise<Json> => control('PUT', '/_sandbox/faults', [rule] as Json);
const lost = { match: { method: 'POST', route: '/v3/apis' }, times: 1, action: { reset: 'after-commit' } };

describe('the conversation', () => {
  it('begins with what is understood, and which version this is', async () => {
    const hands = await engine.send<InstanceType<typeof messages.ProviderHandshakeResponse>>(
      'handshake',
      new messages.ProviderHandshakeRequest(),
    );
    expect([hands.getAcceptSecrets(), hands.getAcceptResources(), hands.getAcceptOutputs()]).toEqual([
      true,
      true,
      false,
    ]);
    const info = await engine.send<InstanceType<typeof messages.PluginInfo>>('getPluginInfo', new messages.Empty());
    expect(info.getVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each(['construct', 'getMapping', 'parameterize'])('%s is not implemented, and says so', async (method) => {
    const requests: Readonly<Record<string, unknown>> = {
      construct: new messages.ConstructRequest(),
      getMapping: new messages.GetMappingRequest(),
      parameterize: new messages.ParameterizeRequest(),
    };
    expect((await refusal(engine.send(method, requests[method]))).code).toBe(status.UNIMPLEMENTED);
  });

  it('a type, a function, an id, an asset that there is not: a sentence, never a stack', async () => {
    const asset = { '4dabf18193072939515e22adb298388d': 'c44067f5952c0a294b673a41bacd8c17', text: 'x' };
    const calls = [
      () => engine.create(urnOf('platform:index/nope:Nope', 'a'), {}),
      () => engine.create('', {}),
      () => engine.invoke('platform:index/nope:nope', {}),
      () => engine.call('pulumi:providers:platform/nope'),
      () => cloud.call('pulumi:providers:cloud/terraformConfig'),
      () => engine.read(urnOf(documentType, 'a'), 'no-json'),
      () => engine.read(urnOf(documentType, 'a'), '{"api_id": 5}'),
      () => engine.check(apiUrn, { name: asset }),
    ];
    for (const call of calls) {
      const { code, details } = await refusal(call());
      expect([status.INVALID_ARGUMENT, status.UNIMPLEMENTED]).toContain(code);
      expect(details).not.toMatch(/\n\s+at |Internal error/);
    }
  });
});

describe('the configuration', () => {
  it('comes back with its secrets marked, and nothing of the environment', async () => {
    const { inputs, failures } = await engine.checkConfig({
      personalAccessToken: canary,
      serverUrl: 'https://a.example',
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ personalAccessToken: asSecret(canary), serverUrl: 'https://a.example' });
  });

  it('a setting that there is not is refused by name', async () => {
    expect((await engine.checkConfig({ token: 'x' })).failures).toEqual([
      expect.stringMatching(/^token: .*has no setting token/),
    ]);
    expect((await refusal(engine.configure({ token: 'x' }))).details).toContain('has no setting token');
  });

  it('another address replaces, another token does not, an unknown one is waited for', async () => {
    const diff = (oldInputs: Members, news: Members) =>
      engine.diff('', { id: 'a', olds: oldInputs, oldInputs, news }, 'diffConfig');
    expect((await diff({ serverUrl: 'https://a' }, { serverUrl: 'https://b' })).replaces).toEqual(['serverUrl']);
    expect(await diff({ personalAccessToken: 'a' }, { personalAccessToken: asSecret('b') })).toMatchObject({
      changes: 'some',
      replaces: [],
    });
    expect((await diff({ serverUrl: 'https://a' }, { serverUrl: unknownMarker })).changes).toBe('none');
  });

  it('what is no text comes as JSON, and is read as such', async () => {
    await cloud.configure({ scopes: '["a","b"]', userProjectOverride: 'true' });
    expect(cloud.host.session.settings).toEqual({ scopes: ['a', 'b'], userProjectOverride: true });
    expect((await refusal(cloud.configure({ scopes: 'a,b' }))).details).toContain('scopes must be array');
  });

  it('the method gives it under snake_case names, tokens as secrets', async () => {
    await engine.configure({ personalAccessToken: asSecret(canary) });
    expect(await engine.call('pulumi:providers:platform/terraformConfig')).toEqual({
      result: { personal_access_token: asSecret(canary), server_url: sandbox.url },
    });
  });

  it('a wrong token is told with the setting it came from, and without the token', async () => {
    const closed = await startSandbox({ quiet: true, token: 'right' });
    const other = await Engine.start('platform', closed.url);
    await other.configure({ personalAccessToken: asSecret(canary) });
    const { code, details } = await refusal(other.create(apiUrn, { name: 'Pets' }));
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(details).toContain('personalAccessToken');
    expect(details).not.toContain(canary);
    await other.close();
    await closed.close();
  });
});

const anId = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';

describe('a check', () => {
  it.each<[string, string, Members, RegExp]>([
    [
      'a label that the platform keeps',
      apiType,
      { name: 'a', labels: { _x: 'y' } },
      /^labels\["_x"\]: The key "_x" .* is reserved/,
    ],
    ['a field that there is not', apiType, { name: 'a', colour: 'red' }, /^colour: /],
    ['a value of another kind', apiType, { name: { first: 'a' } }, /^name: "name" of platform:Api must be text/],
    [
      'a value that is not offered',
      documentType,
      { apiId: anId, content: '', status: 'x' },
      /^status: .*published or unpublished/,
    ],
    ['a field that must be there', documentType, { apiId: anId }, /^content: /],
    ['attributes that are no JSON', apiType, { name: 'a', attributes: 'x' }, /^attributes: .* must be a map/],
    [
      'one of two, and both are there',
      'platform:index/apiImplementation:ApiImplementation',
      {
        apiId: anId,
        controlPlaneReference: { controlPlane: { id: anId } },
        serviceReference: { service: { controlPlaneId: anId, id: anId } },
      },
      /^serviceReference: exactly one of controlPlaneReference and serviceReference must be there$/,
    ],
    [
      'one of two, and there are none',
      'platform:index/apiImplementation:ApiImplementation',
      { apiId: anId },
      /exactly one of/,
    ],
  ])('finds %s', async (_name, type, news, expected) => {
    const { failures } = await engine.check(urnOf(type, 'a'), news);
    expect(failures.join('\n')).toMatch(expected);
  });

  it('takes what is not known yet, and gives back what the program wrote, with its marks', async () => {
    const news = { apiId: unknownMarker, content: asSecret('text'), labels: undefined };
    const sent = { apiId: unknownMarker, content: asSecret('text') };
    expect(news.labels).toBeUndefined();
    expect(await engine.check(urnOf(documentType, 'a'), sent)).toEqual({ inputs: sent, failures: [] });
  });

  it('null is what it is in a catalogue where a field can be cleared, and no value elsewhere', async () => {
    const { inputs, failures } = await engine.check(apiUrn, {
      ...{ name: null, description: null, labels: null, specContent: null, colour: null },
      ...{ version: asSecret(null), slug: 'own' },
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ name: 'pets', description: null, labels: null, version: null, slug: 'own' });
    const urn = urnOf(documentType, 'a');
    const missing = await engine.check(urn, { apiId: anId, content: null });
    expect(missing.failures).toEqual([expect.stringMatching(/^content: /)]);
  });

  it('marks what is secret by nature, however it was given', async () => {
    const urn = urnOf('platform:index/portalAuth:PortalAuth', 'auth');
    for (const given of [canary, asSecret(canary)]) {
      const { inputs } = await engine.check(urn, { portalId: anId, oidcClientSecret: given });
      expect(inputs['oidcClientSecret']).toEqual(asSecret(canary));
    }
  });

  it('an object is called as its resource where the program does not name it', async () => {
    expect((await engine.check(apiUrn, { version: '1' })).inputs).toEqual({ name: 'pets', version: '1' });
  });
});

describe('secrets', () => {
  const inputs = {
    name: 'Pets',
    description: asSecret(canary),
    labels: { owner: asSecret('canary-label'), team: 'a' },
  };
  const isMarked = (value: unknown): boolean => JSON.stringify(value).includes('1b47061264138c4ac30d75fd1eb44270');

  it('are marked in every answer, those within maps too', async () => {
    for (const preview of [true, false]) {
      const { outputs } = await engine.create(apiUrn, inputs, preview);
      expect([isMarked(outputs['description']), isMarked(outputs['labels'])]).toEqual([true, true]);
    }
    const { id, outputs: olds } = await engine.create(urnOf(apiType, 'b'), { ...inputs, name: 'B' });
    const seen = await engine.read(apiUrn, id, { ...inputs, name: 'B' }, olds);
    const known = { id, olds, oldInputs: { ...inputs, name: 'B' }, news: { ...inputs, name: 'C' } };
    const answers = [
      seen.inputs,
      seen.outputs,
      await engine.update(apiUrn, known),
      await engine.update(apiUrn, { ...known, preview: true }),
    ];
    for (const answer of answers) {
      expect(isMarked(answer['description'])).toBe(true);
      expect(isMarked(answer['labels'])).toBe(true);
    }
  });

  it('of a record only the members that are secret are marked, by nature or by the program', async () => {
    const type = 'platform:index/gatewayPluginLoggly:GatewayPluginLoggly';
    const urn = urnOf(type, 'loggly');
    const config = { key: canary, host: 'logs.example.com', port: 514 };
    const marked = { ...config, key: asSecret(canary) };
    const { inputs: news, failures } = await engine.check(urn, { controlPlaneId: anId, config });
    expect([news['config'], failures]).toEqual([marked, []]);
    expect((await engine.create(urn, news, true)).outputs['config']).toEqual(marked);
    const { id, outputs } = await engine.create(urn, news);
    expect(outputs['config']).toMatchObject(marked);
    const imported = await engine.read(urn, id);
    const refreshed = await engine.read(urn, id, news, outputs);
    for (const { inputs: read, outputs: shown } of [imported, refreshed])
      expect([read['config'], shown['config']]).toMatchObject([marked, marked]);
    expect((await engine.diff(urn, { id, olds: outputs, oldInputs: news, news })).changes).toBe('none');
    // One member more that the program calls a secret, beside one that is marked already: the state must not keep it in clear.
    const more = { ...news, config: { ...marked, host: asSecret(config.host) } };
    const known = { id, olds: outputs, oldInputs: news, news: more };
    expect((await engine.diff(urn, known)).changes).toBe('some');
    const hidden = await engine.update(urn, known);
    expect(hidden['config']).toMatchObject(more.config);
    expect((await engine.diff(urn, { ...known, olds: hidden, oldInputs: more })).changes).toBe('none');
    // The whole is a secret where the program says so.
    const whole = { ...news, config: asSecret(config) };
    expect((await engine.create(urnOf(type, 'whole'), whole, true)).outputs['config']).toEqual(asSecret(config));
  });

  it('stay marked where the program no longer says them, and where a slug is made of one', async () => {
    const { id, outputs: olds } = await engine.create(apiUrn, {
      name: asSecret('Canary Name'),
      description: asSecret(canary),
    });
    expect(isMarked(olds['slug'])).toBe(true);
    const news = { name: 'Other' };
    const after = await engine.update(apiUrn, {
      id,
      olds,
      oldInputs: { name: asSecret('Canary Name'), description: asSecret(canary) },
      news,
    });
    expect(isMarked(after['name'])).toBe(true);
  });

  it('the same value with and without mark is no difference', async () => {
    const { id, outputs: olds } = await engine.create(apiUrn, inputs);
    const news = { ...inputs, description: canary };
    expect((await engine.diff(apiUrn, { id, olds, oldInputs: inputs, news })).changes).toBe('none');
  });

  it('a value that is secret from now on is kept as one: by an update that sends nothing', async () => {
    const plain = { name: 'Pets', description: canary, labels: { owner: 'canary-label', team: 'a' } };
    const { id, outputs: olds } = await engine.create(apiUrn, plain);
    const news = { ...plain, description: asSecret(canary), labels: inputs.labels };
    const known = { id, olds, oldInputs: plain, news };
    expect(await engine.diff(apiUrn, known)).toMatchObject({
      ...{ changes: 'some', replaces: [] },
      detailed: { description: 4, labels: 4 },
    });
    const updatedAt = (): Promise<Json> => control('GET', `/_sandbox/objects/apis/${id}`);
    const before = await updatedAt();
    const outputs = await engine.update(apiUrn, known);
    expect([isMarked(outputs['description']), isMarked(outputs['labels'])]).toEqual([true, true]);
    expect(await updatedAt()).toEqual(before);
    expect((await engine.diff(apiUrn, { ...known, olds: outputs, oldInputs: news })).changes).toBe('none');
  });

  it('takes the members of arguments as the schema spells them, and as Python does', async () => {
    for (const [name, filter] of [
      ['getGatewayControlPlaneList', { cloudGateway: true }],
      ['getPortal', { defaultApiVisibility: { neq: 'none' }, name: { eq: 'dev' } }],
      ['getSystemAccountList', { platformManaged: true }],
    ] as const) {
      const lookup = `platform:index/${name}:${name}`;
      const inPython = Object.fromEntries(Object.entries(filter).map(([key, value]) => [snakeCase(key), value]));
      const { result, failures } = await engine.invoke(lookup, { filter });
      expect(failures).toEqual([]);
      expect(await engine.invoke(lookup, { filter: inPython })).toEqual({ result, failures });
      expect(result['filter']).toEqual(filter);
    }
  });

  it.each([
    [
      { filter: { cloudGatway: true } },
      'filter.cloudGatway: "filter" of platform:getGatewayControlPlane has no property "cloudGatway". Did you mean cloudGateway?',
    ],
    [
      { filter: { cloud_gateway: true, cloudGateway: false } },
      'filter.cloud_gateway: "filter" of platform:getGatewayControlPlane has no property "cloud_gateway". Did you mean cloudGateway?',
    ],
    [
      { filter: { cloud_gateway: 'yes' } },
      'filter.cloudGateway: "filter.cloudGateway" of platform:getGatewayControlPlane must be true or false.',
    ],
    [
      { filter: { cloud_gateway: asSecret('canary') } },
      'filter.cloudGateway: The secret in "filter.cloudGateway" of platform:getGatewayControlPlane breaks a rule of its type.',
    ],
    [{ filters: {} }, 'filters: platform:getGatewayControlPlane has no property "filters". Did you mean filter?'],
  ])('says what is wrong with %j as a catalogue hears it', async (args, expected) => {
    const token = 'platform:index/getGatewayControlPlane:getGatewayControlPlane';
    expect((await engine.invoke(token, args)).failures).toEqual([expected]);
  });

  it('a lookup by a secret gives secrets; without one, none', async () => {
    const token = 'platform:index/getTeamList:getTeamList';
    const plain = await engine.invoke(token, { filter: { name: { contains: 'a' } } });
    expect(isMarked(plain.result)).toBe(false);
    const hidden = await engine.invoke(token, { filter: { name: { contains: asSecret('a') } } });
    expect(isMarked(hidden.result['datas'])).toBe(true);
  });

  it('no message repeats one', async () => {
    const { details } = await refusal(engine.create(apiUrn, { name: 'a', slug: asSecret(`${canary} !`) }));
    expect(details).not.toContain(canary);
  });
});

describe('what is not known yet', () => {
  it('a preview shows what will be, and the rest as unknown, and sends nothing', async () => {
    await control('DELETE', '/_sandbox/requests');
    const { id, outputs } = await engine.create(apiUrn, { name: 'Pets' }, true);
    expect(id).toBe('');
    expect(outputs).toMatchObject({ name: 'Pets', slug: 'pets', createdAt: unknownMarker, updatedAt: unknownMarker });
    const { outputs: olds, id: made } = await engine.create(apiUrn, { name: 'Pets' });
    await control('DELETE', '/_sandbox/requests');
    const shown = await engine.update(apiUrn, {
      id: made,
      olds,
      oldInputs: { name: 'Pets' },
      news: { name: 'B' },
      preview: true,
    });
    expect(shown).toMatchObject({ name: 'B', createdAt: olds['createdAt'], updatedAt: unknownMarker });
    expect(await control('GET', '/_sandbox/requests')).toMatchObject({ total: 0 });
  });

  it('an unknown value differs; where it is the place of the object it replaces, and no key clashes', async () => {
    const { id: apiId } = await engine.create(apiUrn, { name: 'Pets' });
    const urn = urnOf(documentType, 'guide');
    const oldInputs = { apiId, content: 'x', title: 'T' };
    const { id, outputs: olds } = await engine.create(urn, oldInputs);
    const content = await engine.diff(urn, { id, olds, oldInputs, news: { ...oldInputs, content: unknownMarker } });
    expect(content).toMatchObject({ changes: 'some', replaces: [], detailed: { content: 4 } });
    const place = await engine.diff(urn, { id, olds, oldInputs, news: { ...oldInputs, apiId: unknownMarker } });
    expect(place).toMatchObject({ replaces: ['apiId'], deleteBeforeReplace: false, detailed: { apiId: 5 } });
  });

  it('a lookup with an unknown argument is not made', async () => {
    const { result } = await engine.invoke('platform:index/getTeam:getTeam', {
      filter: { name: { eq: unknownMarker } },
    });
    expect(result).toMatchObject({ id: unknownMarker, name: unknownMarker });
  });
});

describe('null, which is neither absent nor a value', () => {
  const publication = 'platform:index/apiPublication:ApiPublication';
  const urn = urnOf(publication, 'public');
  const portalId = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c02';
  const strategies = (nth: number): string[] => [`8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f130${String(nth)}`];
  type Said = string[] | null | undefined;
  const says = (apiId: string, said: Said): Members => ({
    ...{ apiId, portalId },
    ...(said === undefined ? {} : { authStrategyIds: said }),
  });
  /** The second portal has a strategy of its own, which is what silence gets. */
  const meant = (said: Said): Members[string] => (said === undefined ? strategies(1) : said);
  const all: readonly Said[] = [undefined, null, strategies(2)];
  const name = (said: Said): string => (said === undefined ? 'absent' : said === null ? 'null' : 'a value');
  const pairs = all.flatMap((from) => all.map((to) => [name(from), name(to), from, to] as const));

  it.each(pairs)(
    'from %s to %s: previewed, sent, and then nothing differs, after a refresh either',
    async (...pair) => {
      const [, , from, to] = pair;
      const { id: apiId } = await engine.create(apiUrn, { name: 'Pets' });
      const { inputs: oldInputs } = await engine.check(urn, says(apiId, from));
      expect(oldInputs).toEqual(says(apiId, from));
      const shown = await engine.create(urn, oldInputs, true);
      expect(shown.outputs['authStrategyIds']).toEqual(from === undefined ? unknownMarker : from);
      const { id, outputs: olds } = await engine.create(urn, oldInputs);
      expect(olds['authStrategyIds']).toEqual(meant(from));
      const { inputs: news } = await engine.check(urn, says(apiId, to), oldInputs);
      const difference = await engine.diff(urn, { id, olds, oldInputs, news });
      expect(difference.changes).toBe(from === to ? 'none' : 'some');
      expect(difference.replaces).toEqual([]);
      const outputs = await engine.update(urn, { id, olds, oldInputs, news });
      expect(outputs['authStrategyIds']).toEqual(meant(to));
      const seen = await engine.read(urn, id, news, outputs);
      expect([seen.inputs, seen.outputs]).toEqual([news, outputs]);
      const again = { id, olds: seen.outputs, oldInputs: seen.inputs, news };
      expect((await engine.diff(urn, again)).changes).toBe('none');
    },
  );

  it.each(all.map((said) => [name(said), said] as const))(
    'where it was %s, an edit by hand to another one is seen, and repaired',
    async (_name, said) => {
      const { id: apiId } = await engine.create(apiUrn, { name: 'Pets' });
      const oldInputs = says(apiId, said);
      const { id, outputs: olds } = await engine.create(urn, oldInputs);
      for (const by of [null, strategies(3)].filter((one) => name(one) !== name(said))) {
        const path = `/_sandbox/objects/publications/${encodeURIComponent(`${apiId}/${portalId}`)}`;
        await control('POST', path, { auth_strategy_ids: by });
        const seen = await engine.read(urn, id, oldInputs, olds);
        expect(seen.inputs['authStrategyIds']).toEqual(by);
        const known = { id, olds: seen.outputs, oldInputs: seen.inputs, news: oldInputs };
        expect((await engine.diff(urn, known)).changes).toBe('some');
        expect((await engine.update(urn, known))['authStrategyIds']).toEqual(meant(said));
      }
    },
  );

  it('of a field that can be cleared clears it, and what others put there is taken away', async () => {
    const oldInputs = { name: 'Pets', description: 'before' };
    const { id, outputs: olds } = await engine.create(apiUrn, oldInputs);
    const news = { name: 'Pets', description: null };
    expect((await engine.diff(apiUrn, { id, olds, oldInputs, news })).detailed).toEqual({ description: 4 });
    const outputs = await engine.update(apiUrn, { id, olds, oldInputs, news });
    expect('description' in outputs).toBe(false);
    expect((await engine.diff(apiUrn, { id, olds: outputs, oldInputs: news, news })).changes).toBe('none');
    await control('POST', `/_sandbox/objects/apis/${id}`, { description: 'by hand' });
    const seen = await engine.read(apiUrn, id, news, outputs);
    expect(seen.inputs).toEqual({ name: 'Pets', description: 'by hand' });
    const known = { id, olds: seen.outputs, oldInputs: seen.inputs, news };
    expect((await engine.update(apiUrn, known))['description']).toBeUndefined();
  });
});

describe('a difference', () => {
  it('is told key by key, respects what is to be ignored, and goes first where a key would clash', async () => {
    const oldInputs = { name: 'Pets', version: '1', labels: { a: '1', b: '2' }, specContent: 'openapi: 3.0.3' };
    const { id, outputs: olds } = await engine.create(apiUrn, oldInputs);
    const diff = (news: Members, ignored: string[] = []) => engine.diff(apiUrn, { id, olds, oldInputs, news, ignored });
    const labels = await diff({ ...oldInputs, labels: { a: '9', c: '3' } });
    expect(labels.detailed).toEqual({ 'labels["a"]': 4, 'labels["b"]': 2, 'labels["c"]': 0 });
    expect((await diff({ ...oldInputs, labels: { a: '9', b: '2' } }, ['labels["a"]'])).changes).toBe('none');
    expect((await diff({ ...oldInputs, name: 'X' }, ['name'])).changes).toBe('none');
    const spec = await diff({ ...oldInputs, specContent: 'openapi: 3.0.4' });
    expect(spec).toMatchObject({ replaces: ['specContent'], deleteBeforeReplace: true });
    const both = await diff({ ...oldInputs, specContent: 'openapi: 3.0.4', version: '2' });
    expect(both).toMatchObject({ deleteBeforeReplace: false });
    const { specContent: _, ...silent } = oldInputs;
    expect((await diff(silent)).replaces).toEqual([]);
  });
});

describe('a create whose answer is lost', () => {
  it('is found by its key and sent once', async () => {
    const before = await countOf('apis');
    await fault(lost);
    expect((await engine.create(apiUrn, { name: 'Pets' })).id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await countOf('apis')).toBe(before + 1);
  });

  it('is found among objects that may have the same name', async () => {
    const before = await countOf('products');
    await fault({ match: { method: 'POST', route: '/v2/api-products' }, times: 1, action: { reset: 'after-commit' } });
    const { id } = await engine.create(urnOf('platform:index/apiProduct:ApiProduct', 'a'), {
      name: 'A',
      portalIds: [],
    });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await countOf('products')).toBe(before + 1);
  });

  it('and was not carried out is sent again', async () => {
    const before = await countOf('apis');
    await fault({ ...lost, action: { reset: 'before' } });
    await engine.create(apiUrn, { name: 'Pets' });
    expect(await countOf('apis')).toBe(before + 1);
  });

  it('and cannot be looked for is an error that names it, and the next update finds it', async () => {
    await control('PUT', '/_sandbox/faults', [
      lost,
      { match: { method: 'GET', route: '/v3/apis' }, action: { status: 403 } },
    ] as Json);
    const { code, details } = await refusal(engine.create(apiUrn, { name: 'Pets', version: '7' }));
    expect(code).toBe(status.UNKNOWN);
    expect(details).toContain('Api (name "Pets", version "7")');
    expect(details).toContain('403');
    expect(details).toContain('Run the update again');
    await control('DELETE', '/_sandbox/faults');
    expect((await engine.create(apiUrn, { name: 'Pets', version: '7' })).id).not.toBe('');
    expect(await countOf('apis')).toBe(1);
  });

  it('one that exists already is not taken: its id is told', async () => {
    const { id } = await engine.create(apiUrn, { name: 'Pets' });
    const { code, details } = await refusal(engine.create(urnOf(apiType, 'again'), { name: 'Pets' }));
    expect(code).toBe(status.ALREADY_EXISTS);
    expect(details).toContain(`pulumi import ${apiType} NAME '${id}'`);
  });
});

describe('cancellation', () => {
  it('nothing new begins, what was sent is finished, reads go on, and a new handshake begins anew', async () => {
    await fault({ match: { method: 'POST', route: '/v3/apis' }, times: 1, action: { delayMs: 400 } });
    await engine.invoke('platform:index/getTeamList:getTeamList', {});
    const under = engine.create(apiUrn, { name: 'Under way' });
    await expect.poll(async () => JSON.stringify(await control('GET', '/_sandbox/faults'))).toContain('"struck":1');
    await engine.send('cancel', new messages.Empty());
    expect((await refusal(engine.create(urnOf(apiType, 'late'), { name: 'Late' }))).code).toBe(status.CANCELLED);
    const { id, outputs } = await under;
    expect(id).not.toBe('');
    const gone = engine.delete(apiUrn, { id, olds: outputs, oldInputs: { name: 'Under way' } });
    expect((await refusal(gone)).code).toBe(status.CANCELLED);
    expect((await engine.read(apiUrn, id)).id).toBe(id);
    await engine.send('handshake', new messages.ProviderHandshakeRequest());
    await engine.delete(apiUrn, { id, olds: outputs, oldInputs: { name: 'Under way' } });
    expect((await engine.read(apiUrn, id)).id).toBe('');
  });
});

describe('the policy of a service', () => {
  const urn = urnOf(policyType, 'access');
  const policyData = JSON.stringify({ bindings: [{ role: 'roles/viewer', members: ['user:a@example.com'] }] });
  const inputs = { serviceName: `empty.${cloudServiceDomain}`, policyData };

  it('is not emptied without consent, which is an input of its own', async () => {
    const { id, outputs: olds } = await cloud.create(urn, inputs);
    expect(id).toBe(`services/empty.${cloudServiceDomain}`);
    const { code, details } = await refusal(cloud.delete(urn, { id, olds, oldInputs: inputs }));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toContain('Set allowEmptyOnDelete to true');
    const news = { ...inputs, allowEmptyOnDelete: true };
    expect((await cloud.diff(urn, { id, olds, oldInputs: inputs, news })).detailed).toEqual({ allowEmptyOnDelete: 4 });
    const outputs = await cloud.update(urn, { id, olds, oldInputs: inputs, news });
    expect(outputs).toMatchObject({ allowEmptyOnDelete: true, etag: olds['etag'] });
    await cloud.delete(urn, { id, olds: outputs, oldInputs: news });
    expect((await cloud.read(urn, id)).id).toBe('');
  });

  it('is imported by the name of the service', async () => {
    const { inputs: seen, id } = await cloud.read(urn, `payments.${cloudServiceDomain}`);
    expect(id).toBe(`payments.${cloudServiceDomain}`);
    expect(seen).toMatchObject({
      serviceName: `payments.${cloudServiceDomain}`,
      policyData: expect.stringContaining('roles/editor'),
    });
  });

  it('that others changed is never written over, nor emptied', async () => {
    const { id, outputs: olds } = await cloud.create(urn, inputs);
    await control('POST', `/_sandbox/objects/cloud-services/empty.${cloudServiceDomain}`, {
      policy: { etag: 'BwYVx3tsmGE=', bindings: [{ role: 'roles/viewer', members: ['user:eve@example.com'] }] },
    });
    const news = { ...inputs, policyData: policyData.replace('user:a@', 'user:b@') };
    const own = { ...inputs, allowEmptyOnDelete: true };
    for (const call of [
      () => cloud.update(urn, { id, olds, oldInputs: inputs, news }),
      () => cloud.delete(urn, { id, olds, oldInputs: own }),
    ])
      expect((await refusal(call())).code).toBe(status.ALREADY_EXISTS);
    expect(
      JSON.stringify(await control('GET', `/_sandbox/objects/cloud-services/empty.${cloudServiceDomain}`)),
    ).toContain('user:eve@');
  });
});

it('many at once: 300 resources are made, compared and deleted', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `api-${String(at)}`);
  await Promise.all(
    names.map(async (name) => {
      const urn = urnOf(apiType, name);
      const { inputs } = await engine.check(urn, { name, version: '1' });
      const { id, outputs: olds } = await engine.create(urn, inputs);
      expect((await engine.diff(urn, { id, olds, oldInputs: inputs, news: inputs })).changes).toBe('none');
      await engine.delete(urn, { id, olds, oldInputs: inputs });
    }),
  );
  expect(await countOf('apis')).toBe(0);
});

it('a message as large as the engine sends is taken', async () => {
  const request = new messages.CheckRequest();
  request.setUrn(apiUrn);
  request.setNews(structOf({ name: 'a', description: 'x'.repeat(8 * 1024 * 1024) }));
  await expect(engine.send('check', request)).resolves.toBeDefined();
});
