import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { controlOf } from './control.js';
import { hostOfSources, type Members } from './engine.js';
import { asScript, emptied, everyField, spareService } from './every-field.js';
import type { Op, Step } from './stand-in/deployment.js';
import { counts, Stack } from './stand-in/stack.js';

const asSecretMark = '1b47061264138c4ac30d75fd1eb44270';
const page = fileURLToPath(new URL('../../docs/guides/pulumi-typescript.md', import.meta.url));

let sandbox: RunningSandbox;
const { control, stored, requests } = controlOf(() => sandbox.url);
let stack: Stack;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(() => control('POST', '/_sandbox/reset'));
afterEach(async () => {
  await control('DELETE', '/_sandbox/faults');
  await stack.close();
});
afterAll(() => sandbox.close());

/** A program in JavaScript: what is declared is given as the SDK's classes take it. */
const script = (lines: string): string =>
  `const pulumi = require('@pulumi/pulumi');\nconst platform = require('pulumi-platform');\nconst cloud = require('pulumi-cloud');\n${lines}`;

async function made(lines: string, config: Readonly<Record<string, Members>> = {}): Promise<void> {
  stack = await Stack.make(sandbox.url, { 'index.js': script(lines) }, config);
}

const write = (lines: string): Promise<void> => stack.program.write({ 'index.js': script(lines) });

describe('the program in TypeScript of the page, as it stands there', () => {
  it('is previewed, made, unchanged, repaired after an edit by hand, and gone', async () => {
    const text = /```ts\n([^]*?)```/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
    stack = await Stack.make(sandbox.url, {
      'index.ts': text,
      'package.json': '{ "name": "shop", "main": "index.ts" }',
    });
    const preview = await stack.preview();
    expect([preview.failures, counts(preview)]).toEqual([[], { create: 3 }]);
    expect(await stored('apis')).toEqual([]);
    const up = await stack.up();
    expect([up.failures, counts(up)]).toEqual([[], { create: 3 }]);
    const [api] = await stored('apis');
    expect(up.outputs).toMatchObject({ id: api?.['id'], count: expect.any(Number) as number });
    expect(JSON.stringify(up.outputs['server'])).toContain(sandbox.url);
    expect(stack.checkpoint.export()).not.toContain('test-token');
    expect(counts(await stack.preview())).toEqual({ same: 3 });
    expect(counts(await stack.up())).toEqual({ same: 3 });
    await control('POST', `/_sandbox/objects/apis/${String(api?.['id'])}`, { version: 'by-hand' });
    expect(await stack.refresh()).toEqual({ gone: [], moved: ['petstore'] });
    expect(counts(await stack.up())).toEqual({ same: 2, update: 1 });
    expect(await stored('apis')).toMatchObject([{ version: '1.4.0' }]);
    expect(counts(await stack.destroy())).toEqual({ delete: 3 });
    expect(await stored('apis')).toEqual([]);
  });
});

describe('every type', () => {
  it(
    'inputs edited, each in a resource of its own: updated or replaced as the planner would',
    async () => {
      const { before, after, expected } = everyField();
      await control('POST', `/_sandbox/objects/cloud-services/${spareService}`, emptied);
      await made(asScript(before));
      const first = await stack.up();
      expect([first.failures, counts(first)]).toEqual([[], { create: before.length }]);
      const ids = new Map([...expected.keys()].map((name) => [name, stack.checkpoint.at(name).id]));
      expect(counts(await stack.up())).toEqual({ same: before.length });
      await write(asScript(after));
      const shown = await stack.preview();
      expect(shown.failures).toEqual([]);
      const second = await stack.up();
      expect(second.failures).toEqual([]);
      for (const { steps } of [shown, second]) expect(done(steps, expected)).toEqual(Object.fromEntries(expected));
      for (const [name, action] of expected)
        if (action === 'update') expect([name, stack.checkpoint.at(name).id]).toEqual([name, ids.get(name)]);
      expect(counts(await stack.up())).toEqual({ same: after.length });
      expect(await stack.refresh()).toEqual({ gone: [], moved: [] });
      expect(counts(await stack.destroy())).toEqual({ delete: after.length });
    },
    15 * 60_000,
  );
});

