// `apply` of a saved plan: exactly what was approved, once.
import { relative } from 'node:path';
import { readTransport } from '../../api/transport/transport.ts';
import { resultsLost } from '../../carryOut.ts';
import { earlierRun } from '../../model/journal.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import type { Toolbox } from '../../pipeline.ts';
import { counted } from '../../report/plan/summary.ts';
import { gatesOnAccount, tellTests } from '../access/gates.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { type FoundJournal, journalOfPlan } from '../record/earlier.ts';
import { withLock } from '../record/lock.ts';
import { secretSources } from '../secrets/sources.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { printApplied } from './applied.ts';
import { refuseOtherAccount, showSaved } from './applying.ts';
import { type ApplyFlags, type Applying, applyPlan, recorded } from './applyPlan.ts';
import { projectsFor } from './planProjects.ts';
import { type PlanText, refuseOtherServer, savedPlanOrStop } from './savedPlan.ts';

/** Carries out the plan in a file. Resolves to the exit code; throws a `Stop`. */
export async function applySaved(
  tools: Toolbox,
  { text, isPiped, file }: PlanText & { readonly file: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const { digest: approved, format } = flags;
  const { plan, digest } = savedPlanOrStop(
    text,
    { file, digest: approved, kinds: tools.kinds },
    io,
  );
  const isAsked = !flags.yes && !flags.autoApprove;
  if (isPiped && isAsked) {
    const message = 'a plan on standard input cannot be confirmed at the terminal';
    throw new Stop(EXIT.usage, message, 'add --yes, or apply a file');
  }
  if (format === 'text') showSaved(plan, { kinds: tools.kinds, isAsked }, io);
  return withConnection(flags, await projectsFor(plan, '.', io), io, transport => {
    const { url } = transport;
    refuseOtherServer(plan, url, flags.anyServer === true);
    return withLock({ url, path: plan.folder, journal: flags.journal }, io, async lock => {
      await refuseOtherAccount(plan, tools, transport, io);
      const applying = { tools, plan, gates: plan.gates, digest, transport, lock, io };
      const { folder } = lock;
      const journal = await journalOfPlan(plan, digest, { folder, file: flags.journal }, io);
      if (journal?.ended === 'complete' && (await isApplied(applying, journal, flags)))
        return recorded(EXIT.done, { plan, io }, flags);
      const gates = await gatesOnAccount(applying, flags);
      tellTests(gates, format === 'text', io);
      const code = await applyPlan({ ...applying, gates }, flags);
      if (code === EXIT.stale && journal) hintAtResume(journal, io);
      return code;
    });
  });
}

// Half of it may be what stands in its own way.
function hintAtResume({ path }: FoundJournal, io: Io): void {
  const file = relative(io.cwd, path);
  const resume = `\`apply --resume ${shellWord(file)}\``;
  say(io.stderr, `An earlier apply of this plan did not complete. Continue it with ${resume}.`);
}

// A plan is approved once and carried out once. Asked for again, it is either done, or stale. Another plan that would do the
// same may have been made since, because the account is as it was before: then its preconditions decide.
async function isApplied(
  { tools, plan, transport, io }: Applying,
  journal: FoundJournal,
  flags: ApplyFlags,
): Promise<boolean> {
  const { concurrency, format } = flags;
  const { path } = journal;
  const inputs = secretSources(plan.folder, { token: transport.token }, io);
  const options = { now: io.now, concurrency, inputs };
  const run = earlierRun(journal.entries);
  const lost = await resultsLost(tools, plan, run, readTransport(transport), options);
  if (lost.length > 0 && plan.madeAt !== journal.plan.madeAt) return false;
  if (lost.length > 0) {
    const some = `${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ', …' : ''}`;
    const message = `this plan was already applied, and ${counted(lost.length, 'object')} changed since: ${some}`;
    throw new Stop(EXIT.stale, message, 'create a new plan and review it');
  }
  printApplied(plan, { run, path, kinds: tools.kinds, format }, io);
  return true;
}
