// `--record-base`: after an apply that left nothing undone, the revision that was applied becomes the base.
import { resolve } from 'node:path';
import { present } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import { nameText } from '../model/visible.ts';
import { baseRef, recordBase, revisionIn } from '../read/baseRef.ts';
import { folderOf } from '../read/project.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, say } from './io.ts';
import { Stop } from './stop.ts';

/** The plan with the revision that its files are from, where they are from one. */
export async function withRevision(plan: Plan, path: string, io: Io): Promise<Plan> {
  const found = await revisionIn(folderOf(resolve(io.cwd, path)));
  return 'revision' in found ? { ...plan, revision: found.revision } : plan;
}

/** Throws a `Stop` where it could not be said afterwards what was applied, and to which account. */
export async function refuseUnrecordable(plan: Plan, io: Io): Promise<void> {
  if (plan.account === undefined) {
    const message = '--record-base needs an account that has a group All to be told by';
    throw new Stop(EXIT.refused, message, 'leave --record-base out');
  }
  // The base is what all of was applied: what a part of it was taken from would count as drift, or be pruned.
  if (plan.unselected !== undefined) {
    const message = `--record-base cannot record a part: ${plan.unselected} declared objects are not part of this run`;
    throw new Stop(EXIT.refused, message, 'apply all of it, or leave --record-base out');
  }
  if (plan.revision !== undefined) return;
  const found = await revisionIn(folderOf(resolve(io.cwd, plan.folder)));
  const why = 'why' in found ? found.why : 'the plan was made of files that no commit has';
  const hint = 'commit the files, then plan and apply them';
  throw new Stop(EXIT.refused, `--record-base has nothing to record: ${why}`, hint);
}

/** Records the base of a plan that was carried out. */
export async function recordApplied(plan: Plan, io: Io): Promise<void> {
  const account = present(plan.account, 'the account of the plan');
  const revision = present(plan.revision, 'the revision of the plan');
  await recordBase(folderOf(resolve(io.cwd, plan.folder)), account, revision);
  say(io.stderr, `${nameText(baseRef(account))} is ${revision.slice(0, 12)} now`);
}
