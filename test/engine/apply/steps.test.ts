import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StepResult } from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import {
  type CallOptions,
  ProviderError,
  type Provider,
  type ProviderErrorKind,
} from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { PaperWorld, paperFolder, removeFolder } from '../../harness/paper-world.js';

/** What a run tells of its steps, what it sends, and what it leaves behind, on a platform in memory. */

let folder = '';
let world: PaperWorld;
const at = (name = 'many'): string => join(folder, name);
const guards = { maxDeletes: 100, maxDeletePercent: 100 };

beforeAll(async () => {
  folder = await paperFolder({ many: { guards }, one: { guards, concurrency: 1 } });
});
afterAll(() => removeFolder(folder));
beforeEach(() => void (world = new PaperWorld()));

const api = (properties: JsonObject, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:Api', properties, options, children },
});
const page = (properties: JsonObject): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { content: 'x', ...properties },
});
const allow = ['emptyCatalogue', 'everythingGone', 'delete:pets', 'replace:pets'].map((guard) => ({
  guard,
  reason: 'test',
}));

async function apply(resources: JsonObject, more: Parameters<PaperWorld['apply']>[1] = {}, outputs: JsonObject = {}) {
  world.write(at(), { resources, ...(Object.keys(outputs).length > 0 && { outputs }) });
  return world.apply(at(), { allow, ...more });
}

/** The steps' events as short texts: what a listener sees, in order. */
const told = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'apply-started':
        return [`started ${event.steps}`];
      case 'step-started':
        return [`> ${event.action} ${event.address} (${event.resourceType.replace(/^.*:/, '')})`];
      case 'step-done':
        return [`done ${event.action} ${event.address} ${event.id ?? 'nothing'}`];
      case 'step-failed':
        return [`failed ${event.action} ${event.address} ${event.diagnostics.map(({ code }) => code).join()}`];
      case 'step-skipped':
        return [`skipped ${event.action} ${event.address} because ${event.because}`];
      case 'apply-finished':
        return [`finished ${event.done} ${event.failed} ${event.skipped}`];
      default:
        return [];
    }
  });
const ended = (steps: readonly StepResult[]): readonly string[] =>
  steps.map(({ action, address, outcome, id, because }) =>
    [outcome, action, address, id, because && `because ${because}`].filter(Boolean).join(' '),
  );

const refusal = (
  kind: ProviderErrorKind,
  code = 'request-rejected',
  field?: string,
  more: JsonObject = {},
): ProviderError =>
  new ProviderError(kind, [{ severity: 'error', code, summary: 'It says no.', ...(field && { field }), ...more }]);
/** Refuses the calls of one kind about what `is` says. */
const refusing =
  (call: 'create' | 'update' | 'delete', error: unknown, is: (id: string) => boolean = () => true) =>
  (platform: Provider): Partial<Provider> => ({
    [call]: (type: never, first: { identity?: { id: string }; id?: string }, second: JsonObject, options: never) => {
      const name = first.identity?.id ?? first.id ?? String(second['name'] ?? second['title']);
      const inner = platform[call] as (...given: readonly unknown[]) => unknown;
      return is(name) ? Promise.reject(error) : inner(type, first, second, options);
    },
  });

