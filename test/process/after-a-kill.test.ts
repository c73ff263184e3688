import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '@platform-sync/state/sqlite-driver';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { buildProgram } from '../ci/recipe.js';

const objects = 12;
const program = buildProgram();

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(sandbox.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

function start(argv: readonly string[], out: number): ReturnType<typeof spawn> {
  const env = { ...process.env, PLATFORM_SERVER_URL: sandbox.url, PLATFORM_TOKEN: 't', SYNC_DEBUG: '', NO_COLOR: '1' };
  // Both outputs into one file: what stands first was said first.
  return spawn(process.execPath, [program(), ...argv], { cwd: folder, env, stdio: ['ignore', out, out] });
}

async function run(...argv: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const file = join(folder, 'said');
  const out = openSync(file, 'w');
  const [code] = (await once(start(argv, out), 'close')) as [number];
  closeSync(out);
  return { code, said: readFileSync(file, 'utf8') };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sync-killed-'));
  const apis = Array.from(
    { length: objects },
    (_, at) => `  api-${at}: {type: platform:Api, properties: {version: "1"}}\n`,
  );
  mkdirSync(join(folder, 'catalogue'));
  writeFileSync(
    join(folder, 'sync.yaml'),
    'project: killed\nconcurrency: 2\ntiming: {leaseSeconds: 10, beatSeconds: 3}\n',
  );
  writeFileSync(join(folder, 'catalogue/a.yaml'), `resources:\n${apis.join('')}`);
  await call('POST', '/_sandbox/reset');
  await killHalfWay();
  return () => rmSync(folder, { recursive: true, force: true });
});

/** Some objects are there; the answers of others never come. */
async function killHalfWay(): Promise<void> {
  const rule = { match: { method: 'POST' }, action: { delayMs: 600_000, when: 'after-commit' } };
  await call(
    'PUT',
    '/_sandbox/faults',
    Array.from({ length: 20 }, (_, nth) => ({ ...rule, nth: nth + 4 })),
  );
  const out = openSync(join(folder, 'killed'), 'w');
  const child = start(['apply', '--yes'], out);
  const struck = async (): Promise<number> =>
    ((await call('GET', '/_sandbox/faults')) as { rules: { struck: number }[] }).rules.reduce(
      (sum, each) => sum + each.struck,
      0,
    );
  await expect.poll(struck, { timeout: 60_000 }).toBe(2);
  child.kill('SIGKILL');
  await once(child, 'close');
  closeSync(out);
  await call('PUT', '/_sandbox/faults', []);
}

/** The dead run was one of another machine: nothing here proves that it is gone. */
function asOfAnotherMachine(): void {
  const db = openConnection(join(folder, '.sync/state.db'), 0);
  db.prepare('update sync_stacks set lease_process = null').run([]);
  db.close();
}

const planned = /[+~-] create|to create|platform:Api|api-\d+/;
const held = /stack is locked by \S+.* for apply|stack is locked by \S+.*\(apply\)/;

/** Where it is said who holds the stack, and where the first thing of the half-done state. */
function order(said: string): { readonly isHeldFirst: boolean } {
  const [who, what] = [said.search(held), said.search(planned)];
  return { isHeldFirst: who >= 0 && (what < 0 || who < what) };
}

async function existing(): Promise<number> {
  return ((await call('GET', '/_sandbox/objects')) as { apis: unknown[] }).apis.length;
}

describe('after a kill, whoever looks at the half-done state hears first who holds the stack', () => {
  it('a plan on the same machine: who died, and that an apply takes over; then what is left to do', async () => {
    const { code, said } = await run('plan');
    const dead = said.search(/The run of \S+ pid \d+ \(apply\), which began at \S+, died on this machine/);
    expect([code, dead >= 0, dead < said.search(planned), held.test(said)]).toEqual([0, true, true, false]);
    expect(said).toContain('the next apply takes the stack over at once');
    expect(said).toContain(`${objects - 5} to create`);
  });

  it('a plan on another machine: then what is left to do', async () => {
    asOfAnotherMachine();
    const { code, said } = await run('plan');
    expect([code, order(said)]).toEqual([0, { isHeldFirst: true }]);
    expect(said).toMatch(planned);
    expect(said).toContain(`${objects - 5} to create`);
  });

  it('an apply on another machine: and nothing else, since it cannot be known that the run is dead', async () => {
    asOfAnotherMachine();
    const { code, said } = await run('apply', '--yes');
    expect([code, order(said)]).toEqual([1, { isHeldFirst: true }]);
    expect(said).not.toMatch(planned);
    expect(said).toContain('--lock-timeout');
  });

  it('an apply that may wait: it plans when the stack is its own, and what it planned it does', async () => {
    asOfAnotherMachine();
    const { code, said } = await run('apply', '--yes', '--lock-timeout', '60s');
    expect([code, order(said), await existing()]).toEqual([0, { isHeldFirst: true }, objects]);
    expect(said).toContain(`Applied: ${objects - 5} done, 0 failed, 0 skipped`);
  });

  it('an apply on the same machine, where the process is seen to be gone: nobody holds it, and the rest is done', async () => {
    const { code, said } = await run('apply', '--yes');
    expect([code, await existing()]).toEqual([0, objects]);
    expect(said).not.toMatch(held);
    expect(said).toContain(`Applied: ${objects - 5} done, 0 failed, 0 skipped`);
    expect(said).toMatch(/settled/);
  });
});
