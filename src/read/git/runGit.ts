// The only file that starts git. No program that a checkout names is started with it, and it gets no secrets.
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '../../model/text/shellWord.ts';
import { foreignEnvironment, ordinaryEnvironment, type ProgramHost } from '../environment.ts';
import {
  NO_PROGRAMS,
  NO_PROGRAMS_OF_CHECKOUT,
  namedPrograms,
  type Setting,
} from './programKeys.ts';
import { repositoryOf } from './repository.ts';

const LARGEST_ANSWER = 256 * 1024 * 1024;

/** Where git runs. */
export interface GitPlace {
  /** A folder or file of desired state. */
  readonly folder: string;
  readonly host: ProgramHost;
}

interface GitOptions {
  readonly input?: string;
  /** In milliseconds. */
  readonly timeout?: number;
}

/**
 * The standard output of a command of git that needs only the repository. It runs in the root of the checkout that the folder
 * is in, so paths start there; `repositoryOf` tells the path from there to the folder. Of the settings of the system and the
 * user only `safe.directory` is used. Throws if git fails; `gitFault` explains the error.
 */
export async function git(
  { folder, host }: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { root } = repositoryOrThrow(folder);
  const trusted = await trustedFolders(host);
  const settings = [...NO_PROGRAMS, ...trusted.map(one => ['safe.directory', one] as const)];
  const named = namedPrograms(await keysIn(root, host, settings));
  return started([...AT(root), ...withoutDrivers(args)], options, {
    ...localEnvironment(host, root),
    ...settingsIn({}, [...settings, ...named]),
  });
}

/**
 * The standard output of `ls-remote`, `fetch` or `push`: how the job reaches a remote and signs in is in the settings of the
 * system, the user and the repository, and in variables. Otherwise as `git`.
 */
export async function remoteGit(
  { folder, host }: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { root } = repositoryOrThrow(folder);
  const env = remoteEnvironment(host);
  return started([...AT(root), ...args], options, {
    // Nobody can type a password.
    ...{ GIT_TERMINAL_PROMPT: '0', ...env },
    ...{ GIT_CEILING_DIRECTORIES: dirname(root) },
    ...settingsIn(env, [...NO_PROGRAMS_OF_CHECKOUT, ['credential.interactive', 'false']]),
  });
}

const AT = (root: string): string[] => ['-C', root, '--no-pager'];

// git does not look for another repository above, and writes nothing that it was not asked to write.
function localEnvironment(host: ProgramHost, root: string): Record<string, string> {
  return {
    ...ordinaryEnvironment(host),
    ...{ GIT_CEILING_DIRECTORIES: dirname(root), GIT_OPTIONAL_LOCKS: '0' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
    ...{ GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_LITERAL_PATHSPECS: '1' },
  };
}

/** The variables by which git finds a repository without looking for it: it then does not check who owns it. */
const REPOSITORY =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|SHALLOW_FILE|GRAFT_FILE|IMPLICIT_WORK_TREE|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR)$/;

/** The variables by which git signs in. */
const CREDENTIALS = /^(?:GIT_|SSH_)/;

function remoteEnvironment(host: ProgramHost): Record<string, string> {
  const env = foreignEnvironment(host, { credentials: CREDENTIALS });
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY.test(name)));
}