describe('the events of a run', () => {
  it('name every step with its type and its object, and count how they ended', async () => {
    const { result } = await apply({ pets: api({ name: 'Pets' }, {}, { guide: page({ title: 'Guide' }) }) });
    expect(told(world.events)).toEqual([
      ...['started 2', '> create pets (Api)', 'done create pets Api-1'],
      ...['> create pets/guide (ApiDocument)', 'done create pets/guide ApiDocument-2', 'finished 2 0 0'],
    ]);
    expect(ended(result.steps)).toEqual(['done create pets Api-1', 'done create pets/guide ApiDocument-2']);
    expect(result.steps.every(({ durationMs }) => Number.isInteger(durationMs))).toBe(true);
  });

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'an update',
      { pets: api({ name: 'Pets' }) },
      { pets: api({ name: 'Pets', description: 'new' }) },
      ['> update pets (Api)', 'done update pets Api-1'],
    ],
    [
      'a move with a change',
      { pets: api({ name: 'Pets' }) },
      { cats: api({ name: 'Pets', description: 'new' }, { aliases: ['pets'] }) },
      ['> update cats (Api)', 'done update cats Api-1'],
    ],
    [
      'a change of options',
      { pets: api({ name: 'Pets' }) },
      { pets: api({ name: 'Pets' }, { protect: true }) },
      ['> options pets (Api)', 'done options pets Api-1'],
    ],
    [
      'a delete, and what goes along',
      { pets: api({ name: 'Pets' }, {}, { guide: page({ title: 'Guide' }) }) },
      {},
      [
        ...['> delete pets (Api)', '> delete pets/guide (ApiDocument)', 'done delete pets/guide ApiDocument-2'],
        'done delete pets Api-1',
      ],
    ],
    [
      'what is left where it is',
      { pets: api({ name: 'Pets' }, { retainOnDelete: true }) },
      {},
      ['> forget pets (Api)', 'done forget pets Api-1'],
    ],
    [
      'a replacement that deletes first',
      { pets: api({ name: 'Pets', description: 'one' }, { replaceOnChanges: ['description'] }) },
      { pets: api({ name: 'Pets', description: 'two' }, { replaceOnChanges: ['description'] }) },
      ['> replace pets (Api)', 'done replace pets Api-1', '> replace pets (Api)', 'done replace pets Api-2'],
    ],
    [
      'a replacement that creates first',
      { pets: api({ name: 'Pets', version: '1' }, { replaceOnChanges: ['version'], deleteBeforeReplace: false }) },
      { pets: api({ name: 'Pets', version: '2' }, { replaceOnChanges: ['version'], deleteBeforeReplace: false }) },
      ['> replace pets (Api)', 'done replace pets Api-2', '> delete-old pets (Api)', 'done delete-old pets Api-1'],
    ],
    [
      'two that swap their names: one of them passes under another',
      { a: api({ name: 'A' }), b: api({ name: 'B' }) },
      { a: api({ name: 'B' }), b: api({ name: 'A' }) },
      [
        ...['> park b (Api)', 'done park b Api-2', '> update a (Api)', 'done update a Api-1'],
        ...['> update b (Api)', 'done update b Api-2'],
      ],
    ],
  ])('of %s', async (_what, before, after, expected) => {
    await apply(before);
    const { result } = await apply(after);
    expect(result.status).toBe('done');
    const steps = new Set(expected.map((line) => line.split(' ')[2])).size;
    expect(told(world.events)).toEqual([`started ${steps}`, ...expected, `finished ${steps} 0 0`]);
    expect((await apply(after)).plan.steps).toEqual([]);
    expect(world.state().intents).toEqual([]);
  });

  it('of what is taken over by its id, and changed in the same step', async () => {
    await apply({ pets: api({ name: 'Pets' }) });
    await world.forget('pets');
    const { result } = await apply({ pets: api({ name: 'Pets', description: 'new' }, { import: 'Api-1' }) });
    expect(told(world.events)).toEqual(['started 1', '> adopt pets (Api)', 'done adopt pets Api-1', 'finished 1 0 0']);
    expect(ended(result.steps)).toEqual(['done adopt pets Api-1']);
    expect(world.platform.objects.get('Api-1')?.values['description']).toBe('new');
  });
});

