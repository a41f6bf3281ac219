// Starting a program copies the list of the pages of the process that starts it: in a worker of a gigabyte, that takes longer than most
// commands of git. A worker that a file has left large is made small again, for the files that it runs next.

/** In bytes. The sources and the tests need half of it. */
const LARGE = 400 * 1024 * 1024;

/** Collects what a test file left, if the worker has become large. */
export function collectGarbage(): void {
  if (process.memoryUsage.rss() < LARGE) return;
  // Any other flavour keeps the pages that become free for objects to come.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
