// Runs git in the repository of a folder. git starts no program that the checkout names, and gets no secrets.
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ObjectFolder, ProgramHost } from '../environment.ts';
import { removeBroken } from './brokenObjects.ts';
import {
  HISTORY_SETTINGS,
  localEnvironment,
  objectEnvironment,
  remoteEnvironment,
  settingsIn,
} from './gitEnvironment.ts';
import {
  areTrustedKnown,
  keysIn,
  type RemoteSettings,
  remoteSettings,
  trustedFolders,
} from './gitSettings.ts';
import { knownOfObjects } from './knownObjects.ts';
import { aheadOfNetrc, type ServerUser } from './netrc.ts';
import { NO_PROGRAMS, NO_PROGRAMS_OF_CHECKOUT, namedPrograms } from './programKeys.ts';
import { hostsOnly, type RemoteAddress } from './remoteAddress.ts';
import {
  type Addresses,
  addressesOf,
  addressInCheckout,
  findsByUser,
  waysOf,
} from './remoteInCheckout.ts';
import { onlyAsked } from './remoteSettings.ts';
import { repositoryOf } from './repository.ts';
import { type GitOptions, inFolder, isMissing, startGit } from './startGit.ts';
import { UnusableRemote } from './unusableRemote.ts';
import { pushedAddress, type Reached, wayTo } from './wayToRemote.ts';

/** The place in which git runs. */
export interface GitPlace {
  /** A folder or file of desired state. */
  readonly folder: string;
  readonly host: ProgramHost;
  /** The folder for new objects. If absent, the folder of the shared refs of the host, or without those the repository. */
  readonly objects?: ObjectFolder;
  /** The settings of the remotes, if the run has listed them. If absent, they are listed before a remote is reached. */
  readonly settings?: RemoteSettings;
}

/**
 * The standard output of a command of git that needs only the repository. The command runs in the root of the checkout that
 * contains the folder, so paths start there; `repositoryOf` returns the path from there to the folder. Of the settings of the
 * system and the user, only `safe.directory` is used. Throws if git fails; `gitFault` explains the error.
 */
export async function git(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { root } = repositoryOrThrow(place.folder);
  const { host } = place;
  const run = (trusted: readonly string[]) => gitIn({ ...place, root }, { args, trusted }, options);
  if (areTrustedKnown(host)) return run(await trustedFolders(host));
  try {
    return await run([]);
  } catch (error) {
    // git needs the trusted folders only for a repository of another user, which is rare.
    if (gitFault(error).is !== 'untrusted') throw error;
    const trusted = await trustedFolders(host);
    if (trusted.length === 0) throw error;
    return run(trusted);
  }
}

async function gitIn(
  { root, host, objects = host.shared?.objects }: GitPlace & { readonly root: string },
  { args, trusted }: { readonly args: readonly string[]; readonly trusted: readonly string[] },
  options: GitOptions,
): Promise<Buffer> {
  const settings = [
    ...NO_PROGRAMS,
    ...HISTORY_SETTINGS,
    ...trusted.map(one => ['safe.directory', one] as const),
  ];
  // The keys are read before each other command, and never from an earlier one: a file of the checkout that the settings include
  // can get new keys during a run.
  const named = ONLY_OBJECTS.test(args[0] ?? '')
    ? []
    : namedPrograms(await keysIn(root, host, settings));
  const { input = '' } = options;
  const question = {
    args,
    input: typeof input === 'string' ? input : '',
    where: [root, objects?.path],
  };
  const start = () =>
    startGit([...inFolder(root), ...withoutDrivers(args)], options, {
      ...localEnvironment(host, root),
      ...objectEnvironment(objects),
      ...settingsIn({}, [...settings, ...named]),
    });
  return knownOfObjects(host.env, question, () => withoutBroken(objects, start));
}

// Starts git again if it failed at broken objects of the separate folder. They are missing then, and are fetched again.
async function withoutBroken(
  objects: ObjectFolder | undefined,
  start: () => Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await start();
  } catch (error) {
    // git ends with 128 for whatever it cannot read.
    if (objects === undefined || Object(error).code !== 128) throw error;
    if ((await removeBroken(objects.path)) === 0) throw error;
    return start();
  }
}

/**
 * The standard output of `ls-remote`, `fetch` or `push`. The command uses the settings of the system, the user and the
 * repository, and variables: they define how the job reaches a remote and signs in. Throws if these settings include a file of
 * the checkout, which could name programs or send a password elsewhere. Also throws if git fails, as `git` does.
 */
