import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/engine/model/value.js';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { type World, actionsOf } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const write = (children: JsonObject): Promise<void> =>
  world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': { resources: { front: { type: 'platform:Portal', children } } },
  });
const signIn = (properties: JsonObject): JsonObject => ({ signIn: { type: 'platform:PortalAuth', properties } });

async function path(): Promise<string> {
  const state = await world.open((project) => project.state().then((store) => store.read()));
  return `/v3/portals/${state.resources.get('front')?.identity.id ?? ''}/authentication-settings`;
}

it.each<[string, JsonObject, JsonObject]>([
  [
    'all that was declared goes back',
    { basicAuthEnabled: false, oidcAuthEnabled: true, oidcIssuer: 'https://id.example.com', oidcClientId: 'portal' },
    { basic_auth_enabled: true, oidc_auth_enabled: false, oidc_issuer: null, oidc_client_id: null },
  ],
  [
    'scopes and claims, too',
    { oidcScopes: ['openid', 'email'], oidcClaimMappings: { groups: 'teams' } },
    { oidc_scopes: null, oidc_claim_mappings: null },
  ],
  ['what others chose stays', { basicAuthEnabled: false }, { basic_auth_enabled: true, saml_auth_enabled: true }],
  ['of nothing declared nothing goes back', {}, { saml_auth_enabled: true }],
])('settings of sign-in that leave the catalogue: %s', async (_name, properties, left) => {
  await write(signIn(properties));
  await world.apply();
  if ('saml_auth_enabled' in left) {
    await world.call('PATCH', await path(), { saml_auth_enabled: true });
  }
  await write({});
  const plan = await world.plan();
  // Where nothing goes back nothing is sent: the settings stay in force, and the plan says so.
  const action = Object.keys(properties).length === 0 ? 'forget' : 'delete';
  expect(actionsOf(plan)).toEqual([`${action} front/signIn`]);
  await world.apply();
  expect((await world.call('GET', await path())).body).toMatchObject(left);
  expect(actionsOf(await world.plan())).toEqual([]);
});

it('scopes and claims of sign-in are sent, compared without their order, put back and taken out', async () => {
  await write(signIn({ oidcScopes: ['openid', 'email'], oidcClaimMappings: { groups: 'teams' } }));
  await world.apply();
  const there = async (): Promise<unknown> => {
    const { oidc_scopes, oidc_claim_mappings } = (await world.call('GET', await path())).body as JsonObject;
    return [oidc_scopes, oidc_claim_mappings];
  };
  // The platform adds claims of its own.
  const wanted = [['openid', 'email'], expect.objectContaining({ groups: 'teams' })];
  expect(await there()).toEqual(wanted);
  expect(actionsOf(await world.plan())).toEqual([]);
  await world.call('PATCH', await path(), { oidc_scopes: ['email', 'openid'] });
  expect(actionsOf(await world.plan())).toEqual([]);
  await world.call('PATCH', await path(), { oidc_scopes: ['email'], oidc_claim_mappings: { groups: 'roles' } });
  expect(actionsOf(await world.plan())).toEqual(['update front/signIn']);
  await world.apply();
  expect(await there()).toEqual(wanted);
  await write(signIn({ basicAuthEnabled: true }));
  await world.apply();
  expect(await there()).toEqual([null, null]);
  expect(actionsOf(await world.plan())).toEqual([]);
});
