// The root file system of the image, from Debian packages: the dependencies of git, ssh and the executable, without
// documentation, and without Perl, which only git commands need that meshform never calls.
import { execFileSync } from 'node:child_process';
import { appendFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from './sbom.ts';

const SUITE = 'bookworm';
const PACKAGES = [
  'base-files',
  'busybox',
  'ca-certificates',
  'git',
  'libstdc++6',
  'openssh-client',
];
const EXCLUDED = [
  '/usr/share/man/*',
  '/usr/share/info/*',
  '/usr/share/locale/*',
  '/usr/share/doc/*',
  '/usr/share/bash-completion/*',
  '/usr/share/gitweb/*',
  '/usr/lib/*/gconv/*',
  '/usr/share/perl*',
  '/usr/lib/*/perl*',
  '/usr/lib/*/libperl*',
  '/usr/bin/perl*',
];

/** Packages whose files are all excluded. */
const WITHOUT_FILES = /^(?:perl|perl-base|perl-modules-.*|libperl.*|liberror-perl|git-man)$/;

/** The programs that scripts in a pipeline and git's own scripts call. */
const COMMANDS = [
  '[',
  'basename',
  'cat',
  'chmod',
  'cp',
  'cut',
  'date',
  'dirname',
  'echo',
  'env',
  'expr',
  'false',
  'find',
  'grep',
  'head',
  'id',
  'ln',
  'ls',
  'mkdir',
  'mktemp',
  'mv',
  'printf',
  'pwd',
  'rm',
  'rmdir',
  'sed',
  'sh',
  'sleep',
  'sort',
  'tail',
  'tar',
  'tee',
  'test',
  'touch',
  'tr',
  'true',
  'uname',
  'uniq',
  'wc',
  'xargs',
];

/** Unpacks the packages into the empty folder `root` and returns them. Their install scripts do not run. */
export function debianRoot(root: string): readonly Component[] {
  // Vulnerability scanners look here for the packages of an image without dpkg.
  const record =
    'mkdir -p "$1/var/lib/dpkg/status.d"; for deb in "$1"/var/cache/apt/archives/*.deb; do ' +
    'dpkg-deb --field "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"; done';
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=extract',
      '--mode=root',
      '--format=directory',
      `--include=${PACKAGES.join(',')}`,
      ...EXCLUDED.map(path => `--dpkgopt=path-exclude=${path}`),
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      `--extract-hook=${record}`,
      SUITE,
      root,
    ],
    { stdio: ['ignore', 2, 2] },
  );
  configure(root);
  return packagesOf(root);
}

/** The necessary effects of the packages' install scripts. */
function configure(root: string): void {
  for (const name of COMMANDS)
    execFileSync('ln', ['--symbolic', '--force', '/bin/busybox', join(root, 'bin', name)]);
  const certificates = globSync(join(root, 'usr/share/ca-certificates/mozilla/*.crt')).sort();
  const bundle = join(root, 'etc/ssl/certs/ca-certificates.crt');
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(bundle, '');
  for (const file of certificates) appendFileSync(bundle, readFileSync(file));
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  execFileSync('find', [
    root,
    '-xdev',
    '-perm',
    '/6000',
    '-type',
    'f',
    '-exec',
    'chmod',
    'a-s',
    '{}',
    '+',
  ]);
}

function packagesOf(root: string): readonly Component[] {
  const folder = join(root, 'var/lib/dpkg/status.d');
  for (const file of globSync('*', { cwd: folder }).filter(name => WITHOUT_FILES.test(name)))
    execFileSync('rm', [join(folder, file)]);
  return globSync('*', { cwd: folder }).map(name => {
    const fields = readFileSync(join(folder, name), 'utf8');
    const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(fields)?.[1] ?? '';
    const version = field('Version');
    const query = `arch=${field('Architecture')}&distro=debian-12`;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${query}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
}
