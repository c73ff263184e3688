import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunContent, RunEntry } from '@platform-sync/core/model/run';
import type { OpenOptions } from '@platform-sync/engine/api';
import { ProviderError } from '@platform-sync/core/model/provider';
import { tokenSubject } from '@platform-sync/core/model/resource-type';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';

const api = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name, ...more },
});

describe('the history of a stack', () => {
  let folder: string;
  let cwd: string;
  let world: PaperWorld;
  beforeAll(async () => {
    folder = await paperFolder({ one: { guards: { maxDeletePercent: 100 } }, kept: { history: { keepDays: 30 } } });
    cwd = `${folder}/one`;
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    world = new PaperWorld();
    world.env['OWNER'] = 'hush-hush';
  });

  const rows = (): Promise<readonly RunEntry[]> => world.store().runs({ after: 0, limit: 100 });
  const contentsOf = async (kind: RunContent['kind']): Promise<readonly RunContent[]> =>
    (await rows()).flatMap(({ content }) => (content.kind === kind ? [content] : []));

  it('says who carried out what, with which guards lifted, and how each step ended', async () => {
    world.write(cwd, { resources: { pets: api('Pets'), cats: api('Cats') } });
    const by = { actor: 'ann', request: 5, pipeline: { commit: 'a'.repeat(40), run: 7 } };
    const { plan } = await world.apply(cwd, { apply: { by } });
    world.write(cwd, { resources: {} });
    const allow = [{ guard: 'emptyCatalogue', reason: 'ticket 42' }];
    await world.apply(cwd, { allow });
    const [first, second] = await contentsOf('plan');
    expect(first).toMatchObject({ ...by, effectDigest: plan.effectDigest, lifted: [] });
    expect(second).toMatchObject({ lifted: allow, steps: [{ action: 'delete' }, { action: 'delete' }] });
    expect(await contentsOf('end')).toMatchObject([
      { status: 'done', steps: [{ outcome: 'done' }, { outcome: 'done' }] },
      { status: 'done' },
    ]);
    const before = (await contentsOf('record')).map((row) => row.kind === 'record' && row.before?.inputs);
    expect(before).toEqual([undefined, undefined, { name: 'Cats' }, { name: 'Pets' }]);
    expect(await world.store().verifyRuns()).toBeUndefined();
  });

  it('says whose token it signed with, where the token says so', async () => {
    const token = (claims: JsonObject): string =>
      `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
    expect(tokenSubject(token({ sub: 'ci@shop' }))).toBe('ci@shop');
    for (const none of [
      'Bearer spat_abc',
      token({}),
      token({ sub: 1 }),
      token({ sub: 'a\nb' }),
      'Bearer e30.e30',
      'Bearer a.b.c',
    ])
      expect(tokenSubject(none), none).toBeUndefined();
    world.write(cwd, { resources: { pets: api('Pets') } });
    world.calls = () => ({ subject: 'ci@shop' });
    await world.apply(cwd);
    expect(await contentsOf('plan')).toMatchObject([{ subjects: { platform: 'ci@shop' } }]);
  });

  it('keeps runs as long as the settings say', async () => {
    const kept = `${folder}/kept`;
    const database = new MemoryDatabase();
    const on = (day: number): Partial<OpenOptions> => ({
      openState: async ({ project, stack }) =>
        memoryStateStore(project, stack, database, { now: () => 1_800_000_000_000 + day * 86_400_000 }),
    });
    for (const [day, name] of [
      [0, 'a'],
      [20, 'b'],
      [40, 'c'],
    ] as const) {
      world.write(kept, { resources: { pets: api(name) } });
      expect((await world.apply(kept, { open: on(day) })).result.status).toBe('done');
    }
    const store = memoryStateStore('test', 'default', database);
    expect(await store.runs({ kinds: ['plan'], limit: 9 })).toHaveLength(2);
    expect(await store.verifyRuns()).toBeUndefined();
  });

  it('has no row for a run that wrote nothing, and none of a plan', async () => {
    world.write(cwd, { resources: { pets: api('Pets') } });
    await world.apply(cwd);
    const { length } = await rows();
    await world.apply(cwd);
    await world.plan(cwd);
    expect(await rows()).toHaveLength(length);
  });

  it('keeps no secret, in no row', async () => {
    world.write(cwd, { resources: { pets: api('Pets', { labels: { owner: { 'fn::env': 'OWNER' } } }) } });
    await world.apply(cwd);
    world.env['OWNER'] = 'other-hush';
    await world.apply(cwd);
    expect((await rows()).some(({ content }) => JSON.stringify(content).includes('$secret'))).toBe(true);
    expect(JSON.stringify(await rows())).not.toMatch(/hush/);
  });

  it('keeps what a run said, secrets masked, and once what many steps said', async () => {
    world.write(cwd, {
      resources: Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [name, api(name, { labels: { owner: { 'fn::env': 'OWNER' } } })]),
      ),
    });
    const refused = { severity: 'error', code: 'apply-failed', summary: 'The platform refused it.' } as const;
    const detail = `It said: ${'no '.repeat(2_000)}hush-hush`;
    world.calls = () => ({
      create: async () =>
        Promise.reject(new ProviderError('invalid', [{ ...refused, detail, hint: 'Not hush-hush.' }])),
    });
    await world.apply(cwd);
    expect(await contentsOf('end')).toMatchObject([
      {
        steps: Array(3).fill({ outcome: 'failed', diagnostics: [refused] }),
        messages: [{ ...refused, address: 'a', hint: 'Not (secret).' }],
      },
    ]);
    const [{ messages: [message] = [] } = {}] = (await contentsOf('end')).flatMap((row) =>
      row.kind === 'end' ? [row] : [],
    );
    expect(message?.detail?.length).toBe(2_000);
    expect(JSON.stringify(await rows())).not.toMatch(/hush/);
  });

  it('tells what a killed run did as what that run did', async () => {
    world.write(cwd, { resources: { pets: api('Pets'), cats: api('Cats') } });
    const killed = new Error('killed');
    world.calls = (provider) => ({
      create: async (...call) => {
        await provider.create(...call);
        throw killed;
      },
    });
    await expect(world.apply(cwd)).rejects.toThrow('killed');
    world.calls = () => ({});
    await world.apply(cwd);
    const made = (await rows()).filter(({ content }) => content.kind === 'record');
    const begun = await contentsOf('begin');
    expect(begun.length).toBe(2);
    expect(made.map(({ run }) => run)).toContain((await rows())[0]?.run);
    expect(await contentsOf('end')).toHaveLength(1);
  });

  it('is held back by a freeze, which plans and checks tell on top, and the run that names it is not', async () => {
    world.write(cwd, { resources: { pets: api('Pets') } });
    const store = world.store();
    const lease = await store.acquire('state freeze', { owner: 'ann', waitMs: 0 });
    await store.freeze(lease, { id: 'f1', reason: 'release week', by: 'ann', since: '2030-01-01T00:00:00.000Z' });
    await lease.release();
    const { plan, result } = await world.apply(cwd);
    expect(plan.notices.map(({ code, summary }) => [code, summary])).toContainEqual([
      'state-frozen',
      'The stack is frozen by ann: release week',
    ]);
    expect([result.status, result.diagnostics.map(({ code }) => code)]).toEqual(['failed', ['state-frozen']]);
    expect(world.platform.objects.size).toBe(0);
    const drift = await world.open(cwd, (project) => project.drift({ remember: false }));
    expect(drift.diagnostics.map(({ code }) => code)).toContain('state-frozen');
    expect((await world.apply(cwd, { apply: { frozen: 'f1' } })).result.status).toBe('done');
  });
});
