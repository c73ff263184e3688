import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

const endpoint = 'aws-resource-endpoint-attachment';
const resource = (id: string): JsonObject => ({ resourceConfigId: id, domainName: 'a.example.com' });
/** An attachment of each kind, and what can be said otherwise of it. */
const kinds: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'aws-transit-gateway-attachment': [
    { transitGatewayId: 'tgw-1', ramShareArn: 'arn:a' },
    { transitGatewayId: 'tgw-2' },
  ],
  'aws-vpc-peering-attachment': [
    { peerAccountId: '1', peerVpcId: 'vpc-1', peerVpcRegion: 'eu' },
    { peerVpcId: 'vpc-2' },
  ],
  [endpoint]: [{ ramShareArn: 'arn:a', resourceConfig: [resource('r1')] }, { resourceConfig: [resource('r2')] }],
  'azure-vnet-peering-attachment': [
    { tenantId: 't', subscriptionId: 's', resourceGroupName: 'g', vnetName: 'v' },
    { vnetName: 'w' },
  ],
  'azure-vhub-peering-attachment': [
    { tenantId: 't', subscriptionId: 's', resourceGroupName: 'g', vhubName: 'v' },
    { vhubName: 'w' },
  ],
  'gcp-vpc-peering-attachment': [{ peerProjectId: 'p', peerVpcName: 'v' }, { peerVpcName: 'w' }],
};
const names = Object.keys(kinds);
const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 5 });
});
afterAll(() => world.close());

const attachment = (kind: string, more: JsonObject = {}): JsonObject => ({ kind, ...kinds[kind]?.[0], ...more });

async function write(transitGatewayAttachmentConfig: JsonObject): Promise<void> {
  const hasBlocks = /^aws-(?:transit|vpc)/.test(String(transitGatewayAttachmentConfig['kind']));
  const network = {
    ...{ name: 'shop', cloudGatewayProviderAccountId: '00000000-0000-4000-8000-000000000001', region: 'eu-west-1' },
    ...{ availabilityZones: ['a'], cidrBlock: '10.0.0.0/8' },
  };
  const properties = {
    ...{ networkId: '${net.id}', name: 'shop', transitGatewayAttachmentConfig },
    ...(hasBlocks ? { cidrBlocks: ['10.1.0.0/16'] } : {}),
  };
  await world.write({
    'sync.yaml': settings,
    'catalogue/all.yaml': {
      resources: {
        net: { type: 'platform:CloudGatewayNetwork', properties: network },
        transit: { type: 'platform:CloudGatewayTransitGateway', properties },
      },
    },
  });
}

async function mustDo(action: string): Promise<void> {
  expect(actionsOf(await world.plan())).toEqual([action]);
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
}

describe('what is attached to a transit gateway', () => {
  it.each(names)('%s is made, changed by what its calls take, and drifts back', async (kind) => {
    const action = kind === endpoint ? 'update transit' : 'replace transit';
    await write(attachment(kind));
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
    await write(attachment(kind, kinds[kind]?.[1]));
    await mustDo(action);
  });

  it('is replaced where no update takes the member, and updates do not send it', async () => {
    await write(attachment(endpoint));
    await world.apply();
    await write(attachment(endpoint, { ramShareArn: 'arn:b' }));
    await mustDo('replace transit');
    await write(attachment(endpoint, { ramShareArn: 'arn:b', resourceConfig: [] }));
    await mustDo('update transit');
  });

  it.each(names.flatMap((from) => names.flatMap((to) => (from === to ? [] : [[from, to] as const]))))(
    'from %s to %s is another object',
    async (from, to) => {
      await write(attachment(from));
      await world.apply();
      await write(attachment(to));
      await mustDo('replace transit');
    },
  );
});
