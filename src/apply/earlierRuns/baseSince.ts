// Finds the base that an apply recorded for a folder after a run. The plan of an undo, and of a run
// that only removes what has expired, is not compared with a base. So only this base shows that the
// files were applied after the run.
import { resolve } from 'node:path';
import type { Signer } from '../../model/signer.ts';
import { storedBases } from '../../read/git/storedBases.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';
import type { FoundJournal } from './foundJournal.ts';
import { isSignedBase } from './lostRuns.ts';

/** A base, and when an apply recorded it, in RFC 3339. */
export interface BaseSince {
  readonly ref: string;
  readonly recordedAt: string;
}

/**
 * The base of the files of an undo, or of a run that only removes what has expired, if an apply
 * recorded the base after the last write of the run; otherwise undefined. Only a base that a key of
 * this run signed counts.
 */
export async function baseSince(
  { plan, lines }: Pick<FoundJournal, 'plan' | 'lines'>,
  { host, signer }: { readonly host: BaseHost; readonly signer: Signer },
): Promise<BaseSince | undefined> {
  const [head] = lines;
  const isCompared = head?.undoes === undefined && head?.only_ends !== true;
  if (isCompared || plan.account === undefined) return undefined;
  const place = placeOf(plan.folder, host);
  const folder = pathInRepository(resolve(host.cwd, plan.folder));
  const last = String(lines.at(-1)?.at);
  for (const stored of await storedBases(place, plan.account).catch(() => [])) {
    if ('why' in stored || !isSignedBase(stored, signer)) continue;
    const { ref, base } = stored;
    if (base.folder === folder && base.recordedAt > last)
      return { ref, recordedAt: base.recordedAt };
  }
  return undefined;
}
