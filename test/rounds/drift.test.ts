import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { providerPackages } from '@platform-sync/sdk/registry';
import { type RunningSandbox, startSandbox } from '@platform-sync/sandbox/server';
import { driftResult, finding } from '../report/drift-builder.js';
import { plan } from '../report/plan-builder.js';
import { startReceiver, type Receiver } from '../notify/receiver.js';
import { fakeProgram, type Recorder } from '../cli/fake-host.js';

const notCompared: DriftResult['notCompared'] = [
  {
    ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
    firstSeen: '2030-05-02T03:00:00.000Z',
    diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
  },
];
const error = { severity: 'error', code: 'unset-variable', summary: 'NAME is not set.' } as const;

/** Name, result, code, code with --exit-zero. */
const cases: readonly (readonly [string, DriftResult, number, number])[] = [
  ['clean', driftResult(), 0, 0],
  ['drift', driftResult({ status: 'drift', findings: [finding()] }), 2, 0],
  ['incomplete', driftResult({ status: 'incomplete', notCompared }), 3, 3],
  ['both', driftResult({ status: 'incomplete', findings: [finding()], notCompared }), 3, 3],
  ['without any record', driftResult({ status: 'incomplete', compared: 0, unrecorded: 63 }), 3, 3],
  ['failed', driftResult({ status: 'failed', diagnostics: [error] }), 1, 1],
];
const formats = ['text', 'json', 'markdown', 'html'] as const;

const program = (result: DriftResult): Recorder => fakeProgram({ project: { drift: async () => result } });

describe('sync drift', () => {
  describe.each(cases)('when %s', (_name, result, code, lenient) => {
    it.each(formats)('prints all of it as %s, and the code says what it is', async (format) => {
      const { run } = program(result);
      const strict = await run('drift', '--format', format);
      const mild = await run('drift', '--format', format, '--exit-zero');
      expect([strict.code, mild.code]).toEqual([code, lenient]);
      expect(mild.out).toBe(strict.out);
      if (format === 'json') expect(JSON.parse(strict.out)).toEqual(result);
      for (const { address } of [...result.findings, ...result.notCompared]) expect(strict.out).toContain(address);
      for (const { summary } of result.diagnostics) expect(strict.out).toContain(summary);
    });

    it('writes all reports, each whole', async () => {
      const { run, folder } = program(result);
      await run('drift', '--report-dir', 'out/reports', '--metrics', 'm/sync.prom');
      const reports = ['drift.html', 'drift.json', 'drift.md', 'drift.prom'];
      expect(readdirSync(join(folder, 'out/reports')).sort()).toEqual(reports);
      expect(JSON.parse(readFileSync(join(folder, 'out/reports/drift.json'), 'utf8'))).toEqual(result);
      expect(readFileSync(join(folder, 'out/reports/drift.html'), 'utf8')).toBe(
        (await run('drift', '--format', 'html')).out,
      );
      const metrics = readFileSync(join(folder, 'm/sync.prom'), 'utf8');
      expect(metrics).toBe(readFileSync(join(folder, 'out/reports/drift.prom'), 'utf8'));
      expect(metrics).toContain('sync_last_success_timestamp_seconds');
    });
  });

  it('takes what is thrown for a failed check, and reports it like any other', async () => {
    const thrown = new StateStoreError('unreachable', 'the database db does not answer', 'Check the network.');
    const { run } = fakeProgram({ project: { drift: () => Promise.reject(thrown) } });
    const { code, out } = await run('drift', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'failed', diagnostics: [{ code: 'state-unreachable' }] });
  });

  it('reports a project that cannot be opened as a failed check', async () => {
    const { run } = fakeProgram({ openDiagnostics: [error] });
    const { code, out } = await run('drift', '--format', 'json', '--stack', 'prod');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed',
      stack: 'prod',
      diagnostics: [{ code: 'unset-variable' }],
    });
  });

  it('leaves the metrics of the last check to grow old when it knows nothing', async () => {
    const { lastSuccess: _none, ...blind } = driftResult({ status: 'failed', diagnostics: [error] });
    const { run, folder } = program(blind);
    writeFileSync(join(folder, 'sync.prom'), 'sync_last_success_timestamp_seconds 1\n');
    await run('drift', '--metrics', 'sync.prom');
    expect(readFileSync(join(folder, 'sync.prom'), 'utf8')).toBe('sync_last_success_timestamp_seconds 1\n');
  });

  it('says when a report cannot be written, after it has been printed', async () => {
    const { run, folder } = program(driftResult());
    mkdirSync(join(folder, 'taken'));
    const { code, out, err } = await run('drift', '--metrics', 'taken');
    expect(code).toBe(1);
    expect(out).toContain('No drift');
    expect(err).toContain('report-unwritable');
  });

  it.each([['http://example.com/hook'], ['ftp://example.com'], ['nonsense'], ['http://127.0.0.1.example.com']])(
    'refuses the webhook %s',
    async (url) => {
      const { run, calls } = program(driftResult());
      expect((await run('drift', '--webhook', url)).code).toBe(64);
      expect(calls).toEqual([]);
    },
  );
});

