import { defineConfig } from 'vitest/config';

/** The tests that can kill a mutant of the planner quickly: in memory, no process, no server of another kind. */
export default defineConfig({
  test: {
    include: ['test/engine/{plan,value,apply}/**/*.test.ts', 'test/engine/{one-value,options,risks}.test.ts'],
    testTimeout: 20_000,
  },
});
