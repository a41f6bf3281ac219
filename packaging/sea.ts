// `npm run build:sea`: meshform as a single executable for Linux, which needs neither Node nor any other file. It consists of
// the Node that runs this script, the sources as one script, and the shipped files as assets.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { shippedFiles } from '../src/shipped.ts';
import { absent, optional } from './dependencies.ts';
import { bill, billText, nodeComponent, packageBill } from './sbom.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILD = join(ROOT, 'build');
const TARGET = join(BUILD, 'meshform');
const POSTJECT = join(ROOT, 'node_modules/postject/dist/cli.js');

/** The marker for the script in Node's executable, from the documentation of Node. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

if (process.platform !== 'linux') throw new Error('the single executable is for Linux only');
const scratch = mkdtempSync(join(tmpdir(), 'meshform-sea-'));
try {
  const script = await bundle(join(scratch, 'meshform.cjs'));
  mkdirSync(BUILD, { recursive: true });
  copyFileSync(process.execPath, TARGET);
  strip();
  inject(blob(script));
  writeFileSync(`${TARGET}.cdx.json`, billText(executableBill()));
  const digest = createHash('sha256').update(readFileSync(TARGET)).digest('hex');
  writeFileSync(`${TARGET}.sha256`, `${digest}  meshform\n`);
  console.log(`build/meshform  ${Math.round(readFileSync(TARGET).length / 1e6)} MB`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** All sources and dependencies as a CommonJS script, the only format that the executable accepts. */
async function bundle(outfile: string): Promise<string> {
  await build({
    entryPoints: [join(ROOT, 'src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
    // The code cache does not work with `import()`.
    supported: { 'dynamic-import': false },
    // The path of a module is meaningless here; shipped files are assets.
    define: { 'import.meta.url': '"file:///"' },
    external: [...absent],
    logLevel: 'warning',
  });
  return outfile;
}

/** The script with its assets, prepared for injection. */
function blob(main: string): string {
  const files = ['schemas', 'assets', 'examples'].flatMap(shippedFiles).concat('package.json');
  // The executable contains the path of the script. Without a folder in it, the path is the same in every build.
  const config = {
    main: basename(main),
    output: 'meshform.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(files.map(path => [path, join(ROOT, path)])),
  };
  const file = join(scratch, 'sea-config.json');
  writeFileSync(file, JSON.stringify(config));
  // The code cache depends on the seed of hashes, which is random. With `--hash-seed`, the executable would reject the cache.
  const args = ['--random-seed=1', '--experimental-sea-config', file];
  execFileSync(process.execPath, args, { cwd: scratch, stdio: 'pipe' });
  return join(scratch, config.output);
}

/** Removes the symbols of Node's executable, an eighth of its size. Without `strip` they stay. */
function strip(): void {
  spawnSync('strip', [TARGET]);
}

function inject(prepared: string): void {
  const args = [TARGET, 'NODE_SEA_BLOB', prepared, '--sentinel-fuse', FUSE];
  execFileSync(process.execPath, [POSTJECT, ...args], { stdio: 'pipe' });
}

/** The package with the packages of the queue, and the Node in the same file. */
function executableBill() {
  const made = packageBill(optional);
  return bill(made.metadata.component, [...made.components, nodeComponent()], made.dependencies);
}