describe('sync drift and a webhook', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  beforeEach(() => receiver.reset());
  afterAll(() => receiver.close());

  const settings = { severity: {}, ignore: [], format: 'generic', unset: [] } as const;
  const withSettings = (drift: object, result: DriftResult): Recorder => {
    const recorder = program(result);
    const { openProject: open } = recorder.host;
    const host = {
      ...recorder.host,
      openProject: async (options: Parameters<typeof open>[0]) => {
        const opened = await open(options);
        const { project } = opened;
        if (project === undefined) return opened;
        return { ...opened, project: { ...project, config: { ...project.config, drift: { ...settings, ...drift } } } };
      },
    };
    return fakeProgram({ project: { drift: async () => result }, host: { openProject: host.openProject } });
  };
  const result = driftResult({ status: 'drift', findings: [finding()] });

  it('is told once it is named in sync.yaml, signed', async () => {
    const { run } = withSettings({ webhook: receiver.url, secret: 'canary-key' }, result);
    const { code, out, err } = await run('drift');
    expect([code, receiver.posts.length]).toEqual([2, 1]);
    expect(receiver.posts[0]?.headers['x-sync-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(out + err).not.toContain('canary-key');
  });

  it('that fails is a warning; the code is the check’s own', async () => {
    receiver.answer(404);
    const { run } = withSettings({ webhook: `${receiver.url}/canary-path` }, result);
    const { code, out, err } = await run('drift');
    expect(code).toBe(2);
    expect(err).toContain('webhook-failed');
    expect(out + err).not.toContain('canary-path');
  });

  it('whose variable is not set is a warning', async () => {
    const { run } = withSettings({ unset: ['drift.webhook'] }, result);
    const { code, err } = await run('drift');
    expect(code).toBe(2);
    expect(err).toContain('webhook-unset');
  });

  it('is told of a project that cannot even be opened', async () => {
    const { run } = fakeProgram({ openDiagnostics: [error] });
    expect((await run('drift', '--webhook', receiver.url)).code).toBe(1);
    expect(receiver.posts.map(({ body }) => body)).toMatchObject([
      { status: 'failed', problems: [{ code: error.code }] },
    ]);
  });
});

describe('the verbs', () => {
  it('are suggested for what is nearly one', async () => {
    const { run, calls } = fakeProgram();
    const { code, err } = await run('drift', 'revret', 'a');
    expect([code, calls]).toEqual([64, []]);
    expect(err).toContain('did you mean:\n        sync drift revert\n');
  });

  it('revert never writes without consent', async () => {
    const { run, calls } = fakeProgram();
    expect((await run('drift', 'revert', '1a2b3c4d5e')).code).toBe(64);
    expect(calls).toEqual([]);
  });

  it('revert applies the plan it was given for these findings', async () => {
    const { run, calls } = fakeProgram({ plan: plan({ steps: [] }) });
    await run('drift', 'revert', 'a', 'b', '--yes', '--allow', 'maxDeletes', '--reason', 'so');
    expect(calls[0]).toEqual(['revertDrift', [['a', 'b'], { allow: [{ guard: 'maxDeletes', reason: 'so' }] }]]);
    expect(calls.map(([name]) => name)).not.toContain('plan');
  });

  it.each([
    ['drift', 'revert', '--yes'],
    ['drift', 'accept'],
    ['drift', 'record'],
    ['drift', 'ignore', '--reason', 'x'],
    ['drift', 'ignore', 'a'],
    ['drift', 'ignore', 'a', '--reason', ' '],
    ['drift', 'ignore', 'a', '--reason', 'x', '--until', '2030-02-30'],
    ['drift', 'ignore', 'a', '--reason', 'x', '--until', 'soon'],
  ])('%s %s %s %s %s: nothing done, exit 64', async (...argv) => {
    const { run, calls } = fakeProgram();
    expect((await run(...argv)).code).toBe(64);
    expect(calls).toEqual([]);
  });

  it.each([
    [2, 0, 0],
    [1, 1, 7],
    [0, 1, 1],
  ])('accept of %i, with %i skipped: exit %i, and all are named', async (accepted, skipped, code) => {
    const names = (count: number, lead: string) =>
      Array.from({ length: count }, (_, at) => finding({ address: `${lead}${at}` }));
    const { run } = fakeProgram({
      project: {
        acceptDrift: async () => ({
          accepted: names(accepted, 'in'),
          skipped: names(skipped, 'out').map((found) => ({ finding: found, why: 'it is a secret' })),
          files: ['catalogue/a.yaml'],
          diagnostics: [],
        }),
      },
    });
    const done = await run('drift', 'accept', 'x');
    expect(done.code).toBe(code);
    expect(done.out.match(/^accepted in\d/gm) ?? []).toHaveLength(accepted);
    expect(done.out.match(/^skipped {2}out\d.*it is a secret/gm) ?? []).toHaveLength(skipped);
  });
});

describe('a whole round', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ quiet: true });
  });
  afterAll(() => sandbox.close());

  it('finds a click, ignores, reverts, accepts, and is clean again', async () => {
    const env = { PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'canary-token' };
    const { run, folder } = fakeProgram({ host: { env, openProject, packages: async () => providerPackages } });
    mkdirSync(join(folder, 'catalogue'));
    writeFileSync(join(folder, 'sync.yaml'), 'project: test\n');
    const file = join(folder, 'catalogue/pets.yaml');
    writeFileSync(file, 'resources:\n  pets:\n    type: platform:Api\n    properties: {version: "1"} # the first\n');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    const [pets] = JSON.parse((await run('state', 'list', '--format', 'json')).out) as { id: string }[];
    const click = async (version: string): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const url = `${sandbox.url}/_sandbox/objects/apis/${pets?.id ?? ''}`;
      expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ version }) })).ok).toBe(true);
    };

    await click('2');
    const found = await run('drift', '--format', 'json');
    expect(found.code).toBe(2);
    const [{ id } = { id: '' }] = (JSON.parse(found.out) as DriftResult).findings;
    expect((await run('drift', 'revert', id, '--yes')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);

    await click('3');
    expect((await run('drift', 'accept', 'pets.version')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('properties: {version: "3"} # the first\n');
    expect((await run('drift')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);

    await click('4');
    expect((await run('drift', 'ignore', 'pets.version', '--reason', 'ticket', '--until', '2999-12-31')).code).toBe(0);
    const ignored = await run('drift');
    expect(ignored.code).toBe(0);
    expect(ignored.out).toContain('Ignored by a rule:\n  pets.version until 2999-12-31: ticket');
    expect((await run('drift', 'record', 'nothing')).code).toBe(1);
    expect(ignored.out + ignored.err).not.toContain('canary');
  });
});
