// The container image: built, unpacked, and used with a read-only root by a user who is not root.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { startEmulator } from '../../src/emulator/index.ts';
import { ageKey } from './ageKey.ts';
import type { Bench } from './bench.ts';
import { checkPods } from './chart/chartRun.ts';
import { container, type Unpacked, unpack } from './contained.ts';
import { deliveredSteps } from './delivered.ts';
import type { Part } from './part.ts';

const MOST_COMPRESSED = 120e6;
const MOST_UNPACKED = 300e6;
const LABELS = ['title', 'description', 'version', 'revision', 'licenses'];

type Inside = (words: readonly string[], more?: NodeJS.ProcessEnv) => Promise<string>;

export const image: Part = {
  tools: ['buildah', 'helm', 'mmdebstrap', 'sops'],
  notRun: [
    'a registry: the image is pushed to an archive',
    'packaging/Containerfile: its base images come from a registry',
  ],
  open: async bench => {
    const { root, scratch, run } = bench;
    await run('npm', ['run', 'build:sea'], { cwd: root });
    await run('npm', ['run', 'build:image'], { cwd: root });
    const unpacked = await unpack(bench, join(root, 'build/meshform-image.tar'));
    const work = join(scratch, 'work');
    await mkdir(work);
    const [uid = 0, gid = 0] = unpacked.config.User.split(':').map(Number);
    await chown(work, uid, gid);
    const { command, before, env } = await container(bench, unpacked, work);
    const inside: Inside = async (words, more = {}) =>
      (await run(command, [...before, ...words], { env: { ...env, ...more } })).stdout;
    return {
      'it is small': () => checkSize(bench, unpacked),
      'its user, entry point and labels are set': () => checkConfig(unpacked),
      'nothing in it runs with the rights of its owner': async () => {
        const { stdout } = await run('find', [unpacked.root, '-perm', '/6000', '-type', 'f']);
        assert.equal(stdout, '');
      },
      'its root is read-only, and its user owns nothing but three folders': async () => {
        const { stdout } = await run('find', [unpacked.root, '-user', String(uid)]);
        const owned = stdout
          .trim()
          .split('\n')
          .map(path => path.replace(unpacked.root, ''));
        assert.deepEqual(owned.sort(), ['/home/meshform', '/journals', '/work']);
        await assert.rejects(inside(['touch', '/home/meshform/file']), /Read-only file system/);
        assert.match(await inside(['id']), new RegExp(`^uid=${uid}\\(meshform\\)`));
      },
      'every file in it is of a listed package or of meshform, and every listed package has one':
        () => checkFiles(bench, unpacked),
      'built again, it is the same': () => checkAgain(bench),
      'the SBOM has what the programs in it say of themselves': () => checkBill(unpacked, inside),
      ...deliveredSteps(bench, {
        command,
        env,
        folder: work,
        before: [...before, ...unpacked.config.Entrypoint],
      }),
      'a base in git, and a secret that sops decrypts': () => applyWithGitAndSops(work, inside),
      'the jobs of the chart apply, record, delete and find drift': () =>
        checkPods(bench, unpacked),
    };
  },
};

async function checkSize({ run, note }: Bench, { root, compressed }: Unpacked): Promise<void> {
  const { stdout } = await run('du', ['--summarize', '--bytes', root]);
  const unpacked = Number.parseInt(stdout, 10);
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  note(`compressed ${inMegabytes(compressed)}, unpacked ${inMegabytes(unpacked)}`);
  assert.ok(compressed < MOST_COMPRESSED, 'too large when compressed');
  assert.ok(unpacked < MOST_UNPACKED, 'too large when unpacked');
}

async function checkConfig({ config }: Unpacked): Promise<void> {
  assert.match(config.User, /^[1-9]\d*:[1-9]\d*$/);
  assert.deepEqual(config.Entrypoint, ['meshform']);
  assert.equal(config.WorkingDir, '/work');
  for (const label of LABELS) assert.ok(config.Labels[`org.opencontainers.image.${label}`], label);
}

async function checkBill({ root, config }: Unpacked, inside: Inside): Promise<void> {
  const bill = JSON.parse(await readFile(join(root, config.Labels['meshform.sbom'] ?? ''), 'utf8'));
  const listed: readonly { readonly name: string; readonly version: string }[] = bill.components;
  const versionOf = (name: string) => listed.find(one => one.name === name)?.version ?? '';
  const git = await inside(['git', '--version']);
  assert.ok(versionOf('git').includes(git.trim().split(' ').at(-1) ?? '?'), git);
  const sops = await inside(['sops', '--version']);
  assert.ok(sops.includes(versionOf('github.com/getsops/sops/v3').replace('v', '')), sops);
  assert.match(versionOf('node'), /^24\./);
  for (const name of ['undici', 'libc6', 'filippo.io/age'])
    assert.notEqual(versionOf(name), '', name);
  const packages = await inside(['ls', '/var/lib/dpkg/status.d']);
  for (const name of packages.trim().split('\n')) assert.notEqual(versionOf(name), '', name);
}

