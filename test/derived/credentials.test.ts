import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { makeWorld, type World } from '../harness/world.js';

const types = [...platformPackage.types.values()];

/** Anything that may be a credential by its name, wherever it stands; wider than what the program goes by. */
const alike =
  /(?:secret|password|passphrase|token|authorization|credential|(?:^|api|private|access|shared|hmac|encryption|signing|cert|auth|safety)_?key|secret_?id)(?:_?alt|s|_?value)?$/i;

/** Fields with a text of such a name that is none, and what it is. */
const open: Readonly<Record<string, string>> = {
  'AiGatewayConfigStoreSecret.key': 'the name of a secret',
  'GatewayConfigStoreSecret.key': 'the name of a secret',
  'GatewayPluginAiProxyAdvanced.config': 'what a rule of access compares',
  'GatewayPluginAiRateLimitingAdvanced.config': 'what a policy compares',
  'GatewayJWT.key': 'names the issuer, and stands in every token',
  ...Object.fromEntries(
    ['Addon', 'Customer', 'Feature', 'Meter', 'Plan', 'TaxCode'].map((name) => [
      `Billing${name}.key`,
      'the word that others know it by',
    ]),
  ),
  'BillingAddon.rateCards': 'the word that others know a rate by',
  'BillingPlan.phases': 'the word that others know a phase by',
  'BillingProfile.supplier': 'the word that others know a supplier by',
  'EventGatewayConsumePolicyModifyHeaders.config': 'the name of a header',
  'EventGatewayProducePolicyModifyHeaders.config': 'the name of a header',
};

/** Paths of texts, free records and what nothing is known of, whose names are alike, and that are no secret members. */
function suspects(rule: FieldRule): readonly string[] {
  const found: string[] = [];
  const visit = (name: string, at: Json | undefined, path: string): void => {
    if (!isObject(at)) return;
    const { type, properties, items, additionalProperties, enum: values } = at;
    const isText = (type === 'string' || (Array.isArray(type) && type.includes('string'))) && values === undefined;
    const isFree = type === undefined && properties === undefined && at['anyOf'] === undefined && values === undefined;
    if ((isText && alike.test(name)) || (isFree && /config$/i.test(name))) found.push(path);
    for (const [member, schema] of Object.entries(isObject(properties) ? properties : {}))
      visit(member, schema, `${path}.${member}`);
    visit(name, items, path);
    // Of a record with members of its own the others are secrets.
    if (isObject(additionalProperties) && !isObject(properties)) visit(name, additionalProperties, path);
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      const branches = at[word];
      // What holds of one kind alone says nothing of a value but what limits it.
      const typed = Array.isArray(branches) ? (branches as readonly JsonObject[]).filter(isTyped) : [];
      for (const branch of typed) visit(name, branch, path);
    }
  };
  visit(rule.name, rule.schema, rule.name);
  const sealed = (rule.secretMembers ?? []).map((path) =>
    path === '**' ? rule.name : `${rule.name}.${path.replaceAll('*.', '')}`,
  );
  return found.filter((path) => !sealed.some((secret) => path === secret || path.startsWith(`${secret}.`)));
}

function isTyped(branch: JsonObject): boolean {
  return branch['if'] === undefined && Object.keys(branch).join() !== 'required';
}

const fieldsOf = (type: ResourceType): readonly FieldRule[] => Object.values(type.fields);

describe('the credentials of all types', () => {
  it('are in secret fields, and what is called alike and is none stands in a table', () => {
    const shown = types.flatMap((type) =>
      fieldsOf(type)
        .filter((rule) => !rule.secret && rule.references === undefined && suspects(rule).length > 0)
        .map((rule) => `${type.name}.${rule.name}`),
    );
    expect(shown.sort()).toEqual(Object.keys(open).sort());
    expect(types.length).toBeGreaterThan(240);
  });

  it('no text that nothing shows is called a key or a value, and open', () => {
    const unseen = types.flatMap((type) =>
      fieldsOf(type)
        .filter((rule) => rule.writeOnly && !rule.secret && /(?:key|value)/i.test(rule.name))
        .map((rule) => `${type.name}.${rule.name}`),
    );
    expect(unseen).toEqual([]);
  });
});

describe('a credential that stands in a file as it is', () => {
  const canary = 'canary-7d1c0b9e';
  const block = (type: string, properties: JsonObject): JsonObject => ({ type: `platform:${type}`, properties });
  const controlPlaneId = '${plane.id}';
  const cases: Readonly<Record<string, (value: string) => JsonObject>> = {
    'GatewayKeyAuth.key': (value) => ({
      plane: block('GatewayControlPlane', { name: 'shop' }),
      consumer: block('GatewayConsumer', { controlPlaneId, username: 'shop' }),
      held: block('GatewayKeyAuth', { controlPlaneId, consumerId: '${consumer.id}', key: value }),
    }),
    'GatewayVault.config.token': (value) => ({
      plane: block('GatewayControlPlane', { name: 'shop' }),
      held: block('GatewayVault', { controlPlaneId, name: 'hcv', prefix: 'shop', config: { token: value } }),
    }),
    'AuditLogDestination.authorization': (value) => ({
      held: block('AuditLogDestination', {
        ...{ name: 'shop', endpoint: 'https://logs.example.com', logFormat: 'json', authorization: value },
      }),
    }),
    'AuditLog.authorization': (value) => ({
      held: block('AuditLog', { endpoint: 'https://logs.example.com', logFormat: 'json', authorization: value }),
    }),
  };

  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  it.each(Object.keys(cases))('%s is in no plan, state or event, and its change is seen', async (name) => {
    const write = (value: string): Promise<void> =>
      world.write({
        'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
        'catalogue/all.yaml': { resources: cases[name]?.(value) ?? {} },
      });
    const all: string[] = [];
    const everything = async (): Promise<void> => {
      all.push(await world.open(async (project) => (await project.state()).pull()));
      all.push(serializePlan(await world.plan()), JSON.stringify(world.events));
    };
    await write(`${canary}-1`);
    await everything();
    await world.apply();
    await everything();
    expect((await world.plan()).steps).toEqual([]);
    await write(`${canary}-2`);
    const changed = await world.plan();
    expect(changed.steps.map(({ address }) => address)).toEqual(['held']);
    await everything();
    await world.apply();
    await everything();
    expect((await world.plan()).steps).toEqual([]);
    expect(all.join('\n')).not.toContain(canary);
  });
});
