import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenOptions, PlanOptions, PlanResult } from '@platform-sync/engine/api';
import type { Json } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';

/**
 * What state alone makes certain is asked for while the catalogue is still being read: in as many files that the platform, which
 * shares the turns of this process, has long been asked before the last of them says what is wrong.
 */
const files = 400;
const apis = 3;
/** The list of APIs and one of documents for each. */
const lists = 1 + apis;

const fine = { files: 1, isBroken: false };
const broken = { files, isBroken: true };

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  await write(fine);
  await world.apply();
  await world.resetRequests();
  world.events.length = 0;
});
afterEach(() => world.close());

async function write({ files: count, isBroken }: typeof fine, settings = ''): Promise<void> {
  const api = (at: number): Json => ({
    type: 'platform:Api',
    properties: { name: `API ${at}` },
    children: { page: { type: 'platform:ApiDocument', properties: { title: 'Page', content: 'text' } } },
  });
  const resources = Object.fromEntries(Array.from({ length: apis }, (_, at) => [`api${at}`, api(at)]));
  const variables = Array.from({ length: count }, (_, at): [string, string] => [
    `catalogue/v${String(at).padStart(4, '0')}.yaml`,
    `variables: {v${at}: text}\n`,
  ]);
  await world.write({
    'sync.yaml': `project: test\n${settings}`,
    ...Object.fromEntries(variables),
    'catalogue/all.yaml': { resources },
    ...(isBroken ? { 'catalogue/zzz.yaml': 'resources: {bad: {type: "platform:Nothing"}}\n' } : {}),
  });
}

const faulty = (action: Json): Promise<unknown> =>
  world.call('PUT', '/_sandbox/faults', [{ match: { route: '/v3/**' }, action }]);

/** What a plan says, and what was asked for it. */
async function planned(
  options: PlanOptions = {},
  open: Partial<OpenOptions> = {},
): Promise<PlanResult & { readonly asked: Readonly<Record<string, number>>; readonly total: number }> {
  const result = await world.open((project) => project.plan(options), open);
  const { byRoute, total } = await world.requests();
  return { ...result, asked: byRoute, total };
}

const codes = ({ diagnostics }: PlanResult): readonly string[] => diagnostics.map(({ code }) => code);

