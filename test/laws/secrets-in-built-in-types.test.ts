import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { keyOf, propertiesOf, valueOf, withNeeded } from '../derived/all-types.js';
import { anyValues, secretValues, type SecretValues } from './random-secrets.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** A folder in place of git, as in secrets-tell-nothing.test.ts. */
const base = vi.hoisted(() => ({ folder: '' }));
vi.mock('@platform-sync/engine/use-cases/base/checkout', () => ({
  checkOut: async () => ({ folder: base.folder, name: 'HEAD at 0123456789ab', close: async () => undefined }),
}));

/** One field of a resource, or one member of it, that the proposal sets to something secret. */
interface Hole {
  /** Of all that can be chosen, by its rank. */
  readonly resource: number;
  readonly field: number;
  /** Of a record, how many members deep. */
  readonly members: readonly number[];
  /** Of the words that fit, and of all others. */
  readonly words: number;
  /** Anything anywhere: names, wrong kinds. */
  readonly isWild: boolean;
}

/** A role names an object that is waited for, half a minute and in vain. */
const types = [...platformPackage.types.values()].filter(({ name }) => name !== 'PortalTeamRole');
/** What is a secret, by the kind of value that it may stand for. */
const texts = ['!env ONE', '!env TWO', '"${param.token}"', '"x-${param.token}"', '!secret alpha'];
const numbers = ['"${param.level}"'];
const records = ['"${param.table}"', '{a: !env ONE}', '!json {a: !env ONE}'];
const lists = ['[!env TWO]', '["${param.token}", b]'];
const anything = [...texts, ...numbers, ...records, ...lists];

const hole: fc.Arbitrary<Hole> = fc.record({
  resource: fc.nat(),
  field: fc.nat(),
  members: fc.array(fc.nat(), { maxLength: 3 }),
  words: fc.nat(),
  isWild: fc.nat(11).map((rank) => rank === 0),
});
const world = fc.record({
  chosen: fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
  base: fc.array(hole, { maxLength: 1 }),
  head: fc.array(hole, { minLength: 1, maxLength: 4 }),
  gone: fc.boolean(),
});

type Resources = Record<string, { readonly type: string; readonly properties: JsonObject }>;

function resourcesOf(all: ReadonlySet<ResourceType>): Resources {
  return Object.fromEntries(
    [...all].map((type) => [keyOf(type), { type: type.shortToken, properties: propertiesOf(type, [], 'first') }]),
  );
}

/** Words for what JSON has no spelling for. */
const open = '@@';
const written = (value: Json): string =>
  JSON.stringify(value).replace(new RegExp(`"${open}(.*?)${open}"`, 'g'), (_, words: string) =>
    String(JSON.parse(`"${words}"`)),
  );

function withHoles(resources: Resources, all: ReadonlySet<ResourceType>, holes: readonly Hole[]): Resources {
  const changed = { ...resources };
  const ranked = [...all];
  for (const each of holes) {
    const type = ranked[each.resource % ranked.length];
    if (type === undefined) continue;
    const mayBe = (rule: FieldRule): boolean =>
      rule.input &&
      (each.isWild ||
        (!type.naturalKey.includes(rule.name) && rule.references === undefined && rule.enum === undefined));
    const inputs = Object.values(type.fields).filter(mayBe);
    const rule = inputs[each.field % inputs.length];
    const before = changed[keyOf(type)];
    if (rule === undefined || before === undefined) continue;
    const value = before.properties[rule.name] ?? valueOf(type, rule, 'first');
    const properties = { ...before.properties, [rule.name]: withHole(value, each.members, each) };
    changed[keyOf(type)] = { ...before, properties };
  }
  return changed;
}

function withHole(value: Json, [rank, ...rest]: readonly number[], hole: Hole): Json {
  const names = isObject(value) && rank !== undefined ? Object.keys(value) : [];
  const name = names[(rank ?? 0) % names.length];
  if (isObject(value) && name !== undefined) return { ...value, [name]: withHole(value[name] ?? null, rest, hole) };
  const fitting = hole.isWild ? anything : wordsFor(value);
  return `${open}${fitting[hole.words % fitting.length] ?? ''}${open}`;
}

