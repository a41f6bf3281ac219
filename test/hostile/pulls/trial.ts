// One pull request, tried: every command that a reviewer or a pipeline runs on it, and everything that comes of them.
import { existsSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isList, isObject, type Json } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';
import { type CliOptions, type Ended, inFolder, meshform } from '../../support/cli.ts';
import { accountForEverything, everything } from '../../support/examples/everything.ts';
import { git } from '../../support/git.ts';
import { reported } from '../../support/secretSearch.ts';
import { type Watched, watchPrograms } from '../watchedPrograms.ts';
import { type Canaries, openedOf, valuesOf, variablesOf } from './canaries.ts';
import { type DrawnPull, ENDED_CHANNEL } from './drawnPull.ts';
import { changedSince, filesIn } from './foundFiles.ts';
import { CHECKOUT, writePull } from './pullCheckout.ts';
import { commandsFor, isWriting } from './pullCommands.ts';
import { readStudio } from './readStudio.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type RepeatingServer, startRepeating } from './repeatingServer.ts';
import { type Observed, watch } from './watchedProcess.ts';

/** What all trials share. */
export interface Range {
  readonly account: TestAccount;
  /** The id of the account. */
  readonly id: string;
  /** In front of the account. */
  readonly server: Recorder;
  /** In front of the account too, for commands that write. */
  readonly repeating: RepeatingServer;
  /** Nobody should call it. */
  readonly lure: Recorder;
  readonly close: () => Promise<void>;
}

/** Starts the servers of all trials. Their dialect has every kind of the example: a request with another kind is not planned. */
export async function openRange(): Promise<Range> {
  const account = await accountForEverything(everything().desired, 'netbird');
  const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
  await account.call('POST', '/api/integrations/notifications/channels', {
    type: 'webhook',
    event_types: ['user.join'],
    target: { url: ENDED_CHANNEL },
    enabled: true,
  });
  const server = await startRecorder({ target: Number(new URL(account.url).port) });
  const repeating = await startRepeating(account.url);
  const lure = await startRecorder();
  return {
    account,
    id: groups[0]?.id ?? '',
    server,
    repeating,
    lure,
    close: async () => {
      for (const one of [server, repeating, lure, account]) await one.close();
    },
  };
}

/** A command, or what a test makes of it. */
export type RunCommand = (argv: readonly string[], options: CliOptions) => Promise<Ended>;

interface Served {
  /** Where the command itself listened. */
  readonly host?: string;
}

/** How commands are run, and what may come of them. */
export interface Runner {
  readonly commands: (path: string, number: number) => readonly (readonly string[])[];
  readonly run: (
    argv: readonly string[],
    options: CliOptions,
  ) => Promise<Ended & Observed & Served>;
  /** Prepares a checkout for it. */
  readonly prepare?: (cwd: string, drawn: DrawnPull) => void;
  /** Variables besides those of every run. */
  readonly variables: (home: string) => Readonly<Record<string, string>>;
  /** Programs that it may start. */
  readonly programs: ReadonlySet<string>;
  /** Secrets that every git gets; one that reaches a remote gets what it may sign in with. */
  readonly ofGit: ReadonlySet<string>;
  /** Files that it may write, below the home. */
  readonly outputs: RegExp;
  /** Servers that it may call besides the account, and lines of requests in which they get a secret of their own. */
  readonly servers: readonly Recorder[];
  readonly headers: readonly string[];
}

/** Gives a checkout an empty remote beside it. */
export function addRemote(cwd: string): void {
  const remote = join(cwd, '../remote.git');
  git(cwd, 'init', '--quiet', '--bare', remote);
  git(cwd, 'remote', 'add', 'origin', remote);
}

const PROGRAMS = 'programs';
const STATE = 'state';

/** What commands were asked to write into the checkout, and what git keeps for them. */
const OUTPUTS = [
  'plan\\.json',
  'plan\\.html',
  'access\\.html',
  'drawing\\.svg',
  'status\\.html',
  'account\\.json',
  'exported/[\\w./-]+',
  'plans/[\\w.-]+',
  '(?:[\\w-]+/)+grants/[\\w.-]+',
  '\\.git/objects/[\\w/]+',
];

