import { describe, expect, test } from 'vitest';
import { parseUsage, runTree } from '../../bench/process-tree.js';

// Fields as in proc(5): a name may hold spaces and parentheses.
const stat = '42 (a) b (c) S 1 42 42 0 -1 4194560 900 0 3 0 123 45 0 0 20 0 7 0 1 2 3';
const status = 'Name:\ta\nVmPeak:\t  999 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n';

describe('what a process has used', () => {
  test('is read from the kernel’s files', () => {
    expect(parseUsage(stat, status)).toEqual({ cpuMs: 1680, peakMb: 2 });
  });

  test('is unknown once it has ended', () => {
    expect(parseUsage(stat, 'Name:\ta\nState:\tZ (zombie)\n')).toBeUndefined();
  });
});

describe('a watched program', () => {
  test('gives its output and exit code', async () => {
    const run = await runTree(process.execPath, ['-e', 'console.log("out"); console.error("err"); process.exit(2)'], {
      codes: [0, 2],
    });
    expect(run).toMatchObject({ code: 2, stdout: 'out\n', stderr: 'err\n' });
  });

  test('that fails is an error with its last words', async () => {
    const failing = runTree(process.execPath, ['-e', 'console.error("no luck"); process.exit(3)']);
    await expect(failing).rejects.toThrow(/ended with 3\n[^]*no luck/);
  });

  test.runIf(process.platform === 'linux')('counts the memory of its children', async () => {
    // The child holds 100 MB that the parent never sees, and both stay until it was looked at many times.
    const child = 'const held = Buffer.alloc(100 << 20, 1); setTimeout(() => held.length, 1000)';
    const parent = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(child)}])`;
    const run = await runTree(process.execPath, ['-e', parent]);
    expect(run.peakMb).toBeGreaterThan(160);
    expect(run.cpuMs).toBeGreaterThan(0);
  });
});
