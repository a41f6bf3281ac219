// Programs named in a checkout in every way that git knows: no command starts one, and what a command does start gets no secret.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import { gitFault, remoteGit } from '../../src/read/git/runGit.ts';
import { startAccount } from '../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';
import { type Planting, PROGRAM_KEYS, plant, planting } from './plantedCheckout.ts';
import { type Watched, watchPrograms } from './watchedPrograms.ts';

const EXTENT: Extent = { slice: 2, full: 75 };

/** What git itself starts a program for. */
const CERTAIN: readonly Planting[] = [
  {
    path: 'net',
    embedded: ['net'],
    keys: ['core.fsmonitor'],
    form: '',
    submodule: null,
    settings: ['embedded'],
    hasAttributes: false,
    hasHooks: false,
  },
  {
    path: 'link',
    embedded: [],
    keys: ['filter.own.clean'],
    form: '',
    submodule: null,
    settings: ['included'],
    hasAttributes: true,
    hasHooks: true,
  },
];

const SEALED = `hook:
    key: ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]
sops:
    age: [{ recipient: age1x, enc: x }]
    mac: ENC[x]
`;
const FILES = `groups: [{ name: a }]
setup_keys: [{ name: key, type: reusable, expires_in: 7776000 }]
identity_providers:
  - { name: one, type: oidc, issuer: https://a.example.com, client_id: x, client_secret: '\${env:DEPLOY_KEY}' }
  - { name: two, type: oidc, issuer: https://b.example.com, client_id: x, client_secret: '\${sops:sealed.yaml#hook.key}' }
`;

const SECRETS = {
  MESHFORM_SIGNING_KEY: 'a-long-key-that-signs',
  MESHFORM_FINGERPRINT_KEY: 'a-long-key-of-fingerprints',
  DEPLOY_KEY: 'a-long-deploy-key',
};

/** Commands that read no files of a checkout, or do nothing without a database, which a checkout cannot name. */
const OTHER_COMMANDS: ReadonlySet<string> = new Set([
  'api call',
  'api describe',
  'api list',
  'complete',
  'completion',
  'demo',
  'emulator',
  'events audit',
  'events proxy',
  'events traffic',
  'fleet schedule',
  'fleet worker',
]);

/** Every verb that reads files, with the flags that ask git for something. */
const verbsFor = (path: string, place: string): readonly (readonly string[])[] => [
  ['validate', path, '--strict'],
  ['test', path],
  ['access', 'from', 'group/a', path],
  ['graph', path],
  ['explain', 'group'],
  ['plan', path, '--base', 'HEAD'],
  ['plan', path, '--base', 'auto', '--record-base', '--out', 'plan.json', '--force'],
  ['show', 'plan.json'],
  ['plan', 'check', 'plan.json'],
  ['apply', 'plan.json', '--yes'],
  [
    'apply',
    path,
    '--base',
    'auto',
    '--record-base',
    '--prune',
    'removed',
    '--yes',
    '--secrets-to',
    place,
  ],
  ['apply', path, '--resume', '--yes'],
  ['apply', path, '--undo', '--yes'],
  ['drift', path, '--base', 'auto'],
  ['lock', 'show', path],
  ['lock', 'hold', path, '--reason', 'a test'],
  ['lock', 'release', path],
  ['lock', 'break', 'a-run', path],
  ['runs', 'list', path],
  ['runs', 'show', 'a-run', path],
  ['apply', path, '--abandon', 'a-run'],
  ['base', 'show', path],
  ['base', 'adopt', 'net', path, '--yes'],
  ['base', 'sign', path],
  ['base', 'record', path],
  ['base', 'forget', 'net', path],
  ['render', path, '--origin'],
  ['tighten', path, '--write'],
  ['expire', path, '--yes'],
  ['grant', 'from', 'group/a', 'to', 'group/a:tcp/22', path, '--for', '1h', '--reason', 'a test'],
  ['observe', '--store', 'store'],
  ['studio', path, '--live'],
  ['fleet', 'list'],
  ['fleet', 'validate'],
  ['fleet', 'test'],
  ['fleet', 'drift'],
  ['fleet', 'plan', '--out', 'plans', '--force'],
  ['fleet', 'apply', 'plans', '--yes'],
  ['fleet', 'status'],
  ['fleet', 'compare', 'one', 'one'],
  ['export', '--out', 'exported', '--force'],
  ['init', '--update', path],
];

const FLEET = 'accounts: [{ name: one, credentials: one, layers: [net] }]\n';
const credentialsAt = (url: string) => `one: { url: "${url}", token_env: MESHFORM_TOKEN }\n`;

/** A studio runs until somebody interrupts it. */
const STOPPED: Pick<CliOptions, 'onDocument'> = {
  onDocument: (_, interrupt) => interrupt('SIGTERM'),
};