/** Variables with the settings of `env` and then these, which win. */
function settingsIn(
  env: Readonly<Record<string, string>>,
  settings: readonly Setting[],
): Record<string, string> {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const numbered = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${before + i}`, key],
    [`GIT_CONFIG_VALUE_${before + i}`, value],
  ]);
  return {
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(before + settings.length),
  };
}

/** Commands that show differences may convert files with the programs of their attributes. */
const SHOWS_FILES = /^(?:diff|diff-files|diff-index|diff-tree|log|show|whatchanged)$/;

function withoutDrivers([command = '', ...args]: readonly string[]): string[] {
  if (SHOWS_FILES.test(command)) return [command, '--no-ext-diff', '--no-textconv', ...args];
  if (command === 'status') return [command, '--ignore-submodules=all', ...args];
  return [command, ...args];
}

/** The folders that the system and the user trust, by their environment. */
const known = new WeakMap<ProgramHost['env'], Promise<readonly string[]>>();

function trustedFolders(host: ProgramHost): Promise<readonly string[]> {
  const found = known.get(host.env) ?? readTrustedFolders(host);
  known.set(host.env, found);
  return found;
}

// Outside of every repository, so that no repository trusts itself.
async function readTrustedFolders(host: ProgramHost): Promise<readonly string[]> {
  const env = { ...remoteEnvironment(host), GIT_DIR: '/dev/null' };
  const args = ['-C', '/', '--no-pager', 'config', '-z', '--get-all', 'safe.directory'];
  const answer = await started(args, {}, env).catch(unlessMissing);
  return answer.toString('utf8').split('\0').slice(0, -1);
}

// git ends with 1 if there is no such setting.
function unlessMissing(error: unknown): Buffer {
  if (isMissing(error)) throw error;
  return Buffer.alloc(0);
}

/** The keys that the repository sets, in its own files and in those that they include. */
async function keysIn(
  root: string,
  host: ProgramHost,
  settings: readonly Setting[],
): Promise<readonly string[]> {
  const env = { ...localEnvironment(host, root), ...settingsIn({}, settings) };
  const args = ['config', '--list', '--includes', '--name-only', '-z'];
  try {
    const answer = await started([...AT(root), ...args], {}, env);
    return answer.toString('utf8').split('\0').filter(Boolean);
  } catch (error) {
    // A repository that git refuses: this command starts no program, and says why.
    await started([...AT(root), 'rev-parse', '--git-dir'], {}, env);
    throw error;
  }
}

async function started(
  args: readonly string[],
  { input = '', timeout = 0 }: GitOptions,
  env: Record<string, string>,
): Promise<Buffer> {
  // Most runs ask nothing of git: what starts programs is loaded here.
  const { execFile } = await import('node:child_process');
  const running = promisify(execFile)('git', args, {
    ...{ maxBuffer: LARGEST_ANSWER, encoding: 'buffer', timeout, env },
  });
  // git may end before it has read all input; its exit code tells why.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** The error for a folder in no repository. */
class NoRepository extends Error {
  override readonly name = 'NoRepository';
}

function repositoryOrThrow(folder: string): { readonly root: string } {
  const found = repositoryOf(folder);
  if (found === null) throw new NoRepository('this is not a git repository');
  return found;
}

/** Why git failed, and what to do about it. */
export interface GitFault {
  /** `missing`: git is not installed. `untrusted`: it refuses a repository of another user. */
  readonly is: 'missing' | 'untrusted' | 'other';
  /** Completes "…: ". */
  readonly why: string;
  readonly hint?: string;
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'EACCES'].includes(Object(error).code);

/** The fault of a failed run of git. */
export function gitFault(error: unknown): GitFault {
  const { code, stderr, killed, message } = Object(error);
  if (isMissing(error)) {
    const why = 'git is not installed, or not on the PATH';
    return {
      is: 'missing',
      why,
      hint: 'install git, or use a folder as the base: --base ./FOLDER',
    };
  }
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { is: 'other', why: 'the output of git is larger than 256 MB' };
  if (killed === true) return { is: 'other', why: 'git did not finish within 30 seconds' };
  const said = Buffer.isBuffer(stderr) ? stderr.toString('utf8') : String(message);
  // git translates its sentences, but not the command that it recommends.
  const [, home] = said.match(/safe\.directory[ =](.+)$/m) ?? [];
  if (home === undefined)
    return { is: 'other', why: said.split('\n')[0]?.replace(/^fatal: /, '') || 'git failed' };
  return {
    is: 'untrusted',
    why: 'dubious ownership: git refuses a repository that another user owns',
    hint: `run \`git config --global --add safe.directory ${shellWord(home)}\`, or run this command as its owner`,
  };
}
