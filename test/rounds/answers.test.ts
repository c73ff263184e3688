import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/** What people see of a mistake or a surprise: the whole of it, the cause first, in twelve lines at most. */
let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' });
  await program.write({
    'sync.yaml':
      'project: shop\nparameters: { stage: { default: dev } }\nstacks: { dev: , prod: { parameters: { stage: prod } } }\ndefaultStack: dev\n',
  });
});
afterAll(() => program.close());

const pets = `resources:
  pets:
    type: platform:Api
    properties: { name: "pets \${param.stage}" }
    children:
      guide: { type: platform:ApiDocument, properties: { title: Guide, content: hello } }
`;

async function answer(...argv: readonly string[]): Promise<readonly [code: number, lines: readonly string[]]> {
  const { code, out, err } = await program.run(...argv);
  // Behind whatever is told of a code stands once what explains it.
  const [hint = '', explained] = /^What it means: sync explain ([\w-]+)\n/m.exec(err) ?? [];
  if (code === 1) expect(`${err}${out}`).toContain(`  ${String(explained)}  `);
  const shown = `${err.replace(hint, '')}${out}`.replaceAll(program.url, 'URL').trim();
  return [code, shown.split('\n').map((line) => line.trimEnd())];
}

describe('a mistake in a file', () => {
  it.each([
    [
      'children one level too far left',
      'resources:\n  pets:\n    type: platform:Api\n  children:\n    guide: { type: platform:ApiDocument, properties: { title: G, content: x } }\n',
      [
        'catalogue/a.yaml:4:3  missing-type  "children" stands one level too far left: it is part of pets.',
        '    4 |   children:',
        '      |   ^^^^^^^^',
        '  hint: Move it and everything below it two spaces to the right.',
        '',
        '1 error',
      ],
    ],
    [
      'a wrong default of five resources',
      `defaults:\n  platform:Api: { labels: [a] }\nresources:\n${['a', 'b', 'c', 'd', 'e'].map((name) => `  ${name}: { type: platform:Api }\n`).join('')}`,
      [
        'catalogue/a.yaml:2:27  wrong-type  "labels" of a must be a map.',
        '    2 |   platform:Api: { labels: [a] }',
        '      |                           ^^^',
        '  The same for b, c, d, e.',
        '  hint: It is a list.',
        '',
        '1 error',
      ],
    ],
    [
      'a reference without its dollar sign and quotes',
      'resources:\n  portal: { type: platform:Portal }\n  a: { type: platform:PortalPage, properties: { portalId: {portal.id}, title: x, slug: x, content: x } }\n',
      [
        'catalogue/a.yaml:3:59  wrong-type  "portalId" of a must be text.',
        '    3 |   a: { type: platform:PortalPage, properties: { portalId: {portal.id}, title: x, slug: x, content: x } }',
        '      |                                                           ^^^^^^^^^^^',
        '  hint: A reference is "${portal.id}", in quotes.',
        '',
        '1 error',
      ],
    ],
  ])('%s', async (_what, text, lines) => {
    await program.write({ 'catalogue/a.yaml': text });
    expect(await answer('validate')).toEqual([1, lines]);
  });
});

describe('a mistake in a line', () => {
  it.each([
    [
      ['plan', '--target', 'type:Apis'],
      1,
      [
        'error  unknown-address  No resource matches type:Apis, neither in the catalogue nor in state.',
        '  hint: Did you mean type:Api?',
        '',
        '1 error',
      ],
    ],
    [['plan', '--format', 'htm'], 64, ['error: --format can\'t be "htm"', '  hint: did you mean --format html?']],
  ])('%j', async (argv, code, lines) => {
    await program.write({ 'catalogue/a.yaml': pets });
    const [found, shown] = await answer(...argv);
    expect([found, shown.filter((line) => !/^read\b/.test(line))]).toEqual([code, lines]);
  });
});

