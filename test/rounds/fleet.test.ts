import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { loopback } from '../providers/http/loopback.js';

const teams = ['one', 'two', 'three'];
const each = 34;

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' }, { empty: true });
  await program.write({
    'fleet.yaml':
      "name: acme\nprojects: ['teams/*']\nlabels: { 'one/*': { tier: gold } }\nowners: { 'two/*': ['@acme/two'] }\n",
    ...Object.fromEntries(teams.flatMap((team) => Object.entries(projectOf(team)))),
  });
  for (const team of teams) await program.run('apply', '--yes', '--cwd', `teams/${team}`);
});
afterAll(() => program.close());

function projectOf(team: string): Record<string, string> {
  const apis = Array.from(
    { length: each },
    (_, at) => `  api${at}: { type: platform:Api, properties: { name: ${team} ${at}, labels: { team: ${team} } } }\n`,
  );
  return {
    [`teams/${team}/sync.yaml`]: `project: ${team}\ntiming: { retries: 0 }\n`,
    [`teams/${team}/catalogue/apis.yaml`]: `resources:\n${apis.join('')}`,
  };
}

async function check(...words: string[]): Promise<FleetReport & { readonly code: number }> {
  const { code, out } = await program.run('fleet', 'check', '--format', 'json', ...words);
  return { ...(JSON.parse(out) as FleetReport), code };
}

/** Requests since the last look. */
async function requests(): Promise<readonly string[]> {
  const { byRoute } = (await program.call('GET', '/_sandbox/requests')) as {
    readonly byRoute: readonly { readonly method: string; readonly route: string; readonly count: number }[];
  };
  await program.call('DELETE', '/_sandbox/requests');
  return byRoute.map(({ method, route, count }) => `${method} ${route} ${count}`);
}

async function change(name: string, body: object): Promise<void> {
  const { data } = (await program.call('GET', '/v3/apis?page[size]=100&page[number]=1')) as {
    readonly data: readonly { readonly id: string; readonly name: string }[];
  };
  const id = data.find((one) => one.name === name)?.id;
  await program.call('POST', `/_sandbox/objects/apis/${String(id)}`, body);
}

