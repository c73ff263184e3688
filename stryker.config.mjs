// Mutation tests: npm run mutation [-- --mutate src/engine/plan/guard.ts]. Not part of CI: it takes an hour or so.
import { sampledMutants } from './scripts/mutants.mjs';

/** The planner and what a value is, in full; of carrying out and reading, three hundred lines chosen by a seed. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: ['src/engine/plan/**/*.ts', 'src/engine/value/**/*.ts', '!**/codes.ts', ...sampledMutants()],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: '.mutation/report.json' },
  tempDirName: '.mutation/work',
  thresholds: { high: 90, low: 90, break: 90 },
  allowEmpty: false,
};
