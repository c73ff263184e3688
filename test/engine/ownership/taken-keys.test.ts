import { describe, expect, it } from 'vitest';
import type { ApplyResult, PlanOptions } from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type CatalogueData, type World } from '../../harness/world.js';
import { api, lenient } from './catalogue.js';
import { planHtml, planMarkdown } from '../../report/forms.js';

let world: World;
freshWorlds((made) => (world = made));

const document = (slug: string, options: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiDocument', properties: { slug, title: 'T', content: 'x' }, options },
});

async function write(resources: CatalogueData, settings = lenient): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/a.yaml': { resources } });
}

async function made(resources: CatalogueData): Promise<void> {
  await write(resources);
  await world.apply();
}

async function refused(options?: PlanOptions): Promise<readonly string[]> {
  await world.resetRequests();
  const { plan, diagnostics } = await world.planResult(options);
  expect(plan).toBeUndefined();
  for (const { place } of diagnostics) expect(place).toMatchObject({ file: 'catalogue/a.yaml' });
  return diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
}

interface Named {
  readonly id: string;
  readonly name: string;
}

async function apis(): Promise<readonly Named[]> {
  return ((await world.call('GET', '/_sandbox/objects')).body as unknown as { apis: readonly Named[] }).apis;
}

async function idOf(name: string): Promise<string> {
  return (await apis()).find((object) => object.name === name)?.id ?? '';
}

const seed = (names: readonly string[]): Promise<unknown> =>
  world.call('POST', '/_sandbox/seed', { apis: names.map((name) => ({ name })) });

