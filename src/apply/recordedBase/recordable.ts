// Whether the base of the next run can be recorded after an apply. The check runs before the first write of the apply.
import { baseRef } from '../../base/refName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { folderBase } from '../../read/git/folderBase.ts';
import { notBehind } from '../../read/git/history.ts';
import { commitOf } from '../../read/git/revision.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import type { UnrecordableBase } from '../refusal.ts';
import { type BaseHost, placeOf } from './place.ts';

/** Why the applied state could not be recorded after a run; null if it can. */
export async function unrecordable(plan: Plan, host: BaseHost): Promise<UnrecordableBase | null> {
  const { account, base } = plan;
  if (account === undefined) return { refused: 'base', because: 'account-unknown' };
  const repository = placeOf(plan.folder, host);
  if (plan.revision === undefined) {
    const why = 'the plan was made from files that are not committed';
    return { refused: 'base', because: 'no-revision', why, ...plan.notCommitted };
  }
  // The applied revision is a parent of the base: without the revision, no push of the base succeeds.
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
  const found = await folderBase({
    ...place,
    host,
    path: repository.folder,
    account,
    isFirst: base.first === true,
  });
  const ref = baseRef(account, place);
  switch (found.is) {
    case 'none':
      return null;
    case 'fault':
    case 'unusable':
      return { refused: 'base', because: 'not-first', ...reasonOf(found.fault) };
    case 'former':
      return base.commits.includes(found.commit)
        ? behind(repository, { ref: found.ref, revision: found.commit }, plan.revision)
        : { refused: 'base', because: 'other-base', ref: found.ref };
    case 'recorded': {
      const { commit, base: before } = found.stored;
      if (!base.commits.includes(commit)) return { refused: 'base', because: 'other-base', ref };
      return behind(repository, { ref, revision: before.revision }, plan.revision);
    }
  }
}

async function behind(
  repository: GitPlace,
  before: { readonly ref: string; readonly revision: string },
  revision: string,
): Promise<UnrecordableBase | null> {
  const undoing = await notBehind(repository, before, revision);
  return undoing ? { refused: 'base', because: 'not-behind', ...reasonOf(undoing) } : null;
}

const reasonOf = ({ message, hint }: Diagnostic) => ({ why: message, hint });
