import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/** Part of every token that the platform chooses, and of nothing else. */
const word = 'shown-once-';
const catalogue = (expiresAt: string): string => `
resources:
  bot:
    type: platform:SystemAccount
    properties: {name: canary, description: Pipelines}
    children:
      token: {type: platform:SystemAccountAccessToken, properties: {name: canary, expiresAt: "${expiresAt}"}}
`;

let program: RealProgram;
let platform: string;
/** What the platform answered, by `METHOD path`. */
const answers: string[] = [];
/** Cuts the next answers to POST in the middle. */
let cuts = 0;
const between = createServer((request, response) => {
  const { method = 'GET', url = '/' } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void (async () => {
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
      const sent = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const right = await fetch(platform + url, { method, headers, ...sent });
      const text = await right.text();
      answers.push(text);
      const isCut = method === 'POST' && url.includes('access-tokens') && cuts > 0;
      if (isCut) cuts -= 1;
      response.writeHead(right.status, { 'content-type': right.headers.get('content-type') ?? 'application/json' });
      response.end(isCut ? text.slice(0, -4) : text);
    })();
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${String((between.address() as AddressInfo).port)}`;
  program = await realProgram({ PLATFORM_SPAT: 'account' });
  platform = program.url;
  program.env = { ...program.env, PLATFORM_SERVER_URL: url };
  await program.write({
    'sync.yaml': 'project: canary\nguards: {maxDeletePercent: 100}\n',
    'catalogue/main.yaml': catalogue('2031-01-01T00:00:00Z'),
  });
});
afterAll(async () => {
  await program.close();
  between.close();
});

describe('a secret that the platform chooses and shows once', () => {
  it('is in no plan, state, log, report, event, export or error, and the plan says that nobody will see it', async () => {
    const { run } = program;
    const reports = ['--report-dir', 'reports'];
    const first = await run('plan', '--out', 'plan.json', ...reports);
    expect(first.out + first.err).toContain(
      'bot/token: the platform chooses its token and shows it only once; this tool neither stores nor prints it.',
    );
    // The answer with the token is cut off: the object is found by what was sent.
    cuts = 1;
    const cut = await run('apply', 'plan.json', '--yes', '--report', 'cut.json', '--events', 'cut.ndjson');
    expect([cut.code, cuts]).toEqual([expect.any(Number), 0]);
    expect((await run('apply', '--yes', '--report', 'result.json', '--events', 'events.ndjson')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    // Another end is another token: this time the answer comes whole.
    await program.write({ 'catalogue/main.yaml': catalogue('2032-01-01T00:00:00Z') });
    expect((await run('apply', '--yes', '--report', 'again.json', '--events', 'again.ndjson')).code).toBe(0);
    for (const line of [
      'plan --refresh full --format json',
      'drift --format json',
      'state show bot/token',
      'state pull',
      'export --type SystemAccount --type SystemAccountAccessToken --out exported',
      'get SystemAccount canary',
      'get SystemAccount',
      'schema SystemAccountAccessToken',
      'refresh',
    ])
      await run(...line.split(' '));
    await run('destroy', '--yes', '--report', 'gone.json');

    expect(answers.filter((text) => text.includes(word)).length).toBeGreaterThanOrEqual(2);
    const printed = program.printed.filter(({ out, err }) => (out + err).includes(word)).map(({ line }) => line);
    expect(printed).toEqual([]);
    const files = await program.files();
    expect([...files].filter(([, bytes]) => bytes.includes(word)).map(([name]) => name)).toEqual([]);
    // Guards against runs that ended before they had anything to say.
    expect(files.get('.sync/state.db')?.length).toBeGreaterThan(10_000);
    expect([...files.keys()]).toEqual(expect.arrayContaining(['result.json', 'again.json', 'events.ndjson']));
    const bugs = program.printed.filter(({ out, err }) => /\n {4}at |bug:/.test(out + err));
    expect(bugs.map(({ line }) => line)).toEqual([]);
  });
});

describe('a secret that the operator sends somewhere', () => {
  const named = (expiresAt: string): string => `${catalogue(expiresAt)}outputs: {botToken: "\${bot/token.token}"}\n`;
  const write = (expiresAt: string): Promise<void> => program.write({ 'catalogue/main.yaml': named(expiresAt) });
  const outside = join(tmpdir(), `sync-shown-once-${randomUUID()}`);
  const place = join(outside, 'token');
  beforeAll(async () => {
    mkdirSync(outside);
    await program.write({ 'sync.yaml': 'project: sent\nguards: {maxDeletePercent: 100}\n' });
  });
  afterAll(() => {
    rmSync(outside, { recursive: true, force: true });
  });
  const last = (): string =>
    answers.flatMap((text) => [...text.matchAll(/shown-once-[0-9a-f-]+/g)].map(([found]) => found)).at(-1) ?? 'none';
  async function mustBeNowhere(): Promise<void> {
    const printed = program.printed.filter(({ out, err }) => (out + err).includes(word)).map(({ line }) => line);
    const files = [...(await program.files())].filter(([, bytes]) => bytes.includes(word)).map(([name]) => name);
    expect([printed, files]).toEqual([[], []]);
  }

  it('goes to a file that nobody else may read, and the plan says where it goes, not what', async () => {
    await write('2031-01-01T00:00:00Z');
    const destination = ['--output', `botToken=file:${place}`];
    const untold = await program.run('plan');
    expect(untold.out).toContain('--output botToken=file:/path');
    const { out } = await program.run('plan', '--out', 'sent.json', ...destination);
    expect(out).toContain('bot/token: its token goes to a file, by the output botToken, when it is made.');
    expect(out).toContain('If it is lost, make a new one:\n        sync');
    expect(out).not.toContain(outside);
    const applied = await program.run('apply', 'sent.json', '--yes', '--events', 'sent.ndjson', ...destination);
    expect([applied.code, readFileSync(place, 'utf8')]).toEqual([0, last()]);
    expect(statSync(place).mode & 0o777).toBe(0o600);
    expect(readdirSync(outside)).toEqual(['token']);
    expect((await program.run('plan', '--detailed-exitcode', ...destination)).code).toBe(0);
    await program.run('output');
    await mustBeNowhere();
  });

  it('goes to a command, on its standard input; what that prints is not shown', async () => {
    await write('2032-01-01T00:00:00Z');
    program.env = { ...program.env, SYNC_OUTPUT_botToken: `cmd:tee ${place}` };
    const applied = await program.run('apply', '--yes');
    expect([applied.code, readFileSync(place, 'utf8')]).toEqual([0, last()]);
    const { SYNC_OUTPUT_botToken: _, ...env } = program.env;
    program.env = env;
    await mustBeNowhere();
  });

  it('is told as lost where the destination does not take it, and the object is recorded', async () => {
    await write('2033-01-01T00:00:00Z');
    const applied = await program.run('apply', '--yes', '--output', 'botToken=cmd:cat >/dev/null; exit 3');
    expect(applied.code).not.toBe(0);
    expect(applied.out + applied.err).toContain('its token is lost');
    expect(applied.out + applied.err).toContain('the command ended with 3');
    expect((await program.run('plan', '--detailed-exitcode')).code).toBe(0);
    await mustBeNowhere();
  });

  it.each<[string, string]>([
    ['botToken=file:token', 'lies in the checkout'],
    ['botToken=fd:1', 'needs an open file descriptor, 3 or higher'],
    ['botToken=fd:99999', 'needs an open file descriptor, 3 or higher'],
    ['botToken=token', 'no usable destination'],
    ['botToken=', 'no usable destination'],
    ['file:/tmp/x', '--output takes NAME=DESTINATION'],
    ['other=cmd:cat', 'There is no output other of a secret that is shown once'],
  ])('%s is refused before anything is made', async (said, words) => {
    const { code, out, err } = await program.run('apply', '--yes', '--output', said);
    expect([code === 0, out + err]).toEqual([false, expect.stringContaining(words)]);
  });
});
