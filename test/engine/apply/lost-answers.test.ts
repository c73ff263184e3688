import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  ProviderError,
  type Provider,
  type ProviderErrorKind,
  type RemoteObject,
} from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { OpenOptions } from '@platform-sync/engine/api';
import { realWorld } from '@platform-sync/core/model/world';
import { PaperWorld, paperFolder, removeFolder } from '../../harness/paper-world.js';
import { typeOf } from './stubs.js';

/** Calls whose answers never come, or come too early: what a run does then, and what it leaves for the next one. */

let folder = '';
let world: PaperWorld;
const at = (): string => join(folder, 'test');

beforeAll(async () => {
  folder = await paperFolder({ test: { guards: { maxDeletes: 100, maxDeletePercent: 100 } } });
});
afterAll(() => removeFolder(folder));
beforeEach(() => void (world = new PaperWorld()));

const api = (properties: JsonObject, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:Api', properties, options, children },
});
const shop = (name = 'Shop'): JsonObject => ({
  type: 'platform:ApiProduct',
  properties: { name, description: 'ours', portalIds: [] },
});
const page = (title: string): JsonObject => ({ type: 'platform:ApiDocument', properties: { title, content: 'x' } });
const allow = ['emptyCatalogue', 'everythingGone'].map((guard) => ({ guard, reason: 'test' }));

async function apply(resources: JsonObject, open: Partial<OpenOptions> = {}) {
  world.write(at(), { resources });
  const { result, plan } = await world.apply(at(), { allow, open });
  const [diagnostic] = result.steps.flatMap(({ diagnostics = [] }): readonly Diagnostic[] => diagnostics);
  return { result, plan, diagnostic, steps: result.steps.map(({ address, outcome }) => `${address} ${outcome}`) };
}

const no = (kind: ProviderErrorKind): ProviderError =>
  new ProviderError(kind, [{ severity: 'error', code: 'outcome-unknown', summary: `It is ${kind}.` }]);

