import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import type { Plan } from '@platform-sync/core/model/plan';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { makeWorld, type World } from '../harness/world.js';
import { planHtml, planMarkdown } from '../report/forms.js';

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

const plane = { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } };

function limit(config: JsonObject): Promise<void> {
  return world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': {
      resources: {
        plane,
        limit: {
          type: 'platform:GatewayPluginRateLimiting',
          properties: { controlPlaneId: '${plane.id}', instanceName: 'limit', config },
        },
      },
    },
  });
}

const literal = { policy: 'redis', redis: { host: 'a.example.com', password: `${canary}-1` } };
/** The file names the variable where the other one has the password. */
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

describe.each([
  ['in the file as it is', (minute: number) => limit({ minute, ...literal })],
  ['named by the file', writeVariable],
])('a record with a secret %s', (_, write) => {
  it('shows how its other members move, in every report, and sends the secret along', async () => {
    await write(5);
    await planned();
    await settled();
    await write(7);
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
    await write(5);
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
    await write(5);
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
    await write(5);
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