/** APIs with a page each, and a product each: with a unique key, below a marked object, and marked alone. */
const shop = (count: number): string => `for (let at = 0; at < ${String(count)}; at += 1) {
  const api = new platform.Api('api' + at, { name: 'K' + at, version: '1', labels: { nth: String(at) } });
  new platform.ApiDocument('page' + at, { apiId: api.id, title: 'D' + at, content: 'c' });
  new platform.ApiProduct('product' + at, { name: 'P' + at, portalIds: [] });
}`;
const collections = ['apis', 'documents', 'products'] as const;
const sizes = (): Promise<readonly number[]> =>
  Promise.all(collections.map(async (name) => (await stored(name)).length));

describe('what programs can do', () => {
  const canary = 'canary-0123456789abcdef';

  it('no secret stands in clear in the checkpoint or in what is said, after any command, nested ones neither', async () => {
    const program = (title: string): string => `const secret = pulumi.secret;
const api = new platform.Api('pets', {
  name: secret('${canary} name'), description: pulumi.interpolate\`\${secret('${canary}-text')}!\`,
  labels: { team: secret('${canary}-nested'), open: 'a' }, attributes: secret(JSON.stringify({ a: ['${canary}-map'] })),
});
new platform.ApiDocument('guide', { apiId: api.id, title: secret('${canary} ${title}'), content: secret('${canary}') });
const portal = new platform.Portal('docs', { name: 'Docs' });
new platform.PortalAuth('auth', { portalId: portal.id, oidcAuthEnabled: true, oidcIssuer: 'https://id.example.com',
  oidcClientId: 'portal', oidcClientSecret: '${canary}-plain' });
const own = new platform.Provider('own', { personalAccessToken: '${canary}-token' });
new platform.ApiProduct('box', { name: 'Box', portalIds: [], labels: { a: secret('${canary}-label') } }, { provider: own });
exports.slug = api.slug;
exports.teams = platform.getTeamListOutput({ filter: { name: { contains: secret('${canary}-asked') } } });
exports.method = own.terraformConfig();`;
    await made(program('one'), { platform: { personalAccessToken: `${canary}-config` } });
    const clean = (after: string, text = ''): void => {
      expect(stack.checkpoint.export() + text, after).not.toContain(canary);
    };
    const shown = await stack.preview();
    expect(shown.failures).toEqual([]);
    const up = await stack.up();
    expect([up.failures, counts(up)['create']]).toEqual([[], 6]);
    clean('up', shown.said + up.said);
    for (const value of Object.values(up.outputs)) expect(JSON.stringify(value)).toContain(asSecretMark);
    const [api] = await stored('apis');
    expect(JSON.stringify(api)).toContain(canary);
    await control('POST', `/_sandbox/objects/apis/${String(api?.['id'])}`, { description: `${canary}-moved` });
    expect((await stack.refresh()).moved).toEqual(['pets']);
    clean('refresh');
    await write(program('two'));
    const changed = await stack.up();
    expect([changed.failures, counts(changed)['update']]).toEqual([[], 2]);
    clean('a change', changed.said);
    await control('PUT', '/_sandbox/faults', [
      { match: { method: 'DELETE', route: '/v3/apis/{apiId}' }, action: { status: 409 }, times: 1 },
    ] as Json);
    const stuck = await stack.destroy();
    expect(stuck.failures).toHaveLength(1);
    clean('a destroy that failed', stuck.failures.join());
    expect((await stack.destroy()).failures).toEqual([]);
    clean('destroy');
  });

  it('what is secret on the platform is marked after an import as well', async () => {
    await made('');
    const headers = { authorization: 'Bearer by-hand', 'content-type': 'application/json' };
    const post = async (path: string, body: Json): Promise<string> => {
      const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { readonly id: string }).id;
    };
    const portal = await post('/v3/portals', { name: 'Docs' });
    await stack.import('platform:index/portalAuth:PortalAuth', 'auth', portal);
    const fields = (await hostOfSources('platform', {})).session.loaded.types.get(
      'platform:index/portalAuth:PortalAuth',
    )?.fields;
    const { inputs, outputs } = stack.checkpoint.at('auth');
    for (const [name, value] of Object.entries({ ...inputs, ...outputs }))
      if (fields?.[name]?.secret === true)
        expect([name, JSON.stringify(value)]).toEqual([name, expect.stringContaining(asSecretMark)]);
    expect(Object.keys(outputs).length).toBeGreaterThan(3);
  });

  it('what is not known yet, get, import, ignoreChanges, deletes first, null', async () => {
    await made(`const api = new platform.Api('pets', { name: 'Pets', version: '1' });
const same = platform.Api.get('same', api.id);
new platform.ApiDocument('guide', { apiId: same.id, title: pulumi.interpolate\`Of \${api.createdAt}\`, content: api.slug });
new platform.ApiPublication('public', { apiId: api.id, portalId: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c02', authStrategyIds: null });
exports.slug = same.slug;`);
    const up = await stack.up();
    expect([up.failures, counts(up), up.outputs['slug']]).toEqual([[], { create: 3, read: 1 }, 'pets-1']);
    expect(stack.checkpoint.at('public').outputs['authStrategyIds']).toBeNull();
    expect((await stored('publications'))[0]?.['auth_strategy_ids']).toBeNull();
    const id = stack.checkpoint.at('pets').id;
    await write(`const api = new platform.Api('pets', { name: 'Pets', version: '2', description: 'x' }, { ignoreChanges: ['version'] });
new platform.ApiDocument('guide', { apiId: api.id, title: 'T', content: 'c' });`);
    expect(counts(await stack.up())).toEqual({ update: 2, delete: 1 });
    expect(await stored('apis')).toMatchObject([{ version: '1', description: 'x' }]);
    await write(`const specContent = '{"openapi":"3.0.0","info":{"title":"P","version":"1"},"paths":{}}';
const api = new platform.Api('pets', { name: 'Pets', version: '1', specContent });
new platform.ApiDocument('guide', { apiId: api.id, title: 'T', content: 'c' });`);
    const replaced = await stack.up();
    expect([replaced.failures, counts(replaced)]).toEqual([[], { delete: 2, replace: 2 }]);
    expect(stack.checkpoint.at('pets').id).not.toBe(id);
    const now = stack.checkpoint.at('pets').id;
    stack.checkpoint.resources.clear();
    await write(`new platform.Api('mine', { name: 'Pets', version: '3' }, { import: '${now}' });`);
    expect(counts(await stack.up())).toEqual({ import: 1 });
    expect(await stored('apis')).toMatchObject([{ id: now, version: '3' }]);
  });

  it.each<[string, string, RegExp]>([
    ['a field that there is not', `new platform.Api('a', { name: 'a', labels: { _x: 'y' } })`, /labels\["_x"\]/],
    ['an asset', `new platform.Api('a', { name: new pulumi.asset.StringAsset('x') })`, /no values here/],
    ['a type that there is not', `new pulumi.CustomResource('platform:index/nope:Nope', 'a', {})`, /no resource type/],
    [
      'a lookup of nothing',
      `platform.getTeamOutput({ filter: { name: { eq: 'nobody' } } }).id.apply(String)`,
      /nobody|no team/i,
    ],
    ['an id that is none', `platform.ApiDocument.get('a', 'x')`, /not an id of/],
    ['a place of another kind', `new platform.ApiDocument('a', { apiId: 'x', content: 'c' })`, /apiId/],
    [
      'a setting that there is not',
      `new platform.Provider('p', { serverUrl: 'no url' }).id.apply(String); new platform.Api('a', { name: 'a' }, { provider: new platform.Provider('q', { serverUrl: 'no url' }) })`,
      /serverUrl|URL|address/,
    ],
  ])('%s ends the update with a sentence, and leaves nothing', async (_name, lines, expected) => {
    await made(lines);
    const { failures, said } = await stack.up();
    const text = failures.join('\n') + said;
    expect(failures.length).toBeGreaterThan(0);
    expect(text).toMatch(expected);
    expect(text).not.toContain('Internal error');
    expect(await sizes()).toEqual([0, 0, 0]);
  });
});

