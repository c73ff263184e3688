import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, startListener, type Listener, type RealProgram } from '../cli/real-program.js';
import { base64Cores, hostileRefusals, spellings, type Refusal } from './hostile-refusals.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** Twenty secrets of 8 to 200 characters, with all signs that are spelt in another way somewhere. */
const signs = ` "quoted" <b>&amp;</b> 'x' a/b+c=d%20 \\n ${'${x}'} é漢 {[(*.?|^$)]} `;
const canaries = Array.from({ length: 20 }, (_, at) => {
  const length = Math.round(8 + (192 * at) / 19);
  const head = `c4n${String(at).padStart(2, '0')}Zq7`;
  return (head + signs.repeat(4)).slice(0, length - 1).replace(/ $/, 'x') + 'k';
});
/** Too short to be found in a text: they are hidden by the field that holds them. */
const short = ['q7zx#', '~w_9~', 'Jx#5v'];
const token = 'c4nTT-personal-token-of-nobody';
const variables = [...canaries, ...short];
const env = Object.fromEntries(variables.map((text, at) => [`S${at}`, text]));

const resource = (at: number): string =>
  `  r${at}: {type: platform:Api, properties: {name: Api ${at}, version: "1", description: !env S${at}, labels: {n: "${at}"}}}\n`;
const catalogue = (from: number, to: number): string =>
  `resources:\n${Array.from({ length: to - from }, (_, at) => resource(from + at)).join('')}`;

/** A platform that refuses what it is told to, in the words it is given, in pieces that end anywhere. */
class Refuser {
  url = '';
  refusal: Refusal | undefined;
  refuses: 'writes' | 'reads' = 'writes';
  #nth = 0;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const isRead = request.method === 'GET';
      const refusal = isRead === (this.refuses === 'reads') ? this.refusal : undefined;
      if (refusal === undefined) return void this.#pass(request.method ?? 'GET', request.url ?? '/', body, response);
      const text = Buffer.from(refusal.text(this.#quoted(body)));
      const cut = Math.floor(text.length / 2);
      response.writeHead(refusal.status, { 'content-type': refusal.type });
      response.write(text.subarray(0, cut));
      setImmediate(() => response.end(text.subarray(cut)));
    });
  });

  async start(platform: string): Promise<void> {
    this.#platform = platform;
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #platform = '';

  /** The secret of what it was sent; of any, where it was sent none. */
  #quoted(body: string): string {
    const sent = body === '' ? undefined : (JSON.parse(body) as { readonly description?: string }).description;
    return sent ?? canaries[this.#nth++ % canaries.length] ?? '';
  }

  async #pass(method: string, url: string, body: string, response: ServerResponse): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(this.#platform + url, { method, headers, ...(body === '' ? {} : { body }) });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(await answer.text());
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((closed) => this.#server.close(() => closed()));
  }
}

const refuser = new Refuser();
let program: RealProgram;
let listener: Listener;
beforeAll(async () => {
  [listener, program] = await Promise.all([startListener(), realProgram({})]);
  await refuser.start(program.url);
  program.env = {
    ...env,
    ...{ PLATFORM_TOKEN: token, PLATFORM_SERVER_URL: refuser.url },
    ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_TOKEN: 'x', GITHUB_API_URL: listener.url },
  };
  const settings = `project: law\ntiming: {retries: 0}\ndrift: {webhook: "${listener.url}/hook"}\n`;
  await program.write({ 'sync.yaml': settings, 'catalogue/a.yaml': catalogue(0, 10) });
  expect((await program.run('apply', '--yes')).code).toBe(0);
});
afterAll(() => Promise.all([program.close(), listener.close(), refuser.close()]));