describe('a replacement', () => {
  const options = { replaceOnChanges: ['version'], deleteBeforeReplace: false };
  const pets = (version: string): JsonObject => ({ pets: api({ name: 'Pets', version }, options) });

  it('counts as one step, with the new object’s id', async () => {
    await apply(pets('1'));
    const { result } = await apply(pets('2'));
    expect(ended(result.steps)).toEqual(['done replace pets Api-2']);
    expect([...world.platform.objects.keys()]).toEqual(['Api-2']);
  });

  it('whose old object cannot be deleted has its new one, keeps the old one in mind, and ends it next time', async () => {
    await apply(pets('1'));
    world.calls = refusing('delete', refusal('unavailable'));
    const { result } = await apply(pets('2'));
    expect(result.status).toBe('partly');
    expect(ended(result.steps)).toEqual(['failed replace pets']);
    expect(result.steps[0]?.diagnostics).toEqual([
      expect.objectContaining({ code: 'request-rejected' }),
      {
        ...{ severity: 'warning', code: 'half-done', address: 'pets', hint: 'Run apply again: it does the rest.' },
        summary: 'The new object is there; the old one still exists beside it.',
      },
    ]);
    expect(world.state().resources.get('pets')).toMatchObject({
      identity: { id: 'Api-2' },
      deposed: [{ identity: { id: 'Api-1' }, outputs: { name: 'Pets', version: '1' } }],
    });
    world.calls = () => ({});
    const next = await apply(pets('2'));
    expect(ended(next.result.steps)).toEqual(['done delete pets~Api-1 Api-1']);
    expect(world.state().resources.get('pets')).toMatchObject({ identity: { id: 'Api-2' }, deposed: [] });
    expect([...world.platform.objects.keys()]).toEqual(['Api-2']);
  });

  it('twice with an old object left keeps both in mind', async () => {
    await apply(pets('1'));
    world.calls = refusing('delete', refusal('unavailable'));
    await apply(pets('2'));
    await apply(pets('3'));
    expect(
      world
        .state()
        .resources.get('pets')
        ?.deposed.map(({ identity }) => identity.id),
    ).toEqual(['Api-1', 'Api-2']);
    world.calls = () => ({});
    expect((await apply(pets('3'))).result.status).toBe('done');
    expect(world.state().resources.get('pets')?.deposed).toEqual([]);
    expect([...world.platform.objects.keys()]).toEqual(['Api-3']);
  });

  it('that left its old object, and what was made in its place, end together', async () => {
    await apply(pets('1'));
    world.calls = refusing('delete', refusal('unavailable'));
    await apply(pets('2'));
    world.calls = () => ({});
    const { result } = await apply({});
    expect(result.status).toBe('done');
    expect([...world.state().resources.keys(), ...world.platform.objects.keys()]).toEqual([]);
  });

  it.each([
    { then: 'its block goes', files: {} },
    {
      ...{ then: 'it is replaced once more, the old one first' },
      files: { pets: api({ name: 'Pets', version: '3' }, { ...options, deleteBeforeReplace: true }) },
    },
    { then: 'somebody ends the new one', files: pets('2'), byHand: 'Api-2' },
    { then: 'somebody ends the new one, and its block goes', files: {}, byHand: 'Api-2' },
  ])('that left its old object has it in state until it ends: $then', async ({ files, byHand }) => {
    await apply(pets('1'));
    world.calls = refusing('delete', refusal('unavailable'), (id) => id === 'Api-1');
    await apply(pets('2'));
    if (byHand !== undefined) world.platform.objects.delete(byHand);
    expect((await apply(files)).result.status).not.toBe('done');
    const known = (): readonly string[] =>
      [...world.state().resources.values()].flatMap((one) => [one, ...one.deposed].map(({ identity }) => identity.id));
    expect(known()).toContain('Api-1');
    world.calls = () => ({});
    expect((await apply(files)).result.status).toBe('done');
    expect(known()).toEqual([...world.platform.objects.keys()]);
    expect(known()).toHaveLength(Object.keys(files).length);
  });

  it('that deleted and cannot create says what stands, and the next run creates', async () => {
    const first = { ...options, deleteBeforeReplace: true };
    await apply({ pets: api({ name: 'Pets', version: '1' }, first) });
    world.calls = refusing('create', refusal('unavailable'));
    const after = { pets: api({ name: 'Pets', version: '2' }, first) };
    const { result } = await apply(after);
    expect(ended(result.steps)).toEqual(['failed replace pets']);
    expect(result.steps[0]?.diagnostics?.[1]).toMatchObject({
      code: 'half-done',
      summary: 'The old object is deleted; the new one is not there yet.',
    });
    expect(result.status).toBe('partly');
    world.calls = () => ({});
    expect((await apply(after)).plan.steps.map(({ action }) => action)).toEqual(['create']);
  });

  it('that is given up while its old object is looked at leaves that one', async () => {
    const first = { ...options, deleteBeforeReplace: true, dependsOn: ['owner'] };
    const files = (version: string): JsonObject => ({
      owner: api({ name: 'Owner', description: version }),
      pets: api({ name: 'Pets', version }, first),
    });
    await apply(files('1'));
    let isFailed = Promise.resolve();
    world.calls = (platform) => ({
      update: () => {
        isFailed = new Promise((resolve) => void setTimeout(resolve, 20));
        return Promise.reject(refusal('unavailable'));
      },
      read: async (...call) => {
        await new Promise((resolve) => void setTimeout(resolve, 20));
        await isFailed;
        return platform.read(...call);
      },
    });
    const { result } = await apply(files('2'));
    expect([...ended(result.steps)].sort()).toEqual(['failed update owner', 'skipped replace pets because owner']);
    expect(world.platform.objects.size).toBe(2);
    expect(world.platform.objects.has('Api-2')).toBe(true);
    expect(world.state().intents).toEqual([]);
    world.calls = () => ({});
    expect((await apply(files('2'))).result.status).toBe('done');
  });

  it('after a delete goes no further once the run is stopped, and says what stands', async () => {
    const first = { ...options, deleteBeforeReplace: true };
    await apply({ pets: api({ name: 'Pets', version: '1' }, first) });
    const drain = new AbortController();
    world.calls = (platform) => ({
      delete: async (...call) => {
        await platform.delete(...call);
        drain.abort();
      },
    });
    const { result } = await apply(
      { pets: api({ name: 'Pets', version: '2' }, first) },
      { apply: { drain: drain.signal } },
    );
    expect(result.status).toBe('interrupted');
    expect(ended(result.steps)).toEqual(['skipped replace pets because interrupted']);
    expect(result.steps[0]?.diagnostics).toEqual([expect.objectContaining({ code: 'half-done', severity: 'warning' })]);
  });
});

