import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import type { Plan } from '@platform-sync/core/model/plan';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { makeWorld, type World } from '../harness/world.js';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { driftHtml, planHtml, planMarkdown } from '../report/forms.js';
import { keyOf, propertiesOf, valueOf, withNeeded } from './all-types.js';
import { editObjects } from './edit.js';
import { isLegal, planted } from './planted.js';

const canary = 'canary-5b1f77c0';

let world: World;
let told: string[];
beforeEach(async () => {
  world = await makeWorld();
  world.env = { ...world.env, REDIS_PASSWORD: `${canary}-env` };
  told = [];
  return () => world.close();
});

/** Whatever this test did: nothing that left the program shows a secret. */
afterEach(() => {
  told.push(JSON.stringify(world.events));
  expect(told.join('\n')).not.toContain(canary);
});

function writeVariable(minute: number): Promise<void> {
  return world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': `resources:
  plane: {type: "platform:GatewayControlPlane", properties: {name: shop}}
  limit:
    type: platform:GatewayPluginRateLimiting
    properties:
      controlPlaneId: \${plane.id}
      instanceName: limit
      config:
        minute: ${minute}
        policy: redis
        redis:
          host: a.example.com
          password: !env REDIS_PASSWORD
`,
  });
}

function reports(plan: Plan): readonly string[] {
  return [planText(plan, { style: plainStyle }), planMarkdown(plan), planHtml(plan)];
}

async function planned(): Promise<Plan> {
  const plan = await world.plan();
  told.push(serializePlan(plan), ...reports(plan));
  told.push(await world.open(async (project) => (await project.state()).pull()));
  return plan;
}

async function settled(): Promise<void> {
  await world.apply();
  expect((await planned()).steps).toEqual([]);
}

async function plugin(): Promise<{ readonly path: string; readonly object: JsonObject }> {
  const { body } = await world.call('GET', '/v2/control-planes?filter[name][eq]=shop');
  const [own] = (body as unknown as { data: { id: string }[] }).data;
  const path = `/v2/control-planes/${own?.id ?? ''}/core-entities/plugins`;
  const { body: page } = await world.call('GET', path);
  const [object] = (page as unknown as { data: (JsonObject & { id: string })[] }).data;
  if (object === undefined) throw new Error('no plugin');
  return { path: `${path}/${object.id}`, object };
}

/** Changes the object behind the back of the file. */
async function edit(change: (config: JsonObject) => JsonObject): Promise<void> {
  const { path, object } = await plugin();
  const { config } = object;
  const { status } = await world.call('PUT', path, { ...object, config: change(isObject(config) ? config : {}) });
  expect(status).toBe(200);
}

async function file(): Promise<string> {
  return readFile(join(world.folder, 'catalogue/all.yaml'), 'utf8');
}

describe('a record with a secret that the file names', () => {
  it('shows how its other members move, in every report, and sends the secret along', async () => {
    await writeVariable(5);
    await planned();
    await settled();
    await writeVariable(7);
    const plan = await planned();
    const [text = '', markdown = '', html = ''] = reports(plan);
    expect(text).toContain('minute: 5 → 7');
    expect(text).not.toContain('password');
    expect(markdown).toContain('minute');
    expect(html).toContain('minute');
    expect(plan.steps.map(({ patch }) => patch)).toEqual([[{ op: 'replace', path: '/config/minute', value: 7 }]]);
    await settled();
    expect(JSON.stringify((await plugin()).object)).toContain(canary);
  });

  it('shows that the secret moves, and nothing of it', async () => {
    await writeVariable(5);
    await settled();
    await edit((config) => ({ ...config, redis: { ...(config['redis'] as JsonObject), password: `${canary}-other` } }));
    const plan = await planned();
    expect(plan.steps.map(({ cause }) => cause)).toEqual(['drift']);
    expect(planText(plan, { style: plainStyle })).toMatch(/redis\.password: \(secret .*\) → \(secret .*\)/);
    const refused = await world.open((project) => project.acceptDrift(['limit']));
    told.push(JSON.stringify(refused));
    expect(JSON.stringify(refused)).toContain('it is a secret');
    await settled();
  });

  it('is accepted as the platform has it, but for the secret', async () => {
    await writeVariable(5);
    await settled();
    const before = await file();
    await edit((config) => ({ ...config, minute: 9 }));
    const { findings } = await world.open((project) => project.drift());
    told.push(JSON.stringify(findings));
    expect(JSON.stringify(findings)).toContain('"minute":9');
    await world.open((project) => project.acceptDrift(['limit']));
    expect(await file()).toBe(before.replace(/("?minute"?: ?)5/, '$19'));
    expect((await planned()).steps).toEqual([]);
  });

  it('is exported without the secret, which is named, and adopted with nothing to do', async () => {
    await writeVariable(5);
    await settled();
    const result = await world.open((project) =>
      project.export({ types: ['GatewayControlPlane', 'GatewayPluginRateLimiting'] }),
    );
    const files = [...result.files.values()].join('\n');
    told.push(files, JSON.stringify(result.diagnostics));
    expect(files).toContain('minute: 5');
    expect(JSON.stringify(result.diagnostics)).toContain('config.redis.password');
    world.loseState();
    await world.write({
      'sync.yaml': 'project: test\n',
      ...Object.fromEntries([...result.files].map(([path, text]) => [join('catalogue', path), text])),
    });
    await world.apply({ mode: 'adopt' });
    expect((await planned()).steps).toEqual([]);
    expect(JSON.stringify((await plugin()).object)).toContain(canary);
  });
});

describe('a secret in a member that holds none as a rule', () => {
  it('a value that the file took from a secret stays one in what the platform shows of it', async () => {
    world.env = { ...world.env, HEADER: `${canary}-4` };
    await world.write({
      'catalogue/all.yaml': `resources:
  plane: {type: "platform:GatewayControlPlane", properties: {name: shop}}
  limit:
    type: platform:GatewayPluginRateLimiting
    properties: {controlPlaneId: "\${plane.id}", instanceName: limit, config: {minute: 5, headerName: !env HEADER}}
`,
    });
    await settled();
    await edit((config) => ({ ...config, header_name: `${canary}-5` }));
    expect(planText(await planned(), { style: plainStyle })).toContain('headerName: (secret !env HEADER)');
    await settled();
  });
});

/** A field with members that are shown and members that are secrets. */
interface Pair {
  readonly type: ResourceType;
  readonly rule: FieldRule;
  /** Other fields that belong to it. */
  readonly beside?: JsonObject;
  /** A value by what the shown member has; the secret is always the same. */
  readonly value: (shown: string) => Json;
}

/** Paths of members that are shown, and that may be any text. */
function openTexts({ schema, secretMembers = [], hiddenMembers = [] }: FieldRule): readonly string[] {
  const hidden = [...secretMembers, ...hiddenMembers];
  const visit = (at: JsonObject, path: readonly string[]): readonly string[] => {
    if (hidden.includes(path.join('.')) || path.length > 6) return [];
    const { type, properties, items, enum: values, pattern, maxLength } = at;
    if (type === 'string' && [values, pattern, maxLength].every((each) => each === undefined))
      return path.length === 0 ? [] : [path.join('.')];
    if (isObject(items)) return visit(items, path);
    return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? visit(member, [...path, name]) : [],
    );
  };
  return visit(schema, []);
}

/** What members of one kind have together: no walk over a schema finds it. */
const ofOneKind: Readonly<Record<string, Omit<Pair, 'type' | 'rule'>>> = {
  'AiGatewayPolicy.config': { value: (shown) => ({ [shown]: 5, password: canary }) },
  'AiGatewayVault.config': {
    beside: { type: 'conjur' },
    value: (shown) => ({ endpointUrl: `https://${shown}.example.com`, account: 'a', login: 'a', apiKey: canary }),
  },
  'GatewayPluginAppDynamics.config': { value: (shown) => ({ [shown]: 5, token: canary }) },
  'GatewayVault.config': { value: (shown) => ({ host: shown, token: canary }) },
};
/** What the platform takes only one by one, and fields whose shown members are no free texts. */
const leftOut: readonly string[] = [
  'BillingAddon.rateCards',
  'BillingPlan.phases',
  'EventGatewayBackendCluster.authentication',
  'EventGatewayVirtualCluster.authentication',
  'GatewayCustomPlugin.config',
  'GatewayPluginDatakit.config',
  'GatewayPluginHttpLog.config',
  'GatewayPluginStandardWebhooks.config',
  'PortalIntegrations.equalWeb',
];

