// Installs meshform: the dependencies of this checkout, or a tarball with the pinned digest.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignEnvironment } from '../src/read/environment.ts';
import { inLine } from './forgeError.ts';
import { jobFolder, runProgram } from './program.ts';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const { MESHFORM_VERSION: version = '' } = process.env;

try {
  await (version === '' ? installCheckout() : installPacked(version));
} catch (error) {
  const reason = inLine(error instanceof Error ? error.message : String(error));
  console.error(`meshform cannot be installed: ${reason}`);
  process.exitCode = 1;
}

async function installCheckout(): Promise<void> {
  // A second step of the same job finds the installation of the first.
  if (existsSync(join(CHECKOUT, 'node_modules/commander'))) return;
  await npm(['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], CHECKOUT);
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
  const folder = join(jobFolder(process.env), 'packed');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'meshform.tgz');
  await writeFile(file, tarball);
  await npm(
    [
      'install',
      '--prefix',
      folder,
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      file,
    ],
    folder,
  );
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
  const { code } = await runProgram('npm', args, {
    cwd,
    env: foreignEnvironment({ env: process.env }),
  });
  if (code !== 0) throw new Error(`npm ended with exit code ${code}`);
}