/** Runs commands in this process, studios until their page was read. */
export const inProcess = (run: RunCommand = meshform): Runner => ({
  commands: commandsFor,
  run: async (argv, options) => {
    const stop = watch();
    try {
      const ended = argv[0] === 'studio' ? readStudio(run, argv, options) : run(argv, options);
      return Object.assign(await ended, stop());
    } finally {
      stop();
    }
  },
  // Git that reaches a remote uses the settings of the repository, which are those of whoever planted them.
  prepare: (cwd, { planted }) => {
    if (planted === null) addRemote(cwd);
  },
  variables: () => ({}),
  programs: new Set(['git', 'sops']),
  ofGit: new Set(),
  outputs: new RegExp(`^(?:${STATE}/|kept\\.jsonl$|${CHECKOUT}/(?:${OUTPUTS.join('|')})$)`),
  servers: [],
  headers: [],
});

export interface Trial {
  /** What should not be; empty if the pull request learned and did nothing. */
  readonly faults: readonly string[];
  /** How many outputs, files and requests were searched. */
  readonly searched: number;
  /** Whether there was a plan of it. */
  readonly isPlanned: boolean;
  /** Whether an apply of it began, which the server refused. */
  readonly isApplied: boolean;
  /** Whether an encrypted file was opened for an address. */
  readonly isOpened: boolean;
}

/** Commands that compare the files with the account, and open a file where the address of a webhook is in it. */
const OPENING = /^(?:(?:action|component|fleet) )?(?:plan|drift|export|apply|expire|grant)\b/;

/** Tries one. */
export async function tryPull(
  drawn: DrawnPull,
  { canaries, number }: { readonly canaries: Canaries; readonly number: number },
  { account, id, server, repeating, lure }: Range,
  runner: Runner = inProcess(),
): Promise<Trial> {
  return inFolder(async folder => {
    const home = await realpath(folder);
    const cwd = join(home, CHECKOUT);
    await mkdir(cwd);
    const watched = await watchPrograms(join(home, PROGRAMS), openedOf(canaries));
    await writePull(drawn, canaries, {
      home,
      lure: lure.url,
      account: id,
      program: watched.forbidden,
    });
    runner.prepare?.(cwd, drawn);
    const agent = await startRecorder({ at: join(home, 'agent.sock') });
    const env = {
      ...variablesOf(canaries),
      MESHFORM_URL: server.url,
      MESHFORM_TOKEN: account.token,
      MESHFORM_JOURNALS: join(home, STATE, 'journals'),
      XDG_STATE_HOME: join(home, STATE),
      SSH_AUTH_SOCK: join(home, 'agent.sock'),
      PATH: watched.path,
      HOME: home,
      MESHFORM_FLEET_CREDENTIALS: join(home, 'credentials.yaml'),
      ...runner.variables(home),
    };
    await writeFile(env.MESHFORM_FLEET_CREDENTIALS, credentials(server.url, Object.keys(env)));
    const before = filesIn(home, isProgram);
    const traces = new Map<string, string>();
    const faults: string[] = [];
    const note = (fault: string, wrong: readonly string[] | boolean) => {
      if (wrong === true) faults.push(fault);
      else if (wrong !== false) faults.push(...wrong.map(one => `${fault}: ${one}`));
    };
    const places = [
      server.url,
      repeating.url,
      account.url,
      ...runner.servers.map(({ url }) => url),
    ];
    const hosts = new Set(places.map(url => new URL(url).host));
    let isPlanned = false;
    let isApplied = false;
    let opened = 0;
    let compared: readonly string[] | undefined;
    for (const words of runner.commands(drawn.planted?.path ?? 'net', number)) {
      const argv = words.map(word => (word === 'RUN' ? lastRun(home) : word));
      const name = argv.join(' ');
      const url = isWriting(argv) ? repeating.url : server.url;
      // What is sent is opened too, and all commands that send something come last.
      if (isWriting(argv)) compared ??= await watched.opened();
      const ended = await runner.run(argv, { cwd, env: { ...env, MESHFORM_URL: url }, now: NOW });
      traces.set(`stdout of ${name}`, ended.stdout).set(`stderr of ${name}`, ended.stderr);
      if (argv.includes('plan') && argv[0] !== 'fleet' && ended.code === 0) isPlanned = true;
      if (isWriting(argv) && ended.code === 4) isApplied = true;
      traces.set(`arguments of ${name}`, JSON.stringify(ended.programs));
      const programs = ended.programs.map(([program = '']) => program);
      const { code, connections } = ended;
      note(`${name} ended with ${code}`, code === 1 || code > 64);
      note(
        `${name} started`,
        programs.filter(program => !runner.programs.has(program)),
      );
      note(
        `${name} connected to`,
        connections.filter(place => !hosts.has(place) && place !== ended.host),
      );
      note(`${name} started a program of the checkout`, await watched.wasStarted());
      const count = (await watched.opened()).length;
      note(`${name} opened a file`, count > opened && !OPENING.test(name));
      opened = count;
    }
    const files = await watched.opened();
    note('sops opened', await notToBeOpened(compared ?? files, drawn, cwd));
    note('sops opened another file', await othersThanSealed(files, cwd));
    note('a program got a secret', await environmentFaults(watched, account.token));
    for (const [at, { command, environment }] of (await watched.commands()).entries()) {
      const own = command.startsWith('sops ') ? OF_SOPS : runner.ofGit;
      if (!REMOTE.test(command))
        traces.set(`variables of ${at} ${command}`, withoutVariables(environment, own));
    }
    note(
      'git started',
      (await watched.children()).filter(command => !OWN.test(command)),
    );
    note('the agent was asked', agent.connections() > 0);
    note('the server of the author was called', lure.connections() > 0);
    await agent.close();
    const changed = changedSince(before, filesIn(home, isProgram));
    note(
      'another file was written',
      [...changed.keys()].filter(path => !runner.outputs.test(path)),
    );
    traces.set('names of files', [...changed.keys()].join('\n'));
    for (const [path, text] of changed) traces.set(`file ${path}`, text);
    const headers = [...runner.headers, `authorization: Token ${account.token}`];
    for (const one of [server, ...runner.servers]) {
      traces.set(`requests to ${new URL(one.url).host}`, withoutHeaders(one, headers));
      one.clear();
    }
    traces.set('requests of others', lure.received() + agent.received());
    lure.clear();
    const secrets = new Map([...valuesOf(canaries), ['the token', account.token]]);
    note('a secret is in', reported(traces, secrets));
    return { faults, searched: traces.size, isPlanned, isApplied, isOpened: files.length > 0 };
  });
}

