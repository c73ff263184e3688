import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftCommand } from '@platform-sync/cli/commands/drift';
import { planCommand } from '@platform-sync/cli/commands/plan';
import { formatsOf } from '@platform-sync/cli/run/command';
import { fakeGithub, fakeGitlab, token as reviewToken, type FakePlatform } from '../review/fake-platforms.js';
import { realProgram, startListener, type Listener, type RealProgram } from '../cli/real-program.js';

/** Part of every token and key, and of nothing else. */
const token = 't0k3n';
/** Part of every value that the catalogue calls a secret, and of nothing else. */
const value = 's3cr3t';

const catalogue = `
resources:
  pets:
    type: platform:Api
    options: {protect: true}
    properties:
      description: !env DESCRIPTION
      version: "1"
      labels: {team: a, hidden: !env LABEL}
      attributes: {owner: [!env ATTRIBUTE]}
      specContent: !json {openapi: 3.0.3, info: {title: !env TITLE, version: "1"}, paths: {}}
    children:
      guide: {type: platform:ApiDocument, properties: {title: Guide, slug: guide, content: !env CONTENT}}
      open: {type: platform:ApiDocument, properties: {title: Open, slug: open, content: "# Open"}}
outputs:
  description: \${pets.description}
`;

const sync = `project: canary
drift: {webhook: !env HOOK, secret: !env HOOK_KEY}
`;

let program: RealProgram;
let listener: Listener;
let github: FakePlatform;
let gitlab: FakePlatform;

beforeAll(async () => {
  [listener, github, gitlab] = await Promise.all([startListener(), fakeGithub(), fakeGitlab()]);
  program = await realProgram({
    PLATFORM_TOKEN: `${token}-personal`,
    PLATFORM_SPAT: `${token}-account`,
    DESCRIPTION: `${value} described`,
    LABEL: `${value}-label`,
    ATTRIBUTE: `${value}-attribute`,
    TITLE: `${value} "title"`,
    CONTENT: `# ${value}\n\nline\n`,
    HOOK: `${listener.url}/${token}-path`,
    HOOK_KEY: `${token}-key`,
  });
  await program.write({ 'sync.yaml': sync, 'catalogue/main.yaml': catalogue });
});
afterAll(() => Promise.all([program.close(), listener.close(), github.api.close(), gitlab.api.close()]));

async function idOf(collection: string, name: string): Promise<string> {
  const { data } = (await program.call('GET', collection)) as { data: { id: string; name?: string; slug?: string }[] };
  return data.find((found) => found.name === name || found.slug === name)?.id ?? '';
}

/** What the run has printed, written and sent, by where. */
async function traces(): Promise<readonly (readonly [string, string])[]> {
  const calls = [...github.api.calls, ...gitlab.api.calls].map(({ path, body }) => JSON.stringify([path, body]));
  return [
    ...program.printed.map(({ line, out, err }) => [`sync ${line}`, out + err] as const),
    ...[...(await program.files())].map(([name, bytes]) => [name, bytes.toString('latin1')] as const),
    ...listener.bodies.map((body) => ['sent to the webhook or an issue', body] as const),
    ...calls.map((text) => ['sent to a review platform', text] as const),
  ];
}

const leaks = async (word: string): Promise<readonly string[]> =>
  (await traces()).flatMap(([where, text]) => {
    const at = text.indexOf(word);
    return at < 0 ? [] : [`${where}: ${text.slice(Math.max(0, at - 80), at + 40)}`];
  });

/** Commits, posts and edits as a pipeline of that platform would. */
const pipelines: readonly (readonly [string, () => Readonly<Record<string, string>>])[] = [
  [
    'github',
    () => ({
      ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/5/merge' },
      ...{
        GITHUB_SHA: 'a'.repeat(40),
        GITHUB_RUN_NUMBER: '1',
        GITHUB_API_URL: github.api.url,
        GITHUB_TOKEN: reviewToken,
      },
    }),
  ],
  [
    'gitlab',
    () => ({
      ...{ GITLAB_CI: 'true', CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '5', CI_COMMIT_SHA: 'a'.repeat(40) },
      ...{ CI_API_V4_URL: gitlab.request.apiUrl, GITLAB_TOKEN: reviewToken },
    }),
  ],
];

