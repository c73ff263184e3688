import fc from 'fast-check';
import { afterEach } from 'vitest';
import { shortcut } from '@platform-sync/catalogue/read/js-yaml-events';

// Set by `npm run soak`, and by whoever tries a failure again. Without a seed every run tries the same cases.
const { SYNC_LAW_SEED: seed, SYNC_LAW_PATH: path, SYNC_LAW_MINUTES: minutes } = process.env;

fc.configureGlobal({
  seed: Number(seed ?? 11),
  ...(path === undefined ? {} : { path }),
  ...(minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }),
});

// A law that is out of time leaves its last case running: it must be over before the next one uses the same world.
const lastCaseMs = 30_000;
if (minutes !== undefined)
  afterEach(async ({ task }) => {
    const startedAt = task.result?.startTime ?? Date.now();
    if (Date.now() - startedAt >= Number(minutes) * 60_000) await new Promise((over) => setTimeout(over, lastCaseMs));
  }, 2 * lastCaseMs);

// Shut by whoever wants to see all tests pass without the faster parser.
shortcut.isOpen = process.env['SYNC_YAML_SHORTCUT'] !== 'shut';
