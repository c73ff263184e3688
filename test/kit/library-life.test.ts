import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult, PlanOptions, Project } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { TrialProject } from '@platform-sync/kit/trial-project';
import { libraryDefinitions, libraryPackage } from './library-provider.js';
import { LibraryService } from './library-service.js';

const lockCode = 'a-lock-code-of-a-shelf';
const main = { type: 'library:Library', properties: { name: 'Main' } };
const shelf = {
  type: 'library:Shelf',
  properties: { libraryId: '${main.id}', code: 'A1', topic: 'cats', lockCode },
};
const book = (title: string): JsonObject => ({
  type: 'library:Book',
  properties: { libraryId: '${main.id}', code: '${shelf.id}', title, kind: 'paper', pages: 3, summary: 'Long.' },
});

let service: LibraryService;
let trial: TrialProject;
beforeAll(async () => {
  service = await LibraryService.start();
});
beforeEach(async () => {
  await service.reset();
  trial = new TrialProject(libraryPackage(), service.env);
});
afterEach(() => trial.close());
afterAll(() => service.close());

function stepOf(plan: Plan, address: string): Plan['steps'][number] {
  const step = plan.steps.find((each) => each.address === address);
  if (step === undefined) throw new Error(`no step of ${address}: ${JSON.stringify(plan.steps)}`);
  return step;
}

async function attempt(options: PlanOptions = {}): Promise<ApplyResult> {
  return trial.open(async (project: Project) => project.apply(await project.plan(options)));
}

describe('a delete that the service refuses as long as something is in the object', () => {
  const allowed: PlanOptions = { allow: [{ guard: 'force:shelf', reason: 'ticket 7' }] };

  beforeEach(async () => {
    await trial.write({ main, shelf });
    await trial.apply();
    service.things.set('books', new Map([['b', { id: 'b', code: 'A1', libraryId: 'lib-1', title: 'Unseen' }]]));
    await trial.write({ main });
  });

  it('is not forced by itself, and its failure says how it could be', async () => {
    const { steps, guards } = await trial.plan();
    expect(steps.map(({ force }) => force)).toEqual([undefined]);
    expect(guards.map(({ summary }) => summary)).toEqual([
      'the end of shelf would also end 1 object that nobody manages: 1 Book',
    ]);
    const result = await attempt({ allow: [{ guard: 'goes-along:shelf', reason: 'it is refused all the same' }] });
    expect(result.status).toBe('failed');
    expect(result.steps[0]?.diagnostics?.[0]?.hint).toContain('--allow force:shelf --reason');
    expect(service.things.get('shelves')?.size).toBe(1);
    expect(service.calls.filter((call) => call.startsWith('DELETE'))).toEqual([
      expect.not.stringContaining('burn') as string,
    ]);
  });

  it('is forced where the guard of that address is lifted: told in the plan with its reason, and asked of the service', async () => {
    const plan = await trial.plan(allowed);
    expect(stepOf(plan, 'shelf')).toMatchObject({
      force: true,
      risks: [{ kind: 'deletes' }, { kind: 'cascades', what: 'whatever else is in it: the delete is forced' }],
    });
    expect(plan.guards).toMatchObject([{ name: 'force:shelf', lifted: 'ticket 7', addresses: ['shelf'] }]);
    expect((await attempt(allowed)).status).toBe('done');
    expect(service.things.get('books')?.size).toBe(0);
    expect(service.calls.at(-1)).toMatch(/^DELETE .*\/shelves\/A1\?burn=true$/);
  });

  it.each<[string, PlanOptions]>([
    ['of another address', { allow: [{ guard: 'force:main', reason: 'x' }] }],
    ['that has run out', { allow: [{ guard: 'force:shelf', reason: 'x', until: '2020-01-01' }] }],
  ])('a permission %s forces nothing', async (_, options) => {
    expect(stepOf(await trial.plan(options), 'shelf').force).toBeUndefined();
  });

  it('a type whose service knows no such delete is never forced', async () => {
    await trial.write({});
    const plan = await trial.plan({ allow: [{ guard: 'force:main', reason: 'x' }] });
    expect(stepOf(plan, 'main').force).toBeUndefined();
    expect(plan.guards.filter(({ name }) => name.startsWith('force'))).toEqual([]);
  });
});

