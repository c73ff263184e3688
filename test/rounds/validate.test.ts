import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' });
});
afterAll(() => program.close());

const settings = `
project: shop
providers: { platform: { personalAccessToken: !env NOT_SET } }
parameters: { region: { default: eu, allowed: [eu, us] } }
stacks:
  default:
  prod: { state: { backend: postgres, url: !env NOT_SET_EITHER }, parameters: { region: us }, overlays: over.yaml }
`;
const catalogue = 'resources: { pets: { type: platform:Api, properties: { description: "${param.region}" } } }\n';

describe('sync validate', () => {
  it('needs no secret of servers or of the state', async () => {
    await program.write({
      'sync.yaml': settings,
      'catalogue/a.yaml': catalogue,
      'over.yaml': 'patches:\n  pets: !unset\n',
    });
    expect(await program.run('validate')).toMatchObject({ code: 0, out: 'Valid: 1 resource in 1 file.\n', err: '' });
    expect(await program.run('validate', '--stack', 'prod')).toMatchObject({ code: 0 });
    expect((await program.run('plan')).err).toContain('NOT_SET is not set');
  });

  it('checks every stack, and says which one is wrong', async () => {
    const { code, out } = await program.run('validate', '--all-stacks');
    expect([code, out]).toEqual([
      0,
      'Valid: 1 resource in 1 file in the stack default.\nValid: 0 resources in 2 files in the stack prod.\n',
    ]);
    await program.write({ 'over.yaml': 'patches:\n  pats: !unset\n' });
    const wrong = await program.run('validate', '--all-stacks');
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('Stack prod:\nover.yaml:2:3');
    const { ok, stacks } = JSON.parse((await program.run('validate', '--all-stacks', '--format', 'json')).out) as {
      ok: boolean;
      stacks: unknown;
    };
    expect(ok).toBe(false);
    expect(stacks).toMatchObject([
      { stack: 'default', ok: true, resources: 1 },
      { stack: 'prod', ok: false, diagnostics: [{ code: 'patch-of-nothing' }] },
    ]);
  });

  it('calls nothing valid that a specification makes wrong', async () => {
    await program.write({
      'sync.yaml': 'project: shop\n',
      'catalogue/a.yaml': 'sources: { ../specs: platform:Api }\n',
      'over.yaml': '',
      'specs/pets.yaml': "openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\n",
    });
    const { code, out } = await program.run('validate');
    expect(code).toBe(1);
    expect(out).toContain('specs/pets.yaml:1:1  invalid-specification');
    expect(out).not.toContain('Valid');
    await program.write({ 'specs/pets.yaml': "openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\npaths: {}\n" });
    expect((await program.run('validate')).code).toBe(0);
    await program.write({ 'catalogue/a.yaml': catalogue, 'specs/pets.yaml': '' });
  });

  it('tells once what is wrong in every stack: a reference that needs quotes is one mistake', async () => {
    const labels = '{ team: core, stage: ${param.stage}, place: eu }';
    await program.write({
      'sync.yaml': 'project: shop\nparameters: { stage: { default: test } }\nstacks: { dev: , prod: }\n',
      'catalogue/a.yaml': `resources:\n  pets:\n    type: platform:Api\n    properties:\n      labels: ${labels}\n      name: Pets\n`,
      'over.yaml': '',
    });
    const { code, out } = await program.run('validate', '--all-stacks');
    expect(code).toBe(1);
    expect(out).toBe(
      [
        'Stack dev:',
        'catalogue/a.yaml:5:36  yaml-syntax  "${…}" inside { } needs quotes.',
        `    5 |       labels: ${labels}`,
        `      | ${' '.repeat(35)}${'^'.repeat('${param.stage}'.length)}`,
        '  hint: Put the whole text in quotes, like "${param.stage}".',
        '',
        '1 error',
        'Stack prod: the same.',
        '',
      ].join('\n'),
    );
  });

  it('checks the stacks that are declared and no other; a run names one of them, or is told which there are', async () => {
    const write = (settings: string): Promise<void> =>
      program.write({ 'sync.yaml': `project: shop\n${settings}`, 'catalogue/a.yaml': 'resources: {}\n' });
    await write(
      'parameters: { region: {} }\nstacks: { dev: { parameters: { region: eu } }, prod: { parameters: { region: us } } }\n',
    );
    const valid = await program.run('validate', '--all-stacks');
    expect([valid.code, valid.err]).toEqual([0, '']);
    expect(valid.out.match(/stack \w+/g)).toEqual(['stack dev', 'stack prod']);
    expect(await program.run('policy', 'check')).toMatchObject({ code: 0, err: '' });
    const stacks = 'stacks: { dev: { parameters: { region: eu } }, prod: { parameters: { region: us } } }';
    const refusal = [
      'sync.yaml:3:1  unknown-stack  No stack is named, and there is no default.',
      `    3 | ${stacks}`,
      '      | ^^^^^^',
      '  The stacks are dev, prod.',
      '  hint: Name one with --stack or SYNC_STACK, or set a default in sync.yaml: "defaultStack: dev".',
      '',
      '1 error',
      'What it means: sync explain unknown-stack',
      '',
    ].join('\n');
    for (const line of ['plan', 'drift', 'validate', 'state list'])
      expect(await program.run(...line.split(' ')), line).toMatchObject({ code: 1, err: refusal });
    expect((await program.run('validate', '--stack', 'default')).err).toContain('There is no stack "default".');
    await write('defaultStack: prod\nstacks: { dev: , prod: }\n');
    expect((await program.run('plan')).out).toContain('Plan for shop, stack prod');
    expect((await program.run('plan', '--stack', 'dev')).out).toContain('Plan for shop, stack dev');
    await write('defaultStack: prd\nstacks: { dev: , prod: }\n');
    const wrong = await program.run('plan');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('sync.yaml:2:15  unknown-stack  There is no stack "prd".');
    expect(wrong.err).toContain('Did you mean prod?');
  });

  it('goes on behind a stack that cannot be opened', async () => {
    await program.write({
      'sync.yaml':
        'project: test\nstacks:\n  first: {}\n  bad: { guards: { allow: [{ guard: adopt, reason: !env NOT_SET }] } }\n  good: {}\n',
      'catalogue/a.yaml': 'resources: {}\n',
    });
    const { code, out } = await program.run('validate', '--all-stacks', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      stacks: [
        { stack: 'first', ok: true },
        { stack: 'bad', ok: false, diagnostics: [{ code: 'unset-variable' }] },
        { stack: 'good', ok: true },
      ],
    });
  });
});

