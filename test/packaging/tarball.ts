// The tarball: packed from a fresh clone, installed as its users do, used outside the repository.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, OUTER_PATH } from './bench.ts';
import { askQueue } from './delivered.ts';
import { digestOf, freshClone, pack } from './packing.ts';
import type { Part } from './part.ts';
import { checkTypes, importEmulator, runPytest } from './testServer.ts';

/** What no package may be without. */
const CONTENT = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'sbom.cdx.json',
  'bin/meshform.js',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/emulator/index.js',
  'dist/emulator/index.d.ts',
  'docs/ci.md',
  'schemas/openapi.json',
  'examples/quickstart/network.yaml',
];

/** The first folder of everything that may be in it. */
const FOLDERS = ['assets', 'bin', 'dist', 'docs', 'examples', 'man', 'node_modules', 'schemas'];

export const tarball: Part = {
  tools: [],
  notRun: ['publishing: the name in the registry belongs to nobody'],
  open: async bench => {
    const clone = await freshClone(bench, 'clone');
    const packed = await pack(bench, clone);
    const prefix = join(bench.scratch, 'prefix');
    const program = join(prefix, 'bin/meshform');
    const empty = join(bench.scratch, 'empty');
    await mkdir(empty);
    const meshform = (...args: readonly string[]) => bench.run(program, args, { cwd: empty });
    return {
      'a fresh clone packs what it should, and nothing else': () => checkContent(bench, packed),
      'packing again gives the same bytes': async () => {
        const before = await digestOf(packed);
        assert.equal(await digestOf(await pack(bench, clone)), before);
      },
      'it installs globally, without a registry': () => install(bench, packed, prefix),
      '--version is that of the package': async () => {
        const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'));
        assert.equal((await meshform('--version')).stdout, `${version}\n`);
      },
      'demo runs': async () => {
        assert.match((await meshform('demo')).stdout, /The account matches the files/);
      },
      'validate accepts the examples': async () => {
        const examples = join(prefix, 'lib/node_modules/meshform/examples');
        for (const name of ['company', 'everything', 'quickstart'])
          await meshform('validate', join(examples, name));
      },
      'without the packages of the queue, a worker says what to install': async () => {
        const { stderr } = await askQueue(bench, program, { folder: empty, env: bench.env });
        assert.match(stderr, /the package pg is not installed: the queue of a fleet needs it/);
        assert.match(stderr, /`npm install pg@8 pg-boss@12`/);
      },
      'the library can be imported': () => importLibrary(bench, prefix),
      'the emulator can be imported by itself, and answers': () => importEmulator(bench, prefix),
      'a program that uses the emulator passes the type checker': () => checkTypes(bench, prefix),
      'the pytest fixture of docs/emulator.md starts the emulator': () => runPytest(bench, prefix),
      'every dependency is in the SBOM, in the version that is installed': () => checkBill(prefix),
      'an older Node says what is needed, in one line': () => runOnOldNode(bench, program),
    };
  },
};

async function checkContent({ run, note }: Bench, packed: string): Promise<void> {
  const { stdout } = await run('tar', ['--list', '--file', packed]);
  const files = stdout
    .trim()
    .split('\n')
    .map(path => path.replace('package/', ''));
  for (const file of CONTENT) assert.ok(files.includes(file), `${file} is missing`);
  const folders = files.filter(file => file.includes('/')).map(file => file.split('/')[0] ?? '');
  assert.deepEqual([...new Set(folders)].sort(), FOLDERS);
  note(`${files.length} files, ${Math.round((await readFile(packed)).length / 1000)} kB`);
}

/** The cache of npm is an empty one, and npm may not go to the network: the tarball has all it needs. */
async function install({ run, scratch }: Bench, packed: string, prefix: string): Promise<void> {
  const cache = join(scratch, 'npm-cache');
  await run('npm', [
    'install',
    '--global',
    '--offline',
    '--cache',
    cache,
    '--prefix',
    prefix,
    packed,
  ]);
}

async function importLibrary({ run, scratch }: Bench, prefix: string): Promise<void> {
  const code = "import('meshform').then(it => console.log(typeof it.startEmulator))";
  const installed = join(prefix, 'lib/node_modules/meshform');
  const { stdout } = await run(process.execPath, ['--eval', code], { cwd: installed });
  assert.equal(stdout, 'function\n', scratch);
}

async function checkBill(prefix: string): Promise<void> {
  const installed = join(prefix, 'lib/node_modules/meshform');
  const bill = JSON.parse(await readFile(join(installed, 'sbom.cdx.json'), 'utf8'));
  assert.equal(bill.bomFormat, 'CycloneDX');
  const listed: string[] = bill.components.map((one: { purl: string }) => one.purl);
  const modules = join(installed, 'node_modules');
  const names = (await readdir(modules)).filter(name => !name.startsWith('.'));
  const there = names.map(async name => {
    const { version } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'));
    return `pkg:npm/${name}@${version}`;
  });
  // Two packages are in a shipped file (`packaging/layout.ts`).
  const installedOnes = listed.filter(purl => !purl.startsWith('pkg:npm/%40dagrejs/'));
  assert.equal(listed.length, installedOnes.length + 2);
  assert.deepEqual((await Promise.all(there)).sort(), installedOnes.sort());
}

/** The Node of the machine where it is an old one; otherwise this one, with another version. */
async function runOnOldNode({ run, env, note }: Bench, program: string): Promise<void> {
  const outer = { ...env, PATH: OUTER_PATH.join(':') };
  const version = await run('node', ['--version'], { env: outer, exit: 'any' })
    .then(({ stdout }) => stdout.trim())
    .catch(() => '');
  const isOld = Number(/\d+/.exec(version)?.[0] ?? 24) < 24;
  note(isOld ? `on Node ${version}` : 'no older Node in PATH: this one gives another version');
  const [node, args] = isOld ? ['node', []] : [process.execPath, ['--import', PRETENDED_VERSION]];
  const ended = await run(node, [...args, program, '--version'], { env: outer, exit: 69 });
  assert.equal(ended.stdout, '');
  assert.match(ended.stderr, /^meshform needs Node\.js 24 or newer; this is v.*\.\n$/);
}

const PRETENDED_VERSION =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})";
