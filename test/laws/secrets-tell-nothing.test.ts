import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';
import {
  anyValues,
  otherValues,
  plainWorld,
  secretValues,
  secretWorld,
  withoutRules,
  writtenFiles,
  type SecretValues,
  type SecretWorld,
} from './random-secrets.js';
import { lawRuns, lawTimeoutMs } from './runs.js';
import { asked, contents, guess, guessedAt, quoted } from './secret-guesses.js';

/** Of one world three plans each read the base twice; a folder costs no process of git. test/security/untrusted.test.ts has the real one. */
const base = vi.hoisted(() => ({ folder: '' }));
vi.mock('@platform-sync/engine/use-cases/base/checkout', () => ({
  checkOut: async () => ({ folder: base.folder, name: 'HEAD at 0123456789ab', close: async () => undefined }),
}));

/** Objects of a platform by the path of their list. */
type Objects = Map<string, Map<string, Record<string, unknown>>>;

let folder: string;
let server: Loopback;
let objects: Objects = new Map();
let requests: string[] = [];
const json = { 'content-type': 'application/json' };

/** Keeps what it is given. Ids are counted, so that two platforms that heard the same hold the same. */
function react({ method, url, body }: SeenRequest): Reaction {
  requests.push(`${method} ${url} ${body}`);
  const [path = ''] = url.split('?');
  const own = /^(.*)\/([^/]+)$/.exec(path);
  const lists = /^\/shelves(\/[^/]+\/slots)?$/.test(path);
  const list = lists ? path : (own?.[1] ?? '');
  const held = objects.get(list) ?? new Map<string, Record<string, unknown>>();
  objects.set(list, held);
  if (lists && method === 'POST') {
    const made = { id: `s${held.size + 1}`, ...(JSON.parse(body) as Record<string, unknown>) };
    held.set(made.id, made);
    return { status: 201, headers: json, json: made };
  }
  if (lists) return { status: 200, headers: json, json: { data: [...held.values()] } };
  const id = own?.[2] ?? '';
  const object = held.get(id);
  if (object === undefined) return { status: 404 };
  if (method === 'DELETE') return held.delete(id) ? { status: 204 } : { status: 404 };
  if (method === 'PATCH') Object.assign(object, JSON.parse(body));
  return { status: 200, headers: json, json: object };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-holes-'));
  base.folder = await mkdtemp(join(tmpdir(), 'sync-holes-base-'));
  server = await loopback(react);
  // What is told of a run holds its time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
});
afterAll(async () => {
  vi.useRealTimers();
  await server.close();
  for (const each of [folder, base.folder]) await rm(each, { recursive: true, force: true });
});

async function write(files: Files, where = folder): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(where, name)), { recursive: true });
    await writeFile(join(where, name), text);
  }
}

const { host, run: runProgram } = fakeProgram();

function run(env: SecretValues, ...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  Object.assign(host, { env, cwd: folder, openProject, packages: async () => providerPackages });
  return runProgram(...argv);
}

/** The base, applied with some secrets, and a proposal in the working tree. */
function prepare({ base, head }: SecretWorld, recorded: SecretValues): Promise<void> {
  const files = (of: SecretWorld['base']): Files => writtenFiles(of, server.origin);
  return prepareFiles(files(withoutRules(base)), files(base), files(head), recorded);
}

type Files = Readonly<Record<string, string>>;

async function prepareFiles(applied: Files, ofBase: Files, ofHead: Files, recorded: SecretValues): Promise<void> {
  objects = new Map();
  for (const name of ['.sync', 'out', 'plan.json']) await rm(join(folder, name), { recursive: true, force: true });
  await write(applied);
  await run(recorded, 'apply', '--yes', '--fail-fast');
  await write(ofBase, base.folder);
  await write(ofHead);
}

/** All that leaves the program: what it prints, each report, its code, what it asks for. */
async function told(env: SecretValues, ...more: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  await rm(join(folder, 'out'), { recursive: true, force: true });
  requests = [];
  const ran = await run(env, 'plan', '--report-dir', 'out', '--log-level', 'debug', ...more);
  const names = await readdir(join(folder, 'out')).catch(() => []);
  const reports = await Promise.all(
    names.sort().map(async (name) => [name, await readFile(join(folder, 'out', name), 'utf8')]),
  );
  return { ...ran, requests: [...requests].sort(), ...(Object.fromEntries(reports) as Record<string, string>) };
}

