import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { hurried, actionsOf, type World } from '../harness/world.js';

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
  /** What is still to do then; default: all of it. */
  readonly left?: readonly string[];
}

let world: World;
freshWorlds((made) => (world = made), hurried);

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

/** The path of the one plugin of the plane that is called ours. */
async function pluginPath(): Promise<string> {
  const first = async (path: string): Promise<Json | undefined> => {
    const { data } = (await world.call('GET', path)).body as { readonly data: readonly JsonObject[] };
    return data[0]?.['id'];
  };
  const plugins = `/v2/control-planes/${String(await first('/v2/control-planes?filter[name][eq]=ours'))}/core-entities/plugins`;
  return `${plugins}/${String(await first(plugins))}`;
}

/** Changes the first object of a collection as somebody else would. */
async function edit(collection: string, patch: JsonObject): Promise<void> {
  const [row] = await rows(collection);
  await world.call('POST', `/_sandbox/objects/${collection}/${encodeURIComponent(String(row?.['id']))}`, patch);
}

const dev = (children: JsonObject, properties: JsonObject = {}): JsonObject => ({
  docs: { type: 'platform:Portal', properties: { name: 'Docs', ...properties }, children },
});
const page = (properties: JsonObject): JsonObject => ({
  type: 'platform:PortalPage',
  properties: { slug: 'guide', content: 'Text', ...properties },
});
/** So that not all that is managed is gone. */
const other: JsonObject = { other: { type: 'platform:Api', properties: { name: 'Other' } } };
const inPortal = (type: string, properties: JsonObject): JsonObject => ({ type: `platform:${type}`, properties });
const auth = (basicAuthEnabled: boolean): JsonObject => inPortal('PortalAuth', { basicAuthEnabled });
const domain = (more: JsonObject = {}): JsonObject =>
  inPortal('PortalCustomDomain', {
    ...{ hostname: 'api.example.com', enabled: true, domainVerificationMethod: 'custom_certificate' },
    ...{ customCertificate: 'PEM', customPrivateKey: 'PEM of a key', ...more },
  });
const role = (roleName: string): JsonObject => ({
  ...pets({}),
  ...dev({
    partners: {
      ...inPortal('PortalTeam', { name: 'Partners' }),
      children: {
        sees: inPortal('PortalTeamRole', {
          ...{ roleName, entityId: '${pets.id}', entityTypeName: 'Services', entityRegion: 'eu' },
        }),
      },
    },
  }),
});
const byKey = (more: JsonObject = {}): JsonObject => ({
  keys: {
    type: 'platform:ApplicationAuthStrategy',
    properties: {
      ...{ name: 'keys of ours', displayName: 'Keys', strategyType: 'key_auth' },
      ...{ keyAuth: { keyNames: ['apikey'], ttl: { value: 1, unit: 'years' } }, ...more },
    },
  },
});
const byProvider: JsonObject = {
  issuer: 'https://id.example.com',
  credentialClaim: ['sub'],
  scopes: ['openid'],
  authMethods: ['bearer'],
};
const bySignIn = (openidConnect: JsonObject): JsonObject => ({
  keys: {
    type: 'platform:ApplicationAuthStrategy',
    properties: { name: 'keys of ours', displayName: 'Keys', strategyType: 'openid_connect', openidConnect },
  },
});
const plane = (more: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  plane: {
    type: 'platform:GatewayControlPlane',
    properties: { name: 'ours', clusterType: 'CLUSTER_TYPE_CONTROL_PLANE', ...more },
    children,
  },
});
const inPlane = inPortal;
const nothingOwn: JsonObject = {
  body: { custom: null },
  byLua: null,
  error: null,
  headers: { custom: null },
  query: null,
};
const callout = (call: JsonObject): JsonObject =>
  inPlane('GatewayPluginRequestCallout', { config: { callouts: [{ name: 'a', ...call }] } });
