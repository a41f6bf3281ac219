// `apply --undo`: plans the undo of the run in a journal. What cannot be undone is reported first.
import { resolve } from 'node:path';
import type { TransportOptions } from '../../api/transport/transport.ts';
import { tellPlanVariables } from '../../apply/preconditions/planVariables.ts';
import { undoApply, type WayBack } from '../../apply/undoApply.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Plan } from '../../model/plan.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import type { Project } from '../../source/project/project.ts';
import { planOrStop } from '../files/planning.ts';
import type { Io } from '../io.ts';
import { heldEndsOf } from '../lock/heldEnds.ts';
import { withRunLock } from '../lock/runLock.ts';
import { projectOfPlan, projectOrStop } from '../project.ts';
import { accountOf } from '../server/accountOf.ts';
import { tokenOrStop, withConnection } from '../server/connect.ts';
import { serverOrStop } from '../server/server.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { chosenJournal } from './chosenJournal.ts';
import { refuseUnasked } from './confirming.ts';
import { journalHost } from './journalHost.ts';
import { confirmLastRun } from './lastRun.ts';
import { projectsFor } from './planProjects.ts';
import { refuseUnapproved } from './unapproved.ts';

/**
 * Undoes the run of a journal: the named journal, or the journal of the last apply of the files at `path`. Resolves to the exit
 * code; throws a `Stop`.
 */
export async function undoJournal(
  tools: Schemas,
  { undo, path }: { readonly undo: string | true; readonly path: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const { kinds } = tools;
  const token = await tokenOrStop(flags, io);
  const here = projectOrStop(io, resolve(io.cwd, path));
  // Skips applies to other servers, because an apply can be undone only at its own server.
  const url = undo === true ? await serverOrStop(flags.url, here, io) : undefined;
  const host = { ...journalHost(io, token), ...(url !== undefined && { url }) };
  const files = {
    path,
    project: here,
    accountBehind: () => accountOf(kinds, { flags: { ...flags, token }, project: here }, io),
  };
  return withRunLock(files, flags, io, async ({ open, journals }) => {
    const choice = { verb: 'undo', chosen: undo, path } as const;
    const journal = await chosenJournal(choice, { kinds, host, journals }, io);
    if (!journal.isCopy)
      await refuseUnapproved(journal.path, { what: 'a journal', digest: flags.digest }, io);
    refuseUnasked(flags, io);
    if (undo === true) await confirmLastRun(journal, path, io);
    const project = projectOfPlan(io, journal.plan);
    const projects = await projectsFor(journal.plan, path, io);
    tellPlanVariables(journal.plan, io, { known: io.secrets });
    return withConnection({ ...flags, token }, projects, io, async connection => {
      const accountLock = await open();
      const plan = planningBack({ tools, project, connection }, flags, io);
      const planning = { dialect: project.dialect, approved: flags.digest, plan };
      const heldEnds = (hold: LockRecord) => heldEndsOf(journal.plan.folder, hold, io);
      const asking = { kinds, connection, flags, io, isShown: true, accountLock, heldEnds };
      return applyWith(asking, request => undoApply(journal, planning, request));
    });
  });
}

// Returns a function that plans the return to the state of the account before a run.
function planningBack(
  { tools, project, connection }: UndonePlan,
  flags: ApplyFlags,
  io: Io,
): (back: WayBack) => Promise<Plan> {
  return ({ dialect, warnings: diagnostics, ...back }) => {
    const guards = guardsOf(project, []);
    // The base is the account after the run that is to be undone.
    const applied = { isBaseApplied: true, accessTests: [], guards };
    const state = { ...back, project, ...applied, diagnostics };
    const settings: ApplyFlags = { ...flags, prune: 'none', dialect };
    const asUndo = { ...settings, access: flags, isUndo: true };
    return planOrStop({ tools, state, connection }, asUndo, io);
  };
}

interface UndonePlan {
  readonly tools: Schemas;
  readonly project: Project;
  readonly connection: TransportOptions;
}
