import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fakeProgram } from '../cli/fake-host.js';
import { plan } from '../report/plan-builder.js';

/** A busy machine says late that a file has changed. */
const patience = { timeout: 20_000 };

it.each(['validate', 'plan'] as const)('sync %s --watch: again after each change, until Ctrl-C', async (command) => {
  const program = fakeProgram({
    plan: plan(),
    host: { world: { ...fakeProgram().host.world, sleep: async () => undefined } },
  });
  const done = (): number => program.calls.filter(([name]) => name === command).length;
  const file = join(program.folder, 'a.yaml');
  mkdirSync(join(program.folder, '.sync'));
  const ended = program.run(command, '--watch', '--cwd', program.folder);
  await vi.waitFor(() => expect(done()).toBe(1), patience);
  writeFileSync(join(program.folder, '.sync', 'state.db'), '');
  writeFileSync(file, 'a: 1\n');
  await vi.waitFor(() => expect(done()).toBeGreaterThan(1), patience);
  program.signal('SIGINT');
  expect(program.exits).toEqual([130]);
  writeFileSync(file, 'a: 2\n');
  expect((await ended).code).toBe(130);
});

it('tells in each round what is wrong', async () => {
  const wrong = { severity: 'error', code: 'bad', summary: 'Still bad.' } as const;
  const program = fakeProgram({ planDiagnostics: [wrong] });
  const rounds = (): number => program.calls.filter(([name]) => name === 'plan').length;
  const ended = program.run('plan', '--watch', '--cwd', program.folder);
  await vi.waitFor(() => expect(rounds()).toBe(1), patience);
  writeFileSync(join(program.folder, 'a.yaml'), 'a: 1\n');
  await vi.waitFor(() => expect(rounds()).toBeGreaterThan(1), patience);
  program.signal('SIGINT');
  writeFileSync(join(program.folder, 'a.yaml'), 'a: 2\n');
  const { err } = await ended;
  expect(err.split('Still bad.')).toHaveLength(rounds() + 1);
});

it('refuses to wake itself by what it writes', async () => {
  expect((await fakeProgram().run('plan', '--watch', '--out', 'plan.json')).code).toBe(64);
});
