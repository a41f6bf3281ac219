// Whether the base of the next run can be recorded after an apply. The check runs before the first
// write of the apply.
import { baseRef } from '../../base/refName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { type FolderBase, folderBase } from '../../read/git/folderBase.ts';
import { notBehind } from '../../read/git/history.ts';
import { commitOf } from '../../read/git/revision.ts';
import type { UnrecordableBase } from '../refusal.ts';
import { type BaseHost, placeOf } from './gitPlace.ts';

/**
 * The reason why the applied state could not be recorded after a run; null if it can be recorded.
 */
export async function unrecordable(plan: Plan, host: BaseHost): Promise<UnrecordableBase | null> {
  const { account, base } = plan;
  if (account === undefined) return { refused: 'base', because: 'account-unknown' };
  const repository = placeOf(plan.folder, host);
  if (plan.revision === undefined) {
    const why = 'the plan was made from files that are not committed';
    return { refused: 'base', because: 'no-revision', why, ...plan.notCommitted };
  }
  // The applied revision is a parent of the base. If the clone lacks the revision, no push of the
  // base succeeds.
  const known = await commitOf(repository, plan.revision);
  if (!('commit' in known)) {
    const why = `this clone does not have the revision of the plan, ${plan.revision.slice(0, 12)}`;
    return { refused: 'base', because: 'no-revision', why, hint: 'fetch it: `git fetch`' };
  }
  if (base?.content === undefined) return { refused: 'base', because: 'no-content' };
  const objects = base.unpruned;
  if (objects.length > 0) return { refused: 'base', because: 'unpruned', objects };
  const { name, folder } = base.content;
  const place = { folder, ...(name !== undefined && { name }) };
  const path = repository.folder;
  const found = await folderBase({ ...place, host, path, account, isFirst: base.first === true });
  const isCompared = (commit: string) => base.commits.includes(commit);
  const before = lastApplied(found, baseRef(account, place), isCompared);
  if (before === null || 'refused' in before) return before;
  const undoing = await notBehind(repository, before, plan.revision);
  return undoing ? { refused: 'base', because: 'not-behind', ...reasonOf(undoing) } : null;
}

/** The revision that was applied before, and the ref that shows this. */
interface AppliedBefore {
  readonly ref: string;
  readonly revision: string;
}

// What was applied before; null for the first apply, and a refusal if the plan was not compared
// with it.
function lastApplied(
  found: FolderBase,
  ref: string,
  isCompared: (commit: string) => boolean,
): AppliedBefore | UnrecordableBase | null {
  switch (found.is) {
    case 'none':
      return null;
    case 'fault':
    case 'unusable':
      return { refused: 'base', because: 'not-first', ...reasonOf(found.fault) };
    case 'former':
      return isCompared(found.commit)
        ? { ref: found.ref, revision: found.commit }
        : { refused: 'base', because: 'other-base', ref: found.ref };
    case 'recorded': {
      const { commit, base } = found.stored;
      return isCompared(commit)
        ? { ref, revision: base.revision }
        : { refused: 'base', because: 'other-base', ref };
    }
  }
}

const reasonOf = ({ message, hint }: Diagnostic) => ({ why: message, hint });
