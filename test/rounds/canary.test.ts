import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processHost } from '@platform-sync/cli/process/process-host';
import { runProgram } from '@platform-sync/cli/program';
import type { Host } from '@platform-sync/cli/process/host';
import {
  Cloud,
  Platform,
  getServiceIamPolicy,
  getTeamList,
  getTeamOutput,
  openProject,
  secret,
} from '@platform-sync/sdk/index';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';

/** Every secret of these runs has this in it, and nothing else has. */
const canary = 'c4n4ry';
const token = `${canary}-personal-token`;
const teamName = `${canary} "team" & more`;

const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`SECRET_${String(at)}`, `${canary}-${String(at)}`]),
);

const catalogue = `
variables:
  team: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: !env TEAM}}}}
  joined: {"fn::join": ["-", [a, !env SECRET_0]]}
resources:
  petstore:
    type: platform:Api
    properties:
      description: !env SECRET_1
      labels: {plain: text, hidden: !env SECRET_2, joined: "\${joined}"}
      attributes: {owner: [!env SECRET_3]}
      specContent: !json {openapi: 3.0.3, info: {title: !env SECRET_4, version: "1"}, paths: {}}
    children:
      guide:
        type: platform:ApiDocument
        properties: {title: !env SECRET_5, slug: guide, content: "# \${team.description}, !secret"}
        children:
          deep: {type: platform:ApiDocument, properties: {title: Deep, content: !env SECRET_6}}
  other: {type: platform:Api, properties: {description: "\${petstore.description} again", version: !env SECRET_7, slug: other}}
  shop:
    type: platform:ApiProduct
    properties: {name: !env SECRET_8, portalIds: [], publicLabels: {hidden: !env SECRET_9}}
outputs:
  secret: !env SECRET_10
  team: \${team.id}
  description: \${petstore.description}
  nested: {list: [!env SECRET_11, plain]}
`;

let sandbox: RunningSandbox;
let folder: string;
/** Everything that was printed, by command line. */
const printed: [string, string][] = [];

beforeAll(async () => {
  sandbox = await startSandbox({
    quiet: true,
    seed: { teams: [{ name: teamName, description: `${canary}-described` }] },
  });
  folder = await mkdtemp(join(tmpdir(), 'sync-canary-'));
  await write('sync.yaml', 'project: canary\n');
  await write('catalogue/main.yaml', catalogue);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

const environment = (): Record<string, string> => ({
  ...secrets,
  TEAM: teamName,
  PLATFORM_TOKEN: token,
  PLATFORM_SPAT: `${canary}-account-token`,
  PLATFORM_SERVER_URL: sandbox.url,
  SYNC_POLICY: '{"lookups": ["TEAM"]}',
});

/** Runs the program on the real engine and keeps what it prints. */
async function sync(line: string, env: Readonly<Record<string, string>> = environment()): Promise<number> {
  let text = '';
  const around: Host = {
    ...surroundings,
    out: (part) => void (text += part),
    err: (part) => void (text += part),
    env,
    cwd: folder,
    interactive: false,
    onSignal: () => () => undefined,
  };
  const code = await runProgram([...line.split(' '), '--log-level', 'debug'], around);
  printed.push([line, text]);
  return code;
}

const surroundings = processHost();

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(sandbox.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

async function filesWithCanary(): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => ((await contentOf(file)).includes(canary) ? [file] : [])));
  return found.flat();
}

/** The database takes its own side files away when the last connection ends. */
async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

