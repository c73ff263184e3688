import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import { serve } from '@platform-sync/cli/mcp/server';
import { withContext } from '@platform-sync/cli/run/run-context';
import { realWorld } from '@platform-sync/core/model/world';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/** `sync mcp` as a client of the protocol sees it. */

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const secret = 'hush-4711';
let program: RealProgram;
const wires: string[] = [];

const catalogue = (name: string): string => `resources:
  pets:
    type: platform:Api
    properties: { name: ${name} }
  owner: { type: platform:Api, properties: { name: Owner } }
  vault: { type: platform:Api, properties: { name: Vault, description: !env SECRET } }
`;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: secret, SECRET: secret }, { empty: true });
  await program.write({ 'sync.yaml': 'project: shop\n', 'catalogue/pets.yaml': catalogue('Pets') });
});
afterAll(() => program.close());

/** A client of its own; `approves`: what its person says to each question, null where they never answer, undefined where nobody can be asked. */
async function client(approves?: boolean | null, approved: readonly string[] = []) {
  const [input, questions] = [new PassThrough(), [] as string[]];
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const write = (text: string): void => {
    wires.push(text);
    const message = JSON.parse(text) as Answer & { id: unknown; method?: string; params?: { message: string } };
    if (message.method === undefined) return waiting.get(message.id)?.(message);
    questions.push(message.params?.message ?? '');
    if (approves === null) return;
    const result = { action: 'accept', content: { approve: approves } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
  };
  const { host } = fakeProgram({
    host: {
      env: program.env,
      cwd: program.folder,
      openProject,
      packages: async () => providerPackages,
      world: realWorld,
    },
  });
  const flags = { cwd: undefined, stack: undefined, concurrency: undefined, var: undefined, 'var-file': undefined };
  const ended = withContext(host, { ...flags, 'log-level': 'info', 'no-color': true }, async (context) => {
    await serve(context, approved, { input, write });
    return 0;
  });
  const line = (text: string, id: unknown): Promise<Answer> => {
    const heard = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    input.write(`${text}\n`);
    return heard;
  };
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<Answer> => {
    last += 1;
    return line(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }), last);
  };
  const capabilities = approves === undefined ? {} : { elicitation: {} };
  const hello = await ask('initialize', { protocolVersion: '2025-06-18', capabilities });
  expect(hello.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
  return {
    ...{ ask, line, questions },
    call: async (name: string, given: object = {}) => {
      const { result, error } = await ask('tools/call', { name, arguments: given });
      return { text: result?.content[0]?.text ?? error?.message ?? '', isError: result?.isError ?? true };
    },
    close: async () => {
      input.end();
      expect(await ended).toBe(0);
    },
  };
}

