import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Isolation would start one process a file; the suite keeps no module state, so files share a worker.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
