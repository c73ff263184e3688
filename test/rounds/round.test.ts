import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';
import { type RunningSandbox, startSandbox } from '@platform-sync/sandbox/server';
import { fakeProgram, type Recorder } from '../cli/fake-host.js';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(() => sandbox.close());

/** The real engine and providers against a fresh sandbox; only the terminal is made up. */
async function realProgram(): Promise<Recorder> {
  await fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' });
  const env = { PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'canary-token' };
  return fakeProgram({ host: { env, openProject, packages: async () => providerPackages } });
}

async function requests(): Promise<number> {
  const answer = (await (await fetch(`${sandbox.url}/_sandbox/requests`)).json()) as { total: number };
  return answer.total;
}

async function edit(path: string, patch: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}/_sandbox/objects/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(patch),
  });
  expect(answer.ok).toBe(true);
}

describe('apply --expect', () => {
  it('carries out the plan with that digest, and no other', async () => {
    const { run } = await realProgram();
    await run('init', '--project', 'hello');
    const { digest } = JSON.parse((await run('plan', '--format', 'json')).out) as { digest: string };
    expect((await run('apply', '--yes', '--expect', 'nonsense')).code).toBe(64);
    const other = digest.startsWith('0') ? `1${digest.slice(1)}` : `0${digest.slice(1)}`;
    const refused = await run('apply', '--yes', '--expect', other);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('unexpected-plan');
    expect((await run('state', 'list')).out).not.toContain('hello');
    expect((await run('apply', '--yes', '--expect', digest.slice(0, 12))).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});

describe('a whole round', () => {
  it('goes from nothing to an applied project, finds drift, and takes everything away', async () => {
    const { run, folder } = await realProgram();
    expect((await run('init', '--project', 'hello')).code).toBe(0);
    expect(await run('validate')).toMatchObject({ code: 0, out: 'Valid: 2 resources in 1 file.\n', err: '' });
    expect(await requests()).toBe(0);

    expect(await run('plan', '--detailed-exitcode', '--out', 'plan.json')).toMatchObject({
      code: 2,
      out: expect.stringContaining('Plan: 2 to create, 0 unchanged.'),
    });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Applied: 2 done, 0 failed, 0 skipped'),
    });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(5);

    const [api] = JSON.parse((await run('state', 'list', '--format', 'json')).out) as { id: string }[];
    await edit(`apis/${api?.id ?? ''}`, { description: 'by hand' });
    const drift = await run('plan', '--detailed-exitcode');
    expect(drift.code).toBe(2);
    expect(drift.out).toContain('"by hand" → "The first API of this catalogue."  # changed outside');
    expect((await run('refresh')).out).toContain('1 changed');

    writeFileSync(join(folder, 'catalogue/hello.md'), '# Guide\n\nSay goodbye.\n');
    expect((await run('plan')).out).toContain('    -Say hello.\n');

    expect((await run('destroy', '--yes')).code).toBe(0);
    expect((await run('state', 'list')).out).toBe('');
  });

  it('says in the words of the platform what failed, where in the file, and does the rest', async () => {
    const { run, folder } = await realProgram();
    await run('init', '--project', 'hello');
    await edit('apis/3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77', { name: 'Taken', version: '1' });
    const file =
      'resources:\n  taken:\n    type: platform:Api\n    properties: {name: Taken, version: "1"}\n    children:\n      page: {type: platform:ApiDocument, properties: {content: x}}\n';
    writeFileSync(join(folder, 'catalogue/taken.yaml'), file);
    // A look at the platform would have found the key taken, and held the plan back.
    expect((await run('plan')).code).toBe(4);
    const { code, out } = await run('apply', '--yes', '--refresh', 'none', '--report', 'result.json');
    expect(code).toBe(7);
    expect(out).toContain('Failed:\n  create taken in catalogue/taken.yaml:2:3');
    expect(out).toContain('Not begun:\n  taken/page: taken was not done');
    expect(out).toContain("sync adopt taken '3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77'");
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
      status: 'partly',
      exitCode: 7,
    });
    expect((await run('adopt', '--yes')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('reports all errors of a catalogue with place, line and hint', async () => {
    const { run, folder } = await realProgram();
    mkdirSync(join(folder, 'catalogue'));
    writeFileSync(join(folder, 'sync.yaml'), 'project: p\n');
    writeFileSync(
      join(folder, 'catalogue/a.yaml'),
      'resources:\n  a:\n    type: platform:Apy\n  b:\n    type: platform:Api\n    properties: {nmae: x}\n',
    );
    const { code, out } = await run('validate');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^catalogue\/a\.yaml:3:11 {2}unknown-type {2}.*\n {4}3 \| {5}type: platform:Apy\n {6}\| {11}\^+\n[^]*platform:Api\b/,
    );
    expect(out).toMatch(/\ncatalogue\/a\.yaml:6:18 {2}unknown-property {2}/);
    expect(out).toContain('\n2 errors\n');
  });

  it('never prints the token', async () => {
    const { run } = await realProgram();
    await run('init', '--project', 'hello');
    for (const argv of [
      ['config'],
      ['plan', '--log-level', 'debug'],
      ['plan', '--format', 'json'],
      ['apply', '--yes'],
      ['state', 'pull'],
    ]) {
      const { out, err } = await run(...argv);
      expect(out + err).not.toContain('canary-token');
    }
  });

  it('looks things up', async () => {
    const { run } = await realProgram();
    await run('init', '--project', 'hello');
    const { code, out } = await run('lookup', 'getTeamList');
    expect([code, Array.isArray((JSON.parse(out) as { datas: unknown }).datas)]).toEqual([0, true]);
    expect(await run('lookup', 'getPortal', 'filter.name.eq=no-such-portal')).toMatchObject({ code: 1, out: '' });
  });
});
