// How tests run: files share a worker, so that the kinds, the contract and the program are loaded and compiled once. No test may
// depend on what another file left: `npm run test:all -- --sequence.shuffle.files` shows where one does. `npm test` runs the
// projects `rooms` and `alone`, `npm run test:all` every one.
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ALONE } from './test/support/alone.ts';
import { COMMAND_FOLDERS, PROOF_FILES, PROOF_FOLDERS } from './test/support/slow.ts';

const alone = ALONE.map(file => `**/${file}`);

const within = (folders: readonly string[]) => folders.map(folder => `**/${folder}/**/*.test.ts`);
const commands = within(COMMAND_FOLDERS);
const proofs = [...within(PROOF_FOLDERS), ...PROOF_FILES.map(file => `**/${file}`)];

/** Arguments of Node for workers with so many MB for new objects. */
const withRoom = (megabytes: number) => [`--max-semi-space-size=${megabytes}`, '--expose-gc'];

// biome-ignore lint/style/noDefaultExport: vitest takes no other.
export default defineConfig({
  test: {
    // By default one core is left free, which on a machine of two is half of it. One more than there are cores, because many
    // tests wait for git or for a disk.
    maxWorkers: availableParallelism() + 1,
    // Most tests take milliseconds. Beside other work, those that start programs have been seen to take many times as long.
    // Tests that run at once share a core, and the time of each includes that of the others: two, as one often waits for git.
    maxConcurrency: 2,
    testTimeout: 60_000,
    tags: [
      {
        name: 'variation',
        description:
          'A behaviour that other tests show too, on another way or in another place. `.ci/run` leaves it out, `npm run test:variations` runs it.',
      },
    ],
    hookTimeout: 60_000,
    // Most objects of a test die with it: with more room for new ones, the collector copies fewer, a twelfth of all time.
    // `test/support/garbage.ts` uses the other argument.
    execArgv: withRoom(64),
    globalSetup: ['test/support/program/build.ts', 'test/support/ownRepository.ts'],
    env: {
      // Programs that tests start must not write to the state folder of whoever runs the tests.
      XDG_STATE_HOME: join(tmpdir(), `meshform-tests-${process.pid}`),
      // A program is started with a copy of the list of all pages of the worker: with one pool of the C library for all threads,
      // instead of one for each, that list is a third shorter, and tests that start git take a tenth less time.
      MALLOC_ARENA_MAX: '1',
    },
    setupFiles: ['test/support/afterEachFile.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', ...alone, ...commands, ...proofs],
        },
      },
      { extends: true, test: { name: 'proofs', isolate: false, include: proofs } },
      {
        extends: true,
        test: {
          name: 'commands',
          isolate: false,
          include: commands,
          // The memory of a worker is what starting a program costs: with less room for new objects, these take a seventh less time.
          execArgv: withRoom(16),
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
