import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlanResult, Project } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import { makeWorld, type World } from '../harness/world.js';

/** What one stack tells, another one may use. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  world.env = { ...world.env, OWNER: 'canary-ann' };
  await write('version: "1"');
  const applied = await on('shared', async (project) => project.apply(await project.plan()));
  expect(applied).toMatchObject({ status: 'done' });
});
afterAll(() => world.close());

const on = <T>(stack: string, work: (project: Project) => Promise<T>): Promise<T> => world.open(work, { stack });
const planned = (stack = 'dev'): Promise<PlanResult> => on(stack, (project) => project.plan());

/** The shared stack has outputs, the others read them. */
function write(property: string, shared = 'Base'): Promise<void> {
  return world.write({
    'sync.yaml': 'project: test\nstacks: { shared: { catalogue: shared/*.yaml }, dev: {} }\n',
    'shared/a.yaml': `resources: { base: { type: platform:Api, properties: { name: ${shared} } } }
outputs: { name: "\${base.name}", list: [a, b], owner: !env OWNER, deep: { of: [!env OWNER] } }
`,
    'catalogue/a.yaml': `resources: { pets: { type: platform:Api, properties: { name: Pets, ${property} } } }\n`,
  });
}

const output = (name: string, stack = 'shared'): string =>
  `!lookup { function: stack:getOutput, arguments: { stack: ${stack}, name: ${name} }, return: value }`;

it('is planned with the value, bound to it, and stale when the other stack says something else', async () => {
  await write(`description: ${output('name')}`);
  const { plan } = await planned();
  expect(plan?.steps[0]?.fields).toContainEqual(expect.objectContaining({ field: 'description', new: 'Base' }));
  expect(Object.keys(plan?.lookups ?? {})).toEqual([
    'stack:index/getOutput:getOutput {"name":"name","stack":"shared"}',
  ]);
  await write(`description: ${output('name')}`, 'Ground');
  expect(await on('shared', async (project) => project.apply(await project.plan()))).toMatchObject({ status: 'done' });
  const stale = await on('dev', (project) => project.applyReviewed(plan as Plan));
  expect(stale.mismatches?.map(({ what }) => what)).toEqual(expect.arrayContaining(['pets', 'lookups']));
  const done = await on('dev', async (project) => project.apply(await project.plan()));
  expect(done).toMatchObject({ status: 'done' });
  expect((await planned()).plan?.steps).toEqual([]);
});

it.each([
  ['a secret', output('owner'), 'is secret, and state keeps no secrets', 'with !env'],
  ['a secret inside', output('deep'), 'is secret, and state keeps no secrets', 'with !env'],
  ['a misspelt output', output('nmae'), 'has no output nmae', 'Did you mean name?'],
  ['an output of another kind', output('portal'), 'has no output portal', 'sync output --stack shared'],
  ['a misspelt stack', output('name', 'sharde'), 'Nothing is recorded for a stack sharde', 'Did you mean shared?'],
  ['this stack', output('name', 'dev'), 'is this stack itself', 'Refer to the value'],
])('%s is refused at its place', async (_name, value, summary, hint) => {
  await write(`description: ${value}`);
  const { plan, diagnostics } = await planned();
  expect(plan).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: 'stack-output', place: { file: 'catalogue/a.yaml', line: 1 } }]);
  expect(diagnostics[0]?.summary).toContain(summary);
  expect(diagnostics[0]?.hint).toContain(hint);
  expect(JSON.stringify(diagnostics)).not.toContain('canary');
});

it.each([
  ['{ stack: shared }', 'name'],
  ['{ stack: shared, name: [a] }', 'name'],
  ['{ stack: shared, name: a, project: b }', 'project'],
])('arguments %s are wrong before anything is read', async (args, named) => {
  await write(`description: !lookup { function: stack:getOutput, arguments: ${args}, return: value }`);
  const { diagnostics } = await on('dev', (project) => project.validate());
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  expect(diagnostics[0]?.summary).toContain(named);
  expect(diagnostics[0]?.place?.file).toBe('catalogue/a.yaml');
});

it('is checked by validate without a look at any state', async () => {
  await write(`description: ${output('name', 'nowhere')}`);
  const openState = (): never => {
    throw new Error('the state was opened');
  };
  const { diagnostics } = await world.open((project) => project.validate(), { stack: 'dev', openState });
  expect(diagnostics).toEqual([]);
});
