import fc from 'fast-check';
import { shortcut } from '@platform-sync/catalogue/read/js-yaml-events';

// Set by `npm run soak`, and by whoever tries a failure again. Without a seed every run tries the same cases.
const { SYNC_LAW_SEED: seed, SYNC_LAW_PATH: path, SYNC_LAW_MINUTES: minutes } = process.env;

fc.configureGlobal({
  seed: Number(seed ?? 11),
  ...(path === undefined ? {} : { path }),
  ...(minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }),
});

// Shut by whoever wants to see all tests pass without the faster parser.
shortcut.isOpen = process.env['SYNC_YAML_SHORTCUT'] !== 'shut';