export async function remoteGit(
  place: GitPlace,
  args: readonly string[],
  { isPushed = false, ...options }: RemoteOptions = {},
): Promise<Buffer> {
  const { folder, host, objects = host.shared?.objects } = place;
  const { root } = repositoryOrThrow(folder);
  const env = remoteEnvironment(host, root);
  const remote = remoteIn(args);
  const reached = await reachable(place, root, remote);
  const way = await wayTo(reached, { isPush: args[0] === 'push', isPushed });
  const asked = way?.asked ?? remote;
  return startGit(
    [...inFolder(root), ...args.with(args.indexOf(remote, 1), asked)],
    { ...options, endGroup: host.endGroup },
    {
      // No one can type a password for git.
      GIT_TERMINAL_PROMPT: '0',
      ...env,
      ...way?.variables,
      ...objectEnvironment(objects),
      ...settingsIn(env, [
        ...NO_PROGRAMS_OF_CHECKOUT,
        ...HISTORY_SETTINGS,
        ['credential.interactive', 'false'],
        ...onlyAsked(args[0] ?? '', asked),
        ...(way?.settings ?? []),
      ]),
    },
  ).catch((error: unknown) => {
    throw withAddresses(error, reached.addresses);
  });
}

/** The options of a command that reaches a remote. */
export interface RemoteOptions extends GitOptions {
  /**
   * Whether pushes to the remote follow. If so, the remote is read at the address to which git
   * pushes.
   */
  readonly isPushed?: boolean;
}

/**
 * Whether git pushes to a remote at a different address than it fetches from. Rejects outside a repository, or if the remote has
 * several addresses.
 */
export async function isPushedElsewhere(place: GitPlace, remote: string): Promise<boolean> {
  const { root } = repositoryOrThrow(place.folder);
  const { addresses } = await reachable(place, root, remote);
  return pushedAddress(remote, addresses) !== null;
}

/**
 * The remotes that were checked, by the place of the run. In the meantime, only a user who may change the settings could change
 * the result.
 */
const settled = new WeakMap<GitPlace, Map<string, Reached>>();

async function reachable(place: GitPlace, root: string, remote: string): Promise<Reached> {
  const known = settled.get(place) ?? new Map<string, Reached>();
  settled.set(place, known);
  const before = known.get(remote);
  if (before !== undefined) return before;
  const { host } = place;
  const { fileOfCheckout: file } = place.settings ?? (await remoteSettings(root, host));
  if (file !== null) throw new UnusableRemote(settingsText(file), OTHER_SETTINGS);
  const addresses = await addressesOf(root, host, remote);
  const address = addressInCheckout(root, remote, addresses);
  if (address !== null) throw new UnusableRemote(addressText(remote, address), OTHER_ADDRESS);
  const ways = once(() => waysOf(root, host, remote));
  const isFoundByUser = once(() => findsByUser(root, host));
  const version = once(async () => {
    const said = await startGit([...inFolder(root), '--version'], {}, localEnvironment(host, root));
    return String(said);
  });
  const ahead = (at: ServerUser) => aheadOfNetrc(at, host.env, version);
  const reached = { remote, addresses, ways, isFoundByUser, aheadOfNetrc: ahead };
  known.set(remote, reached);
  return reached;
}

// An error of git with the addresses that it must not show, and without their credentials in what the server said.
function withAddresses(error: unknown, addresses: Addresses): unknown {
  const { stdout, stderr } = Object(error);
  const all = [addresses.fetch ?? [], addresses.push ?? []].flat();
  const hidden = (said: unknown): unknown =>
    Buffer.isBuffer(said)
      ? Buffer.from(all.reduce((text, one) => one.hiddenIn(text), said.toString('utf8')))
      : said;
  return Object.assign(Object(error), {
    addresses,
    stdout: hidden(stdout),
    stderr: hidden(stderr),
  });
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= read();
    return found;
  };
}

/** The name of the remote in the arguments of a command. */
function remoteIn([, ...args]: readonly string[]): string {
  const end = args.indexOf('--end-of-options');
  const named = end < 0 ? args.find(arg => !arg.startsWith('-')) : args[end + 1];
  return named ?? '';
}

/**
 * Commands that read no file of the checkout and run no hook. No attribute makes them start a program, and `ls-files` lists only
 * the index.
 */
const ONLY_OBJECTS =
  /^(?:cat-file|for-each-ref|ls-files|ls-tree|merge-base|rev-list|rev-parse|unpack-objects)$/;

/** Commands that show differences, and may convert files with the programs that attributes name. */
const SHOWS_FILES = /^(?:diff|diff-files|diff-index|diff-tree|log|show|whatchanged)$/;

