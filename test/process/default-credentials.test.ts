import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  defaultCredentialsFileName,
  defaultScopes,
  metadataVariables,
  toolFolderName,
  variables,
} from '@platform-sync/cloud/wire';
import { metadataFlavor } from '@platform-sync/sandbox/wire';
import { builtChild } from '../harness/built.js';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';
import { service, token } from '../providers/cloud/rig.js';
import { paths, personKey, tokenServer, trail } from '../providers/cloud/token-server.js';

const run = promisify(execFile);
const program = await builtChild(fileURLToPath(new URL('lookup-once.ts', import.meta.url)));

/** What the library finds out about its machine it keeps for the life of the process: each test has its own. */
async function lookupWith(env: Readonly<Record<string, string>>): Promise<unknown> {
  const { stdout, stderr } = await run(process.execPath, [program, token, service], {
    env: { PATH: process.env.PATH, HOME: home, [variables.endpoint[0]]: `${server.origin}/v1/`, ...env },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** Another answer to who asks the metadata server for a token. */
let answerToken: Reaction | undefined;
let home = '';
let server: Loopback;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cloud-home-'));
  server = await loopback(react);
  answerToken = undefined;
  onTestFinished(async () => {
    await server.close();
    await rm(home, { recursive: true, force: true });
  });
});

const metadataPath = '/computeMetadata/v1/instance';

function react(request: SeenRequest): Reaction {
  if (!request.url.startsWith(metadataPath)) return tokenServer(request);
  const headers = { 'metadata-flavor': metadataFlavor };
  if (request.headers['metadata-flavor'] !== metadataFlavor) return { status: 403, headers };
  const json = { access_token: 'from-metadata', expires_in: 3599, token_type: 'Bearer' };
  if (request.url.includes('/token') && answerToken !== undefined) return answerToken;
  return request.url.includes('/token') ? { status: 200, headers, json } : { status: 200, headers, text: 'here' };
}

const found = { result: expect.objectContaining({ id: `services/${service}`, etag: 'ACAB' }) as unknown };
const used = (): string | undefined => trail(server.seen).at(-1)?.split(' ← ')[1];

const machine = (): Record<string, string> => ({ [metadataVariables.host]: new URL(server.origin).host });
const noMachine = { [metadataVariables.detection]: 'none' };

async function login(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const key = personKey({ token_uri: server.origin + paths.token });
  await writeFile(join(folder, defaultCredentialsFileName), JSON.stringify(key));
}

describe('the application default credentials', () => {
  test.each([
    ['that is looked for', {}],
    ['that is said to be there', { [metadataVariables.detection]: 'assume-present' }],
  ])('a metadata server %s', async (_name, env) => {
    expect(await lookupWith({ ...machine(), ...env })).toEqual(found);
    expect(used()).toBe('Bearer from-metadata');
    const asked = server.seen.find(({ url }) => url.includes('/token'));
    const scopes = new URL(asked?.url ?? '', server.origin).searchParams.get('scopes');
    expect(scopes).toBe(defaultScopes.join(','));
  });

  test.each(['identity', 'gzip'])(
    'an answer of the metadata server that has no end is not read whole: %s',
    async (packing) => {
      const text = JSON.stringify({ access_token: 'x'.repeat(30_000_000), expires_in: 3599 });
      // Packed before anybody waits for it.
      const body = packing === 'gzip' ? gzipSync(text) : text;
      answerToken = (response) => {
        const headers = { 'metadata-flavor': metadataFlavor, 'content-encoding': packing };
        response.writeHead(200, headers).end(body);
      };
      // Elsewhere than on a machine of the cloud the library waits for three seconds, which a busy machine may need.
      const onCloud = { K_SERVICE: 'a-service' };
      expect(JSON.stringify(await lookupWith({ ...machine(), ...onCloud }))).toMatch(/over limit/);
    },
  );

  test('a metadata server that points elsewhere is not followed', async () => {
    answerToken = { status: 302, headers: { 'metadata-flavor': metadataFlavor, location: '/elsewhere' } };
    expect(await lookupWith(machine())).toMatchObject({ kind: 'unauthenticated' });
    expect(server.seen.some(({ url }) => url.startsWith('/elsewhere'))).toBe(false);
  });

  test('the file of the command-line tool in the home folder comes before the metadata server', async () => {
    await login(join(home, '.config', toolFolderName));
    expect(await lookupWith(machine())).toEqual(found);
    expect(used()).toBe('Bearer from-refresh_token');
    expect(server.seen.some(({ url }) => url.startsWith(metadataPath))).toBe(false);
  });

  test('the folder of the tool may be another one', async () => {
    await login(join(home, 'elsewhere'));
    expect(await lookupWith({ [variables.toolFolder[0]]: join(home, 'elsewhere'), ...noMachine })).toEqual(found);
    expect(used()).toBe('Bearer from-refresh_token');
  });

  test('a file named by the variable comes before both: an external account, end to end', async () => {
    await login(join(home, '.config', toolFolderName));
    await writeFile(join(home, 'identity'), 'foreign identity');
    const account = {
      type: 'external_account',
      audience: '//audience.example/pool',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: server.origin + paths.exchange,
      credential_source: { file: join(home, 'identity') },
    };
    await writeFile(join(home, 'account.json'), JSON.stringify(account));
    const env = { ...machine(), [variables.defaultCredentialsFile[0]]: join(home, 'account.json') };
    expect(await lookupWith(env)).toEqual(found);
    expect(used()).toBe('Bearer from-exchange');
  });

  test('none at all: the variables that were looked at are named', async () => {
    const outcome = await lookupWith(noMachine);
    expect(outcome).toMatchObject({ kind: 'configuration', diagnostics: [{ code: 'missing-cloud-credentials' }] });
    for (const name of [...variables.accessToken, ...variables.credentials, ...variables.defaultCredentialsFile]) {
      expect(JSON.stringify(outcome)).toContain(name);
    }
    expect(server.seen).toHaveLength(0);
  });

  test('a ready-made token needs none of them', async () => {
    await login(join(home, '.config', toolFolderName));
    expect(await lookupWith({ ...machine(), [variables.accessToken[0]]: 'ready-made' })).toEqual(found);
    expect(trail(server.seen)).toEqual([`/v1/services/${service}:getIamPolicy ← Bearer ready-made`]);
  });
});