describe('a change that gives an object the key of another one', () => {
  it('is refused where nobody manages that one, by name, with not one request more', async () => {
    await made({ a: api('A') });
    await seed(['B']);
    await world.resetRequests();
    await world.plan();
    const { total } = await world.requests();
    await write({ a: api('B') });
    expect(await refused()).toEqual([
      `key-held: a can't be changed: the object ${await idOf('B')}, which nobody manages, has the name and version that it is to get.`,
    ]);
    // The difference itself is read in any case.
    expect((await world.requests()).total).toBeLessThanOrEqual(total + 1);
  });

  it('is asked for where the collection was not listed whole', async () => {
    await made({ a: api('A') });
    await seed(Array.from({ length: 950 }, (_, n) => `Stranger ${n}`));
    await write({ a: api('Stranger 900') });
    expect(await refused()).toEqual([expect.stringMatching(/^key-held: a /)]);
    expect((await world.requests()).total).toBeLessThanOrEqual(5);
    await write({ a: api('Free') });
    expect(actionsOf(await world.plan())).toEqual(['update a']);
  });

  it('is not compared where that cannot be asked', async () => {
    await made({ a: api('A'), b: api('B') });
    await seed(Array.from({ length: 950 }, (_, n) => `Stranger ${n}`));
    await write({ a: api('Other'), b: api('B') });
    // Reads of single objects go through; the search fails.
    const rule = { match: { method: 'GET', route: '/v3/apis' }, nth: 2, action: { status: 403 } };
    expect(await world.call('PUT', '/_sandbox/faults', [rule])).toMatchObject({ status: 200 });
    const plan = await world.plan();
    await world.call('DELETE', '/_sandbox/faults');
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared).toMatchObject([{ address: 'a' }]);
  });

  it('names the other stack that manages it', async () => {
    const settings = `${lenient}stacks: {default: {}, next: {}}\n`;
    await write({ b: api('B') }, settings);
    await world.open(async (project) => project.apply(await project.plan()), { stack: 'next' });
    await write({ a: api('A') }, settings);
    await world.apply();
    await write({ a: api('B') }, settings);
    expect(await refused()).toEqual([expect.stringContaining('which the stack next manages')]);
  });

  it('is an error with both places where an address keeps it', async () => {
    await made({ a: api('A'), b: api('B') });
    await write({ a: api('B'), b: api('B2', { ignoreChanges: ['name'] }) });
    const { diagnostics } = await world.planResult();
    expect(diagnostics).toMatchObject([
      {
        ...{ code: 'key-taken', address: 'a', place: { file: 'catalogue/a.yaml' } },
        related: [{ message: 'b stands here' }],
      },
    ]);
  });

  it.each<[string, CatalogueData, CatalogueData]>([
    ['waits for the one that gives it up', { a: api('A'), b: api('B') }, { a: api('B'), b: api('C') }],
    ['waits for the one that goes', { a: api('A'), b: api('B') }, { a: api('B') }],
    ['may be an exchange', { a: api('A'), b: api('B') }, { a: api('B'), b: api('A') }],
    ['may go round in a ring', { a: api('A'), b: api('B'), c: api('C') }, { a: api('B'), b: api('C'), c: api('A') }],
    [
      'may be an exchange of slugs',
      { a: api('A', {}, { x: document('x'), y: document('y') }) },
      { a: api('A', {}, { x: document('y'), y: document('x') }) },
    ],
    ['may be an exchange of a rename and a new block', { a: api('A'), b: api('B') }, { a: api('B'), c: api('A') }],
  ])('%s', async (_name, before, after) => {
    await made(before);
    await write(after);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    expect(JSON.stringify(await apis())).not.toContain('moving-');
  });

  it('is seen in the plan where an object steps aside for it', async () => {
    await made({ a: api('A'), b: api('B') });
    await write({ a: api('B'), b: api('A') });
    const aside = ({ steps }: Plan): readonly string[] =>
      steps.flatMap(({ address, dependsOn, risks }) =>
        risks.flatMap((risk) =>
          risk.kind === 'steps-aside' ? [`${address} after ${dependsOn.join()}: ${risk.what}`] : [],
        ),
      );
    const plan = await world.plan();
    expect(aside(plan)).toEqual([
      expect.stringMatching(/^b after a: its name is first moving-[\w-]+, so that a can have the present one$/),
    ]);
    expect(plan.steps.map(({ address, dependsOn }) => [address, dependsOn])).toEqual([
      ['a', []],
      ['b', ['a']],
    ]);
    const [told = ''] = aside(plan).map((each) => each.replace(/^.*: /, ''));
    for (const form of [planText(plan, { style: plainStyle }), planMarkdown(plan, {}), planHtml(plan, {})])
      expect(form.replaceAll('`', '')).toContain(told);
    await write({ a: api('C'), b: api('A') });
    expect(aside(await world.plan())).toEqual([]);
  });

  describe('through a passing name that an ended run has left', () => {
    /** Ends the run as soon as an object has its passing name. */
    async function endedHalfWay(): Promise<ApplyResult> {
      const drain = new AbortController();
      const onEvent = (event: Event): void => {
        if (event.type === 'step-done' && event.action === 'park') drain.abort();
      };
      const result = await world.open(async (project) => project.apply(await project.plan(), { drain: drain.signal }), {
        onEvent,
      });
      expect(result.status).toBe('interrupted');
      expect(JSON.stringify(await apis())).toContain('"moving-');
      return result;
    }

    it.each<[string, CatalogueData, readonly string[]]>([
      ['goes on', { a: api('B'), b: api('A') }, ['update a', 'update b']],
      ['goes back', { a: api('A'), b: api('B') }, ['update b']],
      ['goes elsewhere', { a: api('C'), b: api('D') }, ['update a', 'update b']],
      ['ends one', { a: api('B') }, ['update a', 'delete b']],
      ['ends the other', { b: api('A') }, ['delete a', 'update b']],
      [
        'has another address',
        { a: api('B'), c: { ...api('A'), options: { aliases: ['b'] } } },
        ['update a', 'update c'],
      ],
    ])('%s', async (_name, after, expected) => {
      await made({ a: api('A'), b: api('B') });
      await write({ a: api('B'), b: api('A') });
      const result = await endedHalfWay();
      expect(result.steps.find(({ address }) => address === 'b')).toMatchObject({
        ...{ action: 'update', outcome: 'skipped' },
        diagnostics: [{ code: 'half-done', summary: 'The object carries a passing name.' }],
      });
      const before = new Set((await apis()).map(({ id }) => id));
      await write(after);
      const plan = await world.plan();
      expect(actionsOf(plan).slice().sort()).toEqual(expected.slice().sort());
      // Nobody else has changed anything.
      expect(plan.steps.filter(({ cause = 'config' }) => cause !== 'config')).toEqual([]);
      await world.apply();
      expect((await world.plan()).steps).toEqual([]);
      const now = await apis();
      expect(now.map(({ name }) => name).sort()).toEqual(
        Object.values(after)
          .map((block) => ((block as JsonObject)['properties'] as JsonObject)['name'])
          .sort(),
      );
      expect(now.every(({ id }) => before.has(id))).toBe(true);
    });
  });

  it('takes back nothing that the answer to a passing name has shown', async () => {
    const described = (name: string, description: string): JsonObject => {
      const { properties, ...rest } = api(name) as { readonly properties: JsonObject };
      return { ...rest, properties: { ...properties, description } };
    };
    await made({ a: api('A'), b: described('B', 'old') });
    await write({ a: api('B'), b: described('A', 'new') });
    const id = await idOf('B');
    const result = await world.open(async (project) => {
      const plan = await project.plan();
      await world.call('PATCH', `/v3/apis/${id}`, { description: 'by hand' });
      return project.apply(plan);
    });
    expect(result.steps).toMatchObject([
      { address: 'b', outcome: 'failed', diagnostics: [{ code: 'changed-since-plan' }, { code: 'half-done' }] },
      { address: 'a', outcome: 'done' },
    ]);
    expect((await world.call('GET', `/v3/apis/${id}`)).body).toMatchObject({ description: 'by hand' });
  });

  it('is refused where only half of it is selected', async () => {
    await made({ a: api('A'), b: api('B') });
    await write({ a: api('B'), b: api('A') });
    const told = [
      'key-outside: a is to get the name and version that b gives up, and only one of the two is selected.',
    ];
    expect(await refused({ targets: ['a'] })).toEqual(told);
    expect(await refused({ excludes: ['b'] })).toEqual(told);
    expect(actionsOf(await world.plan({ targets: ['a', 'b'] }))).toHaveLength(2);
    await write({ a: api('C'), b: api('B'), c: api('A') });
    expect(await refused({ targets: ['c'] })).toEqual([expect.stringMatching(/^key-outside: c /)]);
    expect(actionsOf(await world.plan({ targets: ['a'] }))).toEqual(['update a']);
  });

  it('by a replacement deletes nothing before it is known that the new one can be made', async () => {
    await made({ a: api('A'), b: api('B') });
    await seed(['C']);
    await write({ a: api('C', { replaceOnChanges: ['name'] }), b: api('B') });
    expect(await refused()).toEqual([expect.stringMatching(/^key-held: a /)]);
    await write({ a: api('B', { replaceOnChanges: ['name'] }), b: api('B2', { ignoreChanges: ['*'] }) });
    expect(await refused()).toEqual([expect.stringMatching(/^key-taken: a /)]);
  });

  it('of something that could not be compared does nothing', async () => {
    await made({ a: api('A'), b: api('B') });
    await write({ a: api('B'), b: api('C'), c: api('A', {}, { x: document('x') }) });
    const id = await idOf('B');
    // What the list shows is no longer as recorded, and the second look fails.
    await world.call('PATCH', `/v3/apis/${id}`, { description: 'by hand' });
    const rule = { match: { method: 'GET', route: `/v3/apis/${id}` }, action: { status: 403 } };
    expect(await world.call('PUT', '/_sandbox/faults', [rule])).toMatchObject({ status: 200 });
    const plan = await world.plan();
    await world.call('DELETE', '/_sandbox/faults');
    // b could have the key still, so a keeps its own, and c can't have that.
    expect(plan.steps).toEqual([]);
    expect(plan.notCompared.map(({ address }) => address)).toEqual(['a', 'b', 'c', 'c/x']);
  });
});
