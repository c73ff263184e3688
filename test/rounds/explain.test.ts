import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explanations } from '@platform-sync/cli/generated/explanations';
import { realProgram, type RealProgram } from '../cli/real-program.js';

let program: RealProgram;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' });
  await program.write({
    'sync.yaml': 'project: pets\nproviders:\n  platform: {}\n',
    'catalogue/pets.yaml': `resources:
  petstore:
    type: platform:Api
    properties: {name: Petstore, version: 1.0.0}
    options: {protect: true}
    children:
      guide:
        type: platform:ApiDocument
        properties: {content: '# Pets', slug: guide}
`,
  });
});

afterAll(() => program.close());

const explained = async (what: string, ...more: readonly string[]): Promise<string> =>
  (await program.run('explain', what, ...more)).out;

describe('sync explain', () => {
  it('says of each code what it means and where that is written', async () => {
    for (const [code, { title, heading }] of [...explanations].slice(0, 20)) {
      const text = await explained(code);
      expect(text).toContain(`${code}  ${title}\n`);
      expect(text).toContain(`${heading}: docs/errors.md#${code}`);
    }
  });

  it('says what to type on lines of its own', async () => {
    expect(await explained('no-record')).toMatch(/\n {2}sync adopt\n\n/);
  });

  it('says of a field its kind, its text, its limits and what replaces', async () => {
    expect(await explained('Api.name')).toMatch(/^platform:Api\.name {2}string\n[^]*sync schema platform:Api\n$/);
    expect(await explained('platform:ApiDocument.apiId')).toContain('a change replaces the object');
  });

  it('goes into records, and says which members are secret', async () => {
    const plugin = await explained('GatewayPluginRateLimiting.config');
    expect(plugin).toContain('Its members');
    expect(plugin).toMatch(/^ *password +.*secret$/m);
    expect(await explained('GatewayPluginRateLimiting.config.minute')).toMatch(
      /^platform:GatewayPluginRateLimiting\.config\.minute {2}number\n/,
    );
    expect(await explained('GatewayPluginRateLimiting.config.redis.password')).toContain('- secret');
  });

  it('says of a resource where it stands, what it needs and who needs it', async () => {
    const api = await explained('petstore');
    expect(api).toMatch(/^petstore {2}platform:Api\n/);
    expect(api).toMatch(/Stands at +catalogue\/pets\.yaml:2:3/);
    expect(api).toMatch(/Options +protect/);
    expect(api).toMatch(/Needed by +petstore\/guide/);
    expect(await explained('petstore/guide')).toMatch(/Needs +petstore$/m);
    expect(JSON.parse(await explained('petstore', '--format', 'json'))).toMatchObject({ neededBy: ['petstore/guide'] });
  });

  it.each([
    ['unknown-typ', 'did you mean unknown-type?'],
    ['Api.nmae', 'did you mean platform:Api.name?'],
    ['petstroe', 'did you mean petstore?'],
    [
      'GatewayPluginRateLimiting.config.minutes',
      'All of them:\n        sync schema platform:GatewayPluginRateLimiting',
    ],
  ])('of %s says what was meant', async (what, hint) => {
    const { code, err } = await program.run('explain', what);
    expect(code).toBe(64);
    expect(err).toContain(hint);
  });

  it('asks for no network and no state', async () => {
    const { env } = program;
    program.env = {};
    try {
      expect((await program.run('explain', 'petstore')).code).toBe(0);
    } finally {
      program.env = env;
    }
  });
});