describe('no secret leaves', () => {
  it('when all goes well, nor when it does not', async () => {
    expect(await sync('validate')).toBe(0);
    expect(await sync('plan --out plan.json')).toBe(0);
    for (const format of ['text', 'json']) await sync(`show plan.json --format ${format}`);
    expect(await sync('apply plan.json --yes')).toBe(0);
    expect(await sync('plan --format json --detailed-exitcode')).toBe(0);
    // Somebody changes what the file keeps secret, and what it does not mention.
    const { data } = (await call('GET', '/v3/apis?filter[name][eq]=petstore')) as { data: { id: string }[] };
    const id = data[0]?.id ?? '';
    await call('PATCH', `/v3/apis/${id}`, { description: 'clicked', labels: { hidden: 'clicked' } });
    expect(await sync('plan --detailed-exitcode --refresh full')).toBe(2);
    expect(await sync('apply --yes')).toBe(0);
    // Another secret in the environment is a change.
    expect(await sync('plan --detailed-exitcode', { ...environment(), SECRET_1: `${canary}-other` })).toBe(2);
    for (const line of [
      'refresh',
      'state list',
      'state show petstore',
      'state pull',
      'graph',
      'config',
      'policy check',
      'adopt --yes',
    ])
      await sync(line);
    expect(await sync('lookup getTeam filter.name.eq=nobody')).toBe(1);
    // The platform refuses, stumbles and echoes.
    await call('PUT', '/_sandbox/faults', {
      rules: [
        { match: { method: 'PATCH' }, nth: 1, action: { status: 400, problem: { detail: `bad token ${token}` } } },
      ],
    });
    await call('PATCH', `/v3/apis/${id}`, { description: 'again' });
    await sync('apply --yes');
    await call('PUT', '/_sandbox/faults', { rules: [] });
    await sync('plan', { ...environment(), TEAM: `${canary}-nobody` });
    await sync('plan', { ...environment(), PLATFORM_TOKEN: `${canary}\nbroken` });
    await sync('plan', { ...environment(), SECRET_7: `${canary}${'x'.repeat(300)}` });
    await sync('plan', { ...environment(), PLATFORM_SERVER_URL: `http://user:${canary}@127.0.0.1:1` });
    await sync('destroy --yes');

    expect(
      printed.filter(([, text]) => text.includes(canary)).map(([line, text]) => `${line}: ${around(text)}`),
    ).toEqual([]);
    expect(printed.filter(([, text]) => /\n {4}at /.test(text)).map(([line]) => line)).toEqual([]);
    expect(await filesWithCanary()).toEqual([]);
  });

  it('when a service refuses the token', async () => {
    const strict = await startSandbox({ quiet: true, token: 'another' });
    const before = printed.length;
    expect(await sync('plan', { ...environment(), PLATFORM_SERVER_URL: strict.url })).not.toBe(0);
    expect(await sync('lookup getTeamList', { ...environment(), PLATFORM_SERVER_URL: strict.url })).toBe(1);
    await strict.close();
    expect(printed.slice(before).filter(([, text]) => text.includes(canary))).toEqual([]);
  });

  it('to a program', async () => {
    const seen: unknown[] = [];
    const onEvent = (event: unknown): void => void seen.push(event);
    const platform = new Platform(
      { personalAccessToken: token, serviceAccessToken: `${canary}-service`, serverUrl: sandbox.url },
      { env: {}, onEvent },
    );
    const cloud = new Cloud(
      { accessToken: `${canary}-cloud`, serviceManagementCustomEndpoint: `${sandbox.url}/v1/` },
      { env: {}, onEvent },
    );
    await getTeamList({}, { provider: platform });
    seen.push(platform, cloud, platform.terraformConfig(), platform.terraformConfig().result);
    const found = getTeamOutput({ filter: { name: { eq: secret(teamName) } } }, { provider: platform });
    const missed = getTeamOutput({ filter: { name: { eq: secret(`${canary}-nobody`) } } }, { provider: platform });
    await found.reveal();
    seen.push(found, found.name, await missed.promise().catch((error: unknown) => error));
    seen.push(await found.promise().catch((error: unknown) => error));
    seen.push(
      await getServiceIamPolicy({ serviceName: 'nobody.example.com' }, { provider: cloud }).catch((e: unknown) => e),
    );
    const { project } = await openProject({ cwd: folder, env: environment(), onEvent });
    seen.push(await project?.validate().then(({ diagnostics }) => diagnostics), await project?.plan());
    await project?.close();
    await Promise.all([platform.close(), cloud.close()]);
    const texts = seen.flatMap((each) => [inspect(each, { depth: 12, showHidden: true }), JSON.stringify(each)]);
    expect(texts.filter((text) => text.includes(canary)).map(around)).toEqual([]);
  });
});

/** What stands around the canary, to find the leak. */
function around(text: string): string {
  const at = text.indexOf(canary);
  return text.slice(Math.max(0, at - 120), at + 60);
}
