// Mutation tests: npm run mutation [-- --mutate src/engine/engine/plan/guards/guard.ts]. Not part of CI. What survives: node scripts/mutation/report.mjs.

/** The planner and what a value is, in full; of carrying out and reading, three hundred mutants chosen by a seed. */
export default {
  plugins: ['./scripts/mutation/runner.mjs', './scripts/mutation/sample.mjs'],
  testRunner: 'in-memory',
  checkers: ['sample'],
  mutate: ['src/engine/engine/{plan,apply,refresh}/**/*.ts', 'src/engine/core/value/**/*.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Only what hangs is to count as killed by it, on however busy a machine.
  timeoutMS: 30_000,
  timeoutFactor: 4,
  ignorePatterns: ['dist', 'artifacts', 'bench', 'docs', 'fixtures', '.sync', '.demo'],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, logTests: false },
  jsonReporter: { fileName: `.mutation/${process.env.SYNC_MUTATION_REPORT ?? 'report'}.json` },
  tempDirName: '.mutation/work',
  thresholds: { high: 90, low: 90, break: 90 },
  allowEmpty: false,
};
