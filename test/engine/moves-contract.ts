import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, type PaperWorld, type Planned, removeFolder } from '../harness/paper-world.js';

const api = (name: string, options: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name, description: name },
  children: { guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: 'words' } } },
  options,
});
const still = (name: string): JsonObject => ({ resources: { [name]: api(name) } });

export const orders = [
  ...['giver', 'taker', 'giver taker', 'taker giver'],
  ...['giver giver taker', 'taker taker giver'],
];

/** `newWorld`: one without state and objects. */
export function movesContract(newWorld: () => Promise<PaperWorld>, tried: readonly string[]): void {
  let folder: string;
  let world: PaperWorld;
  const settings = { guards: { maxDeletePercent: 100, allow: [{ guard: 'emptyCatalogue', reason: 'test' }] } };
  beforeAll(async () => {
    folder = await paperFolder({
      giving: { ...settings, stacks: { giver: {}, taker: {} }, defaultStack: 'giver' },
      taking: { ...settings, stacks: { giver: {}, taker: {} }, defaultStack: 'taker' },
    });
  });
  afterAll(() => removeFolder(folder));

  const giving = (): string => `${folder}/giving`;
  const taking = (): string => `${folder}/taking`;
  const moved = (): void => {
    world.write(giving(), { resources: { stays: api('stays') }, moved: [{ from: 'pets', to: 'taker:shop' }] });
    world.write(taking(), {
      resources: { own: api('own'), shop: api('pets', { moved: { from: 'giver:pets' } }) },
    });
  };
  const objects = async (): Promise<readonly string[]> => [...world.platform.objects.keys()].sort();
  const records = async (stack: string): Promise<readonly string[]> =>
    [...(await world.storeOf(stack).read()).resources.keys()].sort();
  const actions = ({ plan }: Planned): readonly string[] =>
    plan.steps.map(({ address, action, from }) => [address, action, from].join(' ').trim());

  beforeEach(async () => {
    world = await newWorld();
    world.write(giving(), { resources: { stays: api('stays'), pets: api('pets') } });
    world.write(taking(), still('own'));
    await world.apply(giving());
    await world.apply(taking());
  });

  it('is said by both plans, and carried out by the one that takes', async () => {
    const before = await objects();
    moved();
    const given = await world.plan(giving());
    expect([actions(given), given.plan.notices.map(({ code }) => code)]).toEqual([[], ['moves-to-stack']]);
    const taken = await world.apply(taking());
    expect(actions(taken)).toEqual(['shop move giver:pets', 'shop/guide move giver:pets/guide']);
    expect(taken.result).toMatchObject({ status: 'done' });
    expect(await objects()).toEqual(before);
    expect([await records('giver'), await records('taker')]).toEqual([
      ['stays', 'stays/guide'],
      ['own', 'own/guide', 'shop', 'shop/guide'],
    ]);
    expect(actions(await world.plan(taking()))).toEqual([]);
    expect(actions(await world.plan(giving()))).toEqual([]);
    for (const stack of ['giver', 'taker']) expect(await world.storeOf(stack).verifyRuns()).toBeUndefined();
  });

  it('is refused to a stack whose files still have what moved, which would make it twice', async () => {
    moved();
    await world.apply(taking());
    const before = await objects();
    world.write(giving(), { resources: { stays: api('stays'), pets: api('pets') } });
    const { plan, diagnostics } = await world.open(giving(), (project) => project.plan());
    expect([plan, diagnostics.map(({ code, address }) => [code, address])]).toEqual([
      undefined,
      [
        ['state-moved-on', 'pets'],
        ['state-moved-on', 'pets/guide'],
      ],
    ]);
    expect(await objects()).toEqual(before);
  });

  it('changes what the files say differently, and takes nothing that changed since it was reviewed', async () => {
    moved();
    world.write(taking(), { resources: { own: api('own'), shop: api('Shop', { moved: { from: 'giver:pets' } }) } });
    const reviewed = await world.plan(taking());
    expect(actions(reviewed)).toEqual(['shop update giver:pets', 'shop/guide move giver:pets/guide']);
    world.write(giving(), { resources: { stays: api('stays'), pets: api('PETS') } });
    await world.apply(giving());
    const { status } = await world.open(taking(), (project) => project.applyReviewed(reviewed.plan));
    expect([status, await records('taker')]).toEqual(['stale', ['own', 'own/guide']]);
    const { result } = await world.apply(taking());
    expect([result.status, await records('giver')]).toEqual(['done', ['stays', 'stays/guide']]);
    expect([...world.platform.objects.values()].map(({ values }) => values['name'])).toContain('Shop');
  });

  it('is given back by no undo of the run that took it', async () => {
    moved();
    await world.apply(taking());
    const before = await objects();
    const [last] = await world.storeOf('taker').runs({ kinds: ['plan'], limit: 1 });
    const planned = await world.open(taking(), (project) => project.undo(last?.run ?? 0, []));
    expect([planned.plan?.steps ?? [], planned.diagnostics.map(({ code }) => code)]).toEqual([[], ['nothing-to-undo']]);
    expect(await objects()).toEqual(before);
  });

  const deaths = ['never', ...['takeOver', 'commit', 'begin'].flatMap((call) => [`before ${call}`, `after ${call}`])];

  it.each(tried.flatMap((order) => deaths.map((death) => [order, death] as const)))(
    'leaves one object of each, of one stack, whoever runs in which order and is killed: %s, %s',
    async (order, death) => {
      const before = await objects();
      moved();
      for (const who of order.split(' ')) {
        const cwd = who === 'giver' ? giving() : taking();
        await world
          .apply(cwd, { open: { openState: async ({ stack }) => dying(world.storeOf(stack), death) } })
          .catch(() => undefined);
        await everythingOnce(before);
      }
      for (const cwd of [giving(), taking(), giving()]) await world.apply(cwd);
      await everythingOnce(before);
      expect(await records('taker')).toEqual(['own', 'own/guide', 'shop', 'shop/guide']);
      for (const cwd of [giving(), taking()]) expect(actions(await world.plan(cwd))).toEqual([]);
    },
  );

  async function everythingOnce(before: readonly string[]): Promise<void> {
    expect(await objects()).toEqual(before);
    const states = await Promise.all(['giver', 'taker'].map((stack) => world.storeOf(stack).read()));
    const owned = states.flatMap(({ resources }) => [...resources.values()].map(({ identity }) => identity.id));
    expect(owned.sort()).toEqual(before);
  }
}

/** A store whose run dies at a call: before it, or when it is done. */
function dying(store: StateStore, death: string): StateStore {
  const [when, call] = death.split(' ');
  return new Proxy(store, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      if (name !== call) return found.bind(target) as unknown;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (when === 'before') throw new Error('killed');
        await (found.apply(target, given) as Promise<unknown>);
        throw new Error('killed');
      };
    },
  });
}