describe('sync fleet', () => {
  it('reads each page of a list once for all stacks of one server and token', async () => {
    await requests();
    const { rows, code } = await check();
    expect(rows.map(({ project, stack, state }) => `${project}/${stack} ${state}`)).toEqual([
      'one/default clean',
      'three/default clean',
      'two/default clean',
    ]);
    expect(code).toBe(0);
    // 102 objects on pages of 100.
    expect(await requests()).toEqual(['GET /v3/apis 2']);
  });

  it('tells stacks of one cause together, with since when and whose they are', async () => {
    await change('one 1', { description: 'by hand' });
    await change('two 1', { description: 'by hand' });
    const { code, out } = await program.run('fleet', 'check', '--out', 'site');
    expect(code).toBe(2);
    expect(out).toMatch(/^drift one\/default: platform:Api\.description → "by hand"; since \d/);
    expect(out).toContain('      labels: tier: gold\n');
    expect(out).toContain('      1 other alike: two/default\n');
    expect(out.trimEnd().split('\n').at(-1)).toBe('2 of 3 stacks need somebody: 2 drift.');
    const files = await program.files();
    expect([...files.keys()].filter((name) => name.startsWith('site/')).sort()).toEqual(
      [
        'fleet.json',
        'fleet.md',
        'index.html',
        ...teams.flatMap((team) => ['html', 'json', 'md', 'prom'].map((kind) => `teams/${team}/default/drift.${kind}`)),
      ]
        .map((name) => `site/${name}`)
        .sort(),
    );
    expect(String(files.get('site/index.html'))).toContain('<a href="teams/one/default/drift.html">');
  });

  it('takes the reports of a stack that has left the fleet away, and nothing else', async () => {
    await program.write({ 'teams/four/sync.yaml': 'project: four\n', 'site/teams/four/notes.md': 'by hand' });
    await program.run('fleet', 'check', '--out', 'site');
    const reports = async (): Promise<string[]> =>
      [...(await program.files()).keys()].filter((name) => name.startsWith('site/teams/four')).sort();
    expect(await reports()).toContain('site/teams/four/default/drift.html');
    const fleet = String((await program.files()).get('fleet.yaml'));
    await program.write({ 'fleet.yaml': fleet.replace("'teams/*'", "'teams/*', '!teams/four'") });
    await program.run('fleet', 'check', '--out', 'site');
    expect(await reports()).toEqual(['site/teams/four/notes.md']);
    expect([...(await program.files()).keys()]).toContain('site/teams/one/default/drift.html');
  });

  it('says from the state alone how it was, and what a plan would do', async () => {
    await requests();
    const status = await program.run('fleet', 'status');
    expect(status.out.trimEnd().split('\n').at(-1)).toBe('2 of 3 stacks need somebody: 2 drift.');
    expect(await requests()).toEqual([]);
    await program.write({ 'teams/three/catalogue/apis.yaml': 'resources: {}\n' });
    const plan = await program.run('fleet', 'plan');
    expect([plan.code, plan.out.split('\n')[0]]).toEqual([
      4,
      'blocked three/default: held back by maxDeletes, maxDeletePercent, emptyCatalogue',
    ]);
    await program.write(projectOf('three'));
  });

  // Of what else may go wrong, test/laws/fleet-truth.test.ts has the cases.
  it('tells of stacks that it can not look at when they were compared last', async () => {
    const action = { status: 503 };
    await program.call('PUT', '/_sandbox/faults', [{ match: { method: 'GET' }, times: 999, action }]);
    const { rows, code } = await check();
    await program.call('PUT', '/_sandbox/faults', []);
    expect(rows.map(({ state }) => state).filter((state) => state === 'clean')).toEqual([]);
    expect([1, 3]).toContain(code);
    expect(rows.every(({ since, lastGood }) => since !== undefined && lastGood !== undefined)).toBe(true);
  });

  it('names a report that can not be written, and goes on', async () => {
    await program.write({ 'blocked/teams/one': 'a file where a folder belongs' });
    const { code, err } = await program.run('fleet', 'check', '--format', 'json', '--out', 'blocked');
    const { rows } = JSON.parse(String((await program.files()).get('blocked/fleet.json'))) as FleetReport;
    expect(rows.map(({ project, state }) => `${project} ${state}`)).toEqual(['one failed', 'two drift', 'three clean']);
    expect([code, rows[0]?.cause, err]).toEqual([1, expect.stringMatching(/^The report .* was not written/), '']);
  });

  it('posts one message a round, a line a cause, and nothing twice', async () => {
    let status = 200;
    const receiver = await loopback(() => ({ status, text: '' }));
    const told = (): unknown[] =>
      receiver.seen.splice(0).map(({ body }) => (JSON.parse(body) as { causes: unknown }).causes);
    const cause = 'platform:Api.description → "by hand"';
    const fleet = String((await program.files()).get('fleet.yaml'));
    try {
      status = 400;
      const refused = await program.run('fleet', 'check', '--webhook', `${receiver.origin}/hook`);
      expect(refused.err).toContain('webhook-failed');
      told();
      status = 200;
      await program.write({ 'fleet.yaml': `${fleet}quiet: { from: '00:00', until: '00:00' }\n` });
      await program.run('fleet', 'check', '--webhook', `${receiver.origin}/hook`);
      expect(told()).toEqual([]);
      await program.write({ 'fleet.yaml': fleet });
      await program.run('fleet', 'check', '--webhook', `${receiver.origin}/hook`);
      expect(told()).toEqual([[{ kind: 'new', cause, stacks: ['one/default', 'two/default'] }]]);
      await program.run('fleet', 'check', '--webhook', `${receiver.origin}/hook`);
      expect(told()).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  it('looks at all others when one can not be opened, or nothing is recorded for it', async () => {
    await program.write({
      'teams/broken/sync.yaml': 'project: broken\nnope: 1\n',
      'teams/new/sync.yaml': 'project: new\n',
      'teams/new/catalogue/a.yaml': 'resources: { a: { type: platform:Api } }\n',
    });
    const { rows, code } = await check();
    expect(rows.slice(0, 2).map(({ project, state, cause }) => [project, state, cause])).toEqual([
      ['broken', 'failed', 'sync.yaml has no key "nope".'],
      ['new', 'unknown', 'Nothing is recorded for this stack.'],
    ]);
    expect([rows.length, code]).toEqual([5, 1]);
  });
});

describe('fleet.yaml', () => {
  it.each([
    ['project: [teams/*]\n', 'no key "project"'],
    ['name: acme\n', 'says no projects'],
    ['projects: teams/*\n', '"projects" must be a list'],
    ['projects: [nowhere/*]\n', 'No folder with a sync.yaml matches nowhere/*.'],
    ['projects: [.]\n', 'No folder with a sync.yaml matches .'],
    ['projects: [teams/*]\nstacks: [prod]\n', '"stacks" in fleet.yaml chooses no stack of any project.'],
    ["projects: [teams/*]\nstacks: ['!default']\n", 'There are: default.'],
    ['projects: ["teams/{1..3}"]\n', 'This is no pattern'],
    ['projects: [teams/*]\nrequestsPerMinute: fast\n', '"requestsPerMinute" must be a whole number'],
    ['projects: [\n', 'is not one document of YAML'],
  ])('%s is told with its place', async (text, words) => {
    await program.write({ 'other/fleet.yaml': text, 'other/teams/a/sync.yaml': 'project: a\n' });
    const { code, err, out } = await program.run('fleet', 'check', '--cwd', 'other');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(words);
  });

  it('tells patterns that match no stack, and looks at the stacks', async () => {
    await program.write({
      'few/fleet.yaml':
        "projects: [a]\nstacks: [default, prod]\nowners: { 'b/*': [me] }\nlabels: { 'a/*': { x: y } }\n",
      'few/a/sync.yaml': 'project: a\n',
    });
    const { code, err, out } = await program.run('fleet', 'status', '--cwd', 'few');
    expect([code, out]).toEqual([3, expect.stringContaining('\n      sync plan --cwd few/a --stack default\n')]);
    expect(err.match(/no stack is called \S+/g)).toEqual(['no stack is called prod.', 'no stack is called b/*.']);
  });

  it("says whose a stack is by CODEOWNERS for its sync.yaml, where fleet.yaml doesn't", async () => {
    const lines = ['* @all', '[Pets][2] @pets', '/owned/a/', '[Docs] @docs', '*.md', '[pets] @cats', '/owned/b/'];
    await program.write({
      'owned/fleet.yaml': "projects: ['*']\nowners: { 'c/*': ['@said'] }\n",
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`owned/${name}/sync.yaml`, `project: ${name}\n`])),
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitlab/CODEOWNERS': `${lines.join('\n')}\n`,
    });
    const { out } = await program.run('fleet', 'status', '--cwd', 'owned', '--format', 'json');
    const { rows } = JSON.parse(out) as FleetReport;
    expect(Object.fromEntries(rows.map(({ project, owners }) => [project, owners]))).toEqual({
      ...{ a: ['@all', '@pets'], b: ['@all', '@cats'], c: ['@said'], d: ['@all'] },
    });
  });

  it('leaves alone what several folders call one state', async () => {
    const project = 'project: a\nstate: { backend: postgres, url: postgres://127.0.0.1:1/none }\n';
    await program.write({
      'twice/fleet.yaml': 'projects: [a, b]\n',
      ...{ 'twice/a/sync.yaml': project, 'twice/b/sync.yaml': project },
    });
    const { code, out } = await program.run('fleet', 'check', '--cwd', 'twice');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('failed a/default: a and b have one state: that of a/default.'),
    ]);
  });
});
