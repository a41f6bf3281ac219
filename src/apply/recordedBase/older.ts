// Whether the recorded base that a plan was compared with is the newest that this machine knows of. Whoever can push a ref can put an
// older base back, which is signed as well; the journals of finished runs say which base they recorded.
import { baseRef, formerRef } from '../../base/refName.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { isInHistory } from '../../read/git/history.ts';
import { commitOf } from '../../read/git/revision.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { type StoredBase, storedBase } from '../../read/git/storedBases.ts';
import { newerBases } from '../journal/basesInJournals.ts';
import type { JournalsHost } from '../journal/journalFolder.ts';
import type { OlderBase } from '../refusal.ts';
import { type BaseHost, placeOf } from './place.ts';

/** Where journals are, who verifies them, and whether the run records a base. */
export interface OlderBaseRequest {
  readonly host: BaseHost & JournalsHost;
  readonly signer: Signer;
  readonly isRecording: boolean;
}

/** The refusal for a plan whose recorded base is older than that of a finished run, or is gone since; null if there is none. */
export async function olderBase(plan: Plan, request: OlderBaseRequest): Promise<OlderBase | null> {
  const place = placeOf(plan.folder, request.host);
  const compared = await comparedBase(plan, place, request);
  if (compared === null) return null;
  const { ref, stored } = compared;
  const newer = await newerBases(plan.folder, { ...request, ref, than: stored?.base.recordedAt });
  for (const { base, journal } of newer) {
    if (stored !== null && (await isInHistory(place, base.commit, stored.commit))) continue;
    const found = stored?.base.recordedAt;
    const { recordedAt: recorded } = base;
    return { refused: 'base-older', ref, ...(found !== undefined && { found }), recorded, journal };
  }
  return null;
}

/** The base that a plan was compared with; null if no recorded base decides what the plan removes. */
async function comparedBase(
  { account, base }: Plan,
  place: GitPlace,
  { isRecording }: OlderBaseRequest,
): Promise<{ readonly ref: string; readonly stored: StoredBase | null } | null> {
  if (account === undefined || base === undefined) return null;
  if (base.recorded !== undefined) {
    // A base that cannot be read is refused as not verified.
    const stored = await storedBase(place, base.recorded).catch(() => null);
    return stored === null || 'why' in stored
      ? null
      : { ref: baseRef(account, stored.base), stored };
  }
  if (base.content === undefined || base.first === true) return null;
  const ref = baseRef(account, base.content);
  const now = await commitOf(place, ref);
  // A revision or a folder was chosen although there is a base, or git cannot tell: then it says why where the base is recorded.
  if ('commit' in now || (now.is !== 'unknown' && now.is !== 'shallow')) return null;
  const former = await commitOf(place, formerRef(account));
  const isFormer = 'commit' in former && base.commits.includes(former.commit);
  return isRecording || isFormer ? { ref, stored: null } : null;
}
