// `--record-base`: after an apply that left nothing undone, the revision that was applied becomes the base.
import { resolve } from 'node:path';
import { present } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import { baseRef, isFirstRun, recordBase, revisionIn } from '../../read/git/baseRef.ts';
import { commitOf } from '../../read/git/revision.ts';
import { folderOf } from '../../read/project.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

/** The plan with the revision that its files are from, where they are from one. */
export async function withRevision(plan: Plan, path: string, io: Io): Promise<Plan> {
  const found = await revisionIn(folderOf(resolve(io.cwd, path)));
  return 'revision' in found ? { ...plan, revision: found.revision } : plan;
}

/** Throws a `Stop` where it could not be said afterwards what was applied, and to which account. */
export async function refuseUnrecordable(plan: Plan, io: Io): Promise<void> {
  const { account } = plan;
  if (account === undefined) {
    const message = '--record-base needs an account with a group All, which identifies it';
    throw new Stop(EXIT.refused, message, 'remove --record-base');
  }
  // The base is what all of was applied: what a part of it was taken from would count as drift, or be pruned.
  if (plan.unselected !== undefined) {
    const message = `--record-base cannot record a part: ${plan.unselected} declared objects are not part of this run`;
    throw new Stop(EXIT.refused, message, 'apply everything, or remove --record-base');
  }
  const folder = folderOf(resolve(io.cwd, plan.folder));
  if (plan.revision === undefined) {
    const found = await revisionIn(folder);
    const why = 'why' in found ? found.why : 'the plan was made from files that are not committed';
    const hint = ('hint' in found && found.hint) || 'commit the files, then plan and apply them';
    throw new Stop(EXIT.refused, `--record-base has nothing to record: ${why}`, hint);
  }
  await refuseUnpruned(plan, account, folder);
}

// A plan that was saved may have been made without a thought of this.
async function refuseUnpruned({ base }: Plan, account: string, folder: string): Promise<void> {
  const list = base?.unpruned.join(', ') ?? '';
  if (list !== '') {
    const message = `--record-base would forget objects that were removed from the files and stay in the account: ${list}`;
    const hint =
      'create the plan with --record-base, and --prune removed or --forget kind/name for each object';
    throw new Stop(EXIT.refused, message, hint);
  }
  const recorded = await commitOf(folder, baseRef(account));
  const isNew = 'commit' in recorded && base?.commits.includes(recorded.commit) !== true;
  if (isNew) {
    const message = `the plan was not compared with the recorded base, ${baseRef(account)}`;
    throw new Stop(EXIT.refused, message, 'create the plan with --record-base');
  }
  const first =
    base !== undefined || 'commit' in recorded ? true : await isFirstRun(folder, account);
  if (first !== true) {
    const hint = first.hint ?? 'remove --record-base, or apply files that git tracks';
    throw new Stop(EXIT.refused, first.message, hint);
  }
}

/** Records the base of a plan that was carried out. Throws a `Stop` where that fails. */
export async function recordApplied(plan: Plan, io: Io): Promise<void> {
  const account = present(plan.account, 'the account of the plan');
  const revision = present(plan.revision, 'the revision of the plan');
  const fault = await recordBase(folderOf(resolve(io.cwd, plan.folder)), account, revision);
  if (fault !== null) {
    const message = `everything was applied, but the base could not be recorded: ${fault.why}`;
    const hint = `record it with \`git update-ref ${shellWord(baseRef(account))} ${revision}\``;
    throw new Stop(EXIT.failed, message, hint);
  }
  say(io.stderr, `${nameText(baseRef(account))} is ${revision.slice(0, 12)} now`);
}
