import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.js';

/**
 * Rooms whose tests start a process, a shell or a browser, run commands against a platform that listens, walk whole lives or
 * worlds, go through every type, try a law that the soak tries for longer, or feed in what is far too large. All others are the fast ones: units and tables, in this
 * process, in memory. A test file goes where its work belongs; test/projects.test.ts holds the rule.
 */
export const longRooms = [
  'browser',
  'ci',
  'conformance',
  'contract',
  'derived',
  'docs',
  'editor',
  'evidence',
  'fault',
  'laws',
  'postgres',
  'process',
  'pulumi',
  'rounds',
  'security',
  'simulator',
];

/** Of these rooms, those that `npm run test:long` runs and `npm test` does not: they go through every type, kill processes, or start other programs. */
export const longestRooms = ['browser', 'ci', 'derived', 'editor', 'fault', 'pulumi'];

/** Files of other rooms that go with them: every line that help shows, and damaged definitions of every type. */
const longestFiles = ['test/process/help-examples.test.ts', 'test/conformance/mutants.test.ts'];

/** Files of fast rooms whose every row is a whole life against a service that listens: they go with the long ones. */
export const lives = [
  'test/engine/catalogue/twelve.test.ts',
  'test/engine/inherited-names.test.ts',
  'test/engine/traps.test.ts',
  'test/providers/own/described-services.test.ts',
  'test/providers/own/own-platform.test.ts',
  'test/providers/own/traits.test.ts',
];

/** A test that puts another module in the place of one: what it loads must be nobody else's. */
export const alone = [
  'test/engine/specification/traps.test.ts',
  'test/laws/memory.test.ts',
  'test/laws/propose-unmoved.test.ts',
  'test/laws/secrets-in-built-in-types.test.ts',
  'test/laws/secrets-tell-nothing.test.ts',
];

const filesOf = (rooms: readonly string[]): string[] => rooms.map((room) => `test/${room}/**/*.test.ts`);

const shared = {
  pool: 'forks',
  setupFiles: 'test/harness/law-settings.ts',
  // Isolation would start one process a file; the suite keeps no module state, so files share a worker.
  isolate: false,
  // Bounds that only a hang reaches, on however busy a machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

export default defineConfig({
  test: {
    // Two more than there are cores: a file waits half its time, for a process, a disk or a clock. With one more, 30 % of two cores idle.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // What was compiled once is kept, by its content, until the lock file changes or `npx vitest --clearCache`.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...longRooms.map((room) => `test/${room}/**`), ...lives, ...alone],
        },
      },
      {
        test: {
          ...shared,
          name: 'long',
          // Workers are shared by the files of one project: each project more costs each worker another start.
          include: [...filesOf(longRooms.filter((room) => !longestRooms.includes(room))), ...lives],
          exclude: [...longestFiles, ...alone],
        },
      },
      { test: { ...shared, name: 'longest', include: [...filesOf(longestRooms), ...longestFiles] } },
      { test: { ...shared, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