/** One after the other: how the calls of a kind end; those that come after are as ever. */
type Ending = 'fine' | 'lost after' | 'lost before' | ProviderErrorKind;
function endings(call: 'create' | 'update' | 'delete', ...list: readonly Ending[]): { readonly count: () => number } {
  let count = 0;
  const outer = world.calls;
  world.calls = (platform) => ({
    ...outer(platform),
    [call]: async (...given: readonly unknown[]) => {
      const how = list[count++] ?? 'fine';
      if (how !== 'fine' && how !== 'lost after') throw no(how === 'lost before' ? 'ambiguous' : how);
      const answer = await (platform[call] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
      if (how === 'lost after') throw no('ambiguous');
      return answer;
    },
  });
  return { count: () => count };
}
function answering(calls: (platform: Provider) => Partial<Provider>): void {
  const outer = world.calls;
  world.calls = (platform) => ({ ...outer(platform), ...calls(platform) });
}

const names = (): readonly unknown[] => [...world.platform.objects.values()].map(({ values }) => values['name']);
const intents = (): readonly string[] => world.state().intents.map(({ action, address }) => `${action} ${address}`);

describe('a create whose answer is lost', () => {
  it.each<[string, JsonObject, readonly number[]]>([
    ['of what there can be only one of is looked for once', api({ name: 'Shop' }), []],
    ['of what there can be two of is looked for once where it is seen', shop(), []],
  ])('and that was carried out: %s', async (_which, resource, waits) => {
    const creates = endings('create', 'lost after');
    const { result } = await apply({ shop: resource });
    expect([result.status, creates.count(), names(), world.waits]).toEqual(['done', 1, ['Shop'], waits]);
    expect(intents()).toEqual([]);
    expect((await apply({ shop: resource })).plan.steps).toEqual([]);
  });

  it('of what there can be two of is not sent again as long as a first may not show yet', async () => {
    const creates = endings('create', 'lost before');
    world.write(at(), { resources: { shop: shop() } });
    const { result } = await world.apply(at(), { allow, open: { settleSeconds: 120 } });
    expect([result.status, creates.count(), intents()]).toEqual(['failed', 1, ['create shop']]);
  });

  it.each<[string, JsonObject, readonly number[]]>([
    ['of what there can be only one of is sent again after one look', api({ name: 'Shop' }), []],
    ['of what there can be two of is looked for until it cannot appear any more', shop(), [250, 1000, 2500]],
  ])('and that was not carried out: %s', async (_which, resource, waits) => {
    const creates = endings('create', 'lost before');
    const { result } = await apply({ shop: resource });
    expect([result.status, creates.count(), names()]).toEqual(['done', 2, ['Shop']]);
    expect(world.waits).toEqual(waits);
  });

  it('again and again is given up after four more, and the question stays open', async () => {
    const creates = endings('create', ...Array.from({ length: 9 }, () => 'lost before' as const));
    const { result, diagnostic } = await apply({ shop: api({ name: 'Shop' }) });
    expect([result.status, creates.count(), intents()]).toEqual(['failed', 5, ['create shop']]);
    expect(diagnostic).toMatchObject({ code: 'outcome-unknown', summary: 'It is ambiguous.' });
    world.calls = () => ({});
    expect((await apply({ shop: api({ name: 'Shop' }) })).steps).toEqual(['shop done']);
    expect(intents()).toEqual([]);
  });

  it('and whose repetition says that it exists already is found then', async () => {
    const creates = endings('create', 'lost after');
    // The first look comes too early.
    answering((platform) => ({
      find: (...call) => (creates.count() > 1 ? platform.find(...call) : Promise.resolve([])),
    }));
    const { result } = await apply({ shop: api({ name: 'Shop' }) });
    expect([result.status, creates.count(), names(), intents()]).toEqual(['done', 2, ['Shop'], []]);
  });

  it('and whose repetition is refused stays open: the first one may still arrive', async () => {
    endings('create', 'lost before', 'forbidden');
    const { steps } = await apply({ shop: api({ name: 'Shop' }) });
    expect([steps, intents()]).toEqual([['shop failed'], ['create shop']]);
  });

  it('and that cannot be looked for tells both errors, and stays open', async () => {
    endings('create', 'lost before');
    answering(() => ({ find: () => Promise.reject(no('unavailable')) }));
    const { result } = await apply({ shop: api({ name: 'Shop' }) });
    expect(result.steps[0]?.diagnostics?.map(({ summary }) => summary)).toEqual([
      'It is ambiguous.',
      'It is unavailable.',
    ]);
    expect(intents()).toEqual(['create shop']);
  });

  it('and for which a bug comes to light while looking comes out as the bug', async () => {
    endings('create', 'lost before');
    const bug = new Error('bug');
    answering(() => ({ find: () => Promise.reject(bug) }));
    await expect(apply({ shop: api({ name: 'Shop' }) })).rejects.toBe(bug);
  });

  it('is not taken for another one that a list shows which lacks it', async () => {
    endings('create', 'lost after');
    let looks = 0;
    answering((platform) => ({
      find: async (...asked) => {
        const all = await platform.find(...asked);
        const twins = all.map((object) => ({ ...object, identity: { ...object.identity, id: 'twin' } }));
        looks += 1;
        return looks < 2 ? twins : [...twins, ...all];
      },
    }));
    expect((await apply({ shop: shop() })).diagnostic?.code).toBe('undecided-create');
  });

  it('is not taken for another one of its name that its plan was shown', async () => {
    const values = { name: 'Shop', description: 'ours', portalIds: [], createdAt: new Date().toISOString() };
    world.platform.objects.set('twin', { id: 'twin', type: typeOf('platform:index/apiProduct:ApiProduct'), values });
    const creates = endings('create', 'lost before');
    world.write(at(), { resources: { shop: shop() } });
    const { result } = await world.apply(at(), { allow: [...allow, { guard: 'same-name:shop', reason: 'test' }] });
    expect([result.status, creates.count(), names()]).toEqual(['done', 2, ['Shop', 'Shop']]);
    expect(world.state().resources.get('shop')?.identity.id).not.toBe('twin');
  });

  it('beside others’ objects with its key is not decided, and the commands that decide it are told', async () => {
    endings('create', 'lost before');
    const theirs = (id: string): RemoteObject => ({
      identity: { id, scope: {} },
      values: { name: 'Shop', description: 'theirs', createdAt: new Date().toISOString() },
    });
    let seen = [theirs('x')];
    answering(() => ({ find: () => Promise.resolve(seen) }));
    const one = await apply({ shop: shop() });
    expect(one.diagnostic).toMatchObject({
      code: 'undecided-create',
      summary:
        'It is unclear whether ApiProduct shop was created: an object exists with its key, and it is unclear which one is meant.',
      detail: 'It is ambiguous.\nExisting: x',
      hint: "Delete it on the platform and run the command again, or take the right one over:\nsync adopt shop 'x'",
    });
    expect(intents()).toEqual(['create shop']);
    world = new PaperWorld();
    endings('create', 'lost before');
    seen = [theirs('x'), theirs('y')];
    answering(() => ({ find: () => Promise.resolve(seen) }));
    expect((await apply({ shop: shop() })).diagnostic).toMatchObject({
      summary:
        'It is unclear whether ApiProduct shop was created: 2 objects exist with its key, and it is unclear which one is meant.',
      detail: 'It is ambiguous.\nExisting: x, y',
      hint: "Delete all but the right one on the platform and run the command again, or take the right one over:\nsync adopt shop 'x'\nsync adopt shop 'y'",
    });
  });

  it('is recorded as the object itself says, where the look shows less', async () => {
    endings('create', 'lost after');
    answering((platform) => ({
      find: async (...call) =>
        (await platform.find(...call)).map(({ identity, values }) => ({
          identity,
          values: { name: values['name'] ?? null, description: values['description'] ?? null },
        })),
    }));
    await apply({ shop: shop() });
    expect(world.state().resources.get('shop')?.outputs).toHaveProperty('createdAt');
  });

  it.each<[string, () => Promise<RemoteObject | undefined>]>([
    ['fails', () => Promise.reject(no('unavailable'))],
    ['shows nothing yet', () => Promise.resolve(undefined)],
  ])('counts as done although reading it then %s', async (_how, read) => {
    endings('create', 'lost after');
    answering(() => ({ read }));
    expect((await apply({ shop: shop() })).steps).toEqual(['shop done']);
    expect(world.state().resources.get('shop')?.identity.id).toBe('ApiProduct-1');
  });
});

describe('a create that is refused since such an object exists', () => {
  const theirs: RemoteObject = { identity: { id: 'x', scope: {} }, values: { name: 'Shop', description: null } };
  /** What is found once the run has begun: before, the planner would have seen it. */
  const finding = (find: () => Promise<readonly RemoteObject[]>): void =>
    answering(() => ({
      find: () => (world.events.some(({ type }) => type === 'apply-started') ? find() : Promise.resolve([])),
    }));

  it.each<[string, () => Promise<readonly RemoteObject[]>, string]>([
    ['the one that is found', () => Promise.resolve([theirs]), "'x'"],
    ['the one that has to be looked up by hand', () => Promise.reject(no('unavailable')), "'ID'"],
    ['the one that nobody finds', () => Promise.resolve([]), "'ID'"],
    ['one of two', () => Promise.resolve([theirs, theirs]), "'ID'"],
  ])('names the command that takes over %s, and leaves no question open', async (_which, find, id) => {
    endings('create', 'conflict');
    finding(find);
    const { diagnostic, steps } = await apply({ shop: api({ name: 'Shop' }) });
    expect(steps).toEqual(['shop failed']);
    expect(diagnostic).toMatchObject({
      summary: 'It is conflict.',
      hint: `To bring the existing object under management: sync adopt shop ${id}`,
    });
    expect(intents()).toEqual([]);
  });

  it.each<[string, (project: string) => string, string, { readonly ends?: true }?]>([
    [
      'another stack is still to delete',
      (project) => project,
      'Apply the stack two first: it is still to delete the existing object x.',
      { ends: true },
    ],
    [
      'another stack manages',
      (project) => project,
      'Give another name to one of the two, or hand over the existing object x, which the stack two manages as theirs: sync state mv theirs shop --stack two --to-stack default',
    ],
    [
      'another project manages',
      () => 'other',
      'Give another name to one of the two. The project other lets go of the existing object x, which the stack two of the project other manages as theirs, by "state rm theirs".',
    ],
  ])('does not propose to take over what %s', async (_who, projectOf, hint, more = {}) => {
    const old = { old: api({ name: 'Old' }) };
    expect((await apply(old)).steps).toEqual(['old done']);
    const store = world.store();
    const { project, targets } = world.state();
    world.events.length = 0;
    endings('create', 'conflict');
    finding(() => Promise.resolve([theirs]));
    const owner = { project: projectOf(project), stack: 'two', address: 'theirs', ...more };
    const recorded = { ...owner, type: 'platform:index/api:Api', identity: theirs.identity, targets };
    store.managedElsewhere = (ids) => Promise.resolve(ids.includes('x') ? [recorded] : []);
    const { diagnostic } = await apply(
      { ...old, shop: api({ name: 'Shop' }) },
      { openState: () => Promise.resolve(store) },
    );
    expect(diagnostic?.hint).toBe(hint);
  });

  it('does not propose to take over what this stack has under another address', async () => {
    expect((await apply({ old: api({ name: 'Old' }) })).steps).toEqual(['old done']);
    const { identity } = world.state().resources.get('old') ?? theirs;
    world.events.length = 0;
    endings('create', 'conflict');
    finding(() => Promise.resolve([{ ...theirs, identity }]));
    const { diagnostic } = await apply({ old: api({ name: 'Old' }), shop: api({ name: 'Shop' }) });
    expect(diagnostic).toMatchObject({
      hint: `This stack manages the existing object ${identity.id}. Run the command again: it looks anew at what that one is called.`,
    });
  });

  it('is a bug where looking for it is one', async () => {
    endings('create', 'conflict');
    const bug = new Error('bug');
    finding(() => Promise.reject(bug));
    await expect(apply({ shop: api({ name: 'Shop' }) })).rejects.toBe(bug);
  });

  it('is not taken for its own: the first answer was clear', async () => {
    endings('create', 'conflict');
    finding(() => Promise.resolve([{ ...theirs, values: { ...theirs.values, createdAt: '2100-01-01T00:00:00Z' } }]));
    expect((await apply({ shop: api({ name: 'Shop' }) })).steps).toEqual(['shop failed']);
  });
});

it('a create that is refused for another reason keeps the platform’s words and hint', async () => {
  endings('create', 'invalid');
  const { diagnostic } = await apply({ shop: api({ name: 'Shop' }) });
  expect(diagnostic).toMatchObject({ summary: 'It is invalid.' });
  expect(diagnostic).not.toHaveProperty('hint');
  expect(intents()).toEqual([]);
});

describe('a child of what was just made', () => {
  const pets = (): JsonObject => ({ pets: api({ name: 'Pets' }, {}, { guide: page('Guide') }) });
  const lag = (count: number, kind: ProviderErrorKind): readonly Ending[] => [
    'fine',
    ...Array.from({ length: count }, () => kind),
  ];

  it.each<[ProviderErrorKind, number, readonly number[], string]>([
    ['forbidden', 1, [250], 'done'],
    ['not-found', 3, [250, 500, 1000], 'done'],
    ['forbidden', 7, [250, 500, 1000, 2000, 4000, 8000, 8000], 'done'],
    ['forbidden', 8, [250, 500, 1000, 2000, 4000, 8000, 8000], 'failed'],
    ['invalid', 1, [], 'failed'],
  ])('that is refused as %s %i times waits %j, and is %s', async (kind, count, waits, outcome) => {
    endings('create', ...lag(count, kind));
    const { steps } = await apply(pets());
    expect([world.waits, steps[1]]).toEqual([waits, `pets/guide ${outcome}`]);
    const reasons = world.events.flatMap((event) => (event.type === 'waiting' ? [event.reason] : []));
    expect(new Set(reasons)).toEqual(
      new Set(waits.length > 0 ? ['the platform does not know the parent of pets/guide everywhere yet'] : []),
    );
    expect(intents()).toEqual([]);
  });

  it('also waits where it only refers to that, and not where nothing it belongs to is new', async () => {
    await apply(pets());
    endings('create', 'forbidden');
    expect(
      (await apply({ pets: api({ name: 'Pets' }, {}, { guide: page('Guide'), more: page('More') }) })).steps,
    ).toEqual(['pets/more failed']);
    expect(world.waits).toEqual([]);
    world.calls = () => ({});
    const below = (parent: string): JsonObject => ({
      type: 'platform:ApiDocument',
      properties: { title: 'Leaf', content: 'x', parentDocumentId: `\${${parent}.id}` },
    });
    endings('create', 'fine', 'not-found');
    await apply({
      pets: api({ name: 'Pets' }, {}, { guide: page('Guide'), more: page('More'), leaf: below('pets/more') }),
    });
    expect(world.waits).toEqual([250]);
  });

  it('that a stopped run waits for is not tried again', async () => {
    const drain = new AbortController();
    endings('create', ...lag(3, 'forbidden'));
    world.write(at(), { resources: pets() });
    const { result } = await world.apply(at(), {
      apply: { drain: drain.signal },
      open: {
        world: {
          ...realWorld,
          sleep: () => {
            drain.abort();
            return Promise.resolve();
          },
        },
      },
    });
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(['done', 'failed']);
    expect(result.status).toBe('interrupted');
  });
});

describe('an update whose answer is lost', () => {
  const pets = (properties: JsonObject): JsonObject => ({ pets: api({ name: 'Pets', ...properties }) });

  it.each<[string, Ending, string, readonly string[]]>([
    ['was carried out counts as done', 'lost after', 'done', []],
    ['was not carried out has failed, and may still take effect', 'lost before', 'failed', ['update pets']],
  ])('and that %s', async (_what, how, outcome, open) => {
    await apply(pets({ description: 'one', labels: { a: 'b' } }));
    const updates = endings('update', how);
    const { steps } = await apply(pets({ description: 'two' }));
    expect([steps, updates.count(), intents()]).toEqual([[`pets ${outcome}`], 1, open]);
    for (const { inputs } of world.state().intents) expect(inputs).toEqual({ description: 'two' });
    world.calls = () => ({});
    const next = await apply(pets({ description: 'two' }));
    expect([next.result.status, intents()]).toEqual(['done', []]);
    expect((await apply(pets({ description: 'two' }))).plan.steps).toEqual([]);
  });

  it('and that cleared something counts as done only where that is clear', async () => {
    await apply(pets({ description: 'one' }));
    endings('update', 'lost before');
    expect((await apply(pets({}))).steps).toEqual(['pets failed']);
    world.calls = () => ({});
    endings('update', 'lost after');
    expect((await apply(pets({}))).steps).toEqual(['pets done']);
  });

  it.each<[string, () => Promise<RemoteObject | undefined>]>([
    ['is gone', () => Promise.resolve(undefined)],
    ['cannot be read', () => Promise.reject(no('unavailable'))],
  ])('and whose object %s has failed', async (_how, read) => {
    await apply(pets({ description: 'one' }));
    endings('update', 'lost before');
    world.write(at(), { resources: pets({ description: 'two' }) });
    let isApplying = false;
    answering((platform) => ({
      read: (...call) => (isApplying ? read() : platform.read(...call)),
    }));
    const { result } = await world.open(at(), async (project) => {
      const planned = await project.plan({});
      isApplying = true;
      return { result: await project.apply(planned) };
    });
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(intents()).toEqual(['update pets']);
  });

  it('is refused without a question left open', async () => {
    await apply(pets({ description: 'one' }));
    endings('update', 'invalid');
    expect((await apply(pets({ description: 'two' }))).steps).toEqual(['pets failed']);
    expect(intents()).toEqual([]);
  });
});

describe('a delete whose answer is lost', () => {
  it.each<[string, Ending, string, readonly string[], readonly string[]]>([
    ['was carried out counts as done', 'lost after', 'done', [], []],
    ['was not carried out has failed, and may still take effect', 'lost before', 'failed', ['delete pets'], ['pets']],
    ['is refused leaves no question open', 'invalid', 'failed', [], ['pets']],
  ])('and that %s', async (_what, how, outcome, open, left) => {
    await apply({ pets: api({ name: 'Pets' }) });
    endings('delete', how);
    expect((await apply({})).steps).toEqual([`pets ${outcome}`]);
    expect([intents(), [...world.state().resources.keys()]]).toEqual([open, left]);
    world.calls = () => ({});
    await apply({});
    expect([intents(), [...world.state().resources.keys()], names()]).toEqual([[], [], []]);
  });

  it.each<[string, boolean, boolean, string]>([
    ['that nothing shows is no proof', false, false, 'failed'],
    ['that still shows is no proof', true, true, 'failed'],
    ['that has shown, and shows no more, is one', true, false, 'done'],
  ])('a denial of what was made a moment ago %s', async (_what, isShown, isStillShown, outcome) => {
    await apply({ pets: api({ name: 'Pets' }) }, { settleSeconds: 120 });
    let isSent = false;
    answering((platform) => ({
      read: async (type, identity) =>
        (isSent ? isStillShown : isShown) ? platform.read(type, identity) : Promise.resolve(undefined),
      delete: (_type, _identity, options) => {
        isSent = true;
        const told = { severity: 'error', code: 'outcome-unknown', summary: 'It is denied.' } as const;
        const denied = new ProviderError('ambiguous', [told], { status: 404 });
        return options?.mayNotShow === true ? Promise.reject(denied) : Promise.resolve();
      },
    }));
    expect((await apply({}, { settleSeconds: 120 })).steps).toEqual([`pets ${outcome}`]);
  });
});
