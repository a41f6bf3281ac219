// `apply --undo`: the way back from what a journal tells of, planned like any other, with what does not come back said first.
import { relative, resolve } from 'node:path';
import { fetchAccount } from '../../api/account/fetch.ts';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import { undo } from '../../export/undo/undo.ts';
import { DIALECTS, type Dialect } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Toolbox } from '../../pipeline.ts';
import { planDigestOf } from '../../report/plan/planDocument.ts';
import type { Project } from '../../source/project/project.ts';
import { projectOrStop } from '../api/apiProject.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { renderPlan } from '../files/render.ts';
import type { Io } from '../io.ts';
import { type FoundJournal, journalOrStop, refuseBrokenPlan } from '../record/earlier.ts';
import { type Locked, withLock } from '../record/lock.ts';
import { withConnection } from '../server/connect.ts';
import { isOfDialect, refuseOtherAccount } from './applying.ts';
import { type ApplyFlags, applyPlan } from './applyPlan.ts';
import { projectsFor } from './planProjects.ts';
import { refuseOtherServer } from './savedPlan.ts';

/** Takes back what a journal tells of. Resolves to the exit code; throws a `Stop`. */
export async function undoJournal(
  tools: Toolbox,
  { file, path }: { readonly file: string; readonly path: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const journal = await journalOrStop(file, io);
  const { plan } = journal;
  refuseBrokenPlan(journal, tools.kinds);
  const project = await projectOrStop(io, resolve(io.cwd, plan.folder));
  return withConnection(flags, await projectsFor(plan, path, io), io, transport => {
    refuseOtherServer(plan, transport.url, flags.anyServer === true);
    const { url } = transport;
    return withLock({ url, path: plan.folder, journal: flags.journal }, io, lock =>
      undoRun({ tools, journal, transport, lock, project, io }, flags),
    );
  });
}

async function undoRun(
  { tools, journal, transport, lock, project, io }: Undoing,
  flags: ApplyFlags,
): Promise<number> {
  const { plan: done, entries, path } = journal;
  await refuseOtherAccount(done, tools, transport, io);
  const file = relative(io.cwd, path);
  const { kinds } = tools;
  const dialect = isOfDialect(done, kinds) ? dialectOf(done.dialect) : (project.dialect ?? 'auto');
  const everything = {
    kinds: new Set(kinds.keys()),
    parents: new Map([...kinds.keys()].map(name => [name, 'all' as const])),
  };
  const options = { concurrency: flags.concurrency, dialect };
  const account = await fetchAccount(readTransport(transport), kinds, everything, options);
  printFindings(account.findings, io);
  stopOnErrors(account.findings);
  const { objects } = account;
  const { desired, lost } = undo({ kinds, plan: done, entries, objects, file });
  const diagnostics = lost.map(
    (message): Diagnostic => ({ code: 'UNDO_PARTIAL', severity: 'warning', message }),
  );
  printFindings(diagnostics, io);
  const state = { project, folder: done.folder, desired, accessTests: [], base: [], diagnostics };
  const settings: ApplyFlags = { ...flags, prune: 'none', dialect };
  const planReadAt = io.now();
  const planned = await planOrStop(tools, state, transport, { ...settings, access: flags }, io);
  const plan = { ...planned, diagnostics: [...diagnostics, ...planned.diagnostics] };
  if (flags.format === 'text') io.stdout.write(renderPlan(plan, tools.kinds, 'text', io));
  const digest = planDigestOf(plan, tools.kinds);
  const { gates } = plan;
  const applying = { tools, plan, gates, digest, planReadAt, transport, lock, io };
  return applyPlan(applying, flags, { undoes: file });
}

/** What an undo works on. */
interface Undoing {
  readonly tools: Toolbox;
  readonly journal: FoundJournal;
  readonly transport: TransportOptions;
  readonly lock: Locked;
  readonly project: Project;
  readonly io: Io;
}

const dialectOf = (name: string): Dialect => DIALECTS.find(known => known === name) ?? 'spec';