/** The files in the image that no Debian package has. `*` is a name. */
const OWN = [
  '/bin/*',
  '/etc/group',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/ssl/certs/ca-certificates.crt',
  '/usr/bin/meshform',
  '/usr/bin/sops',
  '/usr/share/meshform/sbom.cdx.json',
  '/var/lib/dpkg/info/*.list',
  '/var/lib/dpkg/status.d/*',
];

/** By the type of a listed package, the file that it is in. Debian packages have lists of theirs. */
const FILE_OF: Readonly<Record<string, string>> = {
  npm: '/usr/bin/meshform',
  github: '/usr/bin/meshform',
  golang: '/usr/bin/sops',
};

// The file system is compared with the bill through the lists of the packages, which are in the image for scanners. What comes
// from the machine that builds, such as its name servers, is of no package.
async function checkFiles({ run }: Bench, { root, config }: Unpacked): Promise<void> {
  const bill = JSON.parse(await readFile(join(root, config.Labels['meshform.sbom'] ?? ''), 'utf8'));
  const components: readonly { readonly name: string; readonly purl: string }[] = bill.components;
  const find = ['-mindepth', '1', '!', '-type', 'd', '-printf', '/%P\n'];
  const found = new Set((await run('find', [root, ...find])).stdout.trim().split('\n'));
  const owned = new Set<string>();
  const empty: string[] = [];
  for (const { name, purl } of components) {
    const [, type = ''] = /^pkg:(\w+)\//.exec(purl) ?? [];
    const files =
      type === 'deb'
        ? (await readFile(join(root, `var/lib/dpkg/info/${name}.list`), 'utf8')).split('\n')
        : [FILE_OF[type] ?? ''];
    const present = files.filter(file => found.has(file));
    if (present.length === 0) empty.push(purl);
    for (const file of present) owned.add(file);
  }
  assert.deepEqual(empty, [], 'listed, but not in the image');
  const strange = [...found].filter(
    file => !owned.has(file) && !OWN.some(own => matchesGlob(file, own)),
  );
  assert.deepEqual(strange, [], 'in the image, but of no listed package');
  const links = [...found].filter(file => !owned.has(file) && file.startsWith('/bin/'));
  for (const link of links) assert.equal(await readlink(join(root, link)), '/bin/busybox');
  const lists = [...found].filter(file => file.startsWith('/var/lib/dpkg/info/'));
  for (const list of lists)
    assert.ok(
      components.some(({ name }) => list.endsWith(`/${name}.list`)),
      `${list} is not in the bill`,
    );
}

async function checkAgain({ root, run }: Bench): Promise<void> {
  const archive = join(root, 'build/meshform-image.tar');
  const digest = async () =>
    createHash('sha256')
      .update(await readFile(archive))
      .digest('hex');
  const first = await digest();
  await run('npm', ['run', 'build:sea'], { cwd: root });
  await run('npm', ['run', 'build:image'], { cwd: root });
  assert.equal(await digest(), first);
}

const CHANNEL = `identity_providers:
  - name: staff
    type: google
    client_id: meshform
    client_secret: \${sops:secrets.yaml#client_secret}
`;

/** A repository whose recorded revision is the base, and a secret that is only in an encrypted file. */
async function applyWithGitAndSops(work: string, inside: Inside): Promise<void> {
  const emulator = await startEmulator();
  try {
    const { recipient, identity } = ageKey();
    const account = {
      MESHFORM_URL: emulator.url,
      MESHFORM_TOKEN: emulator.token,
      MESHFORM_JOURNALS: '/journals',
      SOPS_AGE_KEY: identity,
    };
    const in_ = (words: readonly string[]) => inside(['sh', '-ec', words.join('\n')], account);
    await writeFile(join(work, 'network.yaml'), CHANNEL);
    await in_([
      'git init --quiet --initial-branch main repository',
      'cp network.yaml repository/ && cd repository',
      'echo "client_secret: from-sops" > secrets.yaml',
      `sops encrypt --age ${recipient} --in-place secrets.yaml`,
      'grep -q ENC secrets.yaml',
      'git config user.name ci && git config user.email ci@example.com',
      'git add . && git commit --quiet --message first',
    ]);
    const applied = await in_(['cd repository', 'meshform apply . --base HEAD --yes']);
    assert.match(applied, /identity_provider\.staff/);
    assert.doesNotMatch(applied, /from-sops/);
    const planned = await in_(['cd repository', 'meshform plan . --base HEAD --detailed-exitcode']);
    assert.match(planned, /^No changes\./m);
  } finally {
    await emulator.close();
  }
}
