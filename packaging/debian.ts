// The root file system of the image, from Debian packages: the dependencies of git, ssh and the executable. Documentation and
// Perl are left out; only git commands that meshform never calls need Perl. Every file belongs to a listed package or is written
// below, so nothing comes from the machine that builds the image.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
];

/** Packages on which others depend, but which nothing in the image uses. None of their files remain. */
const UNUSED = /^(?:perl|perl-base|perl-modules-.*|libperl.*|liberror-perl|git-man)$/;

/** The fields of each package, where vulnerability scanners look in an image without dpkg. */
const FIELDS = 'var/lib/dpkg/status.d';

/** The paths of each package, as dpkg lists them. */
const LISTS = 'var/lib/dpkg/info';

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

/**
 * Unpacks the packages into the empty folder `root` and returns them. Their install scripts do not run. `time`, in seconds, is
 * the latest modification time of a file.
 */
export function debianRoot(root: string, time: string): readonly Component[] {
  const record = [
    `mkdir -p "$1/${FIELDS}" "$1/${LISTS}"`,
    'for deb in "$1"/var/cache/apt/archives/*.deb',
    'do name=$(dpkg-deb --field "$deb" Package)',
    `dpkg-deb --field "$deb" > "$1/${FIELDS}/$name"`,
    `dpkg-deb --fsys-tarfile "$deb" | tar --list > "$1/${LISTS}/$name.list"`,
    'done',
  ].join('; ');
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
    { stdio: ['ignore', 2, 2], env: { ...process.env, SOURCE_DATE_EPOCH: time } },
  );
  keepListed(root);
  configure(root);
  return packagesOf(root);
}

/** Removes all files that belong to no package in use, such as the host name and the resolvers of the machine that builds. */
function keepListed(root: string): void {
  const listed = new Set<string>();
  for (const file of globSync('*.list', { cwd: join(root, LISTS) }).sort()) {
    const name = file.slice(0, -'.list'.length);
    const paths = readFileSync(join(root, LISTS, file), 'utf8')
      .split('\n')
      .map(inRoot);
    const present = paths.filter(path => path !== '' && isThere(join(root, path)));
    if (UNUSED.test(name)) {
      rmSync(join(root, LISTS, file));
      rmSync(join(root, FIELDS, name));
    } else {
      for (const path of present) listed.add(path);
      const lines = present.map(path => `/${path}\n`);
      writeFileSync(join(root, LISTS, file), lines.join(''));
    }
  }
  const isRecord = (path: string) =>
    [FIELDS, LISTS].some(folder => `${path}/`.startsWith(`${folder}/`));
  // The content of a folder is listed before the folder itself.
  const find = ['-mindepth', '1', '-depth', '-printf', '%P\\0'];
  const found = execFileSync('find', [root, ...find], { encoding: 'utf8', maxBuffer: 1e8 });
  for (const path of found.split('\0').slice(0, -1)) {
    if (listed.has(path) || isRecord(path)) continue;
    const full = join(root, path);
    if (!lstatSync(full).isDirectory()) rmSync(full);
    else if (readdirSync(full).length === 0) rmdirSync(full);
  }
}

/** `./usr/bin/` and `/usr/bin` as `usr/bin`. */
const inRoot = (path: string): string => path.replace(/^\.?\//, '').replace(/\/$/, '');

/** Whether a path exists, even as a broken link. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Makes the changes that the packages' install scripts would make and that the image needs. */
function configure(root: string): void {
  for (const name of COMMANDS)
    if (!['bin', 'usr/bin'].some(folder => isThere(join(root, folder, name))))
      symlinkSync('/bin/busybox', join(root, 'bin', name));
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
  const folder = join(root, FIELDS);
  const names = globSync('*', { cwd: folder }).sort();
  return names.map(name => {
    const fields = readFileSync(join(folder, name), 'utf8');
    const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(fields)?.[1] ?? '';
    const version = field('Version');
    const query = `arch=${field('Architecture')}&distro=debian-12`;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${query}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
}
