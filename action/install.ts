// Installs meshform: the dependencies of this checkout, or a tarball with the pinned digest.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ordinaryEnvironment } from '../src/read/environment.ts';
import { freshFolder, writeNewFile } from './folders.ts';
import { inLine } from './forgeError.ts';
import { listenToInterrupts } from './interrupts.ts';
import { appendTo, outputLines } from './outputs.ts';
import { runProgram } from './program.ts';

const { env } = process;
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const { MESHFORM_VERSION: version = '' } = env;
const interrupts = listenToInterrupts();
/** Scripts of packages do not run, because no package that a run needs has one. */
const QUIETLY = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
/** The variables of npm: its settings, its own token, and how it reaches a registry. */
const NPM =
  /^(?:npm_config_.*|npm_token|node_auth_token|node_(?:options|extra_ca_certs|use_env_proxy)|ssl_cert_(?:file|dir)|(?:https?|all|no)_proxy)$/i;

try {
  await (version === '' ? installCheckout() : installPacked(version));
} catch (error) {
  const reason = inLine(error instanceof Error ? error.message : String(error));
  console.error(`meshform cannot be installed: ${reason}`);
  process.exitCode = interrupts.exitCode() ?? 1;
}

async function installCheckout(): Promise<void> {
  // A second step of the same job finds the installation of the first.
  if (existsSync(join(CHECKOUT, 'node_modules/commander'))) return;
  await npm(['ci', ...QUIETLY], CHECKOUT);
}

async function installPacked(wanted: string): Promise<void> {
  const [, place, digest] = /^(.+)#sha256:([0-9a-f]{64})$/.exec(wanted) ?? [];
  if (place === undefined || digest === undefined)
    throw new Error(
      'the input `version` is the path or URL of a tarball, then #sha256: and 64 hexadecimal digits',
    );
  const tarball = await bytesAt(place);
  const found = createHash('sha256').update(tarball).digest('hex');
  if (found !== digest)
    throw new Error(`the tarball has the digest sha256:${found}, not sha256:${digest}`);
  const folder = freshFolder(env);
  const file = join(folder, 'meshform.tgz');
  writeNewFile(file, tarball);
  // The tarball contains its dependencies, so the digest covers them too, and nothing else is downloaded.
  await npm(['install', '--offline', '--prefix', folder, ...QUIETLY, file], folder);
  await appendTo(env.GITHUB_OUTPUT, outputLines({ packed: folder }));
}

async function bytesAt(place: string): Promise<Buffer> {
  if (/^\w+:\/\//.test(place) && !place.startsWith('https://'))
    throw new Error('a tarball is downloaded from an address that begins with https:// only');
  if (!place.startsWith('https://')) return readFile(resolve(place));
  const response = await fetch(place, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${place} returned status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  const { code } = await runProgram('npm', args, { cwd, env: npmEnvironment(), interrupts });
  if (code !== 0) throw new Error(`npm ended with exit code ${code}`);
}

// The environment of npm: without tokens other than npm's own, and without variables of meshform.
function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => NPM.test(name));
  return { ...ordinaryEnvironment({ env }), ...Object.fromEntries(own) };
}
