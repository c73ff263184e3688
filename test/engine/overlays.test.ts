import { afterAll, beforeAll, expect, it } from 'vitest';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { planHtml, planMarkdown } from '../report/forms.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const settings = 'project: test\noverlays: overlays/prod.yaml\nguards: { maxDeletePercent: 100 }\n';
const catalogue = `
resources:
  pets: { type: platform:Api, properties: { name: Pets, version: "1" } }
  cats: { type: platform:Api, properties: { name: Cats } }
`;

it('a field that an overlay gives shows where, in every report of a plan; what is switched off is deleted', async () => {
  await world.write({
    'sync.yaml': settings,
    'catalogue/all.yaml': catalogue,
    'overlays/prod.yaml': 'patches:\n  pets: { properties: { description: in prod } }\n',
  });
  const plan = await world.plan();
  const text = planText(plan, { style: plainStyle });
  expect(text).toMatch(/description +"in prod" +# by overlays\/prod\.yaml:2\n/);
  expect(text).not.toMatch(/version.*# by/);
  expect(planMarkdown(plan)).toContain('# by overlays/prod.yaml:2');
  expect(planHtml(plan)).toContain('by overlays/prod.yaml:2');
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
  await world.write({
    'sync.yaml': settings,
    'catalogue/all.yaml': catalogue,
    'overlays/prod.yaml': 'patches:\n  pets: { properties: { description: in prod } }\n  cats: !unset\n',
  });
  expect(actionsOf(await world.plan())).toEqual(['delete cats']);
});
