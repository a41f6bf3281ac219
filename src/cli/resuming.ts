// `apply --resume`: the plan of a run that did not get to its end is carried on from its journal.
import type { TransportOptions } from '../api/transport.ts';
import { earlierRun } from '../model/journal.ts';
import type { Toolbox } from '../pipeline.ts';
import { counted, planLine } from '../report/summary.ts';
import { refuseOtherAccount } from './applying.ts';
import { type ApplyFlags, applyPlan } from './applyPlan.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, say } from './io.ts';
import { type FoundJournal, journalOrStop, lastJournalOrStop } from './record/earlier.ts';
import { refuseOtherServer } from './savedPlan.ts';

/** The journal to go on with: the one that was named, or that of the last apply of what is in `folder`. */
export function journalToResume(
  resume: string | true,
  folder: string,
  io: Io,
): Promise<FoundJournal> {
  return resume === true ? lastJournalOrStop(folder, io) : journalOrStop(resume, io);
}

/** Goes on with what a journal tells of. Resolves to the exit code; throws a `Stop`. */
export async function resumeRun(
  tools: Toolbox,
  { plan, entries, path, ended }: FoundJournal,
  transport: TransportOptions,
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  refuseOtherServer(plan, transport.url, flags.anyServer === true);
  await refuseOtherAccount(plan, tools, transport);
  if (ended === 'complete') {
    say(io.stderr, 'nothing is left to be done: that apply is complete');
    return EXIT.done;
  }
  const earlier = earlierRun(entries);
  const [done, all] = [earlier.done.size, counted(plan.actions.length, 'action')];
  if (flags.format === 'text') say(io.stdout, planLine(plan));
  say(io.stderr, `${done} of ${all} ${done === 1 ? 'is' : 'are'} done already`);
  return applyPlan({ tools, plan, transport, io }, flags, { earlier, continues: path });
}
