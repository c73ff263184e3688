import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainStyle } from '@platform-sync/report/text/style';
import { planText } from '@platform-sync/report/text/plan';
import { makeWorld, type World } from '../harness/world.js';

const settings = `
project: test
parameters:
  region: { default: eu }
  owner: { secret: true, default: !env OWNER }
stacks: { prod: { parameters: { region: us } }, default: }
`;
const catalogue = `
resources:
  pets:
    type: platform:Api
    properties: { name: Pets, description: "in \${param.region}", labels: { owner: "\${param.owner}" } }
`;

describe('parameters in a plan', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
    world.env = { ...world.env, OWNER: 'canary-ann' };
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': catalogue });
  });
  afterAll(() => world.close());

  it('are shown, and sealed where they are secret', async () => {
    const plan = await world.plan();
    expect(plan.parameters).toMatchObject({ region: 'eu', owner: { $secret: { expression: '!env OWNER' } } });
    expect(JSON.stringify(plan)).not.toContain('canary');
    expect(planText(plan, { style: plainStyle })).toContain('Parameters: owner = (secret !env OWNER), region = "eu"');
  });

  it('bind it: with another value, nothing is applied', async () => {
    const reviewed = await world.plan();
    const apply = (vars: Readonly<Record<string, string>>): Promise<unknown> =>
      world.open((project) => project.applyReviewed(reviewed), { vars });
    expect(await apply({ region: 'us' })).toMatchObject({
      status: 'stale',
      mismatches: expect.arrayContaining([expect.objectContaining({ what: 'parameters' })]) as unknown,
    });
    world.env = { ...world.env, OWNER: 'canary-bob' };
    expect(await apply({})).toMatchObject({ status: 'stale' });
    world.env = { ...world.env, OWNER: 'canary-ann' };
    expect(await apply({ region: 'eu' })).toMatchObject({ status: 'done' });
    const found = await world.open(async (project) => (await (await project.state()).read()).resources.get('pets'));
    expect(found?.inputs).toMatchObject({ description: 'in eu' });
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  it('without a value keep nobody from the state', async () => {
    await world.write({ 'sync.yaml': 'project: test\nparameters: {region: }\n', 'catalogue/all.yaml': catalogue });
    const records = await world.open(async (project) => (await (await project.state()).read()).resources.size);
    expect(records).toBe(1);
    const { plan, diagnostics } = await world.planResult();
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain('missing-parameter');
  });
});