describe('what needs a failed step', () => {
  const uses = (address: string, name: string): JsonObject => api({ name, description: `\${${address}.id}` });
  const chain = { a: api({ name: 'A' }), b: uses('a', 'B'), c: uses('b', 'C'), other: api({ name: 'Other' }) };

  it('is left out for its sake, however far it is; the rest goes on', async () => {
    world.calls = refusing('create', refusal('invalid'), (name) => name === 'A');
    const { result } = await apply(chain);
    expect(result.status).toBe('partly');
    expect([...ended(result.steps)].sort()).toEqual([
      ...['done create other Api-1', 'failed create a', 'skipped create b because a', 'skipped create c because a'],
    ]);
    expect(result.steps.filter(({ outcome }) => outcome === 'skipped').every((step) => !('diagnostics' in step))).toBe(
      true,
    );
    expect([...told(world.events)].sort()).toEqual(
      [
        ...['started 4', '> create a (Api)', 'failed create a request-rejected', '> create other (Api)'],
        ...['done create other Api-1', 'skipped create b because a', 'skipped create c because a', 'finished 1 1 2'],
      ].sort(),
    );
  });

  it('with failFast, everything else, too: the first failure is why', async () => {
    world.write(at('one'), { resources: chain });
    world.calls = refusing('create', refusal('invalid'), (name) => name === 'A');
    const { result } = await world.apply(at('one'), { apply: { failFast: true } });
    expect([...ended(result.steps)].sort()).toEqual([
      ...['failed create a', 'skipped create b because a', 'skipped create c because a'],
      'skipped create other because a',
    ]);
    expect(result.status).toBe('failed');
  });

  it('where nothing was done at all, the run failed', async () => {
    world.calls = refusing('create', refusal('invalid'));
    expect((await apply({ a: api({ name: 'A' }) })).result.status).toBe('failed');
  });

  it('what an object in it was to take along stays with it', async () => {
    await apply({ pets: api({ name: 'Pets' }, {}, { guide: page({ title: 'Guide' }) }) });
    world.calls = refusing('delete', refusal('unavailable'));
    const { result } = await apply({});
    expect(ended(result.steps)).toEqual(['failed delete pets', 'skipped delete pets/guide because pets']);
    expect([...world.state().resources.keys()].sort()).toEqual(['pets', 'pets/guide']);
    expect(world.state().intents).toEqual([]);
  });
});

describe('a change that is to be forced', () => {
  it('says so to the platform, and no other does', async () => {
    const spec = (path: string): string =>
      JSON.stringify({ openapi: '3.0.3', info: { title: 'V', version: '1.0.0' }, paths: { [path]: {} } });
    const pets = (path: string): JsonObject => ({
      pets: api(
        { name: 'Pets' },
        {},
        { one: { type: 'platform:ApiVersion', properties: { specContent: spec(path) } } },
      ),
    });
    const forced: unknown[] = [];
    await apply(pets('/a'));
    world.calls = (platform) => ({
      update: (type, request, options) => {
        forced.push(request.force);
        return platform.update(type, request, options);
      },
    });
    await apply(pets('/b'));
    await apply(pets('/c'), { allow: [...allow, { guard: 'force:pets/one', reason: 'test' }] });
    expect(forced).toEqual([undefined, true]);
  });
});