describe('an update that is cut off', () => {
  it('by cancellation: what was sent is kept, nothing new is begun, the next one makes the rest', async () => {
    await made(shop(20));
    const rule = { match: { method: 'POST', route: '/v2/api-products' }, action: { delayMs: 700 } };
    await control('PUT', '/_sandbox/faults', [rule] as Json);
    const running = stack.up();
    await expect.poll(async () => JSON.stringify(await control('GET', '/_sandbox/faults'))).toMatch(/"struck":[1-9]/);
    await stack.cancel();
    const { failures } = await running;
    expect(failures.join()).toContain('was cancelled');
    await control('DELETE', '/_sandbox/faults');
    const kept = [...stack.checkpoint.resources.values()].filter(({ type }) => type.startsWith('platform:')).length;
    expect((await sizes()).reduce((sum, each) => sum + each, 0)).toBe(kept);
    expect(kept).toBeLessThan(60);
    const { failures: none } = await stack.up();
    expect([none, await sizes()]).toEqual([[], [20, 20, 20]]);
  });

  it.each([0, 1, 2])(
    'by a kill of the provider, where creates of kind %s were made and not answered: nothing twice',
    async (kind) => {
      await made(shop(12));
      const route = ['/v3/apis', '/v3/apis/{apiId}/documents', '/v2/api-products'][kind] ?? '';
      const action = { delayMs: 3000, when: 'after-commit' };
      await control('PUT', '/_sandbox/faults', [{ match: { method: 'POST', route }, action }] as Json);
      const running = stack.up();
      await expect.poll(async () => (await sizes())[kind], { interval: 20 }).toBeGreaterThan(0);
      await stack.killProviders();
      expect((await running).failures.length).toBeGreaterThan(0);
      await control('DELETE', '/_sandbox/faults');
      const again = await stack.up();
      expect([again.failures, await sizes()]).toEqual([[], [12, 12, 12]]);
      expect(again.said).toContain('is taken over');
      expect(counts(await stack.up())).toEqual({ same: 36 });
    },
  );
});

