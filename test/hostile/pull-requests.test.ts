// Drawn pull requests: whatever one has in it, no command that a reviewer or a pipeline runs on it gives a secret away, starts a
// program, or calls anybody but the server of the account.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { present } from '../../src/model/errors.ts';
import type { CliOptions } from '../support/cli.ts';
import { everything } from '../support/examples/everything.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { secretFields, secretFieldsOf } from '../support/secretFields.ts';
import { ENCODINGS } from '../support/secretSearch.ts';
import { fc } from '../support/seeded.ts';
import { canaries } from './pulls/canaries.ts';
import { drawnPull, plannedPull, SECRET_FILES } from './pulls/drawnPull.ts';
import { inProcess, openRange, type Range, type RunCommand, tryPull } from './pulls/trial.ts';

const EXTENT: Extent = { slice: 2, full: 1_000 };
const DRAWN = fc.tuple(drawnPull, canaries);
/** The first request has a plan, however few there are. */
const FIRST = fc.tuple(plannedPull, canaries);

let range: Range;

beforeAll(async () => {
  range = await openRange();
});

afterAll(() => range.close());

test('no pull request obtains a secret, starts a program or opens a connection', {
  timeout: patience(EXTENT, 20_000),
}, async () => {
  const { count, seed, found } = proof('pull requests: what they get', EXTENT);
  const figures = { searched: 0, plans: 0, opened: 0, applied: 0 };
  const requests = [
    ...fc.sample(FIRST, { seed, numRuns: 1 }),
    ...fc.sample(DRAWN, { seed, numRuns: count }).slice(1),
  ];
  for (const [number, [drawn, values]] of requests.entries()) {
    const trial = await tryPull(drawn, { canaries: values, number }, range);
    expect(trial.faults, `request ${number} of seed ${seed}`).toEqual([]);
    figures.searched += trial.searched;
    if (trial.isPlanned) figures.plans += 1;
    if (trial.isOpened) figures.opened += 1;
    if (trial.isApplied) figures.applied += 1;
  }
  const { searched, plans, opened, applied } = figures;
  expect(plans).toBeGreaterThan(0);
  expect(applied).toBeGreaterThan(0);
  found(
    `${plans} were planned and ${applied} sent to a server that refused all, for ${opened} an encrypted file was opened; no secret in ${searched} outputs, files and packets in any of ${Object.keys(ENCODINGS).length} encodings, and no program or connection of theirs`,
  );
});

test('the random references cover every field that takes a secret', () => {
  const drawn = everything().desired.filter(({ at }) => SECRET_FILES.test(at.file));
  // Every request adds channels whose addresses have references.
  const fields = new Set([...secretFieldsOf(drawn), 'notification_channel: target.url']);
  expect([...fields].sort()).toEqual([...secretFields()].sort());
});

/** Commands that read no files of a checkout, or print nothing of what is in them. */
const OTHER_COMMANDS: ReadonlySet<string> = new Set([
  'api call',
  'api describe',
  'api list',
  'base adopt',
  'base forget',
  'base record',
  'base sign',
  'complete',
  'completion',
  'demo',
  'emulator',
  'events audit',
  'events proxy',
  'events traffic',
  'explain',
  'fleet apply',
  'fleet schedule',
  'fleet worker',
  'init',
  'lock break',
  'lock hold',
  'lock release',
  'observe',
]);

/** The ways to run each command: once for each of its formats, of its own kinds of files, and of its ways to read the account. */
function waysToRun(): readonly string[] {
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const leaves = program.commands.flatMap(command =>
    // `plan check` is beside `plan`, which is a command too.
    [command, ...command.commands].flatMap(one => {
      const name = one === command ? command.name() : `${command.name()} ${one.name()}`;
      const isGroup = one === command && one.commands.length > 0 && one.options.length === 0;
      return isGroup || OTHER_COMMANDS.has(name) ? [] : [{ name, options: one.options }];
    }),
  );
  return leaves.flatMap(({ name, options }) => [
    name,
    ...options.flatMap(({ long, argChoices }) => {
      if (long === '--format')
        return (argChoices ?? []).map(format => `${name} --format ${format}`);
      return OF_FILES_AND_ACCOUNT.has(long ?? '') ? [`${name} ${long}`] : [];
    }),
  ]);
}

