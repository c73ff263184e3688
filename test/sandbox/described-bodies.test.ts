import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptDescriptions } from '../../src/sandbox/described/description.js';
import { bodyProblems } from '../../src/sandbox/described/check-body.js';
import { isJsonObject, type Json } from '../../src/sandbox/json.js';
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
      [['authentication', 'authentication must be object']],
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
      [['config.base64_decode', 'config.base64_decode must be boolean']],
    ],
    [
      'a plugin of any name',
      () => `${plane}/plugins`,
      { name: 'shop-sign', config: 'much' },
      [['config', 'config must be object']],
    ],
    [
      'a plugin of a kind',
      () => `${plane}/plugins`,
      { name: 'key-auth', config: { key_names: 'apikey' } },
      [['config.key_names', 'config.key_names must be array']],
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
            expect(problems.filter(({ field, reason }) => field === '' || !reason.startsWith(field))).toEqual([]);
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