describe('outputs', () => {
  const outputs = { text: '${pets.description}', id: '${pets.id}' };
  const pets = (description: string): JsonObject => ({ pets: api({ name: 'Pets', description }) });

  it('are written at the end, and keep their old values where what they wait for did not happen', async () => {
    const first = await apply(pets('one'), {}, outputs);
    expect(first.result.outputs).toEqual({ text: 'one', id: 'Api-1' });
    expect(world.state().outputs).toEqual({ text: 'one', id: 'Api-1' });
    world.calls = refusing('update', refusal('invalid'));
    expect((await apply(pets('two'), {}, outputs)).result.outputs).toEqual({ text: 'one', id: 'Api-1' });
    expect(world.state().outputs).toEqual({ text: 'one', id: 'Api-1' });
    world.calls = () => ({});
    expect((await apply(pets('two'), {}, outputs)).result.outputs).toEqual({ text: 'two', id: 'Api-1' });
  });

  it('are left out where what they wait for never happened', async () => {
    world.calls = refusing('create', refusal('invalid'));
    expect((await apply(pets('one'), {}, outputs)).result.outputs).toEqual({});
    expect(world.state().outputs).toEqual({});
  });
});

describe('what is found to be right already', () => {
  it('is recorded as the file says it now, without a step', async () => {
    await apply({ pets: api({ name: 'Pets', description: 'one' }) });
    const [object] = world.platform.objects.values();
    if (object === undefined) throw new Error('nothing there');
    world.platform.edit(object, { description: 'two' });
    const { plan, result } = await apply({ pets: api({ name: 'Pets', description: 'two' }) });
    expect([plan.steps, result.status, result.steps]).toEqual([[], 'done', []]);
    expect(world.state().resources.get('pets')).toMatchObject({
      inputs: { description: 'two' },
      outputs: { description: 'two' },
    });
  });
});

describe('values that are known only while a run is under way', () => {
  it('are those of what was just made, and as secret as what they were made of', async () => {
    world.env['NAME'] = 'a name that nobody knows';
    const resources = {
      pets: api({ name: { 'fn::env': 'NAME' } }),
      cats: api({ name: 'Cats', description: '${pets.slug}' }),
    };
    expect((await apply(resources)).result.status).toBe('done');
    expect(world.platform.objects.get('Api-2')?.values['description']).toBe('a-name-that-nobody-knows');
    const text = JSON.stringify([...world.state().resources]);
    expect(text).not.toContain('nobody');
    expect((await apply(resources)).plan.steps).toEqual([]);
  });
});

describe('a lookup that needs what is made in the run', () => {
  const found = (name: string): JsonObject => ({
    'fn::invoke': {
      function: 'platform:getTeam',
      arguments: { filter: { name: { eq: name } } },
      return: 'description',
    },
  });

  it('is called once it can be, and once for all who ask the same', async () => {
    const calls: unknown[] = [];
    world.calls = () => ({
      lookup: (_type, given) => {
        calls.push(given);
        return Promise.resolve({ id: 'x', description: 'found' });
      },
    });
    const resources = {
      pets: api({ name: 'Pets' }),
      cats: api({ name: 'Cats', description: found('${pets.id}') }),
      dogs: api({ name: 'Dogs', description: found('${pets.id}') }),
    };
    const { result } = await apply(resources);
    expect([result.status, calls]).toEqual(['done', [{ filter: { name: { eq: 'Api-1' } } }]]);
    expect([...world.platform.objects.values()].map(({ values }) => values['description'] ?? null)).toEqual([
      null,
      'found',
      'found',
    ]);
  });

  it('fails the step that asks, where it fails', async () => {
    world.calls = () => ({ lookup: () => Promise.reject(refusal('not-found', 'object-not-found')) });
    const { result } = await apply({
      pets: api({ name: 'Pets' }),
      cats: api({ name: 'Cats', description: found('${pets.id}') }),
    });
    expect(ended(result.steps)).toEqual(['done create pets Api-1', 'failed create cats']);
    expect(result.steps[1]?.diagnostics?.[0]).toMatchObject({ address: 'cats', place: { file: 'catalogue/all.yaml' } });
  });

  it.each([
    ['of its own', found('${pets.id}')],
    [
      'that follows from a type',
      { 'fn::invoke': { function: 'platform:getApi', arguments: { name: '${pets.name}' }, return: 'id' } },
    ],
  ])('%s ends with its run', async (_kind, description) => {
    const stop = new AbortController();
    const untilStopped = (options?: CallOptions): Promise<never> =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
        stop.abort();
      });
    world.calls = (platform) => ({
      lookup: (_type, _given, options) => untilStopped(options),
      list: (type, scope, options) =>
        world.platform.objects.size === 0 ? platform.list(type, scope, options) : untilStopped(options),
    });
    const resources = { pets: api({ name: 'Pets' }), cats: api({ name: 'Cats', description }) };
    const { result } = await apply(resources, { apply: { signal: stop.signal } });
    expect([result.status, ended(result.steps)]).toEqual([
      'interrupted',
      ['done create pets Api-1', 'failed create cats'],
    ]);
  });
});

