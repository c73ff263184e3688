import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';
import { realWorld } from '@platform-sync/core/model/world';
import { after, api, before, createsOfEveryType, document, everyType, product, spec } from './catalogues.js';
import { hurriedPackages, makeFaultWorld, type FaultWorld } from './fault-world.js';
import type { Resources } from './inventory.js';

let faulty: FaultWorld;
beforeAll(async () => {
  faulty = await makeFaultWorld();
});
beforeEach(() => faulty.reset());
afterAll(() => faulty.world.close());

const post = { method: 'POST' };

describe('a create', () => {
  it.each<[string, number, FaultRule]>([
    ['whose answers are all lost after the work was done', 0, { match: post, action: { reset: 'after-commit' } }],
    ['that is cut off before the work was done', 4, { match: post, times: 4, action: { reset: 'before' } }],
    ['that is answered with 503 instead of the work', 4, { match: post, times: 4, action: { status: 503 } }],
    ['that is answered with 500 after the work', 0, { match: post, action: { status: 500, when: 'after-commit' } }],
    ['whose answers lack the id', 0, { match: post, action: { dropField: 'id' } }],
    ['whose answers lack a declared field', 0, { match: post, action: { dropField: 'labels' } }],
    ['whose answers lack the time', 0, { match: post, action: { dropField: 'created_at' } }],
    ['that is told to slow down', 6, { match: post, times: 6, action: { status: 429, retryAfter: 1 } }],
    ['that is told to slow down, but not for how long', 3, { match: post, times: 3, action: { status: 429 } }],
    ['whose parent is not known everywhere yet', 0, { match: post, action: { childLag: { ms: 200 } } }],
  ])('%s is made once (%i POSTs more than objects)', async (_name, resends, rule) => {
    await faulty.write(everyType);
    await faulty.fault(rule);
    const { status, steps } = await faulty.run();
    expect([status, steps.filter((step) => step.outcome !== 'done')]).toEqual(['done', []]);
    const posts = await faulty.posts();
    await faulty.expectConverged(everyType);
    // A lagging parent is a refusal, not a lost answer: how often it is met depends on the time that passes.
    if (rule.action.childLag === undefined) expect(posts).toBe(createsOfEveryType + resends);
  });

  it('that is answered too late is looked for, not sent again', async () => {
    await faulty.write(everyType);
    await faulty.fault({ match: post, action: { delayMs: 1500, when: 'after-commit' } });
    const result = await faulty.run({}, { packages: hurriedPackages(500) });
    expect(result.status).toBe('done');
    // The platform counts a request when its answer leaves.
    await expect.poll(() => faulty.posts(), { timeout: 30_000 }).toBe(createsOfEveryType);
    await faulty.expectConverged(everyType);
  });

  it('that is carried out only after we gave up on it makes no second object', async () => {
    await faulty.write(everyType);
    await faulty.fault({ match: post, times: 6, action: { delayMs: 1500 } });
    // It looks for as long as in earnest: what was cut off is carried out in between.
    const result = await faulty.run({}, { packages: hurriedPackages(500), world: realWorld });
    expect(result.status).toBe('done');
    await faulty.expectConverged(everyType);
  });

  it('is given up in the end, and found by the next run when the platform did it after all', async () => {
    await faulty.write({ pets: api('Pets', {}, { guide: document('guide') }), cats: api('Cats') });
    // Every look fails, too, once the plan is made.
    const first = await faulty.run({}, {}, () =>
      faulty.fault(
        { match: post, nth: 1, action: { reset: 'after-commit' } },
        { match: { method: 'GET' }, action: { status: 503 } },
      ),
    );
    expect(first.status).toBe('partly');
    const failed = first.steps.find((step) => step.outcome === 'failed');
    expect(failed?.diagnostics?.map(({ code }) => code)).toEqual(['outcome-unknown', 'server-unavailable']);
    await faulty.fault();
    expect((await faulty.run()).status).toBe('done');
    await faulty.expectConverged({ pets: api('Pets', {}, { guide: document('guide') }), cats: api('Cats') });
  });

  it('of an object that somebody else made since is left to the user, with the command that takes it over', async () => {
    await faulty.write({ pets: api('Pets', { description: 'ours' }) });
    const { steps } = await faulty.run({}, {}, async () => {
      await faulty.world.call('POST', '/v3/apis', { name: 'Pets', version: '1.0', description: 'by hand' });
      await faulty.fault({ match: post, nth: 1, action: { reset: 'before' } });
    });
    const [step] = steps;
    const [id] = (await faulty.dump())['apis']?.map((row) => row.id) ?? [];
    expect(step?.diagnostics).toEqual([expect.objectContaining({ code: 'undecided-create' })]);
    expect(step?.diagnostics?.[0]?.hint).toContain(`sync adopt pets '${String(id)}'`);
    // The next plan says so again, until the command is given.
    await faulty.fault();
    expect((await faulty.world.planResult()).diagnostics.map(({ code }) => code)).toEqual(['undecided-intent']);
    const imported = await faulty.world.open((project) => project.importResource('pets', String(id)));
    expect(imported.diagnostics.map(({ code }) => code)).toEqual(['adopted-changed']);
    expect((await faulty.run()).status).toBe('done');
    await faulty.expectConverged({ pets: api('Pets', { description: 'ours' }) });
  });

  it('does not take over an object that is older than it', async () => {
    const { body } = await faulty.world.call('POST', '/v2/api-products', { name: 'Shop' });
    const { id } = body as { id: string };
    const longAgo = '2025-01-01T00:00:00.000Z';
    await faulty.world.call('POST', `/_sandbox/objects/products/${id}`, { created_at: longAgo });
    await faulty.write({ shop: product('Shop') });
    expect((await faulty.run()).status).toBe('blocked');
    await faulty.world.write({
      'sync.yaml': 'project: test\nguards: {allow: [{guard: "same-name:shop", reason: there are two shops}]}\n',
      'catalogue/all.yaml': { resources: { shop: product('Shop') } },
    });
    await faulty.fault({ match: post, nth: 1, action: { reset: 'before' } });
    expect((await faulty.run()).status).toBe('done');
    const products = (await faulty.dump())['products'] ?? [];
    expect(products.map((row) => row['name'])).toEqual(['Shop', 'Shop']);
    const managed = await faulty.world.open(async (project) => (await (await project.state()).read()).resources);
    expect(managed.get('shop')?.identity.id).not.toBe(id);
  });
});

