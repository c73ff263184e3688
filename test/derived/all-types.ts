import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { fixedId } from '@platform-sync/sandbox/seed/fixed';
import { changing, sampleOf, type Sample } from './samples.js';

/** All types that rules made. */
export const types: readonly ResourceType[] = [...platformPackage.types.values()].filter(
  ({ derived }) => derived === true,
);
const byToken = new Map([...platformPackage.types.values()].map((type) => [type.token, type]));

/** What a schema can't say of one type: values that belong together, of one branch of what is a choice of records. */
const known: Readonly<Record<string, JsonObject>> = {
  AiGatewayMcpServer: { type: 'listener', config: { maxRequestBodySize: 8 }, sources: ['a'] },
  AiGatewayModel: {
    type: 'api',
    formats: [{ type: 'openai' }],
    targets: [{ name: 'gpt', provider: 'openai', config: { type: 'openai' } }],
    config: { route: { paths: ['/chat'] } },
    capabilities: ['batches'],
  },
  AiGatewayVault: { type: 'env', config: { base64Decode: false } },
  ApiImage: { data: 'data:image/png;base64,AAAA' },
  ApiPackageImage: { data: 'data:image/png;base64,AAAA' },
  ApiProduct: { portalIds: [] },
  APIProductSpecification: { name: 'shop.yaml' },
  CloudGatewayAddon: {
    owner: { kind: 'control-plane', controlPlaneId: '${gatewaycontrolplane.id}', controlPlaneGeo: 'eu' },
    config: { kind: 'managed-cache.v0', capacityConfig: { kind: 'tiered', tier: 'micro' } },
  },
  CloudGatewayPrivateDns: {
    privateDnsAttachmentConfig: { kind: 'aws-private-hosted-zone-attachment', hostedZoneId: 'Z1' },
  },
  CloudGatewayTransitGateway: {
    cidrBlocks: ['10.0.0.0/8'],
    transitGatewayAttachmentConfig: {
      ...{ kind: 'aws-vpc-peering-attachment', peerAccountId: '1', peerVpcId: 'vpc-1', peerVpcRegion: 'eu-west-1' },
    },
  },
  DcrProvider: {
    providerType: 'auth0',
    dcrConfig: { initial_client_id: 'shop', initial_client_secret: 'not for people' },
  },
  EventGatewayProducePolicyEncrypt: {
    config: { failureMode: 'error', partOfRecord: ['key'], encryptionKey: { type: 'aws', arn: 'arn:aws:kms:a' } },
  },
  GatewayCustomPluginSchema: { name: 'shop', luaSchema: 'return { name = "shop", fields = {} }' },
  GatewayPluginRateLimiting: { config: { minute: 5 } },
  GatewayPluginSaml: {
    config: {
      assertionConsumerPath: '/consume',
      idpSsoUrl: 'https://idp.example.com',
      issuer: 'shop',
      sessionSecret: '0'.repeat(32),
    },
  },
  PortalEmailTemplate: { content: { subject: 'a' } },
  ResourceMapping: { resource: { integration_instance: 'github', type: 'repository', config: { name: 'shop' } } },
  Scorecard: {
    entitySelector: { selector: 'name', selectorParameters: { operator: 'eq', value: 'shop' } },
    criteria: [{ enabled: true, templateName: 'has-docs', templateParameters: {}, sectionName: 'Docs' }],
  },
  TeamUser: { userId: fixedId('user', 1) },
  UserAccessToken: { userId: fixedId('user', 1), ttlSeconds: 86_400 },
  UserRole: { userId: fixedId('user', 1) },
  ServerlessCloudGateway: {
    controlPlaneId: '${gatewaycontrolplane.id}',
    controlPlane: { id: '${gatewaycontrolplane.id}', prefix: 'shop', region: 'eu' },
  },
};

