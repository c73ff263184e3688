import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportRequest, ImportsResult } from '@platform-sync/engine/api';
import type { JsonObject } from '@platform-sync/core/model/value';
import { Counted } from '../../harness/counted-world.js';
import { mustPlan, paperFolder, removeFolder } from '../../harness/paper-world.js';

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ many: {} });
  cwd = join(folder, 'many');
});
afterAll(() => removeFolder(folder));

const nobody = '00000000-0000-4000-8000-999999999999';
const document = (slug: string): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title: slug, slug, content: 'text' },
});
const api = (name: string, children: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name },
  children,
});
const catalogue = {
  resources: {
    shop: api('Shop', { guide: document('guide'), faq: document('faq') }),
    pets: api('Pets', { guide: document('guide') }),
    plus: { type: 'platform:ApiProduct', properties: { name: 'Plus', portalIds: [] } },
  },
};

let counted: Counted;
/** Import ids by address, of everything that there is. */
let ids: Map<string, string>;

beforeEach(async () => {
  counted = new Counted();
  counted.world.write(cwd, catalogue);
  await counted.world.apply(cwd);
  ids = new Map();
  for (const { address, identity, type } of counted.world.state().resources.values())
    ids.set(
      address,
      type.endsWith(':ApiDocument')
        ? JSON.stringify({ api_id: identity.scope['apiId'], id: identity.id })
        : identity.id,
    );
  for (const address of ['shop', 'pets', 'plus']) await counted.world.forget(address);
});

const idOf = (address: string): string => ids.get(address) ?? '';
const line = (address: string, id: string, at = 1): ImportRequest => ({
  address,
  id,
  place: { file: 'ids.txt', line: at, column: 1 },
});
const imports = (requests: readonly ImportRequest[]): Promise<ImportsResult> =>
  counted.world.open(cwd, (project) => project.importResources(requests));
const codes = ({ diagnostics }: ImportsResult): readonly unknown[] =>
  diagnostics.map(({ code, address, place }) => [code, address, place?.file, place?.line]);

describe('importing many objects', () => {
  it('takes all of them in by one plan, parents and what lives in them in any order, and nothing is left to do', async () => {
    const requests = [...ids].reverse().map(([address, id]) => ({ address, id }));
    const result = await imports(requests);
    expect(result.diagnostics).toEqual([]);
    expect(result.imported.map(({ address }) => address)).toEqual(requests.map(({ address }) => address));
    expect(counted.world.state().resources.size).toBe(6);
    expect((await counted.world.plan(cwd)).plan.steps).toEqual([]);
  });

  it('tells everything that is wrong together, each where the list says it, and takes nothing in', async () => {
    const before = counted.world.state().serial;
    const result = await imports([
      line('shop', idOf('shop'), 1),
      line('nowhere', idOf('pets'), 2),
      line('pets', nobody, 3),
      line('pets', idOf('pets'), 4),
      line('shop/guide', 'no json', 5),
      line('shop/faq', idOf('pets/guide'), 6),
      line('plus', idOf('shop'), 7),
      line('pets/guide', idOf('pets/guide'), 8),
    ]);
    expect(result.imported).toEqual([]);
    expect(codes(result)).toEqual([
      ['unknown-address', undefined, 'ids.txt', 2],
      ['import-twice', 'pets', 'ids.txt', 4],
      ['bad-import-id', 'shop/guide', 'ids.txt', 5],
      ['import-twice', 'pets/guide', 'ids.txt', 8],
      ['import-not-found', 'pets', 'ids.txt', 3],
      ['import-not-found', 'plus', 'ids.txt', 7],
      ['import-elsewhere', 'shop/faq', 'ids.txt', 6],
    ]);
    expect(counted.world.state().serial).toBe(before);
    expect(counted.world.state().resources.size).toBe(0);
  });

  it.each([
    ['one object for two addresses', () => [line('shop', idOf('shop')), line('pets', idOf('shop'), 2)], 'import-twice'],
    ['an object that does not exist', () => [line('shop', idOf('shop')), line('pets', nobody, 2)], 'import-not-found'],
    [
      'an object of another type',
      () => [line('shop', idOf('shop')), line('pets', idOf('plus'), 2)],
      'import-not-found',
    ],
    [
      'an object that lives in another one',
      () => [line('shop', idOf('shop')), line('pets', idOf('pets')), line('shop/guide', idOf('pets/guide'), 2)],
      'import-elsewhere',
    ],
  ] as const)('refuses %s', async (_name, requests, code) => {
    const result = await imports(requests());
    expect(codes(result)).toEqual([[code, expect.anything(), 'ids.txt', 2]]);
    expect(counted.world.state().resources.size).toBe(0);
  });

  it('takes in what lives in an object that nobody took over yet', async () => {
    expect(codes(await imports([line('shop/guide', idOf('shop/guide'))]))).toEqual([]);
    expect(codes(await imports([line('shop', idOf('shop'))]))).toEqual([]);
  });

  it('says of what lives in an object that cannot be had nothing that only follows from that', async () => {
    const children = ['shop/guide', 'shop/faq'].map((address, at) => line(address, idOf(address), at + 2));
    expect(codes(await imports([line('shop', nobody), ...children]))).toEqual([
      ['import-not-found', 'shop', 'ids.txt', 1],
    ]);
    expect(codes(await imports([line('shop', '{}'), ...children]))).toEqual([['bad-import-id', 'shop', 'ids.txt', 1]]);
  });

  it('refuses what is managed already, and takes nothing else in', async () => {
    await imports([line('shop', idOf('shop'))]);
    const result = await imports([
      line('shop', idOf('shop'), 1),
      line('pets', idOf('pets'), 2),
      line('plus', nobody, 3),
    ]);
    expect(codes(result)).toEqual([
      ['already-managed', 'shop', 'ids.txt', 1],
      ['import-not-found', 'plus', 'ids.txt', 3],
    ]);
    expect([...counted.world.state().resources.keys()]).toEqual(['shop']);
  });

  it('takes over records of addresses that left the catalogue beside objects that nobody manages', async () => {
    await imports([...ids].map(([address, id]) => ({ address, id })));
    await counted.world.forget('plus');
    const { shop, ...others } = catalogue.resources;
    counted.world.write(cwd, { resources: { ...others, store: shop } });
    const { diagnostics, imported } = await imports([line('store', idOf('shop')), line('plus', idOf('plus'), 2)]);
    expect([diagnostics, imported.map(({ address }) => address)]).toEqual([[], ['store', 'plus']]);
    expect([...counted.world.state().resources.keys()].sort()).toEqual([
      ...['pets', 'pets/guide', 'plus', 'store', 'store/faq', 'store/guide'],
    ]);
    const { plan } = await counted.world.open(cwd, (project) => mustPlan(project, {}));
    expect(plan.steps).toEqual([]);
  });

  it('asks for nothing where no request is sound', async () => {
    const asked = await counted.during(() => imports([line('nowhere', nobody), line('shop/faq', 'no json', 2)]));
    expect(asked).toEqual([]);
  });
});