describe('a plan that cannot be carried out', () => {
  it('of another stack, that was applied already, or that the catalogue left behind: the reason is all that is told', async () => {
    await program.write({ 'catalogue/a.yaml': pets });
    await program.run('plan', '--out', 'dev.json');
    const told = async (...argv: string[]): Promise<readonly [number, readonly string[]]> => {
      const { code, out } = await program.run('apply', ...argv, '--yes');
      return [code, out.trim().split('\n')];
    };
    expect(await told('dev.json', '--stack', 'prod')).toEqual([
      5,
      [
        'What is different now: The plan is for another stack.',
        '  stack: reviewed dev, now prod',
        '',
        'Superseded: nothing was changed.',
        'Leave out the stack, or name the one of the plan.',
      ],
    ]);
    expect((await told('dev.json'))[0]).toBe(0);
    expect(await told('dev.json')).toEqual([
      5,
      [
        'What is different now: It was applied already: a plan is carried out once.',
        '  plan: reviewed 2 to do, now nothing to do',
        '',
        'Superseded: nothing was changed.',
        'There is nothing to do.',
      ],
    ]);
  });

  it('is short where the record was lost, and says the one cure', async () => {
    await program.write({ 'catalogue/a.yaml': pets });
    const { out } = await program.run('plan', '--stack', 'dev', '--refresh', 'full');
    expect(out).toContain('No changes');
    const lost = await realProgram({ PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: program.url });
    try {
      await lost.write({
        'sync.yaml': 'project: shop\nparameters: { stage: { default: dev } }\n',
        'catalogue/a.yaml': pets,
      });
      const { code, out: told } = await lost.run('plan');
      expect(code).toBe(4);
      const lines = told.replaceAll(program.url, 'URL').trim().split('\n');
      expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(12);
      expect(told).toContain('although objects of 2 exist');
      expect(told.match(/sync adopt/g)?.length).toBe(1);
      expect(told).not.toContain('--allow');
    } finally {
      await lost.close();
    }
  });
});

describe('--quiet', () => {
  it('tells of an apply what can hurt, counts and problems, and no step one by one', async () => {
    await program.write({ 'catalogue/a.yaml': pets.replace('hello', 'hello you') });
    const { code, out, err } = await program.run('apply', '--yes', '--quiet');
    expect(code).toBe(0);
    expect(out.trim().split('\n').slice(1)).toEqual([
      'Parameters: stage = "dev"',
      '~ update',
      '',
      'Plan: 1 to update, 1 unchanged.',
      expect.stringMatching(/^Effect [0-9a-f]{12}$/),
      '',
      expect.stringMatching(/^Applied: 1 done, 0 failed, 0 skipped, \d+ requests?\.$/),
    ]);
    expect(err).not.toContain('updated');
  });
});

describe('drift accept', () => {
  it('names the stacks that read what it edited: their plans change, too', async () => {
    await program.write({ 'catalogue/a.yaml': pets });
    await program.run('apply', '--yes');
    const [api] = JSON.parse((await program.run('state', 'list', '--format', 'json')).out) as { id: string }[];
    await program.call('POST', `/_sandbox/objects/apis/${api?.id ?? ''}`, { version: '9' });
    await program.write({ 'catalogue/a.yaml': pets.replace('name: "pets ${param.stage}"', 'version: "1"') });
    await program.run('apply', '--yes');
    await program.call('POST', `/_sandbox/objects/apis/${api?.id ?? ''}`, { version: '9' });
    const { code, out } = await program.run('drift', 'accept', 'pets.version');
    expect([code, out.trim().split('\n').slice(1)]).toEqual([
      0,
      [
        '1 value accepted, 0 skipped.',
        'Edited: catalogue/a.yaml. The next apply records that.',
        'The stack prod uses the edited file, so its next plan changes, too. To keep the change in dev, undo it and write it into an overlay of dev:',
        '  sync drift accept pets.version --overlay FILE',
      ],
    ]);
  });
});