const service = (customFields: JsonObject): JsonObject => ({
  pets: { type: 'platform:CatalogService', properties: { name: 'pets', displayName: 'Pets', customFields } },
});
const cache: JsonObject = {
  cache: {
    type: 'platform:CloudGatewayAddon',
    properties: {
      name: 'cache',
      owner: { kind: 'control-plane', controlPlaneId: '${plane.id}', controlPlaneGeo: 'eu' },
      config: { kind: 'managed-cache.v0', capacityConfig: { kind: 'tiered', tier: 'micro' } },
    },
  },
};
const published = publication({ portalId: '${docs.id}', apiId: '${pets.id}' });

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
    after: pets({
      v1: { ...version('nothing of the kind', { version: '1' }), options: { allowBrokenSpecification: true } },
    }),
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
  '1.3 a portal is renamed in place': {
    before: dev({}, { displayName: 'All docs' }),
    after: dev({}, { displayName: 'All docs', name: 'Papers' }),
    actions: ['update docs'],
  },
  '1.3 the name that visitors see follows the name where it is left out': {
    before: dev({}, { displayName: 'All docs' }),
    after: dev({}),
    actions: ['update docs'],
  },
  '1.3 a portal on which something is published is not deleted': {
    before: { ...dev({}), ...pets({}), shown: published },
    after: pets({}),
    meanwhile: async () => {
      const [portalRow] = (await rows('portals')).filter(({ name }) => name === 'Docs');
      const [api] = await rows('apis');
      await world.call('POST', '/v3/apis', { name: 'Cats' });
      const cats = (await rows('apis')).find(({ id }) => id !== api?.['id']);
      await world.call('PUT', `/v3/apis/${String(cats?.['id'])}/publications/${String(portalRow?.['id'])}`, {});
    },
    actions: ['delete shown', 'delete docs'],
    refused: '--allow force:docs --reason',
    left: ['delete docs'],
  },
  '1.4 front matter says the title: none is asked for': {
    before: dev({ guide: page({ content: '---\ntitle: Guide\n---\nText' }) }),
    after: dev({ guide: page({ content: '---\ntitle: Handbook\n---\nText' }) }),
    actions: ['update docs/guide'],
  },
  '1.4 a title that the front matter says, too, is no difference': {
    before: dev({ guide: page({ content: '---\ntitle: Guide\n---\nText' }) }),
    after: dev({ guide: page({ content: '---\ntitle: Guide\n---\nText', title: 'Guide' }) }),
    actions: [],
  },
  '1.4 a page moves to another parent in place': {
    before: dev({ top: page({ slug: 'top' }), guide: page({}) }),
    after: dev({ top: page({ slug: 'top' }), guide: page({ parentPageId: '${docs/top.id}' }) }),
    actions: ['update docs/guide'],
  },
  '1.4 lists show no content of pages: an edit there is found by the revision': {
    before: dev({ guide: page({}) }),
    meanwhile: () => edit('portal-pages', { content: 'clicked' }),
    actions: ['update docs/guide'],
  },
  '1.4 a snippet is renamed in place': {
    before: dev({ hello: inPortal('PortalSnippet', { name: 'hello', content: 'Hi' }) }),
    after: dev({ hello: inPortal('PortalSnippet', { name: 'welcome', content: 'Hi' }) }),
    actions: ['update docs/hello'],
  },
  '1.5 settings that a portal has already are taken over, and changed': {
    before: dev({}),
    after: dev({ signIn: auth(false) }),
    actions: ['adopt docs/signIn'],
  },
  '1.5 settings whose block goes are put back, not deleted': {
    before: dev({ signIn: auth(false) }),
    after: dev({}),
    actions: ['delete docs/signIn'],
  },
  '1.5 a part of how a portal looks is changed, the rest stays': {
    before: dev({ look: inPortal('PortalCustomization', { specRenderer: { tryItUi: false }, css: 'a {}' }) }),
    after: dev({ look: inPortal('PortalCustomization', { specRenderer: { tryItUi: true }, css: 'a {}' }) }),
    actions: ['update docs/look'],
  },
  '1.5 what the platform says beyond that is no difference': {
    before: dev({ look: inPortal('PortalCustomization', { specRenderer: { tryItUi: false } }) }),
    actions: [],
  },
  '1.5 what is known of how a portal looks goes with the portal that others deleted': {
    before: { ...dev({ look: inPortal('PortalCustomization', { css: 'a {}' }) }), ...other },
    after: other,
    meanwhile: async () => {
      const [own] = (await rows('portals')).filter(({ name }) => name === 'Docs');
      await world.call('DELETE', `/v3/portals/${String(own?.['id'])}?force=true`);
    },
    actions: ['forget docs', 'forget docs/look'],
  },
  '1.5 another picture is put in place of the first': {
    before: dev({ logo: inPortal('PortalLogo', { data: 'data:image/png;base64,AAAA' }) }),
    after: dev({ logo: inPortal('PortalLogo', { data: 'data:image/png;base64,BBBB' }) }),
    actions: ['update docs/logo'],
  },
  '1.5 another name is another domain': {
    before: dev({ domain: domain() }),
    after: dev({ domain: domain({ hostname: 'developers.example.com' }) }),
    actions: ['replace docs/domain'],
  },
  '1.5 a key that is never shown is no difference': {
    before: dev({ domain: domain() }),
    actions: [],
  },
  '1.5 a renewed certificate is told in place': {
    before: dev({ domain: domain() }),
    after: dev({ domain: domain({ customCertificate: 'PEM of the next', customPrivateKey: 'its key' }) }),
    actions: ['update docs/domain'],
  },
  '1.5 another role is given, and the first one taken': {
    before: role('API Viewer'),
    after: role('API Consumer'),
    actions: ['replace docs/partners/sees'],
  },
  '1.6 names and settings of a strategy change in place': {
    before: byKey(),
    after: byKey({ displayName: 'API keys', keyAuth: { keyNames: ['x-api-key'], ttl: { value: 2, unit: 'years' } } }),
    actions: ['update keys'],
  },
  '1.6 a key that was to end is good for ever': {
    before: byKey(),
    after: byKey({ keyAuth: { keyNames: ['apikey'] } }),
    actions: ['update keys'],
  },
  '1.6 one provider’s settings change in place': {
    before: bySignIn(byProvider),
    after: bySignIn({ ...byProvider, scopes: ['openid', 'email'] }),
    actions: ['update keys'],
  },
  '1.6 another type is another strategy': {
    before: byKey(),
    after: bySignIn(byProvider),
    actions: ['replace keys'],
  },
  '1.6 a strategy without changes is no difference': { before: byKey(), actions: [] },
  '1.6 a strategy ends after the publication that names it': {
    before: { ...byKey(), ...shown({ portalId: portal(1), authStrategyIds: ['${keys.id}'] }) },
    after: shown({ portalId: portal(1), authStrategyIds: null }),
    actions: ['update pets/shown', 'delete keys'],
  },
  '1.6 one that a publication names is not deleted': {
    before: { ...byKey(), ...pets({}) },
    after: pets({}),
    meanwhile: async () => {
      const [own] = (await rows('auth-strategies')).filter(({ name }) => name === 'keys of ours');
      const [api] = await rows('apis');
      await world.call('PUT', `/v3/apis/${String(api?.['id'])}/publications/${portal(1)}`, {
        auth_strategy_ids: [String(own?.['id'])],
      });
    },
    actions: ['delete keys'],
    refused: 'The strategy is used',
  },
  '1.7 a control plane is renamed in place': {
    before: plane(),
    after: plane({ name: 'theirs' }),
    actions: ['update plane'],
  },
  '1.7 another kind of cluster is another control plane': {
    before: plane(),
    after: plane({ clusterType: 'CLUSTER_TYPE_SERVERLESS' }),
    actions: ['replace plane'],
  },
  '1.5 the claims that a portal has unless it names others are no difference': {
    before: dev({
      auth: inPortal('PortalAuth', {
        ...{ oidcIssuer: 'https://id.example.com', oidcClientId: 'docs', oidcScopes: ['openid', 'email'] },
        ...{ oidcClaimMappings: { groups: 'memberOf' }, idpMappingEnabled: true },
      }),
    }),
    actions: [],
  },
  '1.8 fields that the organisation has for all services are no difference': {
    before: service({ tier: 'gold', owner: { name: 'Us', link: 'https://us.example.com' } }),
    actions: [],
  },
  '1.8 a field of ours is changed among them': {
    before: service({ tier: 'gold' }),
    after: service({ tier: 'silver' }),
    actions: ['update pets'],
  },
  '1.8 what an add-on shows of its state is no difference': {
    before: { ...plane(), ...cache },
    actions: [],
  },
  '1.8 the defaults of a vault are no difference': {
    before: plane({}, { vault: inPlane('GatewayVault', { name: 'env', prefix: 'ours', config: { prefix: 'OURS_' } }) }),
    actions: [],
  },
  '1.8 what a vault is told is changed among them': {
    before: plane({}, { vault: inPlane('GatewayVault', { name: 'env', prefix: 'ours', config: { prefix: 'OURS_' } }) }),
    after: plane({}, { vault: inPlane('GatewayVault', { name: 'env', prefix: 'ours', config: { prefix: 'X_' } }) }),
    actions: ['update plane/vault'],
  },
  '1.8 settings of a plugin that no description has members of keep the defaults of the gateway': {
    before: plane({}, { monitor: inPlane('GatewayPluginAppDynamics', { config: { sampling: 5 } }) }),
    actions: [],
  },
  '1.8 a call of a callout that is given nothing of its own is no difference': {
    before: plane({}, { callout: callout({ request: { url: 'https://a.example.com' } }) }),
    actions: [],
  },
  '1.8 a call of a callout whose own headers are nothing is no difference': {
    before: plane(
      {},
      {
        callout: callout({
          request: { url: 'https://a.example.com', headers: { custom: {}, forward: true } },
        }),
      },
    ),
    actions: [],
  },
  '1.8 a call of a callout of which others said all defaults is no difference': {
    before: plane({}, { callout: callout({ request: { url: 'https://a.example.com', headers: { forward: true } } }) }),
    meanwhile: async () => {
      const parts = { body: { custom: null, decode: false, forward: false }, query: { custom: null, forward: false } };
      const request = { url: 'https://a.example.com', headers: { custom: null, forward: true }, ...parts };
      const body = { name: 'request-callout', config: { callouts: [{ name: 'a', request }] } };
      expect((await world.call('PUT', await pluginPath(), body)).status).toBe(200);
    },
    actions: [],
  },
  '1.8 a call of a callout that says null wherever the platform does is no difference': {
    before: plane({}, { callout: callout({ cache: null, request: { ...nothingOwn, url: 'https://a.example.com' } }) }),
    actions: [],
  },
  '1.8 a call of a callout whose headers become null loses them': {
    before: plane(
      {},
      { callout: callout({ request: { url: 'https://a.example.com', headers: { custom: { a: 'b' } } } }) },
    ),
    after: plane({}, { callout: callout({ request: { url: 'https://a.example.com', headers: { custom: null } } }) }),
    actions: ['update plane/callout'],
  },
  '1.8 a key is what its JSON says, however the platform spells it': {
    before: plane({}, { key: inPlane('GatewayKey', { name: 'ours', kid: 'a', jwk: '{"kty": "oct", "k": "AQ"}' }) }),
    after: plane({}, { key: inPlane('GatewayKey', { name: 'ours', kid: 'a', jwk: '{"k":"AQ","kty":"oct"}' }) }),
    actions: [],
  },
  '1.8 another key is a change': {
    before: plane({}, { key: inPlane('GatewayKey', { name: 'ours', kid: 'a', jwk: '{"kty": "oct", "k": "AQ"}' }) }),
    after: plane({}, { key: inPlane('GatewayKey', { name: 'ours', kid: 'a', jwk: '{"kty": "oct", "k": "Ag"}' }) }),
    actions: ['update plane/key'],
  },
  '1.8 a plugin that shares its settings shows where they count': {
    before: plane(
      {},
      {
        shared: inPlane('GatewayPartial', { type: 'redis-ee', name: 'shared', config: { host: 'redis.example.com' } }),
        limit: inPlane('GatewayPluginRateLimitingAdvanced', {
          config: { limit: [5], windowSize: [60] },
          partials: [{ id: '${plane/shared.id}', path: 'config.redis' }],
        }),
      },
    ),
    actions: [],
  },
  '1.2 a publication comes after what it shows': {
    before: pets({}),
    after: pets({ a: publication({ portalId: portal(1) }), gateway: enforced, v1: version(yaml('1.0.0')) }),
    actions: ['create pets/gateway', 'create pets/v1', 'create pets/a'],
  },
};