const OF_FILES_AND_ACCOUNT: ReadonlySet<string> = new Set(['--html', '--out', '--state', '--live']);

const isRun = (way: string, lines: readonly string[]): boolean => {
  const [, name = '', flag = ''] = /^(.*?)(?: (--.*))?$/.exec(way) ?? [];
  return lines.some(
    line =>
      `${line} `.startsWith(`${name} `) && `${line} `.includes(flag === '' ? '' : ` ${flag} `),
  );
};

test('the tested commands are all that read files of a request, with all formats and files', () => {
  const { commands } = inProcess();
  const lines = Array.from({ length: 100 }, (_, number) => commands('net', number))
    .flat()
    .map(words => words.join(' '));
  expect(waysToRun().filter(way => !isRun(way, lines))).toEqual([]);
});

/** What a program does that it should not, with what it was given. */
type Mutant = (
  options: Required<Pick<CliOptions, 'env' | 'cwd'>>,
  range: Range,
) => Promise<unknown>;

const asked = (place: NetConnectOpts) =>
  new Promise<void>(settle => {
    const socket = connect(place, () => socket.end('DEPLOY_KEY'));
    socket
      .on('error', () => {})
      .on('close', () => settle())
      .resume();
  });

interface Program {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const started = async (file: string, { args = [], env, cwd }: Program): Promise<void> => {
  const running = promisify(execFile)(file, args, { env, cwd });
  running.child.stdin?.end();
  await running.catch(() => {});
};

const call = (url: string) => fetch(url).then(response => response.text());

/** What it does, what the proof says of it, and the command at which it does it; by default the first one. */
const MUTANTS: Readonly<Record<string, readonly [Mutant, RegExp, verb?: string]>> = {
  'a secret in a file beside the plan': [
    ({ env, cwd }) => writeFile(join(cwd, 'plan.json'), env.VAULT_TOKEN ?? ''),
    /^a secret is in: file checkout\/plan\.json: VAULT_TOKEN$/,
  ],
  'a file in the home': [
    ({ cwd }) => writeFile(join(cwd, '../.bashrc'), ''),
    /^another file was written: \.bashrc$/,
  ],
  'a file with the name of a secret': [
    async ({ env, cwd }) => {
      await mkdir(join(cwd, 'exported'));
      await writeFile(join(cwd, 'exported', env.VAULT_TOKEN ?? ''), '');
    },
    /^a secret is in: names of files: VAULT_TOKEN$/,
  ],
  'a secret in an argument of git': [
    ({ env: { PATH = '', CI_JOB_TOKEN = '' }, cwd }) =>
      started('git', { args: ['version', '--build-options', CI_JOB_TOKEN], env: { PATH }, cwd }),
    /^a secret is in: arguments of validate net\b.*: CI_JOB_TOKEN$/,
  ],
  'git with another secret in a variable': [
    ({ env: { PATH = '', CI_JOB_TOKEN = '' }, cwd }) =>
      started('git', { args: ['version'], env: { PATH, CI_JOB_TOKEN }, cwd }),
    /^a secret is in: variables of \d+ git version: CI_JOB_TOKEN$/,
  ],
  'sops with another secret in a variable': [
    ({ env: { PATH = '', CI_JOB_TOKEN = '' }, cwd }) =>
      started('sops', { args: [join(cwd, 'net/sealed.yaml')], env: { PATH, CI_JOB_TOKEN }, cwd }),
    /^a secret is in: variables of \d+ sops \S+: CI_JOB_TOKEN$/,
  ],
  'a secret in the path of a request': [
    ({ env }, { server }) => call(`${server.url}/api/groups?name=${env.VAULT_TOKEN}`),
    /^a secret is in: requests to \S+: VAULT_TOKEN$/,
  ],
  'the token in the path of a request': [
    ({ env }, { server }) => call(`${server.url}/api/groups?name=${env.MESHFORM_TOKEN}`),
    /^a secret is in: requests to \S+: the token$/,
  ],
  'a call to the server of the author': [
    (_, { lure }) => call(lure.url),
    /^the server of the author was called$/,
  ],
  'a question to the agent': [
    ({ env }) => asked({ path: env.SSH_AUTH_SOCK ?? '' }),
    /^the agent was asked$/,
  ],
  'a connection to anybody': [
    () => asked({ host: '127.0.0.1', port: 9 }),
    / connected to: 127\.0\.0\.1:9$/,
  ],
  'another program': [({ env, cwd }) => started('env', { env, cwd }), / started: env$/],
  'git with the environment': [
    ({ env, cwd }) => started('git', { args: ['status'], env, cwd }),
    /^a program got a secret: MESHFORM_\w+$/,
  ],
  'git with the settings of the checkout': [
    ({ env: { PATH = '' }, cwd }) => started('git', { args: ['status'], env: { PATH }, cwd }),
    / started a program of the checkout$/,
  ],
  'sops with a file of its author': [
    ({ env: { PATH = '' }, cwd }) =>
      started('sops', { args: [join(cwd, 'net/vault.json')], env: { PATH }, cwd }),
    /^sops opened: .*vault\.json$/,
  ],
  'sops in a command that compares nothing': [
    ({ env: { PATH = '' }, cwd }) =>
      started('sops', { args: [join(cwd, 'net/sealed.yaml')], env: { PATH }, cwd }),
    /^show plan\.json .* opened a file$/,
    'show',
  ],
};

describe('the test of pull requests finds a program that', () => {
  // Nothing but the mutant runs, once.
  const faultsWith = async (mutant: Mutant, at = 'validate'): Promise<readonly string[]> => {
    const [drawn, values] = present(fc.sample(DRAWN, { seed: 1, numRuns: 1 })[0], 'a request');
    const sealed = [{ name: 'vault.json', text: '{}' }];
    const planted = { ...PLANTED, keys: ['core.fsmonitor'] };
    const pull = { ...drawn, sealed, planted, links: [] };
    let isDone = false;
    const run: RunCommand = async ([verb], { env = {}, cwd = '' }) => {
      if (!isDone && verb === at) {
        isDone = true;
        await mutant({ env, cwd }, range);
      }
      return { code: 0, stdout: '', stderr: '' };
    };
    return (await tryPull(pull, { canaries: values, number: 0 }, range, inProcess(run))).faults;
  };

  test.each(Object.entries(MUTANTS))('causes %s', async (_, [mutant, fault, verb]) => {
    expect(await faultsWith(mutant, verb)).toContainEqual(expect.stringMatching(fault));
  });

  test('avoids faults by doing nothing', async () => {
    expect(await faultsWith(async () => {})).toEqual([]);
  });

  test.each(Object.entries(ENCODINGS))('prints a secret %s', async (_, encode) => {
    const [drawn, values] = present(fc.sample(DRAWN, { seed: 1, numRuns: 1 })[0], 'a request');
    const run: RunCommand = async ([verb], { env = {} }) => {
      const stdout = verb === 'drift' ? `leaked ${encode(env.CI_JOB_TOKEN ?? '')}` : '';
      return { code: 0, stdout, stderr: '' };
    };
    const { faults } = await tryPull(drawn, { canaries: values, number: 0 }, range, inProcess(run));
    expect(faults).toContainEqual(
      expect.stringMatching(/^a secret is in: stdout of drift .*: CI_JOB_TOKEN$/),
    );
  });
});

const PLANTED = {
  path: 'net',
  embedded: [],
  form: '',
  settings: ['repository' as const],
  hasAttributes: true,
  hasHooks: true,
  submodule: null,
};
