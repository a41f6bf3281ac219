// The refs of a remote: reading them, fetching their commits, and moving several of them at once, provided that nobody else has
// moved them.
import { present } from '../../model/errors.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { removeBroken } from '../git/brokenObjects.ts';
import { fullDiskIn, withFullDisk } from '../git/fullDisk.ts';
import { noteCommit } from '../git/knownCommits.ts';
import { type ListedRef, listRemote } from '../git/listRemote.ts';
import { looseTree } from '../git/looseObjects.ts';
import { contentsOf } from '../git/objectContents.ts';
import {
  type GitFault,
  type GitPlace,
  git,
  gitFault,
  INTERRUPTED,
  type RemoteOptions,
  remoteGit,
} from '../git/runGit.ts';
import { type MadeCommit, writeCommits } from '../git/writeObjects.ts';
import type { SeparateObjects } from './objectFolder.ts';

/** A remote of a clone. */
export interface Remote {
  /** Where git runs, and where new objects are stored. */
  readonly objects: SeparateObjects;
  /** The name of the remote in the settings of git. */
  readonly name: string;
  /** The time limit of each connection, in milliseconds. */
  readonly patience: number;
  /** Whether refs are read from the repository to which git pushes, which may differ from the one from which it fetches. */
  readonly isPushed?: boolean;
  /** The time that is left for all connections, in milliseconds; 0 or less means none. Absent without a limit. */
  readonly left?: () => number;
  /** Ends the open connection when aborted; no other connection is opened afterwards. */
  readonly stop?: AbortSignal;
  /** Called at the beginning of each connection; the returned function is called at its end. */
  readonly onAsking?: (asking: Asking) => () => void;
  /** Joins the pushes of several runs of this process. */
  readonly joined?: ((push: Push) => Push) | undefined;
  /** Joins the listings of several runs of this process. */
  readonly listedTogether?: ((list: List) => List) | undefined;
}

/** Writes the new commits, and moves all of these refs, or none. Rejects if the commits cannot be written. */
export type Push = (remote: Remote, moves: readonly RefMove[]) => Promise<PushAttempt>;

/** Lists the refs of a remote that match these patterns, or resolves to why the remote cannot be asked. */
export type List = (
  remote: Remote,
  patterns: readonly string[],
) => Promise<readonly ListedRef[] | GitFault>;

/** A connection to a remote. */
export interface Asking {
  /** Whether the connection may move refs. */
  readonly isPush: boolean;
  /** Its time limit, in milliseconds. */
  readonly limit: number;
  /** The milliseconds from now until the remote is no longer contacted; infinite without such a limit. */
  readonly left: number;
}

/** The commits of refs, by ref; a ref that the remote does not have is missing. */
export type RefCommits = ReadonlyMap<string, string>;

/** A move of a ref from one commit to another; null means no ref. */
export interface RefMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
  /** The objects of a new commit, which the push writes first; absent if they are already here. */
  readonly objects?: MadeCommit['objects'];
}

/** The result of a push. */
export type Pushed =
  | { readonly is: 'done' }
  /** At least one ref has a commit other than `from`. Nothing was moved. */
  | { readonly is: 'moved'; readonly refs: RefCommits }
  /** The remote refuses to move these refs because of its permissions, its settings, or its disk. */
  | { readonly is: 'refused'; readonly why: string; readonly hint?: string }
  | UnknownPush;

/** The refs may have been moved, or may be moved later. The same push may be repeated. */
interface UnknownPush {
  readonly is: 'unknown';
  readonly why: string;
  readonly hint?: string;
  /**
   * The remote did not answer when it was asked for the refs afterwards. If absent, the remote
   * answered, and had not moved the refs yet.
   */
  readonly isUnasked?: true;
  /** This push was not even sent, because the time for it was over. */
  readonly isUnsent?: true;
}

/**
 * The time reserved for the question whether a push succeeded, in milliseconds, if little time is left. With less time, nothing
 * is pushed.
 */
const ASKED_IN = 5000;

// Opens a connection with the limits of the remote.
async function asking<T>(
  { patience, left = () => Number.POSITIVE_INFINITY, stop, onAsking, isPushed = false }: Remote,
  isPush: boolean,
  use: (options: RemoteOptions) => Promise<T>,
): Promise<T> {
  const most = left();
  if (stop?.aborted) throw new NotAsked(INTERRUPTED);
  if (most <= (isPush ? ASKED_IN : 0))
    throw new NotAsked('there is no time left to ask the remote');
  // Some of the time is reserved to ask for the outcome of a push.
  const own = isPush ? Math.max(most - ASKED_IN, most / 2) : most;
  const timeout = Math.ceil(Math.min(patience, own));
  const over = onAsking?.({ isPush, limit: timeout, left: most });
  try {
    return await use({ timeout, signal: stop, isPushed });
  } finally {
    over?.();
  }
}

