import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { inProcessSync, type InProcessSync } from '../docs/in-process-sync.js';

let sandbox: RunningSandbox;
let program: InProcessSync;
let place: string;

beforeAll(async () => {
  [sandbox, program] = await Promise.all([startSandbox({ quiet: true }), inProcessSync()]);
});
afterAll(async () => {
  await sandbox.close();
  await program.close();
});
// A project in a folder whose name needs quotes, with two objects and a change behind its back.
beforeEach(async () => {
  await fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' });
  place = mkdtempSync(join(tmpdir(), 'sync-typed-'));
  mkdirSync(join(place, 'my shop/catalogue'), { recursive: true });
  writeFileSync(join(place, 'my shop/sync.yaml'), 'project: shop\nstacks: { default: {}, dev: {} }\n');
  writeFileSync(
    join(place, 'my shop/catalogue/all.yaml'),
    'resources:\n  petstore: { type: platform:Api, properties: { description: Pets } }\n  other: { type: platform:Api }\n',
  );
  return () => rmSync(place, { recursive: true, force: true });
});

/** Types a line into a shell, outside of the project's folder. */
function type(line: string): Promise<{ readonly code: number; readonly text: string }> {
  const env = {
    ...{ PATH: `${program.path}:${process.env['PATH'] ?? ''}`, HOME: place },
    ...{ PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 'any' },
  };
  return new Promise((ended) => {
    execFile('bash', ['-c', line], { cwd: place, env }, (error, out, err) =>
      ended({ code: typeof error?.code === 'number' ? error.code : 0, text: out + err }),
    );
  });
}

const here = "-C 'my shop' --stack dev";

/** The commands that are printed for the next steps, each on a line of its own. */
function commandsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => /^ *(sync .*)$/.exec(line)?.[1] ?? []);
}

/** The last of them. */
function next(text: string): string {
  return commandsOf(text).at(-1) ?? `exit 99 # nothing in ${text}`;
}

describe('the next step, typed as it is printed', () => {
  it.each([
    ['', /Applied: 2 done/],
    ['--concurrency 2', /Applied: 2 done/],
    ['--target petstore', /Applied: 1 done[^]*created petstore/],
    ['--exclude petstore', /Applied: 1 done[^]*created other/],
    ['--refresh full', /Applied: 2 done/],
    ['--out "the plan.json"', /Applied: 2 done/],
    ['--target other --report-dir out', /Applied: 1 done[^]*created other/],
  ])('after sync plan %s', async (flags, expected) => {
    const planned = await type(`sync plan ${here} ${flags}`);
    expect(planned.code).toBe(0);
    expect(await type(next(planned.text))).toEqual({ code: 0, text: expect.stringMatching(expected) });
    // It was the project, and the stack, that was meant.
    expect((await type(`sync state list ${here}`)).text).toMatch(/other|petstore/);
    expect((await type("sync state list -C 'my shop'")).text).toBe('');
  });

  it('after plans that replace, and that delete everything', async () => {
    await type(`sync apply ${here} --yes`);
    const replaced = await type(`sync plan ${here} --replace petstore`);
    expect((await type(next(replaced.text))).text).toContain('Applied: 1 done');
    const gone = await type(`sync plan ${here} --destroy`);
    expect(await type(next(gone.text))).toEqual({ code: 0, text: expect.stringContaining('2 done, 0 failed') });
    expect((await type(`sync state list ${here}`)).text).toBe('');
  });

  it('after a plan that a guard blocks, with the reason of the one who types', async () => {
    await type(`sync apply ${here} --yes`);
    writeFileSync(join(place, 'my shop/catalogue/all.yaml'), 'resources: {}\n');
    const blocked = await type(`sync plan ${here} --out plan.json`);
    expect(blocked.code).toBe(4);
    const words = /repeat the command with:\n +(.*)/.exec(blocked.text)?.[1] ?? '';
    const allowed = await type(`sync plan ${here} --out plan.json ${words}`);
    expect(allowed.code).toBe(0);
    expect((await type(next(allowed.text))).text).toContain('2 done, 0 failed');
  });

  it('after an apply that was partly done, when its cause is gone', async () => {
    const taken = JSON.stringify({ name: 'petstore', version: null });
    const headers = { 'content-type': 'application/json' };
    const path = `${sandbox.url}/_sandbox/objects/apis/3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77`;
    await fetch(path, { method: 'POST', headers, body: taken });
    const partly = await type(`sync apply ${here} --yes --refresh none`);
    expect(partly.code).toBe(7);
    const gone = await fetch(`${sandbox.url}/v3/apis/3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer any' },
    });
    expect(gone.ok).toBe(true);
    expect(await type(next(partly.text))).toEqual({ code: 0, text: expect.stringContaining('Applied: 1 done') });
  });

  it('after a create whose key is taken: the import that is offered, and the plan after that', async () => {
    const id = '3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77';
    const body = JSON.stringify({ name: 'petstore', version: null });
    await fetch(`${sandbox.url}/_sandbox/objects/apis/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const partly = await type(`sync apply ${here} --yes --refresh none`);
    const offered = /sync [^\n]*adopt petstore '?[0-9a-f-]+'?/.exec(partly.text)?.[0] ?? 'exit 99';
    const imported = await type(offered);
    expect([imported.code, imported.text]).toEqual([0, expect.stringContaining(`Adopted petstore (id ${id})`)]);
    expect((await type(next(imported.text))).code).toBe(0);
  });

  it('after init and export', async () => {
    const made = await type('mkdir fresh && sync init -C fresh');
    const [first = '', second = ''] = commandsOf(made.text);
    expect([(await type(first)).code, (await type(second)).code]).toEqual([0, 0]);
    await type(`sync apply ${here} --yes`);
    const exported = await type("mkdir found && cp 'my shop/sync.yaml' found && sync export -C found");
    const steps = commandsOf(exported.text).slice(0, 3);
    expect(steps).toHaveLength(3);
    for (const step of steps) expect([step, (await type(step)).code]).toEqual([step, 0]);
    expect((await type(`${steps.at(-1) ?? ''} --detailed-exitcode`)).code).toBe(0);
  });

  it.each(['revert', 'accept', 'record', 'ignore'])('after a drift check: %s', async (verb) => {
    await type(`sync apply ${here} --yes`);
    const listed = await type(`sync state list ${here} --format json`);
    const api = (JSON.parse(listed.text) as { address: string; id: string }[]).find(
      (each) => each.address === 'petstore',
    );
    await fetch(`${sandbox.url}/_sandbox/objects/apis/${api?.id ?? ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"description":"by hand"}',
    });
    const found = await type(`sync drift ${here}`);
    expect(found.code).toBe(2);
    const offered = /sync [^\n]*drift revert\|accept\|record\|ignore \w+/.exec(found.text)?.[0] ?? 'exit 99';
    const line =
      offered.replace('revert|accept|record|ignore', verb) + (verb === 'ignore' ? ' --reason "ticket 42"' : '');
    expect([line, (await type(line)).code]).toEqual([line, 0]);
    expect((await type(`sync drift ${here} --format json`)).code).toBe(0);
  });
});
