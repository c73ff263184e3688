import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Spawned, spawned } from '@platform-sync/core/model/spawn';
import { brokenBy } from '@platform-sync/core/model/spawn-limits';

/** Says which group it is, and leaves behind one that would outlive it. */
const begin = `
  const { spawn } = require('node:child_process');
  const { writeFileSync, appendFileSync } = require('node:fs');
  const stay = () => spawn('sleep', ['60'], { stdio: 'inherit' });
  process.stdout.write(process.pid + ' ');
  stay().on('spawn', go);
  const always = (what) => setInterval(what, 5);
  let nth = 0;
`;

/** Programs that would never end, and the limit that ends them. */
const hostile: Readonly<Record<NonNullable<Spawned['limit']>, string>> = {
  time: 'for (;;);',
  stop: 'for (;;);',
  output: "always(() => process.stdout.write('x'.repeat(10_000)))",
  // Outside of the heap, so that no limit of the runtime knows of it.
  memory: 'const all = []; always(() => all.push(Buffer.alloc(10_000_000, 1)))',
  files: 'always(() => writeFileSync(`${++nth}`, ""))',
  processes: 'always(stay)',
};

async function run(code: string, stop?: AbortSignal, ms = 60_000): Promise<Spawned> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-limits-'));
  try {
    return await spawned(process.execPath, ['-e', `${begin}; function go() { ${code} }`], {
      cwd: folder,
      limits: {
        ...{ ms, characters: 100_000, ...(stop === undefined ? {} : { stop }) },
        share: { megabytes: 400, processes: 12, written: { folder, megabytes: 5, files: 40 } },
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing of the group that it said to be goes on. */
async function mustBeGone({ stdout }: Spawned): Promise<void> {
  const group = Number.parseInt(stdout);
  expect(group).toBeGreaterThan(1);
  const written = { folder: '', megabytes: 1, files: 1 };
  while ((await brokenBy(group, { megabytes: 0, processes: 0, written })) !== undefined) await nextTurn();
}

describe.runIf(process.platform === 'linux')('a program with limits', () => {
  it.concurrent.each(Object.entries(hostile))('is ended by %s, with all that it began', async (limit, code) => {
    const stop = limit === 'stop' ? AbortSignal.timeout(2_000) : undefined;
    const ended = await run(code, stop, limit === 'time' ? 2_000 : undefined);
    expect(ended.limit).toBe(limit);
    await mustBeGone(ended);
  });

  it.concurrent('is ended by one endless file, too', async () => {
    const ended = await run("always(() => appendFileSync('one', 'x'.repeat(100_000)))");
    expect(ended.limit).toBe('files');
  });

  it.concurrent('leaves nothing running when it ends by itself', async () => {
    const ended = await run('process.exit(3)');
    expect([ended.code, ended.limit]).toEqual([3, undefined]);
    await mustBeGone(ended);
  });
});
