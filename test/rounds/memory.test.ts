import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'x' });
});
afterAll(() => program.close());

const block = (nth: number, description: string): string =>
  `  api${nth}: {type: platform:Api, properties: {name: API ${nth}, description: ${description}}}\n`;
const files = (changed: string): Record<string, string> => ({
  'sync.yaml': 'project: large\n',
  'catalogue/first.yaml': `resources:\n${Array.from({ length: 1000 }, (_, nth) => block(nth, 'text')).join('')}`,
  'catalogue/second.yaml': `resources:\n${Array.from({ length: 1000 }, (_, nth) => block(1000 + nth, nth === 7 ? changed : 'text')).join('')}`,
});
const hasMemory = async (): Promise<boolean> => (await program.files()).has('.sync/memory.db');

it('a large project is remembered: not for --cold, not in a pipeline, and nothing that git tracks is believed', async () => {
  const { env } = program;
  await program.write(files('text'));
  await program.run('validate', '--cold');
  program.env = { ...env, CI: 'true' };
  await program.run('validate');
  expect(await hasMemory()).toBe(false);
  program.env = env;
  const cold = await program.run('validate');
  expect(cold).toMatchObject({ code: 0, out: 'Valid: 2000 resources in 2 files.\n' });
  expect(await hasMemory()).toBe(true);
  await program.write(files('other'));
  expect(await program.run('validate')).toEqual(cold);
  await program.write(files('[a list]'));
  const wrong = await program.run('validate');
  expect(wrong).toEqual({ ...(await program.run('validate', '--cold')), line: 'validate' });
  expect(wrong.code).toBe(1);
  await program.write(files('text'));
  execFileSync('git', ['init', '-q'], { cwd: program.folder });
  execFileSync('git', ['add', '-f', '.sync/memory.db'], { cwd: program.folder });
  const tracked = await program.run('validate');
  expect(tracked.out).toBe(cold.out);
  expect(tracked.err).toContain('.sync/memory.db is part of the repository');
});
