import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptDescriptions } from '@platform-sync/sandbox/described/description';
import { bodyProblems } from '@platform-sync/sandbox/described/check-body';
import { sampleText } from '@platform-sync/sandbox/described/object';
import { hasForm } from '@platform-sync/sandbox/described/pattern';
import { isJsonObject, type Json, type JsonObject } from '@platform-sync/sandbox/json';
import { Client } from './client.js';

let client: Client;
let gateway: string;
let ai: string;
let plane: string;
beforeAll(async () => {
  client = await Client.start();
  gateway = `/v1/event-gateways/${await client.create('/v1/event-gateways', { name: 'events' })}`;
  ai = `/v1/ai-gateways/${await client.create('/v1/ai-gateways', { name: 'ai', display_name: 'AI' })}`;
  plane = `/v2/control-planes/${await client.create('/v2/control-planes', { name: 'plane' })}/core-entities`;
});
afterAll(() => client.close());

const cluster = (authentication: Json): Json => ({
  ...{ name: 'a', bootstrap_servers: ['a:9092'], tls: { enabled: false }, authentication },
});

describe('a body that is none of what it may be', () => {
  it.each<[string, () => string, Json, readonly (readonly [field: string, reason: string])[]]>([
    [
      'a record of a kind that is none',
      () => `${gateway}/backend-clusters`,
      cluster({ type: 'kerberos' }),
      [['authentication.type', 'authentication.type must be one of anonymous, sasl_plain, sasl_scram']],
    ],
    [
      'a record that does not say its kind',
      () => `${gateway}/backend-clusters`,
      cluster({ username: 'a' }),
      [['authentication.type', 'authentication.type is required']],
    ],
    [
      'a record of a kind that lacks what the kind wants',
      () => `${gateway}/backend-clusters`,
      cluster({ type: 'sasl_plain', username: 'a' }),
      [['authentication.password', 'authentication.password is required']],
    ],
    [
      'a text where a record is',
      () => `${gateway}/backend-clusters`,
      cluster('anonymous'),
      [['authentication', 'authentication must be an object']],
    ],
    [
      'a body of a kind that is none',
      () => `${ai}/vaults`,
      { name: 'vault', type: 'paper', config: {} },
      [['type', expect.stringMatching(/^type must be one of .*env, aws/) as string]],
    ],
    [
      'a body of a kind with a member that is wrong in it',
      () => `${ai}/vaults`,
      { name: 'vault', type: 'env', config: { prefix: 'A', base64_decode: 'yes' } },
      [['config.base64_decode', 'config.base64_decode must be a boolean']],
    ],
    [
      'a plugin of any name',
      () => `${plane}/plugins`,
      { name: 'shop-sign', config: 'much' },
      [['config', 'config must be an object']],
    ],
    [
      'a plugin of a kind',
      () => `${plane}/plugins`,
      { name: 'key-auth', config: { key_names: 'apikey' } },
      [['config.key_names', 'config.key_names must be an array']],
    ],
  ])('is refused by its field: %s', async (_, path, body, told) => {
    const reply = await client.call('POST', path(), body);
    expect(reply.status).toBe(400);
    const parameters = reply.body['invalid_parameters'] as readonly { field: string; reason: string }[];
    expect(parameters.map(({ field, reason }) => [field, reason])).toEqual(told);
  });

  it('is told with a field, wherever a description has a choice, and with one problem a field and rule', () => {
    let refused = 0;
    for (const description of keptDescriptions())
      for (const [, item] of description.paths)
        for (const call of [item['post'], item['put']]) {
          const body = isJsonObject(call) ? description.bodyOf(call) : undefined;
          if (body === undefined) continue;
          const { properties, either } = description.shapeOf(body);
          const wrong = [...properties].flatMap(([name, member]): Json[] =>
            description.shapeOf(member).either.length > 0 ? [{ [name]: { nonsense: 1 } }, { [name]: [3] }] : [],
          );
          for (const value of either.length > 0 ? [...wrong, { nonsense: 1 }, {}] : wrong) {
            const problems = bodyProblems(description, body, value);
            refused += problems.length > 0 ? 1 : 0;
            expect(
              problems.filter(({ field, reason }) => field === '' || !reason.replace(/^"/, '').startsWith(field)),
            ).toEqual([]);
            const keys = problems.map(({ field, rule }) => `${field} ${rule ?? ''}`);
            expect(new Set(keys).size).toBe(keys.length);
          }
        }
    expect(refused).toBeGreaterThan(50);
  });
});

describe('a change of a record of which fewer kinds are changed than made', () => {
  const transit = async (transit_gateway_attachment_config: Json): Promise<string> => {
    const networks = '/v2/cloud-gateways/networks';
    const network = await client.create(networks, {
      ...{ name: crypto.randomUUID(), cloud_gateway_provider_account_id: '00000000-0000-4000-8000-000000000001' },
      ...{ region: 'eu-west-1', availability_zones: ['a'], cidr_block: '10.0.0.0/8' },
    });
    const gateways = `${networks}/${network}/transit-gateways`;
    return `${gateways}/${await client.create(gateways, { name: 'a', transit_gateway_attachment_config })}`;
  };
  const endpoint = { kind: 'aws-resource-endpoint-attachment', resource_config: [] };
  const hub = { kind: 'azure-vhub-peering-attachment', tenant_id: 'a', subscription_id: 'a' };

  it.each<[string, Json, Json, number, string | undefined]>([
    ['of one that is', { ...endpoint, ram_share_arn: 'a' }, endpoint, 200, undefined],
    [
      'with a member that only makes it',
      { ...endpoint, ram_share_arn: 'a' },
      { ...endpoint, ram_share_arn: 'a' },
      ...([400, 'transit_gateway_attachment_config.ram_share_arn'] as const),
    ],
    [
      'of another',
      { ...hub, resource_group_name: 'a', vhub_name: 'a' },
      { ...hub, resource_group_name: 'a', vhub_name: 'b' },
      ...([400, expect.any(String) as string] as const),
    ],
    [
      'that makes one that is out of another',
      { ...hub, resource_group_name: 'a', vhub_name: 'a' },
      endpoint,
      ...([400, 'transit_gateway_attachment_config.kind'] as const),
    ],
  ])('%s', async (_, made, transit_gateway_attachment_config, status, field) => {
    const answer = await client.call('PATCH', await transit(made), { transit_gateway_attachment_config });
    expect(answer.status).toBe(status);
    const { invalid_parameters: problems = [] } = answer.body as { invalid_parameters?: { field: string }[] };
    expect(problems[0]?.field).toEqual(field);
  });
});

describe('what the platform answers', () => {
  it('shows what it was given of a schema registry, its description among it', async () => {
    const path = `${gateway}/schema-registries`;
    const id = await client.create(path, {
      ...{ name: 'registry', description: 'Ours', type: 'confluent' },
      config: { schema_type: 'avro', endpoint: 'https://registry.example.com' },
    });
    const { body } = await client.call('GET', `${path}/${id}`);
    expect(body).toMatchObject({ name: 'registry', description: 'Ours', type: 'confluent' });
  });

  it('has members inside records that answers must have: the name of what is referred to, the state of an add-on', async () => {
    const backend = await client.create(`${gateway}/backend-clusters`, cluster({ type: 'anonymous' }));
    const virtual = await client.create(`${gateway}/virtual-clusters`, {
      ...{ name: 'v', destination: { id: backend }, authentication: [{ type: 'anonymous' }] },
      ...{ dns_label: 'v', acl_mode: 'passthrough' },
    });
    const shown = await client.call('GET', `${gateway}/virtual-clusters/${virtual}`);
    expect(shown.body).toMatchObject({ destination: { id: backend, name: expect.any(String) as unknown } });
    const addOn = await client.create('/v2/cloud-gateways/add-ons', {
      name: 'cache',
      owner: { kind: 'control-plane', control_plane_id: plane.split('/')[3] ?? '', control_plane_geo: 'eu' },
      config: { kind: 'managed-cache.v0', capacity_config: { kind: 'tiered', tier: 'micro' } },
    });
    const { body } = await client.call('GET', `/v2/cloud-gateways/add-ons/${addOn}`);
    expect(body).toMatchObject({ config: { data_plane_groups: [], state_metadata: {} } });
  });
});

/** Schemas of texts with a form, wherever they stand. */
function textsWithForm(node: Json): readonly JsonObject[] {
  if (Array.isArray(node)) return (node as readonly Json[]).flatMap(textsWithForm);
  if (!isJsonObject(node)) return [];
  const own = node['type'] === 'string' && typeof node['pattern'] === 'string' ? [node] : [];
  return [...own, ...Object.values(node).flatMap(textsWithForm)];
}

it('every text that the platform makes up has the form and length that its description says', () => {
  const all = ['marked', 'unmarked', 'newest'].flatMap((name) =>
    textsWithForm(
      JSON.parse(
        readFileSync(new URL(`../../schemas/descriptions/platform-${name}.json`, import.meta.url), 'utf8'),
      ) as Json,
    ),
  );
  const wrong = all.filter((schema) => {
    const { pattern, minLength = 0, maxLength = Infinity } = schema;
    const text = sampleText(schema);
    return !hasForm(String(pattern), text) || text.length < Number(minLength) || text.length > Number(maxLength);
  });
  expect([...new Set(wrong.map(({ pattern }) => pattern))]).toEqual([]);
  expect(all.length).toBeGreaterThan(50);
});

describe('what the documentation of the service says is refused, though its description does not', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----';

  it.each<[string, () => string, Json, Json]>([
    ['a certificate that is no PEM', () => `${plane}/ca_certificates`, { cert: 'none' }, { cert: pem }],
    [
      'a rate limit without a limit',
      () => `${plane}/plugins`,
      { name: 'rate-limiting', config: { policy: 'local' } },
      { name: 'rate-limiting', config: { policy: 'local', minute: 5 } },
    ],
  ])('%s', async (_what, path, wrong, right) => {
    expect((await client.call('POST', path(), wrong)).status).toBe(400);
    expect((await client.call('POST', path(), right)).status).toBe(201);
  });

  it('a second plugin of one name on the same, whatever its instance is called', async () => {
    const { id } = (await client.call('POST', `${plane}/services`, { name: 'twice', host: 'a.example.com' }))
      .body as JsonObject;
    const made = async (more: JsonObject): Promise<number> =>
      (await client.call('POST', `${plane}/plugins`, { name: 'cors', config: {}, ...more })).status;
    expect([await made({}), await made({}), await made({ instance_name: 'other' })]).toEqual([201, 409, 409]);
    expect([await made({ service: { id: id ?? null } }), await made({ service: { id: id ?? null } })]).toEqual([
      201, 409,
    ]);
  });

  it('a member of a team that is no user', async () => {
    const team = await client.create('/v3/teams', { name: 'ours' });
    const [user] = await client.list('/v2/users');
    expect((await client.call('POST', `/v3/teams/${team}/users`, { id: 'nobody' })).status).toBe(400);
    expect((await client.call('POST', `/v3/teams/${team}/users`, { id: user?.['id'] })).status).toBe(201);
  });
});
