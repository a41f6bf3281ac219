// After an apply that completed everything, records the applied revision in git as the base of the next run.
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { ProgramHost } from '../../read/environment.ts';
import { baseRef, isFirstRun, recordBase, revisionIn } from '../../read/git/baseRef.ts';
import { notBehind } from '../../read/git/history.ts';
import { commitOf } from '../../read/git/revision.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { folderOf } from '../../read/project.ts';
import type { ApplyHost } from '../host.ts';
import type { UnrecordableBase } from '../refusal.ts';

type Place = Pick<ApplyHost, 'cwd' | keyof ProgramHost>;

const placeOf = (path: string, host: Place): GitPlace => ({
  folder: folderOf(resolve(host.cwd, path)),
  host,
});

/** The plan with the git revision of its files, if they have one. */
export async function withRevision(plan: Plan, path: string, host: Place): Promise<Plan> {
  const found = await revisionIn(placeOf(path, host));
  return 'revision' in found ? { ...plan, revision: found.revision } : plan;
}

/** Why the applied revision could not be recorded after a run; null if it can. */
export async function unrecordable(plan: Plan, host: Place): Promise<UnrecordableBase | null> {
  const { account, unselected } = plan;
  if (account === undefined) return { refused: 'base', because: 'account-unknown' };
  // Only a complete apply can be a base: the rest of a partial apply would count as drift, or be pruned.
  if (unselected !== undefined) return { refused: 'base', because: 'partial', unselected };
  const place = placeOf(plan.folder, host);
  if (plan.revision === undefined) {
    const found = await revisionIn(place);
    const why = 'why' in found ? found.why : 'the plan was made from files that are not committed';
    const hint = ('hint' in found && found.hint) || undefined;
    return { refused: 'base', because: 'no-revision', why, hint };
  }
  return unpruned(plan, account, place);
}

// A saved plan may have been created without `--record-base`.
async function unpruned(
  { base, revision }: Plan,
  account: string,
  place: GitPlace,
): Promise<UnrecordableBase | null> {
  const objects = base?.unpruned ?? [];
  if (objects.length > 0) return { refused: 'base', because: 'unpruned', objects };
  const recorded = await commitOf(place, baseRef(account));
  const isNew = 'commit' in recorded && base?.commits.includes(recorded.commit) !== true;
  if (isNew) return { refused: 'base', because: 'other-base', ref: baseRef(account) };
  const undoing = await notBehind(place, account, revision);
  if (undoing) return { refused: 'base', because: 'not-behind', ...reasonOf(undoing) };
  const first =
    base !== undefined || 'commit' in recorded ? true : await isFirstRun(place, account);
  if (first === true) return null;
  return { refused: 'base', because: 'not-first', ...reasonOf(first) };
}

const reasonOf = ({ message, hint }: Diagnostic) => ({ why: message, hint });

/** A recorded base, or why it could not be recorded. */
export interface RecordedBase {
  readonly ref: string;
  readonly revision: string;
  readonly failure?: string;
}

/** Records the base of a completed plan. */
export async function recordApplied(plan: Plan, host: Place): Promise<RecordedBase> {
  const account = present(plan.account, 'the account of the plan');
  const revision = present(plan.revision, 'the revision of the plan');
  const fault = await recordBase(placeOf(plan.folder, host), account, revision);
  return { ref: baseRef(account), revision, ...(fault !== null && { failure: fault.why }) };
}
