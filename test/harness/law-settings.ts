import fc from 'fast-check';

// Set by `npm run soak`, and by whoever tries a failure again. Without a seed every run tries the same cases.
const { SYNC_LAW_SEED: seed, SYNC_LAW_PATH: path, SYNC_LAW_MINUTES: minutes } = process.env;

fc.configureGlobal({
  seed: Number(seed ?? 11),
  ...(path === undefined ? {} : { path }),
  ...(minutes === undefined ? {} : { interruptAfterTimeLimit: Number(minutes) * 60_000 }),
});
