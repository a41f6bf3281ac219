// `apply --resume`: continues the plan of an incomplete run from its journal.
import { relative } from 'node:path';
import { notApproved, openJournal, openLastJournal } from '../../apply/preconditions/openPlan.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { resumeApply } from '../../apply/resumeApply.ts';
import type { Schemas } from '../../pipeline.ts';
import { printFindings } from '../files/desired.ts';
import { namedOutsidePlan } from '../flags/objectFlags.ts';
import { type Io, say } from '../io.ts';
import { withConnection } from '../server/connect.ts';
import { type ApplyFlags, applyWith, refuseUnasked } from './applyRequest.ts';
import { projectsFor } from './planProjects.ts';
import { stopOf } from './refusals.ts';

/** Resumes the run of a journal: of the named one, or of the last apply of the files at `path`. */
export async function resumeJournal(
  { kinds }: Schemas,
  { resume, path }: { readonly resume: string | true; readonly path: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const host = { cwd: io.cwd, journals: io.env.MESHFORM_JOURNALS };
  const journal =
    resume === true
      ? await openLastJournal(path, kinds, host)
      : await openJournal(resume, kinds, host);
  if (isRefusal(journal)) throw stopOf(journal, io);
  const file = relative(io.cwd, journal.path);
  const other = notApproved(journal, { file, approved: flags.digest });
  if (other) throw stopOf(other, io);
  refuseUnasked(flags, io);
  printFindings(namedOutsidePlan(journal.plan, flags, kinds), io);
  const onAlreadyApplied = () => say(io.stderr, 'nothing to resume: that apply is complete');
  return withConnection(flags, await projectsFor(journal.plan, path, io), io, connection =>
    applyWith({ kinds, connection, flags, io, onAlreadyApplied }, request =>
      resumeApply(journal, request),
    ),
  );
}
