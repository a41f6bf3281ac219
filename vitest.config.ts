// How tests run: files share a worker, so that the kinds, the contract and the program are loaded and compiled once.
// No test may depend on what another file left: `npm test -- --sequence.shuffle.files` shows where one does.
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest takes no other.
export default defineConfig({
  test: { isolate: false, setupFiles: ['test/support/afterEachFile.ts'] },
});