describe('a secret', () => {
  it('is neither printed nor written nor sent by any command', async () => {
    const { run } = program;
    expect((await run('plan', '--out', 'plan.json', '--report-dir', 'reports/first')).code).toBe(0);
    expect((await run('apply', 'plan.json', '--yes', '--report', 'result.json')).code).toBe(0);

    // Somebody types other secrets over them, and touches what is none.
    const id = await idOf('/v3/apis', 'pets');
    const documents = `/v3/apis/${id}/documents`;
    await program.call('PATCH', `/v3/apis/${id}`, {
      ...{ description: `${value} clicked`, version: '2' },
      labels: { hidden: `${value}-clicked`, team: 'b' },
      attributes: { owner: [`${value}-clicked`] },
    });
    for (const slug of ['guide', 'open'])
      await program.call('PATCH', `${documents}/${await idOf(documents, slug)}`, {
        content: slug === 'guide' ? `# ${value} clicked` : '# Clicked',
      });

    for (const format of formatsOf(planCommand)) {
      const folder = `reports/${format}`;
      expect((await run('plan', '--format', format, '--out', 'plan.json', '--report-dir', folder)).code).toBe(0);
      expect((await run('show', 'plan.json', '--format', format)).code).toBe(0);
    }
    for (const format of formatsOf(driftCommand))
      for (const kind of ['generic', 'slack']) {
        const reports = ['--report-dir', `reports/drift-${format}-${kind}`, '--metrics', 'reports/sync.prom'];
        expect((await run('drift', '--format', format, '--webhook-format', kind, ...reports)).code).toBe(2);
        // Told only once: another change is news.
        await program.call('PATCH', `/v3/apis/${id}`, { version: `${format}-${kind}` });
      }
    expect(listener.bodies.length).toBeGreaterThan(3);

    const usual = program.env;
    for (const [platform, env] of pipelines) {
      program.env = { ...usual, ...env() };
      expect((await run('comment', 'plan.json', '--file', `reports/${platform}.md`)).code).toBe(0);
      // A host that takes any issue: what is said in it counts here.
      program.env = { ...program.env, GITHUB_API_URL: listener.url, CI_API_V4_URL: `${listener.url}/api/v4` };
      await run('drift', '--issue');
    }
    program.env = usual;
    expect([github.comments.length, gitlab.comments.length]).toEqual([1, 1]);

    expect((await run('drift', 'accept', 'pets', 'pets/guide', 'pets/open')).code).toBe(7);
    await run('drift', 'ignore', 'pets.attributes', '--reason', 'why');
    await run('drift', 'record', 'pets.labels');
    expect((await run('drift', 'revert', 'pets.description', '--yes', '--report', 'revert.json')).code).toBe(0);
    for (const line of [
      'validate',
      'refresh',
      'state list',
      'state list --format json',
      'state show pets',
      'state pull',
      'config',
      'graph',
      'graph --format dot',
      'lookup getTeamList',
      'import pets x',
      'adopt --yes',
      'apply --yes',
      'schema Api',
    ])
      await run(...line.split(' '));
    await run('plan', '--format', 'json', '--detailed-exitcode', '--refresh', 'full');
    program.env = { ...usual, DESCRIPTION: `${value} rotated`, PLATFORM_SPAT: `${token}-other` };
    await run('plan', '--format', 'html');
    await run('apply', 'plan.json', '--yes');
    // A webhook that can't be reached, and a catalogue that can't be read.
    program.env = { ...usual, HOOK: `http://127.0.0.1:1/${token}-path` };
    await run('drift');
    program.env = { ...usual, LABEL: `${value}${'x'.repeat(300)}`, CONTENT: '' };
    await run('apply', '--yes', '--report', 'failed.json');
    program.env = usual;
    await run('destroy', '--yes');
    await run('destroy', '--yes', '--allow', 'delete:pets', '--reason', 'test');

    expect(await leaks(value)).toEqual([]);
    expect(await leaks(token)).toEqual([]);
    expect(await leaks(reviewToken)).toEqual([]);
    // Guards against runs that ended before they had anything to say.
    expect((await program.files()).get('.sync/state.db')?.length).toBeGreaterThan(10_000);
    expect(program.printed.filter(({ out, err }) => out + err === '').map(({ line }) => line)).toEqual([]);
    expect(program.printed.filter(({ out, err }) => /\n {4}at |bug:/.test(out + err)).map(({ line }) => line)).toEqual(
      [],
    );
  });

  it('that is a token is in no exported file', async () => {
    const elsewhere = await realProgram({ PLATFORM_TOKEN: `${token}-personal`, PLATFORM_SPAT: `${token}-account` });
    await elsewhere.write({ 'sync.yaml': 'project: canary\n' });
    await elsewhere.call('POST', '/v3/apis', { name: 'Pets', description: 'All about pets' });
    expect((await elsewhere.run('export')).code).toBe(0);
    const files = await elsewhere.files();
    expect([...files.keys()]).toContain('catalogue/pets.yaml');
    for (const [name, bytes] of files) expect([name, bytes.includes(token)]).toEqual([name, false]);
    for (const { out, err } of elsewhere.printed) expect(out + err).not.toContain(token);
    await elsewhere.close();
  });

  it('that a looked-up object repeats is kept sealed, where it goes and where it is', async () => {
    // The team is there before, and is described so.
    const repeated = 'look after payments';
    const elsewhere = await realProgram({ PLATFORM_SPAT: `${token}-account`, DESCRIPTION: repeated });
    await elsewhere.write({
      'sync.yaml': 'project: canary\n',
      'catalogue/main.yaml': `
variables: {team: !lookup {function: "platform:getTeam", arguments: {filter: {name: {eq: payments-developers-22}}}}}
resources:
  pets: {type: platform:Api, properties: {name: pets, description: !env DESCRIPTION}}
  copy: {type: platform:Api, properties: {name: copy, description: "\${team.description}"}}
outputs: {said: "\${team.description}"}
`,
    });
    expect((await elsewhere.run('apply', '--yes', '--report', 'result.json')).code).toBe(0);
    expect((await elsewhere.run('plan', '--detailed-exitcode', '--out', 'plan.json')).code).toBe(0);
    await elsewhere.run('state', 'pull');
    for (const [name, bytes] of await elsewhere.files())
      expect([name, bytes.includes(repeated)]).toEqual([name, false]);
    for (const { out, err } of elsewhere.printed) expect(out + err).not.toContain(repeated);
    const { data } = (await elsewhere.call('GET', '/v3/apis')) as { data: { description: string }[] };
    expect(data.map(({ description }) => description)).toContain('People who look after payments');
    await elsewhere.close();
  });
});