const client = (clientId: string): JsonObject => ({ issuerUrl: 'https://id.example.com', clientId });
const criterion = { enabled: true, templateName: 'has-docs', templateParameters: {} };
/** What values above are changed to, where they can be changed alone. */
const changed: Readonly<Record<string, JsonObject>> = {
  AiGatewayMcpServer: {
    config: { maxRequestBodySize: 7 },
    access: { aclAttributeType: 'oauth_access_token', accessTokenClaimField: 'b' },
    sources: ['b'],
    tools: [{ name: 'b', description: 'b' }],
  },
  AiGatewayModel: {
    targets: [{ name: 'gpt-b', provider: 'openai', config: { type: 'openai' } }],
    config: { route: { paths: ['/talk'] } },
    capabilities: ['files'],
  },
  AiGatewayModelProvider: { config: { auth: { type: 'basic', headers: [{ name: 'b' }] } } },
  AiGatewayVault: { config: { base64Decode: true } },
  ApiImage: { data: 'data:image/png;base64,BBBB' },
  ApiPackageImage: { data: 'data:image/png;base64,BBBB' },
  APIProductSpecification: { name: 'other.yaml' },
  BillingFeature: { unitCost: { type: 'manual', amount: '2' } },
  CloudGatewayAddon: { config: { kind: 'managed-cache.v0', capacityConfig: { kind: 'tiered', tier: 'small' } } },
  CloudGatewayPrivateDns: {
    privateDnsAttachmentConfig: { kind: 'aws-private-hosted-zone-attachment', hostedZoneId: 'Z2' },
  },
  Dashboard: { definition: { tiles: [] } },
  CloudGatewayTransitGateway: { cidrBlocks: ['10.1.0.0/16'] },
  DcrProvider: { dcrConfig: { initial_client_id: 'other', initial_client_secret: 'not for people' } },
  EventGatewayBackendCluster: {
    authentication: { type: 'sasl_scram', algorithm: 'sha256', username: 'b', password: 'not for people' },
  },
  EventGatewayConsumePolicyModifyHeaders: { config: { actions: [{ op: 'remove', key: 'b' }] } },
  EventGatewayListenerPolicyForwardToVirtualCluster: { config: { type: 'sni', sniSuffix: '.b.example.com' } },
  EventGatewayProducePolicyModifyHeaders: { config: { actions: [{ op: 'remove', key: 'b' }] } },
  GatewayPartial: { type: 'redis-ee' },
  EventGatewayProducePolicyEncrypt: {
    config: { failureMode: 'passthrough', partOfRecord: ['key'], encryptionKey: { type: 'aws', arn: 'arn:aws:kms:a' } },
  },
  GatewayCustomPluginSchema: { luaSchema: 'return { name = "shop", fields = { 1 } }' },
  GatewayPluginRateLimiting: { config: { minute: 6 } },
  GatewayPluginSaml: {
    config: {
      ...{ assertionConsumerPath: '/consumed', idpSsoUrl: 'https://idp.example.com', issuer: 'shop' },
      sessionSecret: '0'.repeat(32),
    },
  },
  IdentityProvider: { config: client('b') },
  PortalEmailTemplate: { content: { subject: 'b' } },
  PortalIdentityProvider: { config: client('b') },
  Scorecard: {
    entitySelector: { selector: 'name', selectorParameters: { operator: 'eq', value: 'other' } },
    criteria: [{ ...criterion, sectionName: 'Pages' }],
  },
};

/** The same of fields that may be left out. */
const optional: Readonly<Record<string, JsonObject>> = {
  AiGatewayMcpServer: { access: { aclAttributeType: 'consumer' }, tools: [{ name: 'a', description: 'a' }] },
  IdentityProvider: { config: client('a') },
  PortalIdentityProvider: { config: client('a') },
};

/** How blocks of a type are called: everything lives in those of the first. */
export const keyOf = ({ name }: ResourceType): string => name.toLowerCase();

/** Fields that can't be changed alone. */
export function fixedFields({ name, collection, exactlyOne }: ResourceType): ReadonlySet<string> {
  const others = changed[name] ?? {};
  return new Set([
    ...collection.scope,
    ...exactlyOne.flat(),
    ...Object.keys(known[name] ?? {}).filter((field) => others[field] === undefined),
  ]);
}

/** A sample of a field; names and ids of plugins are unique in all kinds. */
export function valueOf(type: ResourceType, { name, schema }: FieldRule, which: Sample): Json {
  const tables = which === 'other' ? [changed] : [known, optional];
  const chosen = tables.map((table) => table[type.name]?.[name]).find((value) => value !== undefined);
  if (chosen !== undefined) return chosen;
  return sampleOf(schema, which, name === 'instanceName' || name === 'id' ? keyOf(type) : name);
}

