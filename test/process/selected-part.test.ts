import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriftOptions, ExportOptions, PlanOptions, RefreshOptions } from '@platform-sync/engine/api';
import { ownTypes } from '../harness/own-types.js';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

/** One language chooses a part, for whatever is to be done with it. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const guide = '{ type: platform:ApiDocument, properties: { title: Guide, content: "# Guide" } }';
const catalogue = `
resources:
  pets: { type: platform:Api, properties: { name: Pets, labels: { team: a } }, children: { guide: ${guide} } }
  cats: { type: platform:Api, properties: { name: Cats, labels: { team: b } } }
`;
const write = (text = catalogue): Promise<void> =>
  world.write({ 'sync.yaml': 'project: test\nguards: { maxDeletePercent: 100 }\n', 'catalogue/all.yaml': text });

beforeEach(async () => {
  world.loseState();
  await world.call('POST', '/_sandbox/reset');
  await write();
  await world.apply();
});

/** Somebody changes the description of every API. */
async function editAll(): Promise<void> {
  const dump = (await world.call('GET', '/_sandbox/objects')).body as { readonly apis: readonly { id: string }[] };
  for (const { id } of dump.apis) await world.call('POST', `/_sandbox/objects/apis/${id}`, { name: `Changed ${id}` });
}

const refresh = (options: RefreshOptions) => world.open((project) => project.refresh(options));
const drift = (options?: DriftOptions) => world.open((project) => project.drift(options));
const exported = (options: ExportOptions) => world.open((project) => project.export({ types: ownTypes, ...options }));

describe('refresh', () => {
  it.each<[RefreshOptions, readonly string[]]>([
    [{ targets: ['cats'] }, ['cats']],
    [{ targets: ['labels.team=a'] }, ['pets']],
    [{ excludes: ['c*'] }, ['pets']],
    [{ targets: ['type:Api'], excludes: ['pets'] }, ['cats']],
    [{ targets: ['pets/guide'] }, []],
    [{ targets: ['dependents:pets'] }, ['pets']],
  ])('%j records what is chosen, and nothing else', async (options, changed) => {
    await editAll();
    const result = await refresh(options);
    expect([result.diagnostics, result.changed]).toEqual([[], changed]);
    const rest = ['cats', 'pets'].filter((address) => !changed.includes(address));
    const { undeclaredChanges, steps } = await world.plan();
    expect(undeclaredChanges).toEqual([]);
    expect(steps.filter(({ cause }) => cause === 'drift').map(({ address }) => address)).toEqual(rest);
  });

  it('of one API reads no documents of others, and refuses what is nothing', async () => {
    await world.resetRequests();
    await refresh({ targets: ['cats'] });
    const { byRoute } = await world.requests();
    expect(Object.keys(byRoute).filter((route) => route.includes('documents'))).toEqual([]);
    expect((await refresh({ targets: ['dogs/**'] })).diagnostics).toMatchObject([{ code: 'unknown-address' }]);
  });
});

describe('a drift check', () => {
  it('of a part finds what is drift there, keeps nothing, and resolves nothing', async () => {
    await editAll();
    const whole = await drift();
    expect(whole.findings.map(({ address }) => address)).toEqual(['cats', 'pets']);
    await editAll();
    const part = await drift({ targets: ['labels.team=b'] });
    expect(part).toMatchObject({
      ...{ status: 'drift', partial: { targets: ['cats'], excludes: [] }, resolved: [], compared: 1 },
      findings: [{ address: 'cats', trend: 'known', firstSeen: whole.checkedAt }],
      ...(whole.lastSuccess === undefined ? {} : { lastSuccess: whole.lastSuccess }),
    });
    expect(await drift({ excludes: ['cats', 'pets'] })).toMatchObject({ status: 'clean', resolved: [], compared: 0 });
    const again = await drift();
    expect(again.findings.map(({ trend }) => trend)).toEqual(['known', 'known']);
    expect(again.partial).toBeUndefined();
  });

  it.each<readonly [DriftOptions, Readonly<Record<string, number>>, readonly string[]]>([
    // One that has changed is asked for once more: two answers must agree.
    [{ targets: ['cats'] }, { 'GET /v3/apis': 1, 'GET /v3/apis/{apiId}': 1 }, ['cats']],
    [
      { targets: ['labels.team=a'], excludes: ['**/guide'] },
      { 'GET /v3/apis': 1, 'GET /v3/apis/{apiId}': 1 },
      ['pets'],
    ],
    // What it lives in tells whether it is there.
    [
      { targets: ['pets/guide'] },
      { 'GET /v3/apis': 1, 'GET /v3/apis/{apiId}': 1, 'GET /v3/apis/{apiId}/documents': 1 },
      [],
    ],
    [{ excludes: ['cats', 'pets'] }, {}, []],
  ])('of %j reads that part alone, also where strangers are watched', async (options, requests, found) => {
    await editAll();
    for (const settings of ['', 'drift: { unmanaged: all }\n']) {
      await world.write({
        'sync.yaml': `project: test\n${settings}`,
        'catalogue/all.yaml': catalogue,
      });
      await world.resetRequests();
      const part = await drift(options);
      expect([part.diagnostics, part.findings.map(({ address }) => address)]).toEqual([[], found]);
      expect((await world.requests()).byRoute).toEqual(requests);
    }
  });

  it('of what is not there sends nothing', async () => {
    await world.resetRequests();
    await drift({ targets: ['dogs'] });
    expect((await world.requests()).total).toBe(0);
  });

  it('of nothing that is there fails, and that is not kept either', async () => {
    const failed = await drift({ targets: ['dogs'] });
    expect(failed).toMatchObject({ status: 'failed', diagnostics: [{ code: 'unknown-address' }] });
    expect((await drift()).before).toBeUndefined();
  });
});