const many = 100;

it(
  'a hundred resources in parallel: made, unchanged without a request, refreshed in few, and gone',
  async () => {
    await made(
      `for (let at = 0; at < ${many}; at += 1) new platform.Api('api' + at, { name: 'N' + at, version: '1' });`,
    );
    const up = await stack.up();
    expect([up.failures, counts(up)]).toEqual([[], { create: many }]);
    const before = await requests();
    expect(counts(await stack.preview())).toEqual({ same: many });
    expect(counts(await stack.up())).toEqual({ same: many });
    expect((await requests()) - before).toBe(0);
    expect(await stack.refresh()).toEqual({ gone: [], moved: [] });
    expect((await requests()) - before).toBeLessThanOrEqual(60);
    expect(counts(await stack.destroy())).toEqual({ delete: many });
    // Of the other kinds a call of a killed provider may have arrived late.
    expect((await sizes())[0]).toBe(0);
  },
  15 * 60_000,
);

/** What was done to the resources whose inputs were edited; of the others, nothing may be. */
function done(steps: readonly Step[], expected: ReadonlyMap<string, string>): Readonly<Record<string, Op>> {
  const found = steps.flatMap(({ op, urn }) => {
    const name = urn.split('::').at(-1) ?? '';
    return (op === 'same' && !expected.has(name)) || op === 'delete' || urn.includes('pulumi:Stack')
      ? []
      : [[name, op]];
  });
  return Object.fromEntries(found) as Record<string, Op>;
}