function wordsFor(value: Json): readonly string[] {
  if (isList(value)) return lists;
  if (isObject(value)) return records;
  return typeof value === 'number' ? numbers : texts;
}

let program: RealProgram;
let requests: string[] = [];
/** Between the program and the platform: hears what is asked. */
const between = createServer((request, response) => {
  const { method = '', url = '' } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void (async () => {
      const { authorization = '', 'content-type': kind = 'application/json' } = request.headers;
      const body = Buffer.concat(chunks);
      requests.push(`${method} ${url} ${body.toString('utf8')}`);
      const sent = body.length === 0 ? {} : { body };
      const answer = await fetch(program.url + url, {
        method,
        headers: { authorization, 'content-type': kind },
        ...sent,
      });
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
});
let address = '';

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'platform-token', PLATFORM_SPAT: 'account-token' });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  base.folder = await mkdtemp(join(tmpdir(), 'sync-base-'));
  await mkdir(join(base.folder, 'catalogue'));
});
afterAll(async () => {
  vi.useRealTimers();
  between.closeAllConnections();
  between.close();
  await program.close();
  await rm(base.folder, { recursive: true, force: true });
});

const settings = JSON.stringify({
  project: 'shop',
  parameters: {
    token: { secret: true },
    level: { secret: true, type: 'number' },
    table: { secret: true, type: 'map' },
  },
});

function run(secrets: SecretValues, ...argv: readonly string[]): ReturnType<RealProgram['run']> {
  program.env = {
    PLATFORM_TOKEN: 'platform-token',
    PLATFORM_SPAT: 'account-token',
    PLATFORM_SERVER_URL: address,
    ...secrets,
  };
  return program.run(...argv);
}

/** All that leaves the program under review: what it prints, each report, its code, what it asks for. */
async function told(secrets: SecretValues): Promise<Readonly<Record<string, unknown>>> {
  const out = join(program.folder, 'out');
  await rm(out, { recursive: true, force: true });
  requests = [];
  // What is told of a run holds its time. An apply waits for other times to come.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  const ran = await run(secrets, 'plan', '--report-dir', 'out', '--untrusted', '--base', 'HEAD');
  vi.useRealTimers();
  const names = await readdir(out).catch(() => []);
  const reports = await Promise.all(
    names.sort().map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const),
  );
  return { ...ran, requests: [...requests].sort(), ...Object.fromEntries(reports) };
}

async function write(resources: Resources, isBase = false): Promise<void> {
  const files = { 'sync.yaml': settings, 'catalogue/main.yaml': `resources: ${written(resources)}\n` };
  await program.write(files);
  if (isBase) for (const [name, text] of Object.entries(files)) await writeFile(join(base.folder, name), text);
}

it(
  'under review, whatever secrets hold, fields and members of all built-in types tell the same bytes, code and requests',
  async () => {
    const codes = new Map<unknown, number>();
    await fc.assert(
      fc.asyncProperty(world, secretValues, anyValues, anyValues, async (made, recorded, one, other) => {
        const all = withNeeded(made.chosen);
        const plain = resourcesOf(all);
        const merged = withHoles(plain, all, made.base);
        await program.call('POST', '/_sandbox/reset');
        await rm(join(program.folder, '.sync'), { recursive: true, force: true });
        await write(merged, true);
        await run(recorded, 'apply', '--yes');
        const last = [...all].at(-1);
        const head = withHoles(merged, all, made.head);
        const without = made.gone && last !== undefined && all.size > 1 ? keyOf(last) : undefined;
        await write(Object.fromEntries(Object.entries(head).filter(([key]) => key !== without)));
        const first = await told(one);
        codes.set(first['code'], (codes.get(first['code']) ?? 0) + 1);
        expect(await told(other)).toEqual(first);
        expect(await told(recorded)).toEqual(first);
      }),
      { numRuns: lawRuns(90) },
    );
    // Worlds that only ever fail would show nothing.
    expect((codes.get(0) ?? 0) + (codes.get(4) ?? 0)).toBeGreaterThan(0);
  },
  lawTimeoutMs,
);