describe('an export', () => {
  it.each<[ExportOptions, readonly string[]]>([
    [{ targets: ['cats'] }, ['cats']],
    [{ targets: ['labels.team=a'] }, ['pets', 'guide']],
    // What it lives in comes along.
    [{ targets: ['**/guide'] }, ['pets', 'guide']],
    [{ excludes: ['**/guide'] }, ['cats', 'pets']],
    [{ targets: ['type:ApiDocument'], excludes: ['cats'] }, ['pets', 'guide']],
    [{ excludes: ['pets'] }, ['cats']],
    [{ targets: ['dependents:pets'] }, ['pets', 'guide']],
  ])('%j', async (options, keys) => {
    const { files, diagnostics } = await exported(options);
    expect(diagnostics).toEqual([]);
    const text = [...files].flatMap(([name, each]) => (name.endsWith('.yaml') ? [each] : [])).join('');
    expect(text.match(/^ +(?:cats|pets|guide)(?=:$)/gm)?.map((key) => key.trim())).toEqual(keys);
  });

  it('refuses what is nothing, and what is about files', async () => {
    expect((await exported({ targets: ['dogs'] })).diagnostics).toMatchObject([{ code: 'unknown-address' }]);
    expect((await exported({ targets: ['changed:main'] })).diagnostics).toMatchObject([{ code: 'term-about-files' }]);
  });
});

describe('what changed since a commit', () => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: world.folder,
      encoding: 'utf8',
    });
  const plan = async (options: PlanOptions): Promise<readonly string[]> => actionsOf(await world.plan(options));

  beforeEach(() => {
    execFileSync('rm', ['-rf', '.git'], { cwd: world.folder });
    git('init', '-q', '-b', 'main', '.');
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'base');
  });

  it('is planned, and nothing else: not what others did, not what is only laid out anew', async () => {
    await editAll();
    await write(`# Cats first\n${catalogue.replace('team: b', 'team: c').replace('# Guide', '# Other')}`);
    expect(await plan({ targets: ['changed:main'] })).toEqual(['update cats', 'update pets', 'update pets/guide']);
    expect(await plan({ targets: ['changed:HEAD'], excludes: ['pets'] })).toEqual(['update cats']);
    await write(catalogue.replace(/ {2}cats:.*\n/, ''));
    expect(await plan({ targets: ['changed:main'] })).toEqual(['delete cats']);
    expect((await refresh({ targets: ['changed:main'] })).changed).toEqual(['cats']);
    expect((await drift({ targets: ['changed:main'] })).partial).toEqual({ targets: ['cats'], excludes: [] });
  });

  it('may be nothing, which is no mistake and never everything', async () => {
    await editAll();
    await write(`# a comment\n${catalogue}`);
    expect(await plan({ targets: ['changed:main'] })).toEqual([]);
    expect((await refresh({ targets: ['changed:main'] })).changed).toEqual([]);
    expect(await plan({ excludes: ['changed:main'] })).toEqual(['update cats', 'update pets']);
  });

  it('is told where the commit is not known, or has files that cannot be read', async () => {
    const unknown = await world.planResult({ targets: ['changed:elsewhere'] });
    expect(unknown.diagnostics).toMatchObject([{ code: 'base-ref-unknown' }]);
    await write('resources: [');
    git('commit', '-qam', 'broken');
    await write();
    const broken = await world.planResult({ targets: ['dependents:changed:main'] });
    expect(broken.diagnostics).toMatchObject([{ code: 'base-not-planned', severity: 'error' }]);
    expect(broken.plan).toBeUndefined();
  });
});
