// `apply` of desired state: plans, shows the plan, asks for confirmation, and applies the plan
// under a single lock.
import { resolve } from 'node:path';
import { planAndApply } from '../../apply/planAndApply.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { refuseDestroyWithout } from '../files/destroying.ts';
import { planOrStop, refuseWithoutBase, takesBackAll } from '../files/planning.ts';
import type { Io } from '../io.ts';
import { heldEnds } from '../lock/heldEnds.ts';
import { withRunLock } from '../lock/runLock.ts';
import { projectBefore } from '../project.ts';
import { accountOf, asksAccount } from '../server/accountOf.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { refuseUnasked } from './confirming.ts';

/** Applies the files at `path` to the account. Resolves to the exit code; throws a `Stop`. */
export async function applyFiles(
  tools: Schemas,
  path: string,
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  refuseSavedPlanFlags(path, flags);
  refuseWithoutBase(flags);
  refuseDestroyWithout(flags);
  refuseUnasked(flags, io);
  const { kinds } = tools;
  const project = projectBefore(io, folderOf(resolve(io.cwd, path)));
  const files = { path, project, accountBehind: () => accountOf(kinds, { flags, project }, io) };
  return withRunLock(files, flags, io, async ({ own, open }) => {
    const accountBehind = asksAccount(kinds, flags, io);
    const load = (one: Io) =>
      desiredOrStop(tools, path, { ...flags, isPlanned: true, accountBehind }, one);
    const state = await load(own);
    const accountLock = await open();
    const before = own.shared;
    return withConnection(flags, state.project, io, connection => {
      const settings = { ...flags, access: flags, isWritten: true };
      const plan = async (shared: SharedRefs | undefined, left: LeftObjects) => {
        // Another machine may have recorded a base before the lock was taken.
        const isSame = shared === undefined || hasSameRefs(shared, before);
        const now = isSame ? own : { ...io, shared };
        const found = isSame ? state : await load(now);
        return planOrStop({ tools, state: { ...found, left }, connection }, settings, now);
      };
      const isWhole = takesBackAll(flags);
      const endsIn = (hold: LockRecord) => heldEnds(state.endings, hold);
      const shown = { kinds, connection, flags, io, isShown: true };
      const asking = { ...shown, accountLock, heldEnds: endsIn };
      return applyWith(asking, request => planAndApply({ path, plan, isWhole }, request));
    });
  });
}

function refuseSavedPlanFlags(path: string, { digest }: ApplyFlags): void {
  if (digest === undefined) return;
  const message = `${quoted('--digest')} works only with a saved plan, and ${quoted(path)} is desired state`;
  throw new Stop(EXIT.usage, message, 'save the plan with `meshform plan --out FILE`');
}

const hasSameRefs = ({ refs }: SharedRefs, before: SharedRefs | undefined): boolean =>
  refs.size === before?.refs.size &&
  [...refs].every(([ref, commit]) => before.refs.get(ref) === commit);
