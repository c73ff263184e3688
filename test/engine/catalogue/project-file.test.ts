import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProjectConfig, type LoadedProject } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { scratchFolder, type Env } from './scratch-project.js';

interface Reading {
  readonly env?: Env;
  readonly stack?: string;
  readonly concurrency?: number;
}

function read(yaml: string, { env = {}, ...others }: Reading = {}): Promise<LoadedProject & { root: string }> {
  const root = scratchFolder({ 'sync.yaml': yaml });
  return loadProjectConfig(root, { env, packages: providerPackages, ...others }).then((loaded) => ({
    ...loaded,
    root,
  }));
}

const full = `
project: payments
catalogue: [apis/*.yaml]
providers:
  platform: {serverUrl: https://eu.example.com, personalAccessToken: !env TOKEN}
  cloud:
state: {path: state/here.db}
concurrency: 4
requestsPerMinute: 600
guards: {maxDeletes: 3, allow: [{guard: "delete:old", reason: moved to another team}]}
stacks:
  prod:
    providers: {platform: {serverUrl: https://us.example.com}}
    state: {backend: postgres, url: !env STATE_URL}
    guards: {maxDeletePercent: 5}
  empty:
  default:
`;
const env = { TOKEN: 'canary-token', STATE_URL: 'postgres://db/sync' };

