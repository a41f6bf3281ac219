// `apply` of a saved plan: exactly what was approved, once.
import { relative } from 'node:path';
import { readTransport } from '../api/transport.ts';
import { resultsLost } from '../carryOut.ts';
import { earlierRun } from '../model/journal.ts';
import type { Toolbox } from '../pipeline.ts';
import { counted } from '../report/summary.ts';
import { printApplied } from './applied.ts';
import { refuseOtherAccount, showSaved } from './applying.ts';
import { type ApplyFlags, type Applying, applyPlan, recorded } from './applyPlan.ts';
import { withConnection } from './connect.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { projectsFor } from './planProjects.ts';
import { type FoundJournal, journalOfPlan } from './record/earlier.ts';
import { withLock } from './record/lock.ts';
import { type PlanText, refuseOtherServer, savedPlanOrStop } from './savedPlan.ts';
import { secretSources } from './secrets/sources.ts';
import { Stop } from './stop.ts';

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
    const message = 'a plan that is piped in cannot be asked about';
    throw new Stop(EXIT.usage, message, 'add --yes, or apply a file');
  }
  if (format === 'text') showSaved(plan, { kinds: tools.kinds, isAsked }, io);
  return withConnection(flags, await projectsFor(plan, '.', io), io, transport => {
    const { url } = transport;
    refuseOtherServer(plan, url, flags.anyServer === true);
    return withLock({ url, path: plan.folder, journal: flags.journal }, io, async lock => {
      await refuseOtherAccount(plan, tools, transport);
      const applying = { tools, plan, digest, transport, lock, io };
      const { folder } = lock;
      const journal = await journalOfPlan(digest, { folder, file: flags.journal }, io);
      if (journal?.ended === 'complete') return appliedAlready(applying, journal, flags);
      const code = await applyPlan(applying, flags);
      if (code === EXIT.stale && journal) hintAtResume(journal, io);
      return code;
    });
  });
}

// Half of it may be what stands in its own way.
function hintAtResume({ path }: FoundJournal, io: Io): void {
  const file = relative(io.cwd, path);
  io.stderr.write(
    `An earlier apply of this plan did not complete. Continue it with \`apply --resume ${file}\`.\n`,
  );
}

// A plan is approved once and carried out once. Asked for again, it is either done, or stale.
async function appliedAlready(
  { tools, plan, transport, io }: Applying,
  { entries, path }: FoundJournal,
  flags: ApplyFlags,
): Promise<number> {
  const { concurrency } = flags;
  const inputs = secretSources(plan.folder, { token: transport.token }, io);
  const options = { now: io.now, concurrency, inputs };
  const run = earlierRun(entries);
  const lost = await resultsLost(tools, plan, run, readTransport(transport), options);
  if (lost.length > 0) {
    const some = `${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ', …' : ''}`;
    const message = `this plan was applied already, and ${counted(lost.length, 'object')} changed since: ${some}`;
    throw new Stop(EXIT.stale, message, 'make a new plan and look at what it says now');
  }
  printApplied(plan, { run, path, kinds: tools.kinds, format: flags.format }, io);
  return recorded(EXIT.done, { plan, io }, flags);
}
