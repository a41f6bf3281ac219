// `npm run test:fleet`: the queue of a fleet on a PostgreSQL that the tests start. `npm test` needs no database.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest takes no other.
export default defineConfig({
  test: {
    include: ['test/queue/**/*.database.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // The tests of a file share a server, and each has a database of its own.
    fileParallelism: false,
    globalSetup: [fileURLToPath(new URL('../support/program/build.ts', import.meta.url))],
  },
});