const credentials = (url: string, variables: readonly string[]): string => {
  const readable = variables.filter(name => !/^(?:MESHFORM_|PATH$|HOME$)/.test(name));
  return JSON.stringify({ one: { url, token_env: 'MESHFORM_TOKEN', env: readable } });
};

// The name of the last apply: the first line of its journal has it.
function lastRun(home: string): string {
  const folder = join(home, STATE, 'journals');
  const journals = [...(existsSync(folder) ? filesIn(folder) : [])].filter(([path]) =>
    path.endsWith('.jsonl'),
  );
  const [, text = ''] = journals.at(-1) ?? [];
  const { run } = JSON.parse(String(text).split('\n')[0] || '{"run":"none"}');
  return String(run);
}

const NOW = Date.parse('2026-01-02T03:04:05Z');
/** Parts of git that git itself starts. */
const OWN = /^(?:git|git-upload-pack|git-receive-pack)(?: |$)/;
/** Git that reaches a remote, or reads how. */
const REMOTE = /^git .*\b(?:ls-remote|fetch|push|config --list)\b/;
const OF_SOPS: ReadonlySet<string> = new Set(['SOPS_AGE_KEY']);
const isProgram = (path: string): boolean => path === PROGRAMS || path === 'agent.sock';

// A file is opened where the address of a webhook is in it.
async function notToBeOpened(
  files: readonly string[],
  { files: declared }: DrawnPull,
  cwd: string,
): Promise<readonly string[]> {
  const addresses = addressesIn(Object.fromEntries(declared)).join('\n');
  return addresses.includes('sops:sealed.yaml') ? othersThanSealed(files, cwd) : files;
}

// No file is opened that names somebody who would be asked.
async function othersThanSealed(files: readonly string[], cwd: string): Promise<string[]> {
  const allowed = await realpath(join(cwd, 'net/sealed.yaml'));
  const places = await Promise.all(files.map(file => realpath(file)));
  return places.filter(file => file !== allowed);
}

function addressesIn(value: Json): string[] {
  if (isList(value)) return value.flatMap(addressesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'url' ? [String(item)] : addressesIn(item),
  );
}

async function environmentFaults(watched: Watched, token: string): Promise<string[]> {
  const environments = await watched.environments();
  return environments.flatMap(text => {
    const [own] = /^MESHFORM_\w+/m.exec(text) ?? [];
    return [own ?? [], text.includes(token) ? ['the token'] : []].flat();
  });
}

const withoutVariables = (environment: string, names: ReadonlySet<string>): string =>
  environment
    .split('\n')
    .filter(line => !names.has(line.slice(0, line.indexOf('='))))
    .join('\n');

// A server knows its own token: it is in a header of its own in every request.
const withoutHeaders = (server: Recorder, headers: readonly string[]): string => {
  const known = new Set(headers.map(header => header.toLowerCase()));
  const lines = server.received().split('\r\n');
  return lines.filter(line => !known.has(line.toLowerCase())).join('\n');
};
