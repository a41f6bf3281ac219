// Checks that the recorded base with which a plan was compared is the newest base in the notes of
// this machine, or follows it. The signature is not enough, because anybody who can push a ref can
// restore an older base, which is signed too.
import { digestOfBase } from '../../base/baseDocument.ts';
import { baseRef, formerRef } from '../../base/refName.ts';
import type { Plan } from '../../model/plan.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { isOrFollows } from '../../read/git/baseChain.ts';
import { rememberingAnswers } from '../../read/git/rememberedAnswers.ts';
import { commitOf } from '../../read/git/revision.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { type StoredBase, storedBase } from '../../read/git/storedBases.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { OlderBase } from '../refusal.ts';
import { type NotingHost, placeOf } from './gitPlace.ts';
import { type NotedBase, type Notes, newestAtRemote, newestBase } from './newest.ts';

/**
 * Where the notes of newest bases are, the signer that verifies them, and whether the run records a
 * base.
 */
export interface OlderBaseRequest extends Notes {
  readonly host: NotingHost;
  readonly isRecording: boolean;
  /** The journals of all machines, if the lock is in a remote. */
  readonly journals?: SharedJournals | undefined;
}

/** The base at a ref; null if there is none. */
export interface FoundBase {
  readonly ref: string;
  readonly stored: StoredBase | null;
}

/**
 * The refusal for a plan whose recorded base does not follow the base of a finished run, or was
 * deleted since; null if there is no reason to refuse.
 */
export async function olderBase(plan: Plan, request: OlderBaseRequest): Promise<OlderBase | null> {
  const place = placeOf(plan.folder, request.host);
  const compared = await rememberingAnswers()(() => comparedBase(plan, place, request));
  return compared && notNewest(plan.folder, compared, request);
}

/**
 * The refusal for a base of a folder that does not follow the newest base in the notes; null if it
 * follows.
 */
export async function notNewest(
  folder: string,
  { ref, stored }: FoundBase,
  { host, signer, journals, onUnusable }: Omit<OlderBaseRequest, 'isRecording'>,
): Promise<OlderBase | null> {
  const noted = [
    await newestBase(folder, ref, { host, signer, onUnusable }),
    ...(journals ? await newestAtRemote(journals, ref, { signer, onUnusable }) : []),
  ];
  for (const newest of noted) {
    const older = newest && (await notFollowed(folder, { ref, stored }, newest, { host, signer }));
    if (older) return older;
  }
  return null;
}

/**
 * The commit of the newest base that is noted for a ref, if the repository has this commit. It can
 * replace what somebody else put at the ref.
 */
export async function lastRecorded(
  folder: string,
  ref: string,
  { host, signer, journals }: Omit<OlderBaseRequest, 'isRecording'>,
): Promise<string | undefined> {
  const place = placeOf(folder, host);
  const noted = [
    await newestBase(folder, ref, { host, signer }),
    ...(journals ? await newestAtRemote(journals, ref, { signer }) : []),
  ].flatMap(one => one?.base ?? []);
  for (const base of noted.sort((a, b) => compareTexts(b.recordedAt, a.recordedAt)))
    if (await isHereAfter(place, base, null)) return base.commit;
  return undefined;
}

async function notFollowed(
  folder: string,
  { ref, stored }: FoundBase,
  noted: NotedBase,
  { host, signer }: Pick<OlderBaseRequest, 'host' | 'signer'>,
): Promise<OlderBase | null> {
  const { base, forgottenAt, file } = noted;
  const place = placeOf(folder, host);
  if (stored !== null && (await isNewest(place, stored, noted))) return null;
  const isReplaced = await isRecordedAt(place, ref, noted);
  const isUnsigned = stored !== null && !signer.isSigned('base', stored.text, stored.signature);
  // An unsigned base may be replaced even if the newest base does not follow it.
  const isHere =
    !isReplaced &&
    forgottenAt === undefined &&
    (await isHereAfter(place, base, isUnsigned ? null : stored));
  const found = stored?.base.recordedAt;
  return {
    refused: 'base-older',
    ref,
    folder,
    ...(found !== undefined && { found }),
    recorded: base.recordedAt,
    ...(forgottenAt !== undefined && { forgottenAt }),
    file,
    ...(isReplaced && { isReplaced }),
    ...(isUnsigned && { isUnsigned }),
    ...(isHere && { lost: base.commit }),
  };
}

// Whether a base is the newest base or follows it. A forgotten base no longer counts.
async function isNewest(
  place: GitPlace,
  stored: StoredBase,
  { base: { digest }, forgottenAt }: NotedBase,
): Promise<boolean> {
  const isForgotten = forgottenAt !== undefined && digestOfBase(stored.text) === digest;
  return !isForgotten && isOrFollows(place, stored, digest);
}

// Whether the ref has the newest base, or a base that follows it.
async function isRecordedAt(place: GitPlace, ref: string, noted: NotedBase): Promise<boolean> {
  const now = await storedBase(place, ref).catch(() => null);
  return now !== null && !('why' in now) && isNewest(place, now, noted);
}

// Whether the repository has the newest base, and this base follows the base at the ref. If so, the
// newest base can be restored.
async function isHereAfter(
  place: GitPlace,
  newest: BaseCommit,
  found: StoredBase | null,
): Promise<boolean> {
  const stored = await storedBase(place, newest.commit).catch(() => null);
  if (stored === null || 'why' in stored || digestOfBase(stored.text) !== newest.digest)
    return false;
  return found === null || isOrFollows(place, stored, digestOfBase(found.text));
}

/**
 * The base with which a plan was compared; null if the removals of the plan depend on no recorded
 * base.
 */
async function comparedBase(
  { account, base }: Plan,
  place: GitPlace,
  { isRecording }: OlderBaseRequest,
): Promise<FoundBase | null> {
  if (account === undefined || base === undefined) return null;
  if (base.recorded !== undefined) {
    // A base that cannot be read is refused elsewhere, because it is not verified.
    const stored = await storedBase(place, base.recorded).catch(() => null);
    return stored === null || 'why' in stored
      ? null
      : { ref: baseRef(account, stored.base), stored };
  }
  if (base.content === undefined || base.first === true) return null;
  const ref = baseRef(account, base.content);
  const now = await commitOf(place, ref);
  // Null in two cases. The ref has a base, but the user chose a revision or a folder instead. Or
  // git cannot tell whether the ref has a base; recording the base then reports why.
  if ('commit' in now || (now.is !== 'unknown' && now.is !== 'shallow')) return null;
  const former = await commitOf(place, formerRef(account));
  const isFormer = 'commit' in former && base.commits.includes(former.commit);
  return isRecording || isFormer ? { ref, stored: null } : null;
}