describe('a failure', () => {
  const failing = async (properties: JsonObject, error: unknown) => {
    world.calls = refusing('create', error);
    const { result } = await apply({ pets: api(properties) });
    return result.steps[0]?.diagnostics?.[0];
  };
  const text = (diagnostic: Awaited<ReturnType<typeof failing>>): string => JSON.stringify(diagnostic);

  it('is told at the line of the field that it is about, else at that of the resource', async () => {
    const pets = { name: 'Pets', attributes: { domain: ['x'] } };
    const whole = await failing(pets, refusal('invalid'));
    const field = await failing(pets, refusal('invalid', 'rejected-value', 'attributes.domain[0]'));
    expect(whole).toMatchObject({ address: 'pets', summary: 'It says no.', place: { file: 'catalogue/all.yaml' } });
    expect(field).toMatchObject({
      address: 'pets',
      field: 'attributes.domain[0]',
      place: { file: 'catalogue/all.yaml' },
    });
    expect(field?.place?.column).toBeGreaterThan(whole?.place?.column ?? 0);
    const unknown = await failing(pets, refusal('invalid', 'rejected-value', 'nothing'));
    expect(unknown?.place).toEqual(whole?.place);
  });

  it('that says where it is stays there', async () => {
    const place = { file: 'elsewhere.yaml', line: 3, column: 1 };
    const told = await failing({ name: 'Pets' }, refusal('invalid', 'request-rejected', undefined, { place }));
    expect(told).toMatchObject({ address: 'pets', place, summary: 'It says no.' });
  });

  it.each<[string, string, string | undefined, string]>([
    ['of the field', 'rejected-value', 'description', 'The platform refused description.'],
    ['of a request', 'request-rejected', undefined, 'The platform refused the request.'],
    ['of a conflict', 'conflict', undefined, 'The platform refused the request.'],
    ['of anything else', 'server-unavailable', undefined, 'The call did not succeed.'],
  ])('%s with a secret of a few letters is told in words of its own', async (_what, code, field, summary) => {
    world.env['PIN'] = 'xyz';
    const error = refusal('invalid', code, field, { detail: 'quotes xyz' });
    const told = await failing({ name: 'Pets', description: { 'fn::env': 'PIN' } }, error);
    expect(told?.summary).toBe(`${summary} The platform's message is not shown: it may quote a secret.`);
    expect(told).toMatchObject({ code, address: 'pets', place: { file: 'catalogue/all.yaml' } });
    expect(text(told)).not.toContain('xyz');
  });

  it.each<[string, string, string | undefined]>([
    ['about another field', 'rejected-value', 'name'],
    ['in the program’s own words', 'changed-since-plan', undefined],
  ])('%s is told as it is, whatever else is secret', async (_what, code, field) => {
    world.env['PIN'] = 'xyz';
    const told = await failing({ name: 'Pets', description: { 'fn::env': 'PIN' } }, refusal('invalid', code, field));
    expect(told?.summary).toBe('It says no.');
  });

  it('with a secret long enough to be found in a text keeps its words', async () => {
    world.env['PIN'] = 'long enough to be found';
    const told = await failing({ name: 'Pets', description: { 'fn::env': 'PIN' } }, refusal('invalid'));
    expect(told?.summary).toBe('It says no.');
  });

  it('of a call that was stopped says so', async () => {
    expect(await failing({ name: 'Pets' }, new DOMException('stopped', 'AbortError'))).toMatchObject({
      ...{ severity: 'error', code: 'interrupted', summary: 'The call was stopped before it ended.' },
      hint: 'Run apply again: it first finds out what became of it.',
    });
  });

  it.each([new Error('bug'), new DOMException('other', 'DataError')])('that is a bug comes out: %s', async (error) => {
    await expect(failing({ name: 'Pets' }, error)).rejects.toBe(error);
    // What became of the create is not known: the next run looks.
    expect(world.state().intents.map(({ action, address }) => `${action} ${address}`)).toEqual(['create pets']);
  });
});
