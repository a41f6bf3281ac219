// How tests run: files share a worker, so that the kinds, the contract and the program are loaded and compiled once. No test may
// depend on what another file left: `npm test -- --sequence.shuffle.files` shows where one does.
import { defineConfig } from 'vitest/config';
import { ALONE } from './test/support/alone.ts';

const alone = ALONE.map(file => `**/${file}`);

// biome-ignore lint/style/noDefaultExport: vitest takes no other.
export default defineConfig({
  test: {
    // By default one core is left free, which on a machine of two is half of it.
    maxWorkers: '100%',
    // Most objects of a test die with it: with more room for new ones, the collector copies fewer, a twelfth of all time.
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: ['test/support/program/build.ts'],
    setupFiles: ['test/support/afterEachFile.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', ...alone],
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
