import { expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { type World, actionsOf } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const provider: JsonObject = {
  ...{ issuer: 'https://id.example.com', credentialClaim: ['sub'] },
  ...{ scopes: ['openid'], authMethods: ['bearer'] },
};
const write = (properties: JsonObject): Promise<void> =>
  world.write({
    'catalogue/all.yaml': {
      resources: {
        ours: { type: 'platform:ApplicationAuthStrategy', properties: { displayName: 'Ours', ...properties } },
      },
    },
  });
const signIn = (others?: JsonObject): Promise<void> =>
  write({
    strategyType: 'openid_connect',
    openidConnect: { ...provider, ...(others === undefined ? {} : { others }) },
  });
const keys = (keyAuth: JsonObject): Promise<void> => write({ strategyType: 'key_auth', keyAuth });

async function configs(): Promise<JsonObject> {
  const { body } = await world.call('GET', '/v2/application-auth-strategies?filter[name][eq]=ours');
  const [row] = (body as { data: readonly { configs: Record<string, JsonObject> }[] }).data;
  return Object.values(row?.configs ?? {})[0] ?? {};
}

async function applied(): Promise<JsonObject> {
  await world.apply();
  expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  return configs();
}

it('settings that the type does not name travel as they are, change in place, and go', async () => {
  await signIn({ consumer_claim: ['sub'], cache_ttl: 60, deep: { camelCase: [{ snake_case: null }] } });
  expect(await applied()).toMatchObject({
    issuer: 'https://id.example.com',
    consumer_claim: ['sub'],
    cache_ttl: 60,
    deep: { camelCase: [{ snake_case: null }] },
  });
  await signIn({ consumer_claim: ['email'] });
  const plan = await world.plan();
  expect(actionsOf(plan)).toEqual(['update ours']);
  expect(await applied()).toEqual({
    ...{ issuer: 'https://id.example.com', credential_claim: ['sub'], scopes: ['openid'], auth_methods: ['bearer'] },
    consumer_claim: ['email'],
  });
  await signIn();
  expect(await applied()).not.toHaveProperty('consumer_claim');
});

it('what others set beside it is left alone, and put right where the catalogue says it', async () => {
  await signIn({ cache_ttl: 60 });
  await world.apply();
  const objects = (await world.call('GET', '/_sandbox/objects')).body as Record<string, readonly JsonObject[]>;
  const row = objects['auth-strategies']?.find(({ name }) => name === 'ours');
  const edit = (change: JsonObject): Promise<unknown> =>
    world.call('PATCH', `/v2/application-auth-strategies/${String(row?.['id'])}`, {
      configs: { 'openid-connect': change },
    });
  await edit({ theirs: true });
  expect(actionsOf(await world.plan())).toEqual([]);
  await edit({ cache_ttl: 5 });
  expect(actionsOf(await world.plan())).toEqual(['update ours']);
  expect(await applied()).toMatchObject({ cache_ttl: 60, theirs: true });
});

it('a member that leaves the settings is taken off', async () => {
  await keys({ keyNames: ['apikey'], ttl: { value: 1, unit: 'years' } });
  await applied();
  await keys({ keyNames: ['apikey'] });
  expect(actionsOf(await world.plan())).toEqual(['update ours']);
  expect(await applied()).toEqual({ key_names: ['apikey'] });
});

it('one that a publication names is replaced by making the new one first', async () => {
  const used = (own: JsonObject): Promise<void> =>
    world.write({
      'catalogue/all.yaml': {
        resources: {
          ours: { type: 'platform:ApplicationAuthStrategy', properties: { displayName: 'Ours', ...own } },
          front: { type: 'platform:Portal' },
          pets: { type: 'platform:Api' },
          shown: {
            type: 'platform:ApiPublication',
            properties: { apiId: '${pets.id}', portalId: '${front.id}', authStrategyIds: ['${ours.id}'] },
          },
        },
      },
    });
  await used({ strategyType: 'key_auth', keyAuth: { keyNames: ['apikey'] } });
  await world.apply();
  await used({ strategyType: 'openid_connect', openidConnect: provider });
  const plan = await world.plan();
  expect(plan.steps.map(({ address, action, order }) => [address, action, order])).toEqual([
    ['shown', 'update', undefined],
    ['ours', 'replace', 'create-first'],
  ]);
  expect(await applied()).toHaveProperty('issuer');
});
