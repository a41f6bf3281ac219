// `apply --resume`: continues the plan of an incomplete run from its journal.
import { resolve } from 'node:path';
import { openJournal, openLastJournal } from '../../apply/preconditions/openPlan.ts';
import { allowancesToContinue } from '../../apply/projectSettings.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { resumeApply } from '../../apply/resumeApply.ts';
import { tellPlanVariables } from '../../apply/secrets/planVariables.ts';
import type { Schemas } from '../../pipeline.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { projectOrStop } from '../api/apiProject.ts';
import { printFindings } from '../files/desired.ts';
import { namedOutsidePlan } from '../flags/objectFlags.ts';
import { type Io, say } from '../io.ts';
import { withRunLock } from '../lock/runLock.ts';
import { tokenOrStop, withConnection } from '../server/connect.ts';
import { serverOrStop } from '../server/server.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { refuseUnapproved } from './broughtByCommit.ts';
import { refuseUnasked } from './confirming.ts';
import { journalHost } from './journalHost.ts';
import { projectsFor } from './planProjects.ts';
import { stopOf } from './refusals.ts';

/** Resumes the run of a journal: of the named one, or of the last apply of the files at `path`. */
export async function resumeJournal(
  { kinds }: Schemas,
  { resume, path }: { readonly resume: string | true; readonly path: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const token = await tokenOrStop(flags, io);
  const url = serverOrStop(flags.url, await projectOrStop(io, resolve(io.cwd, path)), io);
  const host = { ...journalHost(io, token), ...(flags.anyServer ? {} : { url }) };
  const journal =
    resume === true
      ? await openLastJournal(path, kinds, host)
      : await openJournal(resume, kinds, host);
  if (isRefusal(journal)) throw stopOf(journal, io);
  await refuseUnapproved(journal.path, { what: 'a journal', digest: flags.digest }, io);
  refuseUnasked(flags, io);
  printFindings(namedOutsidePlan(journal.plan, flags, kinds), io);
  const onAlreadyApplied = () => say(io.stderr, 'nothing to resume: that apply is complete');
  const project = await projectOrStop(io, resolve(io.cwd, journal.plan.folder));
  const approval = {
    approved: flags.digest,
    byProject: allowancesToContinue(guardsOf(project, []), journal.plan),
  };
  const projects = await projectsFor(journal.plan, path, io);
  const { folder, account } = journal.plan;
  const files = { path: folder, project, accountBehind: () => Promise.resolve(account) };
  const recordBase = flags.recordBase === true || journal.recordsBase;
  tellPlanVariables(journal.plan, io, { known: io.secrets });
  return withRunLock(files, { ...flags, recordBase }, io, ({ open }) =>
    withConnection({ ...flags, token, url }, projects, io, async connection => {
      const accountLock = await open();
      const asked = { kinds, connection, flags, io, onAlreadyApplied, accountLock };
      return applyWith(asked, request => resumeApply(journal, request, approval));
    }),
  );
}