describe('secrets tell nothing', () => {
  it(
    'under review: whatever they hold, the same bytes, code and requests',
    async () => {
      const outcomes = new Map<unknown, number>();
      await fc.assert(
        fc.asyncProperty(secretWorld, secretValues, anyValues, anyValues, async (world, recorded, one, other) => {
          await prepare(world, recorded);
          const first = await told(one, '--untrusted', '--base', 'HEAD');
          outcomes.set(first['code'], (outcomes.get(first['code']) ?? 0) + 1);
          expect(await told(other, '--untrusted', '--base', 'HEAD')).toEqual(first);
          expect(await told(recorded, '--untrusted', '--base', 'HEAD')).toEqual(first);
        }),
        { numRuns: lawRuns(120) },
      );
      expect(shareOfPlans(outcomes)).toBeGreaterThan(0.15);
    },
    lawTimeoutMs,
  );

  it(
    'without it, but that a field is as recorded, and its fingerprint',
    async () => {
      const outcomes = new Map<unknown, number>();
      await fc.assert(
        fc.asyncProperty(plainWorld, secretValues, otherValues, otherValues, async (world, recorded, one, other) => {
          await prepare(world, recorded);
          const first = withoutFingerprints(await told(one));
          outcomes.set(first['code'], (outcomes.get(first['code']) ?? 0) + 1);
          expect(withoutFingerprints(await told(other))).toEqual(first);
        }),
        { numRuns: lawRuns(120) },
      );
      expect(shareOfPlans(outcomes)).toBeGreaterThan(0.15);
    },
    lawTimeoutMs,
  );
});

describe('without review, too, an author who knows how a secret begins', () => {
  const secret = 'glpat-Qw3rty-and-what-follows';
  const begins = secret.slice(0, 13);
  const wrong = { ...contents[0], ONE: secret.replace('Q', 'X') };
  it.each<[string, Files, string]>([
    ['a name of a file', { [`catalogue/${begins}.yaml`]: '' }, `${begins}.yaml is empty`],
    [
      'an address',
      {
        'catalogue/main.yaml': `resources: {first: {type: acme:Shelf, properties: {name: first, pin: !env ONE}}, ${begins}: {type: acme:Shelf, properties: {name: b}, options: {import: nowhere}}}`,
      },
      `${begins} `,
    ],
  ])('does not learn how it goes on from %s', async (_, said, words) => {
    const files = guessedAt(server.origin);
    await prepareFiles(files, files, { ...files, ...said }, wrong);
    const first = withoutFingerprints(await told(wrong));
    expect(JSON.stringify([first['out'], first['err']])).toContain(words);
    const right = withoutFingerprints(await told({ ...wrong, ONE: secret }));
    expect([right['code'], right['err']]).toEqual([first['code'], first['err']]);
    for (const name of Object.keys(said)) await rm(join(folder, name));
  });
});

describe('an author who guesses a secret', () => {
  const untrusted = ['--untrusted', '--base', 'HEAD'];
  const [first = {}, ...others] = contents;
  let files: Files = {};
  beforeAll(async () => {
    files = guessedAt(server.origin);
    await prepareFiles(files, files, files, others[0] ?? {});
  });
  it.each(Object.entries({ ...quoted, ...asked }))('learns nothing from %s', async (name, said) => {
    // A plan under review leaves platform, state and base as they are.
    await write({ ...files, ...said });
    const right = await told(first, ...untrusted);
    for (const each of others) expect(await told(each, ...untrusted)).toEqual(right);
    // What the author wrote stays as it was written.
    if (name in quoted) expect(JSON.stringify(right)).toContain(guess);
  });
});

/** Worlds that only ever fail would show nothing. */
function shareOfPlans(outcomes: ReadonlyMap<unknown, number>): number {
  const all = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  return ((outcomes.get(0) ?? 0) + (outcomes.get(4) ?? 0)) / all;
}

/** The digests of a plan and of its effect are made of fingerprints, too; that of the catalogue is not. */
function withoutFingerprints(all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const plan = String(all['plan.json'] ?? '');
  const { digest = '' } = JSON.parse(plan === '' ? '{}' : plan) as { digest?: string };
  const effects = [...plan.matchAll(/"effectDigest":"([0-9a-f]{64})"/g)].map(([, effect = '']) => effect);
  const digests = digest === '' ? effects : [digest, ...effects];
  return Object.fromEntries(
    Object.entries(all).map(([name, text]) => {
      if (typeof text !== 'string') return [name, text];
      const hidden = text
        .replace(/\bend_[0-9a-f]{40}/g, '(end)')
        .replace(/hmac-sha256:[0-9a-f]+/g, '(fingerprint)')
        .replace(/"checksum":"[0-9a-f]+"/, '');
      const forms = digests.flatMap((each) => [each, each.slice(0, 12)]);
      return [name, forms.reduce((rest, form) => rest.replaceAll(form, '(digest)'), hidden)];
    }),
  );
}