describe('sync lookup', () => {
  it('needs no project', async () => {
    // The root of a checkout: nothing is looked for above it.
    await program.write({ 'elsewhere/.git/HEAD': 'ref: refs/heads/main\n' });
    const { code, out } = await program.run('-C', 'elsewhere', 'lookup', 'getPlatformIpAddresses');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toBeTypeOf('object');
    expect((await program.run('-C', 'elsewhere', 'plan')).err).toContain('no-project');
  });

  it('finds the project from a folder below it; files of the command line lie where it is typed', async () => {
    await program.write({
      'sync.yaml': 'project: shop\n',
      'catalogue/deep/a.yaml': catalogue.replace('${param.region}', 'x'),
    });
    expect(await program.run('validate', '-C', 'catalogue/deep')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Valid:') as string,
    });
    expect(await program.run('plan', '-C', 'catalogue/deep', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect([...(await program.files()).keys()]).toContain('catalogue/deep/plan.json');
  });

  it('looks no further than the checkout', async () => {
    await program.write({ 'other/.git/HEAD': 'ref: refs/heads/main\n', 'other/deep/a.yaml': catalogue });
    const { code, err } = await program.run('validate', '-C', 'other/deep');
    expect(code).toBe(1);
    expect(err).toContain('There is no sync.yaml');
  });
});