describe('updates, replacements and deletes', () => {
  it.each<[string, FaultRule]>([
    ['PATCHes carried out, answers lost', { match: { method: 'PATCH' }, times: 3, action: { reset: 'after-commit' } }],
    ['PATCHes cut off before', { match: { method: 'PATCH' }, times: 3, action: { reset: 'before' } }],
    ['PATCHes answered 502 after the work', statusAfter('PATCH', 502)],
    ['PATCH answers without a declared field', { match: { method: 'PATCH' }, action: { dropField: 'description' } }],
    ['DELETEs carried out, answers lost', { match: { method: 'DELETE' }, action: { reset: 'after-commit' } }],
    ['DELETEs cut off before', { match: { method: 'DELETE' }, times: 3, action: { reset: 'before' } }],
    ['DELETEs answered 504 after the work', statusAfter('DELETE', 504)],
    ['POSTs carried out, answers lost', { match: post, action: { reset: 'after-commit' } }],
    ['a storm of 429', { probability: 0.3, action: { status: 429, retryAfter: 1 } }],
  ])('%s', async (_name, rule) => {
    await faulty.write(before);
    expect((await faulty.run()).status).toBe('done');
    await faulty.write(after);
    await faulty.fault(rule);
    const { status, steps } = await faulty.run();
    expect([status, steps.filter((step) => step.outcome !== 'done')]).toEqual(['done', []]);
    await faulty.expectConverged(after);
  });

  it('a DELETE that fails to the end leaves the object managed, and the next run deletes it', async () => {
    await faulty.write({ pets: api('Pets'), cats: api('Cats') });
    await faulty.run();
    await faulty.write({ cats: api('Cats') });
    await faulty.fault({ match: { method: 'DELETE' }, action: { status: 500 } });
    expect((await faulty.run()).steps).toEqual([expect.objectContaining({ address: 'pets', outcome: 'failed' })]);
    await faulty.fault();
    expect((await faulty.run()).status).toBe('done');
    await faulty.expectConverged({ cats: api('Cats') });
  });

  it('a replacement whose create fails says that the old object is gone, and the next run makes the new one', async () => {
    await faulty.write({ pets: api('Pets', { specContent: spec('a') }), cats: api('Cats') });
    await faulty.run();
    await faulty.write({ pets: api('Pets', { specContent: spec('b') }), cats: api('Cats') });
    await faulty.fault({ match: post, action: { status: 403, problem: { detail: 'Quota used up' } } });
    const { status, steps } = await faulty.run();
    expect(status).toBe('partly');
    expect(steps.map((step) => [step.action, step.outcome, step.diagnostics?.map(({ code }) => code)])).toEqual([
      ['replace', 'failed', ['forbidden', 'half-done']],
    ]);
    expect(steps[0]?.diagnostics?.[0]?.summary).toContain('Quota used up');
    await faulty.fault();
    expect((await faulty.run()).status).toBe('done');
    await faulty.expectConverged({ pets: api('Pets', { specContent: spec('b') }), cats: api('Cats') });
  });
});

function statusAfter(method: string, status: number): FaultRule {
  return { match: { method }, times: 3, action: { status, when: 'after-commit' } };
}

describe('everything at once', () => {
  it('converges, makes nothing twice, and sends a POST again only when it was not carried out', async () => {
    const resources: Resources = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `r${n}`,
        n % 4 === 0 ? product(`Product ${n}`) : api(`API ${n}`, {}, { guide: document('guide') }),
      ]),
    );
    const notDone: FaultRule[] = [
      { probability: 0.05, seed: 1, action: { status: 500 } },
      { probability: 0.05, seed: 2, action: { status: 503 } },
      { probability: 0.05, seed: 3, action: { reset: 'before' } },
      { probability: 0.1, seed: 5, action: { status: 429, retryAfter: 1 } },
    ];
    await faulty.write(resources);
    await faulty.fault(
      ...notDone,
      { probability: 0.05, seed: 4, action: { reset: 'after-commit' } },
      { probability: 0.01, seed: 6, action: { delayMs: 100 } },
    );
    let runs = 0;
    for (let status = ''; status !== 'done' && runs < 10; runs += 1) status = (await faulty.run()).status;
    const posts = await faulty.posts();
    const { body } = await faulty.world.call('GET', '/_sandbox/faults');
    const struck = (body as { rules: { struck: number }[] }).rules
      .slice(0, notDone.length)
      .reduce((sum, rule) => sum + rule.struck, 0);
    expect(runs).toBeLessThan(10);
    expect(posts).toBeGreaterThanOrEqual(70);
    expect(posts).toBeLessThanOrEqual(70 + struck);
    await faulty.expectConverged(resources);
  });
});