/** One checkout, and whether git alone would have started the program. */
async function tried(planted: Planting): Promise<boolean> {
  const account = await startAccount();
  try {
    return await inFolder(async home => {
      const cwd = join(home, 'checkout');
      const watched = await watchPrograms(
        join(home, 'programs'),
        '{"hook":{"key":"opened-secret"}}',
      );
      await mkdir(join(cwd, 'net/deep'), { recursive: true });
      const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
      await writeFile(
        join(cwd, 'net/meshform.yaml'),
        `account: ${groups[0]?.id}\nexclude: [module]\n`,
      );
      await writeFile(join(cwd, 'net/network.yaml'), FILES);
      await writeFile(join(cwd, 'net/sealed.yaml'), SEALED);
      await writeFile(join(cwd, 'fleet.yaml'), FLEET);
      await writeFile(join(home, 'credentials.yaml'), credentialsAt(account.url));
      await plant(cwd, planted, watched.forbidden);
      const env = {
        ...environmentOf(account),
        ...SECRETS,
        COPY: `Token ${account.token}`,
        PATH: watched.path,
        HOME: home,
        MESHFORM_FLEET_CREDENTIALS: join(home, 'credentials.yaml'),
      };
      for (const argv of verbsFor(planted.path, `exec:${watched.record}`)) {
        await meshform(argv, { cwd, env, ...(argv[0] === 'studio' && STOPPED) });
        expect(await watched.wasStarted(), argv.join(' ')).toBe(false);
      }
      await reachRemote(cwd, planted, { env, watched });
      await judge(watched, [account.token, 'opened-secret', ...Object.values(SECRETS)]);
      return startedByGit(cwd, watched);
    });
  } finally {
    await account.close();
  }
}

interface Run {
  readonly env: Readonly<Record<string, string>>;
  readonly watched: Watched;
}

// The programs that the settings of the repository name for a remote are those of the job.
async function reachRemote(cwd: string, { settings }: Planting, { env, watched }: Run) {
  if (settings.includes('repository')) return;
  const remote = join(cwd, '../remote.git');
  const secrets = new KnownSecrets();
  secrets.add(SECRETS.DEPLOY_KEY);
  const host = { env, secrets };
  git(cwd, 'init', '--quiet', '--bare', remote);
  for (const name of ['origin', 'net']) {
    git(cwd, '-c', 'core.hooksPath=/dev/null', 'config', `remote.${name}.url`, remote);
    for (const args of [
      ['push', '--quiet', name, 'HEAD:refs/heads/main'],
      ['fetch', '--quiet', name, '+refs/heads/*:refs/remotes/one/*'],
      ['ls-remote', '--end-of-options', name],
    ]) {
      const ended = await remoteGit({ folder: join(cwd, 'net'), host }, args).catch(gitFault);
      if (settings.includes('included')) expect(ended).toMatchObject({ is: 'other' });
      else expect(ended).toBeInstanceOf(Buffer);
      expect(await watched.wasStarted(), args.join(' ')).toBe(false);
    }
  }
}

/** Parts of git that git itself starts. */
const OWN = /^(?:git|git-upload-pack|git-receive-pack)(?: |$)/;

async function judge(watched: Watched, secrets: readonly string[]): Promise<void> {
  const children = await watched.children();
  expect(children.filter(command => !OWN.test(command))).toEqual([]);
  const environments = await watched.environments();
  expect(environments.length).toBeGreaterThan(10);
  for (const secret of secrets)
    expect(environments.filter(text => text.includes(secret))).toEqual([]);
  expect(environments.filter(text => /^MESHFORM_/m.test(text))).toEqual([]);
}

// What git does if it is asked for the state of the folder in the plainest way.
async function startedByGit(cwd: string, watched: Watched): Promise<boolean> {
  for (const folder of ['net', '.'])
    for (const args of [['status', '--porcelain'], ['log', '-p', '-1'], ['diff']])
      try {
        execFileSync('git', ['-C', join(cwd, folder), ...args], {
          stdio: 'ignore',
          timeout: 20_000,
        });
      } catch {
        // A setting that is no program may be one that git refuses.
      }
  return watched.wasStarted();
}

test('the list of commands in this test has every command that reads files', () => {
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const all = program.commands.flatMap(command =>
    command.commands.length === 0
      ? command.name()
      : command.commands.map(one => `${command.name()} ${one.name()}`),
  );
  const tried = verbsFor('net', 'place').map(words => words.join(' '));
  const untried = all.filter(name => !tried.some(words => `${words} `.startsWith(`${name} `)));
  expect(new Set(untried)).toEqual(OTHER_COMMANDS);
});

test(
  'no program of a checkout is started, and no program gets a secret',
  async () => {
    const { count, seed, found } = proof('children: programs that a checkout names', EXTENT);
    let started = 0;
    const keys = new Set<string>();
    const property = fc.asyncProperty(planting, async planted => {
      for (const key of planted.keys) keys.add(key);
      if (await tried(planted)) started += 1;
    });
    await fc.assert(property, {
      numRuns: count,
      seed,
      endOnFailure: true,
      examples: CERTAIN.map(one => [one] as [Planting]),
    });
    expect(started).toBeGreaterThan(1);
    if (count >= EXTENT.full) expect([...keys].sort()).toEqual(PROGRAM_KEYS);
    found(
      `${keys.size} keys were set; no command started one; git itself, asked in these folders, started ${started} of ${count}`,
    );
  },
  patience(EXTENT, 40_000),
);