describe('sync.yaml', () => {
  it('needs no more than a name', async () => {
    const { config, root, diagnostics } = await read('project: shop\n');
    expect(diagnostics).toEqual([]);
    expect(config).toEqual({
      root,
      project: 'shop',
      stack: 'default',
      catalogue: ['catalogue/**/*.{yaml,yml}'],
      providers: {},
      state: { backend: 'sqlite', path: path.join(root, '.sync/state.db') },
      concurrency: 16,
      timing: { leaseMs: 30_000, beatMs: 5_000, requestMs: 60_000, retries: 4, settleMs: 120_000 },
      guards: { maxDeletes: 10, maxDeletePercent: 20, allow: [] },
    });
  });

  it('is read with its environment', async () => {
    const { config, root } = await read(full, { env });
    expect(config).toEqual({
      root,
      project: 'payments',
      stack: 'default',
      catalogue: ['apis/*.yaml'],
      patternPlaces: new Map([
        ['apis/*.yaml', expect.objectContaining({ file: 'sync.yaml', line: 3, column: 13 }) as object],
      ]),
      providers: {
        platform: { serverUrl: 'https://eu.example.com', personalAccessToken: 'canary-token' },
        cloud: {},
      },
      state: { backend: 'sqlite', path: path.join(root, 'state/here.db') },
      concurrency: 4,
      timing: { leaseMs: 30_000, beatMs: 5_000, requestMs: 60_000, retries: 4, settleMs: 120_000 },
      requestsPerMinute: 600,
      guards: {
        maxDeletes: 3,
        maxDeletePercent: 20,
        allow: [{ guard: 'delete:old', reason: 'moved to another team' }],
      },
      variables: { 'providers.platform.personalAccessToken': 'TOKEN' },
    });
  });

  it('is overlaid by the chosen stack', async () => {
    const { config } = await read(full, { env, stack: 'prod' });
    expect(config).toMatchObject({
      stack: 'prod',
      providers: { platform: { serverUrl: 'https://us.example.com', personalAccessToken: 'canary-token' }, cloud: {} },
      state: { backend: 'postgres', url: 'postgres://db/sync' },
      guards: { maxDeletes: 3, maxDeletePercent: 5 },
      concurrency: 4,
    });
    expect(config?.state).not.toHaveProperty('path');
  });

  it.each<[Reading, string]>([
    [{}, 'default'],
    [{ env: { SYNC_STACK: 'prod' } }, 'prod'],
    [{ env: { SYNC_STACK: '' } }, 'default'],
    [{ env: { SYNC_STACK: 'prod' }, stack: 'empty' }, 'empty'],
    [{ stack: 'default' }, 'default'],
  ])('chooses the stack: %j → %s', async (reading, stack) => {
    const { config } = await read(full, { ...reading, env: { ...env, ...reading.env } });
    expect(config?.stack).toBe(stack);
  });

  it.each<[string, string, number[] | undefined]>([
    ['nothing', '', [30_000, 5_000, 60_000, 4]],
    ['all', '{leaseSeconds: 90, beatSeconds: 30, requestSeconds: 7, retries: 0}', [90_000, 30_000, 7_000, 0]],
    ['one', '{requestSeconds: 600}', [30_000, 5_000, 600_000, 4]],
    ['a lease that one late beat would end', '{leaseSeconds: 15, beatSeconds: 6}', undefined],
    ['a lease too short for the usual beat', '{leaseSeconds: 14}', undefined],
    ['no lease at all', '{leaseSeconds: 0}', undefined],
    ['less than a second', '{requestSeconds: 0.5}', undefined],
    ['a word', '{retries: often}', undefined],
    ['a name that is none', '{leaseSecond: 30}', undefined],
  ])('takes the times of leases and requests: %s', async (_what, timing, expected) => {
    const { config, diagnostics } = await read(`project: shop\n${timing && `timing: ${timing}\n`}`);
    if (expected === undefined) {
      expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
      return expect(diagnostics[0]?.place?.line).toBe(2);
    }
    const { leaseMs, beatMs, requestMs, retries } = config?.timing ?? {};
    expect([diagnostics, [leaseMs, beatMs, requestMs, retries]]).toEqual([[], expected]);
  });

  it('yields to a concurrency given elsewhere', async () => {
    expect((await read(full, { env, concurrency: 2 })).config?.concurrency).toBe(2);
  });

  it("misses only the chosen stack's variables", async () => {
    const withoutState = { TOKEN: 'x' };
    expect((await read(full, { env: withoutState })).diagnostics).toEqual([]);
    const { config, diagnostics } = await read(full, { env: withoutState, stack: 'prod' });
    expect(config).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'unset-variable', place: { line: 14 } }]);
  });

  it('takes settings away with !unset, at any depth, in the stack that says so', async () => {
    const settings = [
      'project: shop',
      'labels: exact',
      'concurrency: 4',
      'guards: {maxDeletes: 3, maxUpdatePercent: 50, allow: [{guard: emptyCatalogue, reason: test}]}',
      'stacks:',
      '  open: {labels: !unset, concurrency: !unset, guards: {maxUpdatePercent: !unset, allow: !unset}}',
      '  bare: {guards: !unset}',
      '  long: {guards: {maxDeletes: {fn::unset: null}}}',
      '  default:',
      '',
    ].join('\n');
    const of = async (stack: string) => {
      const { config, diagnostics } = await read(settings, { stack });
      expect(diagnostics).toEqual([]);
      return { guards: config?.guards, labels: config?.labels, concurrency: config?.concurrency };
    };
    const allow = [{ guard: 'emptyCatalogue', reason: 'test' }];
    const said = { guards: { maxDeletes: 3, maxDeletePercent: 20, maxUpdatePercent: 50, allow }, concurrency: 4 };
    expect(await of('default')).toMatchObject({ ...said, labels: { own: 'all' } });
    expect(await of('open')).toEqual({
      ...{ guards: { maxDeletes: 3, maxDeletePercent: 20, allow: [] }, concurrency: 16 },
      labels: undefined,
    });
    expect((await of('bare')).guards).toEqual({ maxDeletes: 10, maxDeletePercent: 20, allow: [] });
    expect((await of('long')).guards).toMatchObject({ maxDeletes: 10, maxUpdatePercent: 50 });
  });

  it.each([
    ['a day', '{guard: "delete:old", reason: x, until: 2030-01-31}', [{ until: '2030-01-31' }], []],
    ['a day in quotes', '{guard: maxDeletes, reason: x, until: "2028-02-29"}', [{ until: '2028-02-29' }], []],
    [
      'a day that does not exist',
      '{guard: maxDeletes, reason: x, until: 2030-02-30}',
      [],
      ['"2030-02-30" is not a date.'],
    ],
    ['no day', '{guard: maxDeletes, reason: x, until: next week}', [], ['"next week" is not a date.']],
    ['a guard that does not exist', '{guard: maxDelete, reason: x}', [], ['There is no guard "maxDelete".']],
  ])('guards are let go until a day: %s', async (_name, item, allow, summaries) => {
    const { config, diagnostics } = await read(`project: shop\nguards: {allow: [${item}]}\n`);
    expect(diagnostics.map(({ summary, code, place }) => [summary, code, place?.line])).toEqual(
      summaries.map((summary) => [summary, 'bad-setting', 2]),
    );
    if (summaries.length === 0) expect(config?.guards.allow).toMatchObject(allow);
    else expect(config).toBeUndefined();
  });

  it('finds mistakes in stacks that are not chosen', async () => {
    const { diagnostics } = await read('project: shop\nstacks:\n  prod: {guards: {maxDelete: 1}}\n  default:\n');
    expect(diagnostics).toMatchObject([{ code: 'unknown-key', place: { line: 3 } }]);
  });

  it('shows a bad token to nobody', async () => {
    const { diagnostics } = await read(`project: shop
providers:
  platform:
    personalAccesToken: canary-token
    systemAccountAccessToken: canary-token
    platformAccessToken: !secret canary-token
    serviceAccessToken: !file token.txt
state: {backend: postgres, url: "postgres://me:canary-token@host/db"}
`);
    expect(diagnostics.filter((d) => d.severity === 'error').map((d) => `${String(d.place?.line)} ${d.code}`)).toEqual([
      '4 unknown-key',
      '5 literal-secret',
      '6 literal-secret',
      '7 file-not-found',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('takes a token from nowhere but the environment', async () => {
    const root = scratchFolder({
      'sync.yaml': 'project: shop\nproviders: {platform: {personalAccessToken: !file token.txt}}\n',
      'token.txt': 'canary-token',
    });
    const { config, diagnostics } = await loadProjectConfig(root, { env: {}, packages: providerPackages });
    expect(config).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'literal-secret' }]);
  });

  it.each([
    ['an empty file', '', ['missing-setting']],
    ['a list', '- project\n', ['wrong-type', 'missing-setting']],
    ['two documents', 'project: shop\n---\nproject: two\n', ['wrong-type']],
    ['broken YAML', 'project: [shop\n', ['yaml-syntax']],
  ])('refuses %s', async (_name, yaml, codes) => {
    const { config, diagnostics } = await read(yaml);
    expect(config).toBeUndefined();
    expect(diagnostics.map((d) => d.code).sort()).toEqual([...codes].sort());
  });
});