/** The error for a remote that was not asked. */
class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** The commits of these refs at the remote, or why the remote cannot be asked. */
export async function remoteRefs(
  remote: Remote,
  refs: readonly string[],
): Promise<RefCommits | GitFault> {
  const listed = await listedRefs(remote, refs);
  return isFault(listed) ? listed : commitsOf(listed);
}

/**
 * These refs at the remote, with the targets of symbolic refs, or why the remote cannot be asked. A push to a symbolic ref would move
 * its target.
 */
export async function listedRefs(
  remote: Remote,
  refs: readonly string[],
): Promise<readonly ListedRef[] | GitFault> {
  const { objects, name } = remote;
  try {
    return await asking(remote, false, options =>
      listRemote(objects.place, { remote: name, patterns: refs }, options),
    );
  } catch (error) {
    return gitFault(error);
  }
}

/** The commits of listed refs. */
export const commitsOf = (listed: readonly ListedRef[]): RefCommits =>
  new Map(listed.map(({ ref, commit }) => [ref, commit]));

/** Whether an answer is a fault. */
export const isFault = (answer: object): answer is GitFault => 'why' in answer && 'is' in answer;

/** The maximum number of attempts. If a ref moves between two connections, the remote is contacted again. */
const TRIES = 5;

/**
 * The commits of these refs at the remote, whose objects are here afterwards if they are needed. The clone gets no ref, and a shallow clone stays as
 * shallow as it is. Rejects with a `FullDisk` if they cannot be stored here.
 */
export async function fetchRefs(
  remote: Remote,
  refs: readonly string[],
): Promise<RefCommits | GitFault> {
  const listed = await fetchListed(remote, refs);
  return isFault(listed) ? listed : commitsOf(listed);
}

/** Like `fetchRefs`, with the targets of symbolic refs. The objects of refs that are not needed are not fetched. */
export async function fetchListed(
  remote: Remote,
  refs: readonly string[],
  isNeeded: (ref: string) => boolean = () => true,
): Promise<readonly ListedRef[] | GitFault> {
  const { objects } = remote;
  const list = remote.listedTogether?.(listedRefs) ?? listedRefs;
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await list(remote, refs);
    if (isFault(found)) return found;
    const needed = found.filter(({ ref }) => isNeeded(ref));
    const commits = needed.map(({ commit }) => commit);
    const lacking = await lackingOf(objects.place, commits);
    if (lacking.length === 0) return found;
    const wanted = needed.flatMap(({ ref, commit }) => (lacking.includes(commit) ? ref : []));
    const fault = await fetchNow(remote, wanted);
    const missing = await absentOf(objects.place, commits);
    if (missing.length > 0 && fault !== null && fault.is !== 'other') return fault;
    if (missing.length > 0 && fault !== null && tries === TRIES - 1) return fault;
    if (missing.length > 0) {
      // git does not fetch an object for which it has a file.
      await removeBroken(present(objects.place.objects, 'the folder of objects').path);
      continue;
    }
    await objects.remember(commits);
    return found;
  }
  return { is: 'other', why: `the refs of ${quoted(remote.name)} keep changing` };
}

async function fetchNow(remote: Remote, refs: readonly string[]): Promise<GitFault | null> {
  const { objects, name } = remote;
  const { place } = objects;
  const had = await objects.fetched();
  const lacking = new Set(await lackingOf(place, had));
  const tips = ['HEAD', ...had.filter(commit => !lacking.has(commit))];
  const known = tips.length > 1 && (await isCommit(place, 'HEAD')) ? tips : tips.slice(1);
  const asked = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-prune',
    // Even in a partial clone, all objects of a base are needed.
    '--no-filter',
    '--no-write-fetch-head',
    '--no-write-commit-graph',
    '--no-auto-maintenance',
    '--recurse-submodules=no',
    '--refmap=',
    ...known.map(tip => `--negotiation-tip=${tip}`),
    '--end-of-options',
    name,
    ...refs,
  ];
  try {
    await asking(remote, false, options => remoteGit(place, asked, options));
    return null;
  } catch (error) {
    if (fullDiskIn(error) !== null) throw withFullDisk(error, place.objects?.path);
    return gitFault(error);
  }
}

const isCommit = (place: GitPlace, name: string): Promise<boolean> =>
  git(place, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]).then(
    () => true,
    () => false,
  );

/**
 * The commits whose objects were found, or that were written for a push. They stay known, because nothing removes objects from the
 * folder of a run.
 */
const foundHere = new WeakMap<GitPlace, Set<string>>();

function noteHere(place: GitPlace, commits: readonly string[]): void {
  const here = foundHere.get(place) ?? new Set();
  foundHere.set(place, here);
  for (const commit of commits) here.add(commit);
}

