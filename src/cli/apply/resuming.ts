// `apply --resume`: the plan of a run that did not get to its end is carried on from its journal.
import { earlierRun } from '../../model/journal.ts';
import type { Toolbox } from '../../pipeline.ts';
import { counted, planLine } from '../../report/plan/summary.ts';
import { gatesOnAccount, tellTests } from '../access/gates.ts';
import { EXIT } from '../exitCodes.ts';
import { allowance } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import {
  type FoundJournal,
  journalOrStop,
  lastJournalOrStop,
  refuseBrokenPlan,
} from '../record/earlier.ts';
import { withLock } from '../record/lock.ts';
import { withConnection } from '../server/connect.ts';
import { refuseOtherAccount } from './applying.ts';
import { type ApplyFlags, type Applying, applyPlan } from './applyPlan.ts';
import { projectsFor } from './planProjects.ts';
import { refuseOtherServer } from './savedPlan.ts';

/** Goes on with what a journal tells of: the one that was named, or that of the last apply of what is at `path`. */
export async function resumeJournal(
  tools: Toolbox,
  { resume, path }: { readonly resume: string | true; readonly path: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const journal = await (resume === true ? lastJournalOrStop(path, io) : journalOrStop(resume, io));
  const { plan } = journal;
  refuseBrokenPlan(journal, tools.kinds);
  return withConnection(flags, await projectsFor(plan, path, io), io, transport => {
    refuseOtherServer(plan, transport.url, flags.anyServer === true);
    const { url } = transport;
    return withLock({ url, path: plan.folder, journal: flags.journal }, io, lock =>
      resumeRun({ tools, journal, transport, lock, io }, flags),
    );
  });
}

async function resumeRun(
  {
    journal,
    ...run
  }: Omit<Applying, 'plan' | 'gates' | 'digest' | 'planReadAt'> & {
    readonly journal: FoundJournal;
  },
  flags: ApplyFlags,
): Promise<number> {
  const { plan, digest, entries, path, ended } = journal;
  const { tools, transport, io } = run;
  await refuseOtherAccount(plan, tools, transport, io);
  if (ended === 'complete') {
    say(io.stderr, 'nothing to resume: that apply is complete');
    return EXIT.done;
  }
  const earlier = earlierRun(entries);
  const [done, all] = [earlier.done.size, counted(plan.actions.length, 'action')];
  if (flags.format === 'text') say(io.stdout, planLine(plan));
  say(io.stderr, `${done} of ${all} ${done === 1 ? 'is' : 'are'} already done`);
  // What was accepted by a flag of the run is accepted for all of it, however often it has to go on.
  const allow = [...(flags.allow ?? []), ...journal.allow.flatMap(text => allowance(text) ?? [])];
  const gates = await gatesOnAccount({ ...run, plan }, { ...flags, allow }, earlier);
  tellTests(gates, flags.format === 'text', io);
  const resumed = { ...run, plan, gates, digest };
  return applyPlan(resumed, { ...flags, allow }, { earlier, continues: path });
}
