import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { field, plan, step } from '../report/plan-builder.js';
import { fakeProgram } from './fake-host.js';

const change = plan({ steps: [step({ address: 'pets', action: 'update', fields: [field('name', { new: 'b' })] })] });
const earlier = ['plan.json', 'plan.md', 'no-plan.json', 'result.json', 'drift.json', 'drift.md', 'drift.html'];

/** What a kill in the middle of a run would leave: the folder of reports as the run has it then. */
function leave(folder: string, names: readonly string[]): void {
  mkdirSync(join(folder, 'out'), { recursive: true });
  for (const name of names) writeFileSync(join(folder, 'out', name), 'of an earlier run');
}

describe('a run that is killed in the middle', () => {
  it.each([['--report-dir', 'out', 'out/result.json'] as const, ['--report', 'r.json', 'r.json'] as const])(
    'of an apply leaves with %s that its outcome is unknown, with project, stack and plan',
    async (flag, value, file) => {
      let seen: unknown;
      let told = '';
      const program = fakeProgram({
        plan: change,
        apply: async () => {
          seen = JSON.parse(readFileSync(join(program.folder, file), 'utf8'));
          const text = join(program.folder, 'out/result.md');
          told = existsSync(text) ? readFileSync(text, 'utf8') : '';
          return { status: 'done', steps: [], outputs: {}, diagnostics: [], requests: 1 };
        },
      });
      leave(program.folder, earlier);
      await program.run('apply', '--yes', flag, value);
      const { project, stack, digest } = change;
      expect(seen).toMatchObject({ status: 'unknown', exitCode: 1, project, stack, planDigest: digest });
      if (flag === '--report-dir') expect(told).toMatch(/^## ❓ What became of the apply is unknown/);
      expect(told).not.toMatch(/cancelled|✅|of an earlier run/);
    },
  );

  it('of an apply leaves that its outcome is unknown while it still plans', async () => {
    let seen: unknown;
    const program = fakeProgram({
      project: {
        plan: async () => {
          seen = JSON.parse(readFileSync(join(program.folder, 'out/result.json'), 'utf8'));
          return { diagnostics: [] };
        },
      },
    });
    leave(program.folder, earlier);
    await program.run('apply', '--yes', '--report-dir', 'out');
    expect(seen).toMatchObject({ status: 'unknown', exitCode: 1 });
  });

  it.each([
    ['plan', ['drift.html', 'drift.json', 'drift.md']],
    ['drift', ['no-plan.json', 'plan.json', 'plan.md', 'result.json']],
  ] as const)('of a %s leaves no report of an earlier one', async (command, kept) => {
    let seen: readonly string[] | undefined;
    const look = async (): Promise<never> => {
      seen ??= readdirSync(join(program.folder, 'out')).sort();
      throw new Error('killed');
    };
    const program = fakeProgram({ project: { plan: look, drift: look } });
    leave(program.folder, earlier);
    await program.run(command, '--report-dir', 'out').catch(() => undefined);
    expect(seen).toEqual(kept);
  });
});