// Whether a commit was found here before, or is here with its tree, which is known without git.
async function isFoundHere(place: GitPlace, commit: string): Promise<boolean> {
  if (foundHere.get(place)?.has(commit)) return true;
  if ((await looseTree(place, commit)) === null) return false;
  noteHere(place, [commit]);
  noteCommit(place, commit);
  return true;
}

/** The commits among `commits` whose objects are missing here. Notes the others. */
async function absentOf(place: GitPlace, commits: readonly string[]): Promise<string[]> {
  const asked = await notFoundHere(place, commits);
  const { commits: found, others } = await storedAmong(place, asked);
  noteHere(place, [...found, ...others]);
  for (const commit of found) noteCommit(place, commit);
  return without(asked, [...found, ...others]);
}

/**
 * The commits among `commits` that are missing here, or that are here without their history. Another working copy may share its
 * objects with this one, and may have a commit there whose parents are only in its own separate folder. Notes the others.
 */
async function lackingOf(place: GitPlace, commits: readonly string[]): Promise<string[]> {
  const asked = await notFoundHere(place, commits);
  const { commits: found, others } = await storedAmong(place, asked);
  const whole = (await areConnected(place, found)) ? found : [];
  noteHere(place, [...whole, ...others]);
  for (const commit of whole) noteCommit(place, commit);
  return without(asked, [...whole, ...others]);
}

const without = (all: readonly string[], some: readonly string[]): string[] =>
  all.filter(one => !some.includes(one));

async function notFoundHere(place: GitPlace, commits: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  for (const commit of commits) if (!(await isFoundHere(place, commit))) asked.push(commit);
  return asked;
}

/** Objects that are here: commits with their trees, and objects of other types. */
interface Stored {
  readonly commits: readonly string[];
  /** A ref that somebody else wrote may point to a tag or to a blob. */
  readonly others: readonly string[];
}

async function storedAmong(place: GitPlace, asked: readonly string[]): Promise<Stored> {
  if (asked.length === 0) return { commits: [], others: [] };
  const input = asked.map(commit => `${commit}^{tree}\n${commit}^{}\n`).join('');
  const answer = await git(place, ['cat-file', '--batch-check'], { input });
  const lines = answer.toString('utf8').split('\n');
  // A blob has no tree.
  const found = asked.flatMap((commit, i) => {
    const target = lines[2 * i + 1] ?? '';
    const isHere = / tree \d+$/.test(lines[2 * i] ?? '') || / blob \d+$/.test(target);
    return isHere ? [{ commit, isCommit: target.startsWith(`${commit} commit `) }] : [];
  });
  const named = (isCommit: boolean) =>
    found.flatMap(one => (one.isCommit === isCommit ? one.commit : []));
  return { commits: named(true), others: named(false) };
}

// Whether the history of these commits is here as far as git follows it: up to a ref of the clone, or to the boundary of a shallow
// clone. git fetches a commit again only if this is not so.
async function areConnected(place: GitPlace, commits: readonly string[]): Promise<boolean> {
  if (commits.length === 0) return true;
  const input = [...commits, '--not', '--all', ''].join('\n');
  return git(place, ['rev-list', '--quiet', '--stdin'], { input }).then(
    () => true,
    () => false,
  );
}

/**
 * Writes the new commits, and moves all of these refs, or none; resolves to the result. Rejects if the commits cannot be
 * written.
 */
export async function pushRefs(remote: Remote, moves: readonly RefMove[]): Promise<Pushed> {
  const { place } = remote.objects;
  const made = moves.flatMap(madeBy).map(({ commit }) => commit);
  const push = remote.joined?.(writeAndPush) ?? writeAndPush;
  for (let tries = 1; ; tries++) {
    const pushed = await push(remote, moves);
    // A joint push was made at the place of another run.
    noteHere(place, made);
    for (const commit of made) noteCommit(place, commit);
    if (pushed.is !== 'in the way') return pushed;
    if (tries === TRIES) return { is: 'refused', why: pushed.why };
  }
}

/** The objects that were written for a push: a repeated push need not write them again. */
const written = new WeakSet<MadeCommit['objects']>();

async function writeAndPush(remote: Remote, moves: readonly RefMove[]): Promise<PushAttempt> {
  const made = moves.flatMap(madeBy).filter(({ objects }) => !written.has(objects));
  await writeCommits(remote.objects.place, made);
  for (const { objects } of made) written.add(objects);
  return pushOnce(remote, moves);
}

const madeBy = ({ to, objects }: RefMove): readonly MadeCommit[] =>
  to === null || objects === undefined ? [] : [{ commit: to, objects }];

/** The remote did not move the refs because of another process that has finished since, so a repeated push may succeed. */
interface InTheWay {
  readonly is: 'in the way';
  readonly why: string;
}