function pairOf(type: ResourceType, rule: FieldRule): Pair | undefined {
  const known = ofOneKind[`${type.name}.${rule.name}`];
  if (known !== undefined) return { type, rule, ...known };
  const base = valueOf(type, rule, 'first');
  for (const secretPath of rule.secretMembers ?? [])
    for (const path of openTexts(rule)) {
      const sealed = planted(rule.schema, secretPath.split('.'), canary, base);
      const value = (shown: string): Json => planted(rule.schema, path.split('.'), shown, sealed);
      if (JSON.stringify(value('a')).includes(canary) && isLegal(rule, value('a'))) return { type, rule, value };
    }
  return undefined;
}

describe('a record with shown members and secret ones, of any type', () => {
  const fields = [...platformPackage.types.values()].flatMap((type) =>
    Object.values(type.fields).flatMap((rule) =>
      rule.input && !rule.writeOnly && rule.secretMembers !== undefined ? [{ type, rule }] : [],
    ),
  );
  const pairs = fields
    .filter(({ type, rule }) => !leftOut.includes(`${type.name}.${rule.name}`))
    .flatMap(({ type, rule }) => pairOf(type, rule) ?? []);
  const word = ({ type, rule }: Pair, version: string): string =>
    `${keyOf(type)}-${rule.name.toLowerCase()}-${version}`;
  /** The pairs of which a text does not show these versions. */
  const unseen = (text: string, ...versions: readonly string[]): readonly string[] =>
    pairs
      .map((pair) => versions.map((version) => word(pair, version)))
      .filter((words) => !words.every((each) => text.includes(each)))
      .map(([first = '']) => first);

  function write(version: string): Promise<void> {
    const resources = Object.fromEntries(
      [...withNeeded(pairs.map(({ type }) => type))].map((type): [string, JsonObject] => {
        const own = pairs.filter((pair) => pair.type === type);
        const values = own.map((pair): JsonObject => ({ [pair.rule.name]: pair.value(word(pair, version)) }));
        const properties = Object.assign(
          propertiesOf(type, [], 'first'),
          ...own.map(({ beside }) => beside),
          ...values,
        ) as JsonObject;
        return [keyOf(type), { type: type.shortToken, properties }];
      }),
    );
    return world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n',
      'catalogue/all.yaml': { resources },
    });
  }

  it('shows by value how the shown ones move, in every form, in drift, in what is accepted and exported', async () => {
    expect(pairs.length).toBe(fields.length - leftOut.length);
    expect(pairs.length).toBeGreaterThan(60);
    await write('a');
    await settled();
    await write('b');
    const plan = await planned();
    for (const report of [serializePlan(plan), ...reports(plan)]) expect(unseen(report, 'a', 'b')).toEqual([]);
    await settled();
    const { resources } = await world.open(async (project) => (await project.state()).read());
    const edits = pairs.map((pair) => {
      const { identity } = resources.get(keyOf(pair.type)) ?? {};
      if (identity === undefined) throw new Error(`no ${pair.type.name}`);
      return { type: pair.type, identity, field: pair.rule, value: pair.value(word(pair, 'c')) };
    });
    await editObjects(world, edits);
    const found = await world.open((project) => project.drift());
    const forms = [
      JSON.stringify(found),
      driftText(found, plainStyle),
      driftMarkdown(found, { maxCharacters: 1_000_000 }),
      driftHtml(found),
    ];
    told.push(...forms);
    for (const form of forms) expect(unseen(form, 'b', 'c')).toEqual([]);
    const secrets = (await file()).split(canary);
    const accepted = await world.open((project) => project.acceptDrift(pairs.map(({ type }) => keyOf(type))));
    told.push(JSON.stringify(accepted));
    const text = await file();
    expect(unseen(text, 'c')).toEqual([]);
    expect(unseen(text, 'b')).toHaveLength(pairs.length);
    expect(text.split(canary)).toHaveLength(secrets.length);
    expect((await planned()).steps).toEqual([]);
    const exported = await world.open((project) => project.export({}));
    const files = [...exported.files.values()].join('\n');
    told.push(files, JSON.stringify(exported.diagnostics));
    expect(unseen(files, 'c')).toEqual([]);
  });
});