describe('what the service never shows', () => {
  beforeEach(async () => {
    await trial.write({ main, shelf });
    await trial.apply();
  });
  const stored = (): unknown => service.things.get('shelves')?.get('A1')?.['lockCode'];

  it('is sent when the file changes it, and kept when another field changes', async () => {
    await trial.write({
      main,
      shelf: { ...shelf, properties: { ...shelf.properties, lockCode: 'another-lock-code' } },
    });
    await trial.apply();
    expect(stored()).toBe('another-lock-code');
    await trial.write({
      main,
      shelf: { ...shelf, properties: { ...shelf.properties, topic: 'dogs', lockCode: 'another-lock-code' } },
    });
    await trial.apply();
    expect(stored()).toBe('another-lock-code');
  });

  it('is sent again when that is asked for, by a step that says so and shows nothing of it', async () => {
    await service.edit('shelves', 'A1', { lockCode: 'somebody-changed-it' });
    expect((await trial.plan()).steps).toEqual([]);
    const plan = await trial.plan({ resend: ['shelf'] });
    expect(stepOf(plan, 'shelf')).toMatchObject({
      action: 'update',
      reasons: [{ kind: 'resend', field: 'lockCode' }],
      fields: [{ field: 'lockCode', rule: 'update' }],
    });
    expect(JSON.stringify(plan)).not.toContain(lockCode);
    await attempt({ resend: ['shelf'] });
    expect(stored()).toBe(lockCode);
    expect((await trial.plan()).steps).toEqual([]);
  });

  it('a reviewed plan sends it again as well', async () => {
    await service.edit('shelves', 'A1', { lockCode: 'somebody-changed-it' });
    const plan = await trial.plan({ resend: ['shelf'] });
    const result = await trial.open((project) => project.applyReviewed(plan));
    expect(result.status).toBe('done');
    expect(stored()).toBe(lockCode);
  });

  it.each(['main', 'nowhere'])('of %s there is nothing to send again, and that is an error', async (address) => {
    const { plan, diagnostics } = await trial.open((project) => project.plan({ resend: [address] }));
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual([address === 'main' ? 'nothing-to-resend' : 'unknown-address']);
  });
});

it('what fails after a write is told with the apply, which is done all the same', async () => {
  await trial.close();
  const definitions = libraryDefinitions.map((each) =>
    each.ready === undefined ? each : { ...each, ready: { ...each.ready, done: ['never'], failed: ['open'] } },
  );
  trial = new TrialProject(libraryPackage(definitions), service.env);
  await trial.write({ main });
  const result = await attempt();
  expect([result.status, result.steps.map(({ outcome }) => outcome)]).toEqual(['done', ['done']]);
  expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['refused-later', 'warning']]);
});

it('objects two ids deep are exported under what they live in, and adopted again', async () => {
  await trial.close();
  // A shelf whose code must be declared and is never shown could not stand in what is exported.
  const definitions = libraryDefinitions.map((each) =>
    each.name === 'Shelf' ? { ...each, required: ['libraryId', 'code'] } : each,
  );
  trial = new TrialProject(libraryPackage(definitions), service.env);
  const second = { ...shelf, properties: { ...shelf.properties, code: 'B2' } };
  const other = { type: 'library:Library', properties: { name: 'Other' } };
  await trial.write({ main, other, shelf, second, cats: book('Cats'), dogs: book('Dogs') });
  await trial.apply();
  const exported = await trial.open((project) => project.export());
  expect(exported.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const text = [...exported.files.values()].join('\n');
  for (const written of ['title: Cats', 'title: Dogs', 'code: B2', 'summary: Long.']) expect(text).toContain(written);
  trial.loseState();
  await trial.writeFiles(exported.files);
  await attempt({ mode: 'adopt' });
  expect((await trial.plan()).steps).toEqual([]);
});

it('a pattern that nothing runs is refused when the provider is defined', () => {
  const [first, ...others] = libraryDefinitions;
  if (first === undefined) throw new Error('the library has no types');
  const named = { ...first, fields: { ...first.fields, name: { limits: { pattern: '(?=a)' } } } };
  expect(() => libraryPackage([named, ...others])).toThrow(
    `the pattern (?=a) of ${first.name}.name can't be run: it looks ahead or behind by (?=…)`,
  );
});
