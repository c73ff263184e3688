import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';

/** What lives in an object that ends before there is a new one ends with it, and the plan says so. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const page = (title: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, content: title },
  ...more,
});

/** An API with a page, a page below it and one below that; the first ends when its status changes. */
const pages = (status: string, under: 'top' | 'beside' = 'top'): JsonObject => {
  const sub = page('Sub', { children: { leaf: page('Leaf') } });
  const top = {
    type: 'platform:ApiDocument',
    properties: { title: 'Top', content: 'Top', status },
    options: { replaceOnChanges: ['status'] },
  };
  return {
    pets: {
      type: 'platform:Api',
      properties: { name: 'Pets' },
      children: {
        top: under === 'top' ? { ...top, children: { sub } } : top,
        beside: under === 'top' ? page('Beside') : page('Beside', { children: { sub } }),
      },
    },
  };
};

const write = (resources: JsonObject) =>
  world.write({ 'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n', 'catalogue/all.yaml': { resources } });

describe('pages below a page that is replaced', () => {
  it('are replaced with it, at every level, and nothing fails or is left', async () => {
    await write(pages('published'));
    await world.apply();
    await write(pages('unpublished'));
    const { steps } = await world.plan();
    expect(steps.map(({ action, address }) => [action, address])).toEqual([
      ['replace', 'pets/top'],
      ['replace', 'pets/top/sub'],
      ['replace', 'pets/top/sub/leaf'],
    ]);
    expect(steps[1]?.fields).toMatchObject([{ field: 'parentDocumentId', rule: 'replace' }]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    const { body } = await world.call('GET', '/_sandbox/objects');
    const titles = (body as Record<string, readonly JsonObject[]>)['documents']?.map((row) => row['title']);
    expect(titles?.sort()).toEqual(['Beside', 'Leaf', 'Sub', 'Top']);
  });

  const flat = (top: JsonObject, sub: JsonObject, leaf: JsonObject): JsonObject => {
    const options = { replaceOnChanges: ['content'], deleteBeforeReplace: false };
    const one = (title: string, properties: JsonObject) => ({
      type: 'platform:ApiDocument',
      properties: { title, ...properties },
      options: title === 'Top' ? { replaceOnChanges: ['content'] } : options,
    });
    const children = { top: one('Top', top), sub: one('Sub', sub), leaf: one('Leaf', leaf) };
    return { pets: { type: 'platform:Api', properties: { name: 'Flat' }, children } };
  };
  const [inTop, inSub] = ['top', 'sub'].map((key) => ({ parentDocumentId: `\${pets/${key}.id}` }));

  it.each<[string, JsonObject]>([
    ['that moves up into it', flat({ content: 'new' }, { content: 'x', ...inTop }, { content: 'x', ...inTop })],
    [
      'whose own page leaves it and is replaced as well',
      flat({ content: 'new' }, { content: 'new' }, { content: 'x', ...inSub }),
    ],
  ])('end with it two levels down, too: a page %s', async (_name, then) => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    await write(flat({ content: 'x' }, { content: 'x', ...inTop }, { content: 'x', ...inSub }));
    await world.apply();
    await write(then);
    const { steps } = await world.plan();
    expect(steps.map(({ action, order, address }) => [action, order, address]).sort()).toEqual([
      ['replace', 'delete-first', 'pets/leaf'],
      ['replace', 'delete-first', 'pets/sub'],
      ['replace', 'delete-first', 'pets/top'],
    ]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('a home that only the run gets to know', () => {
  it('takes in nothing where the plan ends it: no create is sent there', async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    const catalogue = (resources: string): Promise<void> =>
      world.write({
        'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
        'catalogue/all.yaml': `resources:\n${resources}`,
      });
    // The old one ends after what depended on it has changed, and so after the document was tried.
    const keeper = (description: string, options = ''): string =>
      `  keeper: {type: platform:Api, properties: {name: Keeper, description: "${description}"}${options}}\n`;
    await catalogue(
      `  old: {type: platform:Api, properties: {name: shop-1}}\n${keeper('a', ', options: {dependsOn: [old]}')}`,
    );
    await world.apply();
    await catalogue(`${keeper('\${late.id}')}  fresh: {type: platform:Api, properties: {name: Shop, version: "1"}}
  late:
    type: platform:ApiDocument
    properties: {apiId: "\${above.id}", title: Late, content: Late}
variables:
  above: !lookup {function: platform:getApi, arguments: {name: "\${fresh.slug}"}}
`);
    await world.resetRequests();
    await world.open(async (project) => {
      const { steps } = await project.apply(await project.plan());
      const told = steps.map(({ address, outcome, diagnostics = [] }) => [address, outcome, diagnostics[0]?.code]);
      expect(told).toContainEqual(['late', 'failed', 'home-ends']);
    });
    expect((await world.requests()).byRoute).not.toHaveProperty('POST /v3/apis/{apiId}/documents');
  });
});
