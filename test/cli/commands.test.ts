import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DesiredResource, defaultOptions } from '@platform-sync/core/model/desired';
import { fakeProgram } from './fake-host.js';

describe('sync init', () => {
  it('writes a project and keeps state out of the repository', async () => {
    const { run, folder } = fakeProgram();
    writeFileSync(join(folder, '.gitignore'), 'node_modules/');
    const { code, out } = await run('init', '--project', 'payments');
    expect(code).toBe(0);
    expect(out).toContain('wrote sync.yaml\nwrote catalogue/hello.yaml\n');
    expect(readFileSync(join(folder, 'sync.yaml'), 'utf8')).toContain('project: payments\n');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules/\n.sync/\n');
  });

  it('overwrites nothing, and then writes nothing at all', async () => {
    const { run, folder } = fakeProgram();
    writeFileSync(join(folder, 'sync.yaml'), 'mine');
    expect(await run('init')).toMatchObject({
      code: 1,
      err: expect.stringContaining('file-exists  sync.yaml already exists'),
    });
    expect(readFileSync(join(folder, 'sync.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'catalogue'))).toBe(false);
  });

  it('refuses a name that no project may have', async () => {
    expect((await fakeProgram().run('init', '--project', 'My Project')).code).toBe(64);
  });
});

describe('sync validate', () => {
  const place = { file: 'a.yaml', line: 1, column: 2, text: 'x: 1' };
  const warning = { severity: 'warning', code: 'odd', summary: 'Odd.', place } as const;
  const error = { severity: 'error', code: 'bad', summary: 'Bad.', place } as const;
  const validate = (diagnostics: readonly (typeof warning | typeof error)[]) =>
    fakeProgram({ project: { validate: async () => ({ diagnostics, files: 3 }) } });

  it.each([
    ['errors', [error, warning], 1, '1 error, 1 warning\n'],
    ['warnings only', [warning], 0, '1 warning\n'],
  ] as const)('%s', async (_name, found, code, words) => {
    expect(await validate(found).run('validate')).toMatchObject({ code, out: expect.stringContaining(words), err: '' });
    const json = await validate(found).run('validate', '--format', 'json');
    expect(json.code).toBe(code);
    expect(JSON.parse(json.out)).toMatchObject({ files: 3, diagnostics: expect.arrayContaining([...found]) });
  });
});

describe('sync graph', () => {
  it('draws references, also through variables', async () => {
    const at = { file: 'a.yaml', start: 0, end: 1 };
    const reference = { kind: 'reference', at, path: ['id'], text: 'v.id' } as const;
    const resource = (address: string, properties: DesiredResource['properties']): [string, DesiredResource] => [
      address,
      { address, type: 'platform:index/api:Api', properties, options: defaultOptions, at, propertyKeys: new Map() },
    ];
    const desired = {
      resources: new Map([
        resource('a', new Map()),
        resource('b', new Map([['apiId', { ...reference, to: 'variable', target: 'v' }]])),
      ]),
      variables: new Map([['v', { ...reference, to: 'resource', target: 'a' } as const]]),
      outputs: new Map(),
      sources: { place: () => ({ file: 'a.yaml', line: 1, column: 1 }) },
      digest: '',
    };
    const { run } = fakeProgram({ project: { validate: async () => ({ diagnostics: [], files: 1, desired }) } });
    expect((await run('graph')).out).toContain('n1 --> n0');
    expect((await run('graph', '--format', 'dot')).out).toContain('"b" -> "a";');
  });
});

describe('sync refresh, import, lookup, config', () => {
  it('refresh says what it found', async () => {
    const { run } = fakeProgram();
    expect((await run('refresh')).out).toContain('Refreshed: 1 changed, 1 gone, 2 unchanged.');
    expect(JSON.parse((await run('refresh', '--format', 'json')).out)).toMatchObject({ changed: ['a'] });
  });

  it('import hands the id on as it is', async () => {
    const { run, calls } = fakeProgram();
    const id = '{"api_id":"1","id":"2"}';
    expect((await run('import', 'pets/guide', id)).code).toBe(0);
    expect(calls[0]).toEqual(['imports', [{ address: 'pets/guide', id }]]);
    const json: unknown = JSON.parse((await run('import', 'pets', 'a=b', '--format', 'json')).out);
    expect(json).toMatchObject({ ok: true, result: { imported: [{ address: 'pets', id: 'a=b' }] } });
  });

  it('import takes any number of objects, as words and from a list, in one go', async () => {
    const { run, calls, folder } = fakeProgram({ host: { readInput: async () => 'pets 3\n' } });
    const list = '\uFEFF# of the old platform\r\n\r\n  shop\t1\r\npets/guide {"api_id": "1", "id": "2"}\r\n';
    writeFileSync(join(folder, 'ids.txt'), list);
    const { code, out } = await run('import', 'plus=a=b', 'more=9', '--from', 'ids.txt');
    expect(code).toBe(0);
    const place = (line: number, column: number, text: string) => ({ file: 'ids.txt', line, column, text });
    expect(calls.slice(0, 1)).toEqual([
      [
        'imports',
        [
          { address: 'plus', id: 'a=b' },
          { address: 'more', id: '9' },
          { address: 'shop', id: '1', place: place(3, 3, '  shop\t1') },
          {
            address: 'pets/guide',
            id: '{"api_id": "1", "id": "2"}',
            place: place(4, 1, 'pets/guide {"api_id": "1", "id": "2"}'),
          },
        ],
      ],
    ]);
    expect(out).toContain('Adopted plus (id a=b).\nAdopted more (id 9).\nAdopted shop (id 1).\n');
    expect(out).toContain('To see what the next plan does, type:\n  sync plan');
    expect((await run('import', '--from', '-')).out).toContain('Adopted pets (id 3).\nTo see what');
  });

  it('import tells every line of a list that names no object, and opens no project', async () => {
    const { run, opened, folder } = fakeProgram();
    writeFileSync(join(folder, 'ids.txt'), 'shop\npets 2\nplus=3\n');
    const { code, err } = await run('import', '--from', 'ids.txt');
    expect([code, opened]).toEqual([1, []]);
    expect(err).toContain('ids.txt:1:1');
    expect(err).toContain('ids.txt:3:1');
    expect(err.match(/ {2}import-list-line/g)).toHaveLength(2);
  });

  it('config masks secrets unless told otherwise', async () => {
    const { run } = fakeProgram({
      host: {
        providerConfig: async () => ({
          personal_access_token: { value: 'canary', secret: true },
          server_url: { value: 'https://x', secret: false },
        }),
      },
    });
    expect(JSON.parse((await run('config')).out)).toEqual({
      personal_access_token: '(secret)',
      server_url: 'https://x',
    });
    expect((await run('config', '--show-secrets')).out).toContain('canary');
  });
});

describe('sync sandbox', () => {
  it('prints one line of JSON when it listens, and ends cleanly on a signal', async () => {
    const told: unknown[] = [];
    let closed = false;
    const program = fakeProgram({
      host: {
        startSandbox: async (options) => {
          told.push(options);
          setImmediate(() => program.signal('SIGTERM'));
          return { url: 'http://127.0.0.1:9', port: 9, close: async () => void (closed = true) };
        },
      },
    });
    const { code, out } = await program.run(
      'sandbox',
      '--latency',
      '5',
      '--rate-limit',
      '600/min',
      '--data',
      'd',
      '--token',
      't',
    );
    expect([code, JSON.parse(out), closed]).toEqual([0, { url: 'http://127.0.0.1:9', pid: process.pid }, true]);
    expect(told).toEqual([
      { port: 0, host: '127.0.0.1', latencyMs: 5, rateLimit: 600, data: join(program.folder, 'd'), token: 't' },
    ]);
  });

  it('tells who sits before it what to type elsewhere', async () => {
    const program = fakeProgram({
      host: {
        outIsTerminal: true,
        startSandbox: async () => {
          setImmediate(() => program.signal('SIGINT'));
          return { url: 'http://127.0.0.1:9', port: 9, certificate: '/a b/c.pem', close: async () => undefined };
        },
      },
    });
    const { err } = await program.run('sandbox', '--token', 'hush');
    expect(err).toContain(
      "export PLATFORM_SERVER_URL=http://127.0.0.1:9 PLATFORM_TOKEN=… NODE_EXTRA_CA_CERTS='/a b/c.pem'",
    );
    expect(err).not.toContain('hush');
  });

  it('refuses a limit it cannot keep', async () => {
    expect((await fakeProgram().run('sandbox', '--rate-limit', '0')).code).toBe(64);
  });
});
