import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/engine/model/value.js';
import type { ResourceType } from '../../src/engine/model/resource-type.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import type { PlanResult } from '../../src/engine/api.js';
import { actionsOf, makeWorld } from '../harness/world.js';
import type { World } from '../harness/world.js';
import { changing, sampleOf } from './samples.js';

const types: readonly ResourceType[] = [...platformPackage.types.values()].filter(({ derived }) => derived === true);
const byToken = new Map([...platformPackage.types.values()].map((type) => [type.token, type]));

/** What the rules can't know of one type: values that belong together. */
const known: Readonly<Record<string, JsonObject>> = {
  ApiProduct: { portalIds: [] },
  GatewayPluginSaml: {
    config: {
      assertionConsumerPath: '/consume',
      idpSsoUrl: 'https://idp.example.com',
      issuer: 'shop',
      sessionSecret: '0'.repeat(32),
    },
  },
  APIProductSpecification: { name: 'shop.yaml' },
};
const oneOf = 'what it may be is a choice of records, of which a sample joins several';
const skipped: Readonly<Record<string, string>> = {
  AiGatewayMcpServer: oneOf,
  AiGatewayModel: oneOf,
  CloudGatewayAddon: oneOf,
  CloudGatewayTransitGateway: oneOf,
  DcrProvider: oneOf,
  EventGatewayProducePolicyEncrypt: oneOf,
  ResourceMapping: oneOf,
  Scorecard: oneOf,
};

/** Their change is not seen yet: the sample changes what the answer does not show, or their list does not fit. */
const notSeen = [
  'apipackagepublication',
  'centralizedconsumer',
  'cloudgatewayprivatedns',
  'cmek',
  'gatewaycustompluginschema',
  'serverlesscloudgateway',
];
/** An update wants the secret again, which the catalogue does not declare. */
const refused = ['identityauthserverclient'];
/** Their list does not fit what is read, so that nothing proves them gone. */
const notProvenGone = ['cloudgatewayprivatedns', 'gatewaycustompluginschema', 'portalproductversion'];

const keyOf = ({ name }: ResourceType): string => name.toLowerCase();

/** One resource of every type, children beside their parents; `other`: with another value of one field each. */
function catalogue(other: boolean): {
  readonly resources: Record<string, Json>;
  readonly changed: ReadonlyMap<string, string>;
} {
  const changed = new Map<string, string>();
  const resources: Record<string, Json> = {};
  const used = new Set<ResourceType>(types.filter(({ name }) => !(name in skipped)));
  for (const type of [...used])
    for (const field of Object.values(type.fields)) {
      const parent = field.required && field.references !== undefined ? byToken.get(field.references) : undefined;
      if (parent !== undefined && parent.derived !== true) used.add(parent);
    }
  for (const type of used) {
    const places = new Set([...type.collection.scope, ...Object.keys(known[type.name] ?? {})]);
    const fields = Object.values(type.fields).filter(({ input }) => input);
    const field = type.derived === true ? changing(type, places) : undefined;
    const properties = Object.fromEntries(
      fields
        .filter(({ required, name }) => required || name === field?.name)
        .map(({ name, schema, references }) => {
          const target = references === undefined ? undefined : byToken.get(references);
          if (target !== undefined && used.has(target)) return [name, `\${${keyOf(target)}.id}`];
          return [name, sampleOf(schema, other && name === field?.name, name)];
        }),
    );
    if (field !== undefined)
      changed.set(keyOf(type), `${type.updatable && field.onChange === 'update' ? 'update' : 'replace'}`);
    resources[keyOf(type)] = { type: type.shortToken, properties: { ...properties, ...known[type.name] } };
  }
  return { resources, changed };
}

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
}, 60_000);
afterAll(() => world.close());

describe('a life of every derived type', () => {
  const write = (other: boolean): Promise<void> =>
    world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: catalogue(other).resources } });
  const wrong = (result: PlanResult): readonly string[] =>
    result.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);

  it('is made, and nothing is left to do', async () => {
    await write(false);
    expect(wrong(await world.planResult())).toEqual([]);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  }, 240_000);

  it('changes by the right action', async () => {
    await write(true);
    const { changed } = catalogue(true);
    const plan = await world.plan();
    const odd = plan.steps.filter(({ address, action }) => changed.has(address) && changed.get(address) !== action);
    expect(odd.map(({ address, action }) => `${action} ${address}`)).toEqual([]);
    const moved = new Set(plan.steps.map(({ address }) => address));
    expect([...changed.keys()].filter((address) => !moved.has(address)).sort()).toEqual(notSeen);
    await world.open(async (project) => {
      const { steps } = await project.apply(await project.plan());
      expect(steps.flatMap(({ address, outcome }) => (outcome === 'failed' ? [address] : []))).toEqual(refused);
    });
    expect(actionsOf(await world.plan())).toEqual(refused.map((address) => `update ${address}`));
  }, 240_000);

  it('is deleted', async () => {
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: {} } });
    await world.apply({ mode: 'destroy' });
    const left = actionsOf(await world.plan({ mode: 'destroy' }));
    expect(left).toEqual(notProvenGone.map((address) => `forget ${address}`));
  }, 240_000);
});
