import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { builtPackages, Project, realEngine } from './command-line.js';
import { controlOf } from './control.js';
import { asYaml, emptied, everyField, spareService } from './every-field.js';

const { isLeftOut, note } = realEngine('yaml');
const canary = 'canary-0123456789abcdef';

let sandbox: RunningSandbox;
const { control, stored, requests } = controlOf(() => sandbox.url);
let packages: string;
let project: Project;

/** A call of the platform itself, by hand. */
async function platform(method: string, path: string, body?: Json): Promise<{ readonly id: string }> {
  const headers = { authorization: 'Bearer by-hand', 'content-type': 'application/json' };
  const text = await (
    await fetch(sandbox.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  ).text();
  return (text === '' ? {} : JSON.parse(text)) as { readonly id: string };
}

const program = (resources: string): string =>
  `name: shop\nruntime: yaml\npackages:\n  platform: ${packages}/platform\n  cloud: ${packages}/cloud\nresources:\n${resources}`;

async function stack(resources: string): Promise<void> {
  await project.write({ 'Pulumi.yaml': program(resources) });
  await project.must('stack', 'init', 'dev');
}

describe.skipIf(isLeftOut)(`the real engine, programs in YAML${note}`, () => {
  beforeAll(async () => {
    sandbox = await startSandbox({ quiet: true });
    packages = await builtPackages();
  });
  beforeEach(async () => {
    await control('POST', '/_sandbox/reset');
    project = await Project.make(sandbox.url);
  });
  afterEach(async () => {
    await control('DELETE', '/_sandbox/faults');
    await project.close();
  });
  afterAll(() => sandbox.close());

  const shop = (title: string, labels: string): string =>
    `  petstore:
    type: platform:Api
    properties: { name: Petstore, version: 1.4.0, labels: ${labels}, attributes: '{"tier":["gold"]}' }
  guide:
    type: platform:ApiDocument
    properties: { apiId: '\${petstore.id}', title: ${title}, content: '# Guide' }
  pets:
    type: platform:ApiProduct
    properties: { name: Pets, portalIds: [] }
outputs:
  id: \${petstore.id}
`;

  it('preview, up, up again, a change, a refresh after an edit by hand, destroy', async () => {
    await stack(shop('Guide', '{ team: shop }'));
    expect(await project.must('preview')).toContain('4 to create');
    expect(await stored('apis')).toEqual([]);
    expect(await project.up()).toContain('4 created');
    await project.up('--expect-no-changes');

    await project.write({ 'Pulumi.yaml': program(shop('The guide', '{ team: money, tier: a }')) });
    const changed = await project.up('--diff');
    expect(changed).toContain('~ team: "shop" => "money"');
    expect(changed).toContain('+ tier: "a"');
    expect(changed).toContain('~ title: "Guide" => "The guide"');
    await project.up('--expect-no-changes');

    const [api] = await stored('apis');
    await control('POST', `/_sandbox/objects/apis/${String(api?.['id'])}`, { labels: { team: 'by-hand' } });
    expect(await project.must('refresh', '--yes', '--skip-preview', '--diff')).toContain('"money" => "by-hand"');
    expect(await project.up('--diff')).toContain('"by-hand" => "money"');
    await project.up('--expect-no-changes');
    expect(await project.must('destroy', '--yes', '--skip-preview')).toContain('4 deleted');
    for (const collection of ['apis', 'documents', 'products']) expect(await stored(collection)).toEqual([]);
  });

  it('what is gone is made again; what is replaced goes first where its key is taken', async () => {
    await stack(shop('Guide', '{ team: shop }'));
    await project.up();
    await platform('DELETE', `/v3/apis/${String((await stored('apis'))[0]?.['id'])}?force=true`);
    expect(await project.must('refresh', '--yes', '--skip-preview')).toContain('2 deleted');
    expect(await project.up()).toContain('2 created');
    const before = (await stored('apis'))[0]?.['id'];
    const withSpec = shop('Guide', '{ team: shop }').replace(
      "attributes: '",
      'specContent: \'{"openapi":"3.0.0","info":{"title":"P","version":"1"},"paths":{}}\', attributes: \'',
    );
    await project.write({ 'Pulumi.yaml': program(withSpec) });
    expect(await project.up()).toContain('replaced');
    const after = await stored('apis');
    expect([after.length, after[0]?.['id'] === before]).toEqual([1, false]);
    await project.up('--expect-no-changes');
  });

  it('imports by id, by the JSON of the documents, and by the option; then nothing differs', async () => {
    await stack('  {}\n');
    const api = await platform('POST', `/v3/apis`, { name: 'Orders', version: '2', description: 'By hand' });
    const page = await platform('POST', `/v3/apis/${api.id}/documents`, { title: 'Guide', content: '# Guide' });
    const id = JSON.stringify({ api_id: api.id, id: page.id });
    await project.must(
      'import',
      '--yes',
      '--skip-preview',
      '--protect=false',
      'platform:index/api:Api',
      'orders',
      api.id,
    );
    await project.must(
      ...['import', '--yes', '--skip-preview', '--protect=false'],
      ...['platform:index/apiDocument:ApiDocument', 'guide', id],
    );
    const resources = `  orders:
    type: platform:Api
    properties: { name: Orders, version: '2', description: By hand }
  guide:
    type: platform:ApiDocument
    properties: { apiId: '\${orders.id}', title: Guide, content: '# Guide' }
`;
    await project.write({ 'Pulumi.yaml': program(resources) });
    await project.up('--expect-no-changes');
    await project.must('destroy', '--yes', '--skip-preview');

    const again = await platform('POST', `/v3/apis`, { name: 'Orders', version: '2', description: 'By hand' });
    const [orders = ''] = resources.split('  guide:');
    await project.write({ 'Pulumi.yaml': program(`${orders}    options: { import: ${again.id} }\n`) });
    expect(await project.up()).toContain('1 imported');
    expect(await stored('apis')).toMatchObject([{ id: again.id }]);
  });

  it('a policy is changed only as it was seen, and emptied only with consent', async () => {
    const service = `empty.${cloudServiceDomain}`;
    const policy = (who: string, consent = ''): string => `  access:
    type: cloud:endpoints:ServiceIamPolicy
    properties:
      serviceName: ${service}
      policyData: '{"bindings":[{"role":"roles/viewer","members":["user:${who}@example.com"]}]}'
${consent}`;
    await stack(policy('a'));
    await project.up();
    await project.up('--expect-no-changes');
    await project.write({ 'Pulumi.yaml': program(policy('b')) });
    expect(await project.up()).toContain('1 updated');
    const path = `/_sandbox/objects/cloud-services/${service}`;
    await control('POST', path, {
      policy: { etag: 'BwYVx3tsmGE=', bindings: [{ role: 'roles/viewer', members: ['user:eve@example.com'] }] },
    });
    await project.write({ 'Pulumi.yaml': program(policy('c')) });
    expect((await project.run('up', '--yes', '--skip-preview')).code).not.toBe(0);
    expect(JSON.stringify(await control('GET', path))).toContain('user:eve@');
    await project.must('refresh', '--yes', '--skip-preview');
    await project.up();
    expect((await project.run('destroy', '--yes', '--skip-preview')).text).toContain('Set allowEmptyOnDelete to true');
    await project.write({ 'Pulumi.yaml': program(policy('c', '      allowEmptyOnDelete: true\n')) });
    await project.up();
    await project.must('destroy', '--yes', '--skip-preview');
    expect(JSON.stringify(await control('GET', path))).not.toContain('user:');
  });

  it('no secret stands in clear in the exported stack, after any command', async () => {
    await stack(`  petstore:
    type: platform:Api
    properties:
      name: Petstore
      description: { 'fn::secret': ${canary}-top }
      labels: { team: { 'fn::secret': ${canary}-nested } }
  guide:
    type: platform:ApiDocument
    properties: { apiId: '\${petstore.id}', title: { 'fn::secret': ${canary}-slug }, content: { 'fn::secret': ${canary}-text } }
  docs:
    type: platform:Portal
    properties: { name: Docs }
  auth:
    type: platform:PortalAuth
    properties: { portalId: '\${docs.id}', oidcClientId: a, oidcClientSecret: ${canary}-plain }
`);
    await project.must('config', 'set', '--secret', 'platform:personalAccessToken', `${canary}-token`);
    const clean = async (after: string): Promise<void> => {
      expect(await project.must('stack', 'export'), after).not.toContain(canary);
    };
    expect(await project.up('--diff')).not.toContain(canary);
    await clean('up');
    const [api] = await stored('apis');
    expect(api).toMatchObject({ description: `${canary}-top`, labels: { team: `${canary}-nested` } });
    await control('POST', `/_sandbox/objects/apis/${String(api?.['id'])}`, {
      version: '2',
      description: `${canary}-moved`,
    });
    expect(await project.must('refresh', '--yes', '--skip-preview', '--diff')).not.toContain(canary);
    await clean('refresh');
    expect(await project.up('--diff')).not.toContain(canary);
    await clean('up after refresh');
    await project.must('preview', '--refresh');
    await clean('preview');

    // What is imported comes unmarked: the program says what of it is secret.
    const orders = await platform('POST', `/v3/apis`, { name: 'Orders', description: `${canary}-by-hand` });
    const imported = await project.read('Pulumi.yaml');
    await project.write({
      'Pulumi.yaml': `${imported}  orders:
    type: platform:Api
    properties: { name: Orders, description: { 'fn::secret': ${canary}-by-hand } }
    options: { import: ${orders.id} }
`,
    });
    await project.up();
    await clean('import by the option');
    const box = await platform('POST', `/v2/api-products`, {
      name: 'Box',
      description: `${canary}-box`,
      portal_ids: [],
    });
    const importBox = ['import', '--yes', '--skip-preview', '--protect=false', '--generate-code=false'];
    await project.must(...importBox, 'platform:index/apiProduct:ApiProduct', 'box', box.id);
    await project.write({
      'Pulumi.yaml': `${imported}  box:
    type: platform:ApiProduct
    properties: { name: Box, description: { 'fn::secret': ${canary}-box }, portalIds: [] }
`,
    });
    await project.up();
    await clean('import by the command, and an up');

    const route = '/v3/apis/{apiId}';
    await control('PUT', '/_sandbox/faults', [{ match: { method: 'DELETE', route }, action: { status: 409 } }]);
    expect((await project.run('destroy', '--yes', '--skip-preview')).text).not.toContain(canary);
    await clean('a destroy that failed');
    await control('DELETE', '/_sandbox/faults');
    await project.must('destroy', '--yes', '--skip-preview');
    await clean('destroy');
  });

  const isSoak = process.env['SYNC_EVERY_FIELD'] === '1';
  // The stand-in engine edits them in every run.
  it.skipIf(!isSoak)(
    'each input of each type edited, updated or replaced as the planner would: npm run soak',
    async () => {
      const { before, after, expected } = everyField();
      const quick = { PULUMI_EXPERIMENTAL: 'true', PULUMI_SKIP_CHECKPOINTS: 'true' };
      await control('POST', `/_sandbox/objects/cloud-services/${spareService}`, emptied);
      await stack(asYaml(before));
      const first = await project.start(['up', '--yes', '--skip-preview'], quick).done;
      expect([first.code, first.code === 0 ? '' : first.text]).toEqual([0, '']);
      await project.write({ 'Pulumi.yaml': program(asYaml(after)) });
      const preview = await project.must('preview', '--json');
      const { steps } = JSON.parse(preview.slice(preview.indexOf('{'))) as {
        readonly steps: readonly { readonly op: string; readonly urn: string }[];
      };
      const done = steps.filter(({ op }) => op === 'update' || op === 'replace');
      expect(Object.fromEntries(done.map(({ op, urn }) => [urn.split('::').at(-1), op]))).toEqual(
        Object.fromEntries(expected),
      );
      const second = await project.start(['up', '--yes', '--skip-preview'], quick).done;
      expect([second.code, second.code === 0 ? '' : second.text]).toEqual([0, '']);
      await project.up('--expect-no-changes');
    },
  );

  it.each(['engine', 'provider'] as const)(
    'a killed %s: nothing is made twice, and no process stays',
    async (victim) => {
      // More than the engine sends at once: some wait, some are under way, some are made.
      const count = isSoak ? 24 : 12;
      const names = Array.from({ length: count }, (_, at) => String(at));
      await stack(
        names
          .map(
            (at) => `  api${at}:
    type: platform:Api
    properties: { name: K${at}, version: '1' }
  product${at}:
    type: platform:ApiProduct
    properties: { name: P${at}, portalIds: [] }
  page${at}:
    type: platform:ApiDocument
    properties: { apiId: '\${api${at}.id}', title: D${at}, content: c }
`,
          )
          .join(''),
      );
      const collections = ['apis', 'products', 'documents'] as const;
      const counts = (): Promise<readonly number[]> =>
        Promise.all(collections.map(async (name) => (await stored(name)).length));
      // Of each kind, some are made and not yet answered at the kill; others are wherever they are.
      for (const [at, route] of ['/v3/apis', '/v2/api-products', '/v3/apis/{apiId}/documents'].entries()) {
        const action = { delayMs: 600_000, when: 'after-commit' };
        await control('PUT', '/_sandbox/faults', [{ match: { method: 'POST', route }, action }]);
        const before = (await counts())[at] ?? 0;
        const { child, done } = project.start(['up', '--yes', '--skip-preview']);
        await expect.poll(async () => (await counts())[at], { interval: 20, timeout: 60_000 }).toBeGreaterThan(before);
        if (victim === 'engine') child.kill('SIGKILL');
        else for (const pid of await project.providers()) process.kill(pid, 'SIGKILL');
        await done;
        await control('DELETE', '/_sandbox/faults');
        await expect.poll(() => project.providers(), { timeout: 60_000 }).toEqual([]);
        if (victim === 'engine') await project.must('cancel', '--yes');
      }
      // What was sent by the killed provider has arrived by now or never will.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const text = await project.up();
      expect(await counts()).toEqual([count, count, count]);
      expect(text).toContain('is taken over');
      await project.up('--expect-no-changes');
      await project.must('refresh', '--yes', '--skip-preview', '--clear-pending-creates');
      await project.must('destroy', '--yes', '--skip-preview');
      expect(await counts()).toEqual([0, 0, 0]);
    },
  );

  const objects = isSoak ? 1000 : 250;
  it(`a refresh of ${String(objects)} objects takes few requests, and an unchanged run none`, async () => {
    const resources = Array.from(
      { length: objects },
      (_, at) => `  api${String(at)}:
    type: platform:Api
    properties: { name: N${String(at)}, version: '1', labels: { nth: '${String(at)}' } }
`,
    );
    await stack(resources.join(''));
    const quick = { PULUMI_EXPERIMENTAL: 'true', PULUMI_SKIP_CHECKPOINTS: 'true' };
    expect((await project.start(['up', '--yes', '--skip-preview'], quick).done).code).toBe(0);
    const made = await requests();
    await project.up('--expect-no-changes');
    await project.must('preview', '--expect-no-changes');
    expect((await requests()) - made).toBe(0);
    const refresh = ['refresh', '--yes', '--skip-preview', '--expect-no-changes'];
    expect((await project.start(refresh, quick).done).code).toBe(0);
    expect((await requests()) - made).toBeLessThanOrEqual(0.06 * objects);
  });
});
