// Opens pages in Chromium and runs the checks of `checks/` on them. `npm run test:page -- FOLDER [NAME...]` keeps what they write to
// look at, and runs only those that are named.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startBrowser } from './browser.ts';
import type { PageCheck } from './pageCheck.ts';

const CHECKS = join(import.meta.dirname, 'checks');

const [given, ...names] = process.argv.slice(2);
const folder = resolve(given ?? (await mkdtemp(join(tmpdir(), 'meshform-page-'))));
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
try {
  for (const file of (await readdir(CHECKS)).sort()) {
    if (names.length > 0 && !names.includes(file.replace('.ts', ''))) continue;
    const { check }: { readonly check: PageCheck } = await import(join(CHECKS, file));
    await check({ browser, folder });
    process.stdout.write(`${file}: passed\n`);
  }
} finally {
  await browser.close();
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}
