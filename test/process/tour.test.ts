import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { builtProgram } from '../harness/built.js';

const program = await builtProgram();

it('the tour of npm start goes as promised, and README shows what it prints', async () => {
  const script = fileURLToPath(new URL('../../scripts/readme-example.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, '--check', program], { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (data) => (told += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(told).toBe('');
  expect(code).toBe(0);
});
