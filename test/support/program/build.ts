// Before the tests: builds the program into a folder of its own, because hundreds of tests start it as a process, and the bundle
// starts several times faster than the sources. The folder is named after what was built, so that runs of the same sources share it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAMS = join(ROOT, 'build/programs');
/** What the program is built from. */
const SOURCES = ['bin', 'package.json', 'package-lock.json', 'packaging', 'schemas', 'src'];
const DAY = 86_400_000;

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the built program, laid out like the package. */
    readonly program: string;
  }
}

/** Builds it where it has not been built from these sources. */
export function setup({ provide }: TestProject): void {
  const folder = join(PROGRAMS, fingerprint());
  if (!existsSync(folder)) build(folder);
  provide('program', folder);
}

function build(folder: string): void {
  mkdirSync(PROGRAMS, { recursive: true });
  removeOld();
  const scratch = mkdtempSync(join(PROGRAMS, 'unfinished-'));
  const args = [join(ROOT, 'packaging/build.ts'), join(scratch, 'dist')];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('the program cannot be built');
  cpSync(join(ROOT, 'bin'), join(scratch, 'bin'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(scratch, 'package.json'));
  for (const shipped of ['assets', 'examples', 'man', 'node_modules', 'schemas'])
    symlinkSync(join(ROOT, shipped), join(scratch, shipped));
  // Some tests start it as another user.
  chmodSync(scratch, 0o755);
  try {
    renameSync(scratch, folder);
  } catch (error) {
    // Another run of the tests was faster.
    if (!existsSync(folder)) throw error;
    rmSync(scratch, { recursive: true });
  }
}

function removeOld(): void {
  for (const name of readdirSync(PROGRAMS)) {
    const path = join(PROGRAMS, name);
    if (Date.now() - statSync(path).mtimeMs > DAY) rmSync(path, { recursive: true });
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES.map(name => join(ROOT, name)))
    for (const file of statSync(source).isFile() ? [source] : filesIn(source))
      hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
