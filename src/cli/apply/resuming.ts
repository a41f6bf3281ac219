// `apply --resume`: continues the plan of an incomplete run from its journal.
import { resolve } from 'node:path';
import type { FoundJournal } from '../../apply/earlierRuns/foundJournal.ts';
import type { AccountLock } from '../../apply/lock/accountLock.ts';
import { openJournal, openLastJournal } from '../../apply/preconditions/openPlan.ts';
import { tellPlanVariables } from '../../apply/preconditions/planVariables.ts';
import { allowancesToContinue } from '../../apply/projectSettings.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { resumeApply } from '../../apply/resumeApply.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { printFindings } from '../findings.ts';
import { namedOutsidePlan } from '../flags/objectFlags.ts';
import { type Io, say } from '../io.ts';
import { heldEndsOf } from '../lock/heldEnds.ts';
import { withRunLock } from '../lock/runLock.ts';
import { projectOrStop } from '../project.ts';
import { accountOf } from '../server/accountOf.ts';
import { tokenOrStop, withConnection } from '../server/connect.ts';
import { serverOrStop } from '../server/server.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { chosenJournal, isRunId, type JournalReader, journalsNamed } from './chosenJournal.ts';
import { refuseUnasked } from './confirming.ts';
import { journalHost } from './journalHost.ts';
import { projectsFor } from './planProjects.ts';
import { refuseUnapproved } from './unapproved.ts';

/**
 * Resumes the run of a journal: the named journal, the journal of the plan with a digest, or the journal of the last apply of the
 * files at `path`.
 */
export async function resumeJournal(
  { kinds }: Schemas,
  {
    resume,
    path,
    ofPlan,
  }: { readonly resume: string | true; readonly path: string; readonly ofPlan?: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const token = await tokenOrStop(flags, io);
  const here = projectOrStop(io, resolve(io.cwd, path));
  const url = await serverOrStop(flags.url, here, io);
  const host = { ...journalHost(io, token), ...(flags.anyServer ? {} : { url }) };
  const known = await recordsBaseHere({ resume, path }, { kinds, host }, io);
  const files = {
    path,
    project: here,
    accountBehind: () => accountOf(kinds, { flags: { ...flags, token, url }, project: here }, io),
  };
  const recordBase = flags.recordBase === true || known;
  return withRunLock(files, { ...flags, recordBase }, io, async lock => {
    const choice = { verb: 'resume', chosen: resume, path, ofPlan } as const;
    const journal = await chosenJournal(choice, { kinds, host, journals: lock.journals }, io);
    if (!journal.isCopy)
      await refuseUnapproved(journal.path, { what: 'a journal', digest: flags.digest }, io);
    refuseUnasked(flags, io);
    const server = { token, url };
    return continued(journal, { kinds, path, flags, server, open: lock.open }, io);
  });
}

/** The inputs for resuming a run. */
interface Resuming {
  readonly kinds: KindTable;
  readonly path: string;
  readonly flags: ApplyFlags;
  readonly server: { readonly token: string; readonly url: string };
  readonly open: () => Promise<AccountLock | undefined>;
}

async function continued(
  journal: FoundJournal,
  { kinds, path, flags, server, open }: Resuming,
  io: Io,
): Promise<number> {
  const { plan } = journal;
  printFindings(namedOutsidePlan(plan, flags, kinds), io);
  const project = projectOrStop(io, resolve(io.cwd, plan.folder));
  const approval = {
    approved: flags.digest,
    byProject: allowancesToContinue(guardsOf(project, []), plan),
  };
  const projects = await projectsFor(plan, path, io);
  tellPlanVariables(plan, io, { known: io.secrets });
  return withConnection({ ...flags, ...server }, projects, io, async connection => {
    const onAlreadyApplied = () => say(io.stderr, 'nothing to resume: that apply is complete');
    const heldEnds = (hold: LockRecord) => heldEndsOf(plan.folder, hold, io);
    const asked = { kinds, connection, flags, io, onAlreadyApplied, heldEnds };
    const asking = { ...asked, accountLock: await open() };
    return applyWith(asking, request => resumeApply(journal, request, approval));
  });
}

// Whether the run was made on this machine and records a base. If so, the lock is in the remote.
async function recordsBaseHere(
  { resume, path }: { readonly resume: string | true; readonly path: string },
  { kinds, host }: Omit<JournalReader, 'journals'>,
  io: Io,
): Promise<boolean> {
  const isNamed = resume !== true && isRunId(resume, io);
  const [named, ...more] = isNamed ? await journalsNamed(resume, path, host) : [];
  if (isNamed && (named === undefined || more.length > 0)) return false;
  const file = named?.file ?? resume;
  const journal =
    file === true
      ? await openLastJournal(path, kinds, host)
      : await openJournal(file, kinds, { ...host, acceptsUnsigned: undefined });
  return !isRefusal(journal) && journal.recordsBase;
}