/** What of a secret may stand nowhere: itself in any spelling, and its beginning, which a cut might leave. */
const forbidden = canaries.flatMap((text) => {
  const whole = Object.entries(spellings).flatMap(([name, spell]) => (name.startsWith('base64') ? [] : [spell(text)]));
  return [...new Set([...whole, text.slice(0, 16), ...base64Cores(text).filter((core) => core.length >= 10)])];
});
const all = [...new Set([...forbidden, token, ...base64Cores(token)])];
const foundIn = (text: string): string | undefined => all.find((each) => text.includes(each));

/** Where anything of a secret was told since the last look, and what stood around it. */
let [printed, told] = [0, 0];
async function leaks(): Promise<readonly string[]> {
  const traces = [
    ...program.printed.slice(printed).map(({ line, out, err }) => [`sync ${line}`, out + err] as const),
    ...[...(await program.files())]
      .filter(([name]) => !name.startsWith('catalogue/'))
      .map(([name, bytes]) => [name, bytes.toString('latin1') + bytes.toString('utf8')] as const),
    ...listener.bodies.slice(told).map((body) => ['sent out', body] as const),
  ];
  [printed, told] = [program.printed.length, listener.bodies.length];
  return traces.flatMap(([where, text]) => {
    const found = foundIn(text);
    if (found === undefined) return [];
    const at = text.indexOf(found);
    return [`${where}: ${text.slice(Math.max(0, at - 60), at + found.length)}`];
  });
}

const count = Math.min(200, lawRuns(10));

describe('no refusal brings a secret back', { timeout: lawTimeoutMs }, () => {
  it('watches for what it looks for', () => {
    expect(foundIn(`x${canaries[3]}y`)).toBeDefined();
    for (const spell of Object.values(spellings)) expect(foundIn(spell(canaries[19] ?? ''))).toBeDefined();
    expect(new Set(canaries.map(({ length }) => length)).size).toBe(20);
    expect([canaries[0]?.length, canaries[19]?.length]).toEqual([8, 200]);
  });

  it.each(hostileRefusals(count).map((refusal) => [refusal.name, refusal] as const))('%s', async (_name, refusal) => {
    refuser.refusal = refusal;
    // Half of the objects are there and are to change, the other half is to be made.
    refuser.refuses = 'writes';
    const changed = {
      ...program.env,
      ...Object.fromEntries(canaries.map((text, at) => [`S${at}`, canaries[(at + 1) % 20] ?? text])),
    };
    const usual = program.env;
    program.env = changed;
    await program.write({ 'catalogue/a.yaml': catalogue(0, canaries.length) });
    await program.run('apply', '--yes', '--report-dir', 'out/apply');
    await program.run('comment', 'out/apply', '--file', 'out/comment.md');
    program.env = usual;
    refuser.refuses = 'reads';
    await program.run('plan', '--format', 'sarif', '--report-dir', 'out/plan');
    await program.run('plan', '--format', 'json', '--refresh', 'full');
    await program.run('drift', '--format', 'json', '--report-dir', 'out/drift', '--otlp', listener.url, '--issue');
    refuser.refusal = undefined;
    expect(await leaks()).toEqual([]);
    for (const [name, bytes] of await program.files())
      if (/\.(json|sarif)$/.test(name)) expect(() => JSON.parse(bytes.toString()) as unknown).not.toThrow();
  });

  it('the short ones are not told of the fields that hold them', async () => {
    for (const refusal of hostileRefusals(28)) {
      refuser.refusal = refusal;
      refuser.refuses = 'writes';
      await program.write({ 'catalogue/a.yaml': catalogue(0, variables.length) });
      await program.run('apply', '--yes', '--report-dir', 'out/short');
      refuser.refusal = undefined;
    }
    const said = program.printed.slice(printed).flatMap(({ out, err }) => [out, err]);
    const files = [...(await program.files())].filter(([name]) => name.startsWith('out/short'));
    for (const text of short)
      for (const trace of [...said, ...files.map(([, bytes]) => bytes.toString())])
        expect(trace).not.toContain(text.slice(0, 4));
    expect(await leaks()).toEqual([]);
  });
});