function withoutDrivers([command = '', ...args]: readonly string[]): string[] {
  if (SHOWS_FILES.test(command)) return [command, '--no-ext-diff', '--no-textconv', ...args];
  if (command === 'status') return [command, '--ignore-submodules=all', ...args];
  return [command, ...args];
}

/** The error for a folder that is not in a repository. */
class NoRepository extends Error {
  override readonly name = 'NoRepository';
}

/** Whether a command of git failed because the folder is not in a repository. */
export const isNoRepository = (error: unknown): boolean => error instanceof NoRepository;

const settingsText = (file: string): string =>
  `the configuration of git includes ${quoted(file)}, which is part of the checkout: meshform lets git reach no remote with settings that a commit can change`;
const OTHER_SETTINGS = 'remove the include, or move the file out of the checkout';

const addressText = (remote: string, address: RemoteAddress): string =>
  `the remote ${quoted(remote)} is at ${quoted(`${address}`)}, which is part of the checkout: a commit could bring hooks there, which git would run`;
const OTHER_ADDRESS =
  'move that repository beside the checkout, and name the new place with `git remote set-url`';

function repositoryOrThrow(folder: string): { readonly root: string } {
  const found = repositoryOf(folder);
  if (found === null) throw new NoRepository('this is not a git repository');
  return found;
}

/** Why git failed, and what to do about it. */
export interface GitFault {
  /** `missing`: git is not installed. `untrusted`: git refuses a repository of another user. */
  readonly is: 'missing' | 'untrusted' | 'other';
  /** Completes "…: ". */
  readonly why: string;
  readonly hint?: string;
}

// Here git fails if objects are missing, because it could fetch them only with settings that name
// programs.
const PARTIAL: GitFault = {
  is: 'other',
  why: 'this is a partial clone, which lacks files of that revision',
  hint: 'clone without `--filter`, or run `git fetch --refetch --no-filter` first',
};

// The error that ended git: first the last line of ssh or the server before it, then the error and the indented lines below it.
// Without the line before, an error of a connection only says that the connection failed.
function reasonIn(said: string): string {
  const lines = said.split('\n').filter(line => !/^(?:(?:warning|hint):|\s*$)/.test(line));
  const fatal = Math.max(0, lines.findIndex(isFatal));
  const [first = '', ...rest] = lines.slice(fatal);
  const after = rest.findIndex(line => !/^\s/.test(line));
  const inside = after < 0 ? rest : rest.slice(0, after);
  const causes = lines.slice(0, fatal).filter(line => !line.startsWith('error: '));
  const told = [...causes.slice(-1), first, ...inside];
  return told.map(line => line.replace(/^(?:fatal|remote): /, '').trim()).join(' ');
}
/** The reason why a command of git ended that the user interrupted. */
export const INTERRUPTED = 'git was interrupted';

const isFatal = (line: string): boolean => line.startsWith('fatal: ');

// Removes addresses but their hosts: git hides a password, but not a token in the user name, in the path or in a query, nor a token
// that a setting inserts. The addresses of the remote are known, and may contain blanks; others are found by their form.
const withoutAddresses = (said: string, { fetch, push }: Partial<Addresses>): string =>
  hostsOnly([fetch ?? [], push ?? []].flat().reduce((text, one) => one.removedFrom(text), said));

function secondsText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Why a run of git failed. */
export function gitFault(error: unknown): GitFault {
  const { code, stderr, killed, timeout, isInterrupted, message, addresses } = Object(error);
  if (isMissing(error)) {
    const why = 'git is not installed, or not on the PATH';
    return {
      is: 'missing',
      why,
      hint: 'install git, or use a folder as the base: --base ./FOLDER',
    };
  }
  if (error instanceof UnusableRemote) return { is: 'other', why: error.message, hint: error.hint };
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { is: 'other', why: 'the output of git is larger than 256 MB' };
  if (isInterrupted === true) return { is: 'other', why: INTERRUPTED };
  if (killed === true) {
    return { is: 'other', why: `git did not finish within ${secondsText(Number(timeout))}` };
  }
  const said = Buffer.isBuffer(stderr) ? stderr.toString('utf8') : String(message);
  // git translates its sentences, but not the command that it recommends.
  const [, home] = said.match(/safe\.directory[ =](.+)$/m) ?? [];
  if (home === undefined && /promisor|lazy fetching/.test(said)) return PARTIAL;
  if (home === undefined) {
    return {
      is: 'other',
      why: withoutAddresses(reasonIn(said), Object(addresses)) || 'git failed',
    };
  }
  return {
    is: 'untrusted',
    why: 'dubious ownership: git refuses a repository that another user owns',
    hint: `run \`git config --global --add safe.directory ${shellWord(home)}\`, or run this command as its owner`,
  };
}