describe('traps', () => {
  it.each(Object.entries(traps))('%s', async (_name, { before, after, meanwhile, actions, options, refused, left }) => {
    const settings = 'project: test\nguards: {maxDeletePercent: 100}\n';
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: before } });
    await world.apply();
    await meanwhile?.();
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: after ?? before } });
    expect(actionsOf(await world.plan(options))).toEqual(actions);
    if (refused !== undefined) {
      const result = await world.open(async (project) => project.apply(await project.plan(options)));
      expect(JSON.stringify(result)).toContain(refused);
      expect(actionsOf(await world.plan())).toEqual(left ?? actions);
      return;
    }
    await world.apply(options);
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  });
});

describe('front matter', () => {
  it('that says another title than the catalogue is refused before anything is sent', async () => {
    const guide = page({ content: '---\ntitle: Guide\n---\nText', title: 'Handbook' });
    await world.write({ 'catalogue/all.yaml': { resources: dev({ guide }) } });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`).join()).toMatch(/^error: .*"Guide"/);
  });
});

describe('a strategy', () => {
  it('with the settings of another type is refused before anything is sent', async () => {
    const mixed = bySignIn({});
    await world.write({
      'catalogue/all.yaml': {
        resources: { ...mixed, keys: byKey({ strategyType: 'openid_connect' })['keys'] as JsonObject },
      },
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`)).toEqual([
      expect.stringMatching(/^error: .*keyAuth.*strategyType/),
    ]);
  });
});

