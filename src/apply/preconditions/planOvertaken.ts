// Detects that somebody has reverted or replaced the unfinished run of a saved plan. The plan is
// stale in that case, whatever the account contains, because its remaining actions are no longer
// wanted.
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { type FoundJournal, journalOfPlan } from '../earlierRuns/foundJournal.ts';
import { type LaterRuns, overtakenBy } from '../earlierRuns/overtaken.ts';
import type { ApplyHost } from '../host.ts';
import { journalsFor } from '../journal/journalFolder.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { signerOf } from '../signing/signer.ts';

/**
 * The refusal of a plan whose unfinished run was undone, or was replaced by a later apply of the
 * same files.
 */
export async function planOvertaken(
  journal: FoundJournal,
  known: LaterRuns,
): Promise<Refusal | undefined> {
  const later = await overtakenBy(journal, known);
  return later && { refused: 'plan-overtaken', run: journal.chain?.run ?? '', later };
}

/**
 * The same check without a lock, using the journals of this machine. A job without the keys of the
 * run cannot make this check.
 */
export async function planOvertakenHere(
  saved: SavedPlan,
  { host, token }: { readonly host: ApplyHost; readonly token: string },
): Promise<Refusal | undefined> {
  const signer = signerOf({ signingKey: host.signingKey, token });
  const folder = await journalsFor(saved.plan.folder, host).catch(() => undefined);
  if (isRefusal(signer) || folder === undefined) return undefined;
  const journal = await journalOfPlan(saved, { lock: { folder, signer } }, host);
  if (journal === null || isRefusal(journal) || journal.ended === 'complete') return undefined;
  return planOvertaken(journal, { journals: undefined, host, signer });
}
