import { afterAll, beforeAll, expect, it } from 'vitest';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { emptied } from '../harness/emptied.js';
import { ownTypes } from '../harness/own-types.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await emptied(world);
});
afterAll(() => world.close());

const spec = (version: string, extra = ''): string =>
  `openapi: 3.0.0\ninfo:\n  title: Pets\n  version: ${version}\n${extra}paths: {}\n`;

const files = {
  'sync.yaml': 'project: test\n',
  'catalogue/all.yaml':
    'sources:\n  specs: platform:Api\n  docs: {type: platform:ApiDocument, properties: {status: published}}\nresources:\n  pets:\n    properties: {labels: {team: a}}\n',
  'catalogue/specs/pets.yaml': spec('1.0.0'),
  'catalogue/docs/pets/guide.md': '---\ntitle: Guide\norder: 2\n---\n\n# Hello\n',
  'catalogue/docs/pets/guide/more.md': 'More\n',
  'catalogue/docs/pets/first.md': '---\norder: 1\n---\nFirst\n',
};

it('folders of specifications and pages are applied, then planned empty, and edited in place', async () => {
  await world.write(files);
  const plan = await world.plan();
  expect([...actionsOf(plan)].sort()).toEqual(
    ['pets', 'pets/first', 'pets/guide', 'pets/guide/more', 'pets/version'].map((address) => `create ${address}`),
  );
  expect(planText(plan, { style: plainStyle })).toContain('# by catalogue/specs/pets.yaml:3');
  await world.apply();
  expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  await world.write({ ...files, 'catalogue/specs/pets.yaml': spec('1.1.0', '  description: All pets\n') });
  expect(actionsOf(await world.plan())).toEqual(['update pets', 'update pets/version']);
  await world.apply();
  const reordered = { ...files, 'catalogue/specs/pets.yaml': spec('1.1.0', '  description: All pets\n') };
  await world.write({ ...reordered, 'catalogue/docs/pets/first.md': '---\norder: 3\n---\nFirst\n' });
  expect(actionsOf(await world.plan())).toEqual([]);
});

it('an order that changes moves no page, and a plan says so until it was applied', async () => {
  const told = async (pages: Readonly<Record<string, string>>): Promise<readonly (string | undefined)[]> => {
    const { 'catalogue/docs/pets/first.md': _, 'catalogue/docs/pets/guide.md': __, ...others } = files;
    const placed = Object.entries(pages).map(([key, order]) => [
      `catalogue/docs/pets/${key}.md`,
      `---\norder: ${order}\n---\n${key}\n`,
    ]);
    await world.write({ ...others, 'catalogue/docs/pets/guide.md': 'guide\n', ...Object.fromEntries(placed) });
    const { notices } = await world.plan();
    return notices.filter(({ code }) => code === 'order-kept').map(({ severity, detail }) => `${severity} ${detail}`);
  };
  world.loseState();
  await world.call('POST', '/_sandbox/reset');
  await emptied(world);
  expect(await told({ first: '1', guide: '2', last: '3' })).toEqual([]);
  await world.apply();
  expect(await told({ first: '10', guide: '20', last: '30' })).toEqual([]);
  expect(await told({ first: '3', guide: '2', last: '4' })).toEqual([
    'info pets/first, after pets/guide\npets/last, after pets/first',
  ]);
  expect(await told({ first: '1', between: '1.5', guide: '2', last: '3' })).toEqual([
    'info pets/guide, after pets/between',
  ]);
  await world.apply();
  expect(await told({ first: '1', between: '1.5', guide: '2', last: '3' })).toEqual([]);
  // What goes from between moves nothing.
  expect(await told({ first: '1', guide: '2', last: '3' })).toEqual([]);
  await world.apply();
  expect(await told({ guide: '1', last: '2', first: '3' })).toEqual(['info pets/first, after pets/last']);
  await world.apply();
  expect(await told({ guide: '1', last: '2', first: '3' })).toEqual([]);
});

it('an export as sources is such a folder: it says the same in fewer lines, and plans empty', async () => {
  await world.write(files);
  await world.apply();
  const { files: written } = await world.open((project) => project.export({ types: ownTypes, asSources: true }));
  expect(Object.fromEntries(written)).toEqual({
    'sources.yaml': 'sources:\n  api-documents: platform:ApiDocument\n  apis: platform:Api\n',
    'pets.yaml': 'resources:\n  pets:\n    properties:\n      labels:\n        team: a\n',
    'apis/pets.yaml': spec('1.0.0'),
    'api-documents/pets/first.md': '---\ntitle: First\nstatus: published\n---\n\nFirst',
    'api-documents/pets/guide.md': '---\ntitle: Guide\nstatus: published\n---\n\n# Hello',
    'api-documents/pets/guide/more.md': '---\ntitle: More\nstatus: published\n---\n\nMore',
  });
  await world.write(Object.fromEntries([...written].map(([path, text]) => [`catalogue/${path}`, text])));
  expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
});

it('pages of a portal are applied from files, exported as files, and plan empty', async () => {
  const pages = {
    ...files,
    'catalogue/portal.yaml':
      'resources:\n  site: {type: platform:Portal, properties: {displayName: Site}}\nsources: {pages: platform:PortalPage}\n',
    'catalogue/pages/site/page.md': '---\nslug: /\nstatus: published\nvisibility: public\n---\n\n# Welcome\n',
    'catalogue/pages/site/guides.md': '---\ndescription: All of them\n---\n\nGuides\n',
    'catalogue/pages/site/guides/start.md': 'Start\n',
  };
  await world.write(pages);
  await world.apply();
  expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  const { files: written } = await world.open((project) =>
    project.export({ types: ownTypes, asSources: true, targets: ['site'] }),
  );
  expect(Object.fromEntries([...written].filter(([path]) => path.endsWith('.md')))).toEqual({
    'portal-pages/site/page.md':
      '---\ntitle: Welcome\nslug: /\nstatus: published\nvisibility: public\n---\n\n# Welcome',
    'portal-pages/site/guides.md':
      '---\ntitle: Guides\ndescription: All of them\nslug: guides\nvisibility: private\n---\n\nGuides',
    'portal-pages/site/guides/start.md': '---\ntitle: Start\nslug: start\nvisibility: private\n---\n\nStart',
  });
  await world.write({
    ...files,
    ...Object.fromEntries([...written].map(([path, text]) => [`catalogue/site/${path}`, text])),
  });
  expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
});