describe('a picture', () => {
  it('is read from its file, and an edit of the file is a change of it', async () => {
    const write = async (bytes: number): Promise<void> => {
      await world.write({
        'catalogue/all.yaml': `resources:
  docs:
    type: platform:Portal
    children:
      logo:
        type: platform:PortalLogo
        properties:
          data: !file logo.png
`,
      });
      await writeFile(join(world.folder, 'catalogue/logo.png'), Buffer.from([0x89, 0x50, 0xff, bytes]));
    };
    await write(1);
    await world.apply();
    expect((await rows('portal-logos'))[0]?.['data']).toBe(
      `data:image/png;base64,${Buffer.from([0x89, 0x50, 0xff, 1]).toString('base64')}`,
    );
    await write(2);
    expect(actionsOf(await world.plan())).toEqual(['update docs/logo']);
  });
});

describe('a portal', () => {
  it('says before it happens what becomes public, private or disappears', async () => {
    const risks = async (resources: JsonObject): Promise<unknown> => {
      await world.write({
        'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
        'catalogue/all.yaml': { resources },
      });
      const { steps } = await world.plan();
      await world.apply();
      return steps.map(({ address, risks: found }) => [address, found.map(({ kind }) => kind)]);
    };
    const shown = (visibility: string, status = 'published'): JsonObject => page({ visibility, status });
    await risks(dev({ guide: shown('private') }, { authenticationEnabled: true }));
    expect(await risks(dev({ guide: shown('public') }, { authenticationEnabled: true }))).toEqual([
      ['docs/guide', ['publishes']],
    ]);
    expect(await risks(dev({ guide: shown('private') }, { authenticationEnabled: false }))).toEqual([
      ['docs', ['publishes']],
      ['docs/guide', ['unpublishes']],
    ]);
    expect(await risks(dev({ guide: shown('private', 'unpublished') }, { authenticationEnabled: true }))).toEqual([
      ['docs', ['unpublishes']],
      ['docs/guide', ['unpublishes']],
    ]);
  });
});
