import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' });
  await program.write({
    'sync.yaml': `
project: shop
parameters: { stage: { default: none } }
stacks:
  dev: { parameters: { stage: dev } }
  stage: { parameters: { stage: stage } }
  prod: { parameters: { stage: prod } }
`,
    'catalogue/pets.yaml': 'resources: { pets: { type: platform:Api, properties: { name: "pets ${param.stage}" } } }\n',
  });
});
afterAll(() => program.close());

const stacks = ['dev', 'stage', 'prod'];

describe('--all-stacks', () => {
  it('plans each stack in one run, into a folder of its own, and one comment tells of all', async () => {
    const { code, out } = await program.run('plan', '--all-stacks', '--report-dir', 'out');
    expect(code).toBe(0);
    expect(out.match(/^Plan for shop, stack \w+/gm)).toEqual(stacks.map((name) => `Plan for shop, stack ${name}`));
    await program.run('comment', 'out', '--file', 'all.md');
    const text = String((await program.files()).get('all.md'));
    expect(text.split('\n').slice(0, 7)).toEqual([
      '## 📝 Changes, none of them dangerous: <code>shop</code>, stack <code>dev</code>, the gravest of 3',
      '',
      '| | Project | Stack | Verdict | Counts | |',
      '|---|---|---|---|---|---|',
      ...['dev', 'prod', 'stage'].map(
        (name) =>
          `| 📝 | <code>shop</code> | <code>${name}</code> | Changes, none of them dangerous | Plan: 1 to create, 0 unchanged. |  |`,
      ),
    ]);
  });

  it('applies the reviewed plans in the order of the stacks, and begins none after one that failed', async () => {
    await program.call('PUT', '/_sandbox/faults', [
      {
        match: { method: 'POST', route: '/v3/apis' },
        times: 9,
        action: { status: 422, problem: { detail: 'no' } },
      },
    ]);
    const first = await program.run('apply', 'out', '--all-stacks', '--yes', '--report-dir', 'out');
    await program.call('PUT', '/_sandbox/faults', []);
    expect(first.code).toBe(1);
    expect(first.err).toContain('Not begun: stack stage, stack prod.\n');
    const left = [...(await program.files()).keys()].filter((name) => name.endsWith('result.json'));
    // Each tells of itself that it was not begun.
    expect(left).toContain('out/prod/result.json');
    await program.run('plan', '--all-stacks', '--report-dir', 'out');
    const again = await program.run('apply', 'out', '--all-stacks', '--yes', '--report-dir', 'out');
    expect([again.code, again.err.includes('Not begun')]).toEqual([0, false]);
  });

  it('checks each stack for drift; the gravest code is that of the run', async () => {
    expect((await program.run('drift', '--all-stacks', '--report-dir', 'drift')).code).toBe(0);
    const found = [...(await program.files()).keys()].filter((name) => /^drift\/\w+\/drift\.json$/.test(name)).sort();
    expect(found).toEqual([...stacks].sort().map((name) => `drift/${name}/drift.json`));
  });

  it.each([
    ['plan', '--all-stacks', '--out', 'plan.json'],
    ['apply', '--all-stacks', '--yes', '--report', 'result.json'],
    ['drift', '--all-stacks', '--metrics', 'a.prom'],
    ['plan', '--all-stacks', '--stack', 'dev'],
  ])('refuses what is of one stack: %s %s %s', async (...argv) => {
    const { code, err } = await program.run(...argv);
    expect([code, err]).toEqual([64, expect.stringContaining('is for one stack, and --all-stacks for all')]);
  });

  it('tells of a project that cannot be opened once, as for one stack', async () => {
    await program.write({ 'sync.yaml': 'project: shop\nstacks: { dev: , prod: }\nno-such: 1\n' });
    const { code, err } = await program.run('plan', '--all-stacks', '--report-dir', 'broken');
    expect(code).toBe(1);
    expect([err.match(/no-such/g)?.length, err.includes('unknown-stack')]).toEqual([2, false]);
    expect([...(await program.files()).keys()]).toContain('broken/no-plan.json');
  });
});
