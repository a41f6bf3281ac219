// `npm run build:image`: the container image as an OCI archive, with the single executable, git, ssh and sops, and their
// dependencies.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOPS_VERSION, toolFolder } from './cache.ts';
import { debianRoot } from './debian.ts';
import { bill, billText, type Component, nodeComponent, packageBill } from './sbom.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXECUTABLE = join(ROOT, 'build/meshform');
const ARCHIVE = join(ROOT, 'build/meshform-image.tar');
const SOPS = join(toolFolder('sops', SOPS_VERSION), 'sops');

/** The path of the bill of materials in the image. A label of the image contains this path too. */
const BILL = '/usr/share/meshform/sbom.cdx.json';

/** A user id that no distribution assigns to a person or a service. */
const USER = 65532;

for (const [file, get] of [
  [EXECUTABLE, 'npm run build:sea'],
  [SOPS, 'npm run test:packaging -- --get sops'],
  ['/usr/bin/buildah', 'apt-get install buildah'],
  ['/usr/bin/mmdebstrap', 'apt-get install mmdebstrap'],
] as const)
  if (!existsSync(file)) throw new Error(`${file} is missing. Get it: ${get}`);

const { version, description, license } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
/** The time of the commit, in seconds. No file in the image is newer. */
const TIME = git('log', '-1', '--format=%ct');

const scratch = mkdtempSync(join(tmpdir(), 'meshform-image-'));
try {
  const root = join(scratch, 'root');
  mkdirSync(root);
  const packages = debianRoot(root, TIME);
  install(root);
  writeBill(root, packages);
  commit(root);
  console.log(`build/meshform-image.tar  ${Math.round(readFileSync(ARCHIVE).length / 1e6)} MB`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The programs, and the user that runs them. */
function install(root: string): void {
  for (const [from, name] of [
    [EXECUTABLE, 'meshform'],
    [SOPS, 'sops'],
  ] as const) {
    copyFileSync(from, join(root, 'usr/bin', name));
    chmodSync(join(root, 'usr/bin', name), 0o755);
  }
  const shell = '/bin/sh';
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:${shell}\nmeshform:x:${USER}:${USER}:meshform:/home/meshform:${shell}\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nmeshform:x:${USER}:\n`);
  for (const folder of ['home/meshform', 'work', 'journals']) {
    mkdirSync(join(root, folder), { recursive: true });
    execFileSync('chown', [`${USER}:${USER}`, join(root, folder)]);
  }
  chmodSync(join(root, 'tmp'), 0o1777);
}

/** The Debian packages, and the components of the executable and of sops. */
function writeBill(root: string, packages: readonly Component[]): void {
  const made = packageBill();
  const components = [...packages, ...made.components, nodeComponent(), ...sopsComponents()];
  mkdirSync(join(root, 'usr/share/meshform'), { recursive: true });
  const text = billText(bill(made.metadata.component, components, made.dependencies));
  writeFileSync(join(root, BILL), text);
  writeFileSync(join(ROOT, 'build/meshform-image.cdx.json'), text);
}

/** sops and the modules compiled into it, as Go records them in the binary. */
function sopsComponents(): readonly Component[] {
  const text = execFileSync('go', ['version', '-m', SOPS], { encoding: 'utf8' });
  return [...text.matchAll(/^\t(?:mod|dep)\t(\S+)\t(\S+)/gm)].map(([, name = '', found = '']) => {
    const purl = `pkg:golang/${name}@${found}`;
    const type = name.startsWith('github.com/getsops/sops/') ? 'application' : 'library';
    return { type, 'bom-ref': purl, name, version: found, purl };
  });
}

/** A single layer, dated by the commit, so that the same commit and packages yield the same archive, byte for byte. */
function commit(root: string): void {
  const container = buildah('from', 'scratch');
  execFileSync('cp', ['--archive', `${root}/.`, buildah('mount', container)]);
  buildah('config', ...settings(), container);
  buildah('commit', '--quiet', '--timestamp', TIME, '--format', 'oci', container, 'meshform');
  const layout = join(scratch, 'oci');
  buildah('push', '--quiet', 'meshform', `oci:${layout}:meshform:${version}`);
  // The archive is written again, because the one of buildah contains the times at which its parts were written.
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const order = ['--format=ustar', '--sort=name', `--mtime=@${TIME}`];
  execFileSync('tar', [
    '--create',
    '--file',
    ARCHIVE,
    ...order,
    ...owner,
    '--directory',
    layout,
    '.',
  ]);
}

/** The user, the environment, the program and the labels of a container, as arguments of buildah. */
function settings(): readonly string[] {
  const labels = {
    'org.opencontainers.image.title': 'meshform',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': git('rev-parse', 'HEAD'),
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.base.name': 'scratch',
    'meshform.sbom': BILL,
  };
  return [
    '--user',
    `${USER}:${USER}`,
    '--workingdir',
    '/work',
    '--env',
    'PATH=/usr/bin:/bin',
    '--env',
    'HOME=/home/meshform',
    '--entrypoint',
    '["meshform"]',
    ...Object.entries(labels).flatMap(([key, text]) => ['--label', `${key}=${text}`]),
  ];
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** Runs buildah with a separate storage, so that nothing remains on the machine. */
function buildah(...args: readonly string[]): string {
  const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  const options = [...storage, '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...options, ...args], { encoding: 'utf8' }).trim();
}