describe('reads that state alone makes certain', () => {
  it('are part of what a plan reads anyway: not one more', async () => {
    await write({ files, isBroken: false });
    const { plan, total } = await planned();
    expect(plan?.steps).toEqual([]);
    expect(total).toBe(lists);
    expect(plan?.meta.requests).toBe(lists);
  });

  it('begin before the catalogue is read: one with errors has cost the first page of lists, and no more', async () => {
    await write(broken);
    const result = await planned();
    expect(codes(result)).toEqual(['unknown-type']);
    expect(result.total).toBeGreaterThan(0);
    expect(result.total).toBeLessThanOrEqual(lists);
    expect(Math.max(...Object.values(result.asked))).toBeLessThanOrEqual(apis);
    expect(Object.keys(result.asked).every((route) => route.startsWith('GET '))).toBe(true);
    expect(world.events).toEqual([]);
  });

  it('a drift check with a broken catalogue says what is wrong with it, and nothing else', async () => {
    await write(broken);
    const result = await world.open((project) => project.drift());
    expect(result.status).toBe('failed');
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['unknown-type']);
  });

  const never: readonly (readonly [string, PlanOptions])[] = [
    ['a target', { targets: ['api1'] }],
    ['something left out', { excludes: ['api1'] }],
    ['a replacement', { replace: ['api1'] }],
    ['something sent again', { resend: ['api1'] }],
    ['no refresh', { refresh: 'none' }],
    ['a base', { base: { folder: '/nowhere' } }],
  ];
  it.each(never)('are not made for a broken catalogue with %s', async (_, options) => {
    await write(broken);
    expect((await planned(options)).total).toBe(0);
  });

  it('are not made where nothing is recorded, for validate, or for a project that is broken', async () => {
    await write(broken);
    await world.open((project) => project.validate());
    await writeFile(join(world.folder, 'sync.yaml'), 'project: test\nnonsense: 1\n');
    await expect(world.plan()).rejects.toThrow('nonsense');
    await write(broken);
    world.loseState();
    expect((await planned()).total).toBe(0);
  });

  it('make no state for a broken catalogue', async () => {
    await write(broken);
    const result = await world.open((project) => project.plan(), { openState: undefined } as never);
    expect(codes(result)).toEqual(['unknown-type']);
    expect(existsSync(join(world.folder, '.sync'))).toBe(false);
  });

  it('wait for the trust check: an address that nobody allows gets nothing, and that is told as ever', async () => {
    await write(broken, 'providers: {platform: {serverUrl: "http://127.0.0.1:9/elsewhere"}}\n');
    const env = { PLATFORM_TOKEN: 'test-token' };
    expect(codes(await planned({}, { env }))).toEqual(['unknown-type']);
    await write({ files, isBroken: false }, 'providers: {platform: {serverUrl: "http://127.0.0.1:9/elsewhere"}}\n');
    const refused = await planned({}, { env });
    expect(refused.plan).toBeUndefined();
    expect(refused.total).toBe(0);
  });

  it('without a token: told once the catalogue is fine, not beside what is wrong with it', async () => {
    const env = { PLATFORM_SERVER_URL: world.sandbox.url };
    await write(broken);
    expect(codes(await planned({}, { env }))).toEqual(['unknown-type']);
    await write(fine);
    expect(codes(await planned({}, { env }))).toEqual(['missing-token']);
  });

  const troubles: readonly (readonly [string, Json])[] = [
    ['refuses the token', { status: 401 }],
    ['asks to slow down', { status: 429, retryAfter: 600 }],
    ['is out of order', { status: 503, retryAfter: 600 }],
    ['cuts every connection', { reset: 'before' }],
    ['never answers', { delayMs: 600_000 }],
  ];
  it.each(troubles)('a platform that %s is no part of what is said of a broken catalogue', async (_, action) => {
    await write(broken);
    await faulty(action);
    const result = await planned();
    expect(codes(result)).toEqual(['unknown-type']);
    expect(world.events).toEqual([]);
  });

  it('a refused token is told as it is without a head start, once', async () => {
    await faulty({ status: 401 });
    const ahead = await planned();
    // The catalogue is there before the plan: nothing is asked ahead.
    const after = await world.open(async (project) => {
      await project.validate();
      return project.plan();
    });
    expect(ahead.plan).toBeUndefined();
    const untraced = ({ diagnostics }: PlanResult): readonly Json[] =>
      // Of lists that are asked for at once, any may be the first that is refused.
      diagnostics.map(({ code, summary, hint = null }) => ({ code, summary: summary.replace(/\S+: /, ''), hint }));
    expect(untraced(after)).toHaveLength(1);
    expect(untraced(ahead)).toEqual(untraced(after));
    expect(ahead.total).toBeLessThanOrEqual(lists);
  });

  it('waits are told when it is known that there will be a plan', async () => {
    await write({ files, isBroken: false });
    await world.call('PUT', '/_sandbox/faults', [
      { match: { route: '/v3/apis' }, times: 1, action: { status: 429, retryAfter: 1 } },
    ]);
    const { plan, total } = await planned();
    expect(plan?.steps).toEqual([]);
    expect(total).toBe(lists + 1);
    expect(world.events.map(({ type }) => type)).toContain('waiting');
  });

  it('what is read twice is asked for twice: an object that a list lacks is proven gone by another answer', async () => {
    const { body } = await world.call('GET', '/v3/apis');
    const [first] = (body as { data: { id: string }[] }).data;
    await world.call('DELETE', `/v3/apis/${first?.id ?? ''}`);
    await world.resetRequests();
    const { asked } = await planned();
    expect(asked['GET /v3/apis']).toBe(1);
    expect(asked['GET /v3/apis/{apiId}']).toBe(1);
  });
});