describe('sync mcp', () => {
  it('lists commands in the words of their help, and no flag by which an agent reaches files, servers or consent', async () => {
    const agent = await client();
    const { tools } = (await agent.ask('tools/list')).result as unknown as {
      tools: { name: string; description: string; inputSchema: { properties: object } }[];
    };
    await agent.close();
    const loaders: Readonly<Record<string, () => Promise<{ summary: string }>>> = commandLoaders;
    for (const { name, description } of tools)
      expect(description).toContain((await loaders[name.replace('_', ':')]?.())?.summary);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'validate',
        'plan',
        'drift',
        'explain',
        'schema',
        'get',
        'history',
        'history_show',
        'apply',
      ]),
    );
    const flags = new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties)));
    for (const never of [
      'yes',
      'allow',
      'out',
      'output',
      'events',
      'report',
      'report-dir',
      'cwd',
      'var',
      'var-file',
      'webhook',
      'force',
    ])
      expect(flags).not.toContain(never);
  });

  it('answers as the command does, of the fields that are asked for', async () => {
    const agent = await client();
    const calls: readonly (readonly [string, object, readonly string[]])[] = [
      ['validate', {}, ['validate']],
      ['explain', { what: 'unknown-reference' }, ['explain', 'unknown-reference']],
      ['schema', { name: 'Api', fields: 'token' }, ['schema', 'Api', '--fields', 'token']],
      ['get', { type: 'Api', limit: 1 }, ['get', 'Api', '--limit', '1']],
      ['eval', { expression: '${pets.name}' }, ['eval', '${pets.name}']],
      ['drift', { fields: 'status' }, ['drift', '--fields', 'status']],
      ['plan', { fields: 'summary', target: ['pets'] }, ['plan', '--fields', 'summary', '--target', 'pets']],
    ];
    const answers = await Promise.all(calls.map(([name, given]) => agent.call(name, given)));
    await agent.close();
    for (const [at, [, , line]] of calls.entries())
      expect(answers[at]?.text).toBe((await program.run(...line, '--format', 'json')).out);
  });

  it.each([
    ['a tool that is not there', 'destroy', {}, 'no tool destroy'],
    ['an argument that is not there', 'plan', { targets: ['pets'] }, 'did you mean target?'],
    ['a flag in an argument', 'plan', { out: '/tmp/plan.json' }, 'plan has no out'],
    ['another type', 'plan', { target: { a: 1 } }, 'A list of texts is meant.'],
    ['nothing', 'explain', {}, 'explain needs what'],
    ['control characters', 'explain', { what: 'pets\u001b[2J' }, 'control character'],
    ['a path for a name', 'schema', { name: '../../etc/passwd' }, '\\"ok\\": false'],
    ['a path for an object', 'get', { type: 'Api', name: '../portals?a=1#%2e%2e/' }, '\\"ok\\": false'],
    ['a flag for a word', 'explain', { what: '--cwd=/' }, '--cwd=/'],
    ['a type that is meant otherwise', 'get', { type: 'Apy' }, 'Did you mean Api?'],
    ['no digest', 'apply', { effect: '' }, 'does not match'],
    ['another effect', 'apply', { effect: '0'.repeat(64) }, 'have that plan approved'],
  ])('answers %s with what helps', async (_name, tool, given, words) => {
    const agent = await client(true);
    const { text, isError } = await agent.call(tool, given);
    expect([isError, JSON.stringify(text)]).toEqual([true, expect.stringContaining(words)]);
    expect(await agent.ask('ping')).toMatchObject({ result: {} });
    await agent.close();
    expect(agent.questions).toEqual([]);
  });

  it.each([
    ['no JSON', '{', null, -32700],
    ['a list', '[]', null, -32600],
    ['no version', '{"id": 9, "method": "ping"}', 9, -32600],
    ['a method that is not there', '{"jsonrpc": "2.0", "id": 9, "method": "constructor"}', 9, -32601],
    [
      'arguments that are none',
      '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "plan", "arguments": 1}}',
      9,
      -32602,
    ],
  ])('refuses %s, and goes on', async (_name, text, id, code) => {
    const agent = await client();
    expect((await agent.line(text, id)).error?.code).toBe(code);
    expect(await agent.ask('ping')).toMatchObject({ result: {} });
    await agent.close();
  });

  it('applies what a person approved, and nothing else', async () => {
    const names = async (): Promise<readonly string[]> => {
      const { data } = (await program.call('GET', '/v3/apis')) as { data: readonly { name: string }[] };
      return data.map(({ name }) => name).sort();
    };
    const planned = async (): Promise<string> =>
      (JSON.parse((await program.run('plan', '--format', 'json')).out) as { effectDigest: string }).effectDigest;
    const effect = await planned();

    const alone = await client();
    expect((await alone.call('apply', { effect })).text).toContain(`sync apply --expect-effect ${effect.slice(0, 12)}`);
    await alone.close();
    const no = await client(false);
    expect((await no.call('apply', { effect })).text).toContain('nobody approved');
    await no.close();
    expect(await names()).toEqual([]);
    // Who hangs up before a person has answered has approved nothing.
    const gone = await client(null);
    void gone.call('apply', { effect });
    await expect.poll(() => gone.questions).toHaveLength(1);
    await gone.close();
    expect(await names()).toEqual([]);

    const yes = await client(true);
    const { text, isError } = await yes.call('apply', { effect: effect.slice(0, 12), fields: 'ok,result.status' });
    await yes.close();
    expect([isError, JSON.parse(text)]).toEqual([false, { ok: true, result: { status: 'done' } }]);
    expect(yes.questions).toHaveLength(1);
    for (const words of ['+ create pets (platform:Api)', `Effect ${effect.slice(0, 12)}`])
      expect(yes.questions[0]).toContain(words);
    expect(yes.questions[0]).not.toContain('type:');
    expect(await names()).toEqual(['Owner', 'Pets', 'Vault']);

    await program.write({ 'catalogue/pets.yaml': catalogue('Cats') });
    const told = await client(undefined, [(await planned()).slice(0, 12)]);
    expect((await told.call('apply', { effect: await planned() })).isError).toBe(false);
    expect(await names()).toEqual(['Cats', 'Owner', 'Vault']);
    const runs = await told.call('history', { fields: 'run,command', limit: 1 });
    expect(runs.text.trim().split('\n')).toEqual([expect.stringContaining('"command":"apply"')]);
    // The approval was of that effect.
    await program.write({ 'catalogue/pets.yaml': catalogue('Dogs') });
    expect((await told.call('apply', { effect: await planned() })).text).toContain('nobody approved');
    await told.close();
  });

  it('never told a secret', () => {
    expect(wires.length).toBeGreaterThan(30);
    expect(wires.filter((text) => text.includes(secret))).toEqual([]);
  });
});