/** Values of the required fields as `base` says, and of the given ones as the sample says. */
export function propertiesOf(
  type: ResourceType,
  given: readonly FieldRule[],
  which: Sample,
  base: Sample = which === 'second' ? which : 'first',
): JsonObject {
  const chosen = new Set(given.map(({ name }) => name));
  const properties = Object.values(type.fields)
    .filter(({ input, required, name }) => input && (required || chosen.has(name)))
    .map((rule): readonly [string, Json] => {
      const target = rule.references === undefined ? undefined : byToken.get(rule.references);
      if (target !== undefined && used.has(target)) return [rule.name, `\${${keyOf(target)}.id}`];
      return [rule.name, valueOf(type, rule, chosen.has(rule.name) ? which : base)];
    });
  const others = changed[type.name] ?? {};
  const kept = Object.entries(known[type.name] ?? {}).filter(
    ([name]) => !chosen.has(name) || others[name] === undefined,
  );
  return { ...Object.fromEntries(properties), ...Object.fromEntries(kept) };
}

/** Of which kind the objects of a type are that is a choice of records. */
export function kindOf(type: ResourceType, by: string): Json | undefined {
  const rule = type.fields[by];
  return known[type.name]?.[by] ?? (rule === undefined ? undefined : sampleOf(rule.schema));
}

function isPlugin({ naturalKey }: ResourceType): boolean {
  return naturalKey.includes('instanceName');
}

/** No two plugins of one kind are on the same: the second is on a service or on a route. */
function placeOfSecond(type: ResourceType): FieldRule | undefined {
  return isPlugin(type) ? (type.fields['serviceId'] ?? type.fields['routeId']) : undefined;
}

/** What a second object says to lie beside the first one. */
export function besides(type: ResourceType): JsonObject {
  const rule = placeOfSecond(type);
  const target = rule?.references === undefined ? undefined : byToken.get(rule.references);
  return rule === undefined || target === undefined ? {} : { [rule.name]: `\${${keyOf(target)}.id}` };
}

/** A second object of a type can be told from the first by a text that people choose. */
export function hasSecond(type: ResourceType): boolean {
  const { name, naturalKey, fields, collection, derived } = type;
  if (derived !== true || known[name] !== undefined || collection.listed === false) return false;
  if (isPlugin(type) && placeOfSecond(type) === undefined) return false;
  return naturalKey.some((field) => {
    const rule = fields[field];
    return rule?.input === true && rule.references === undefined && rule.type === 'string' && rule.enum === undefined;
  });
}

/** Types with all that their objects must refer to. */
export function withNeeded(chosen: readonly ResourceType[]): ReadonlySet<ResourceType> {
  const all = new Set(chosen);
  for (const type of all)
    for (const rule of Object.values(type.fields)) {
      const isNeeded = rule.required || rule === placeOfSecond(type);
      const target = isNeeded && rule.references !== undefined ? byToken.get(rule.references) : undefined;
      if (target !== undefined) all.add(target);
    }
  return all;
}

/** Types of the catalogue below: all derived ones, and others that they live in. */
export const used: ReadonlySet<ResourceType> = withNeeded(types);

export interface Life {
  readonly resources: Readonly<Record<string, JsonObject>>;
  /** What the other catalogue changes: address → what must be done about it, and by which field. */
  readonly changed: ReadonlyMap<
    string,
    { readonly action: string; readonly type: ResourceType; readonly field: FieldRule }
  >;
}

/** One resource of every type, children beside their parents, and a second one where there can be; `other`: one field of each changed. */
export function life(which: 'first' | 'other'): Life {
  const changes = new Map<string, { action: string; type: ResourceType; field: FieldRule }>();
  const resources: Record<string, JsonObject> = {};
  for (const type of used) {
    const field = type.derived === true ? changing(type, fixedFields(type)) : undefined;
    const given = field === undefined ? [] : [field];
    const address = keyOf(type);
    if (field !== undefined)
      changes.set(address, {
        ...{ type, field },
        action: type.updatable && field.onChange === 'update' ? 'update' : 'replace',
      });
    resources[address] = { type: type.shortToken, properties: propertiesOf(type, given, which) };
    if (hasSecond(type))
      resources[`${address}-2`] = {
        type: type.shortToken,
        properties: { ...propertiesOf(type, given, 'second'), ...besides(type) },
      };
  }
  return { resources, changed: changes };
}