/** The result of one attempt to push. */
export type PushAttempt = Pushed | InTheWay;

async function pushOnce(remote: Remote, moves: readonly RefMove[]): Promise<PushAttempt> {
  const { objects, name } = remote;
  const asked = [
    'push',
    '--porcelain',
    '--atomic',
    '--no-verify',
    '--no-follow-tags',
    '--no-signed',
    '--recurse-submodules=no',
    ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ''}`),
    '--end-of-options',
    name,
    ...moves.map(({ ref, to }) => `${to ?? ''}:${ref}`),
  ];
  try {
    await asking(remote, true, options => remoteGit(objects.place, asked, options));
    return { is: 'done' };
  } catch (error) {
    return outcomeOf(remote, moves, error);
  }
}

// The result of a failed push. The output of the push gives only the reason, so the remote is asked whether the refs moved. It
// may have moved them although the connection ended before it could report that.
async function outcomeOf(
  remote: Remote,
  moves: readonly RefMove[],
  error: unknown,
): Promise<PushAttempt> {
  const fault = gitFault(error);
  if (error instanceof NotAsked) return { ...unknown(fault), isUnasked: true, isUnsent: true };
  if (remote.stop?.aborted) return { ...unknown(fault), isUnasked: true };
  const said = verdictIn(Object(error));
  const refs = await remoteRefs(
    remote,
    moves.map(({ ref }) => ref),
  );
  if (isFault(refs)) return { ...unknown(fault), isUnasked: true };
  const commitOf = (ref: string) => refs.get(ref) ?? null;
  if (moves.every(({ ref, to }) => commitOf(ref) === to)) return { is: 'done' };
  if (moves.some(({ ref, from }) => commitOf(ref) !== from)) return { is: 'moved', refs };
  return said === null ? unknown(fault) : said;
}

const unknown = ({ why, hint = remedyOf(why) }: GitFault): UnknownPush => ({
  is: 'unknown',
  why,
  ...(hint !== undefined && { hint }),
});

/**
 * The remedy for a push that failed for a reason other than missing permissions; undefined if the
 * reason suggests none.
 */
export function remedyOf(why: string): string | undefined {
  if (/no space left|disk quota|unpacker error/i.test(why))
    return 'free disk space at the remote, or look there why it stores no objects';
  if (/not support --atomic/.test(why))
    return 'use a remote whose git moves several refs at once (git 2.4 or newer)';
  return undefined;
}

/** Reasons that may not apply to a repeated push: a lease that failed, or refs that somebody else moved at the same time. */
const PASSING =
  /^(?:stale info|fetch first|atomic transaction failed|failed to update ref|incorrect old value provided|reference already exists|cannot lock ref .*)$/;

/** A ref that the remote did not move, and why: `!<tab>from:to<tab>[remote rejected] (reason)`. */
const REJECTED = /^!\t[^\t]*:(?<ref>[^\t]+)\t\[(?:remote )?rejected\] \((?<why>.*)\)$/gm;

// The verdict of the remote; null if it rejected no ref. If several refs had to move together, the remote gives a reason for only
// one of them.
function verdictIn({
  stdout,
  stderr,
}: {
  readonly stdout?: unknown;
  readonly stderr?: unknown;
}): InTheWay | Extract<Pushed, { is: 'refused' }> | null {
  const rejected = [...textOf(stdout).matchAll(REJECTED)].map(({ groups }) => ({
    ref: groups?.ref ?? '',
    why: groups?.why ?? '',
  }));
  const [first] = rejected;
  if (first === undefined) return null;
  const own = rejected.find(({ why }) => !why.startsWith('atomic ')) ?? first;
  const isPassing = PASSING.test(own.why);
  // If the refusal does not come from git itself, other messages of the remote come from its hook.
  const remarks = [...textOf(stderr).matchAll(/^remote: (.+?)\s*$/gm)].flatMap(([, line = '']) =>
    !isPassing && line.startsWith('error: ') ? [] : line.replace(/^error: /, '').trim() || [],
  );
  const reasons = [own.why, ...remarks.slice(0, 3)].map(reason => reason.replaceAll(/\s+/g, ' '));
  const why = `${nameText(own.ref)} is rejected: ${nameText(reasons.join('; '))}`;
  const hint = remedyOf(why);
  if (isPassing) return { is: 'in the way', why };
  return { is: 'refused', why, ...(hint !== undefined && { hint }) };
}

const textOf = (said: unknown): string => (Buffer.isBuffer(said) ? said.toString('utf8') : '');

/** The texts of files in commits, given as `commit:path`; null for a file that does not exist. Rejects if git fails. */
export async function textsIn(
  { objects: { place } }: Remote,
  files: readonly string[],
): Promise<readonly (string | null)[]> {
  const contents = await contentsOf(place, files);
  return contents.map(content => content?.toString('utf8') ?? null);
}
