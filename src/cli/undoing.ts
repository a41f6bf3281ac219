// `apply --undo`: the way back from what a journal tells of, planned like any other, with what does not come back said first.
import { relative } from 'node:path';
import { fetchAccount } from '../api/fetch.ts';
import { readTransport, type TransportOptions } from '../api/transport.ts';
import { undo } from '../export/undo.ts';
import { kindsIn } from '../kinds/table.ts';
import { DIALECTS, type Dialect } from '../kinds/traits.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Toolbox } from '../pipeline.ts';
import type { Project } from '../source/project.ts';
import { refuseOtherAccount } from './applying.ts';
import { type ApplyFlags, applyPlan } from './applyPlan.ts';
import { printFindings } from './desired.ts';
import type { Io } from './io.ts';
import { planOrStop } from './planning.ts';
import type { FoundJournal } from './record/earlier.ts';
import { renderPlan } from './render.ts';
import { refuseOtherServer } from './savedPlan.ts';

/** Plans the way back, shows it, asks, and goes it. Resolves to the exit code; throws a `Stop`. */
export async function undoRun(
  { tools, journal, transport, project, io }: Undoing,
  flags: ApplyFlags,
): Promise<number> {
  const { plan: done, entries, path } = journal;
  refuseOtherServer(done, transport.url, flags.anyServer === true);
  await refuseOtherAccount(done, tools, transport);
  const file = relative(io.cwd, path);
  const served = kindsIn(tools.kinds, dialectOf(done.dialect));
  const everything = {
    kinds: new Set(served.keys()),
    parents: new Map([...served.keys()].map(name => [name, 'all' as const])),
  };
  const { objects } = await fetchAccount(readTransport(transport), served, everything, flags);
  const { desired, lost } = undo({ kinds: tools.kinds, plan: done, entries, objects, file });
  const diagnostics = lost.map(
    (message): Diagnostic => ({ code: 'UNDO_PARTIAL', severity: 'warning', message }),
  );
  printFindings(diagnostics, io);
  const state = { project, folder: done.folder, desired, base: [], diagnostics };
  const settings: ApplyFlags = { ...flags, prune: 'none', dialect: dialectOf(done.dialect) };
  const planned = await planOrStop(tools, state, transport, settings, io);
  const plan = { ...planned, diagnostics: [...diagnostics, ...planned.diagnostics] };
  if (flags.format === 'text') io.stdout.write(renderPlan(plan, tools.kinds, 'text', io));
  return applyPlan({ tools, plan, transport, io }, flags, { undoes: file });
}

/** What an undo works on. */
interface Undoing {
  readonly tools: Toolbox;
  readonly journal: FoundJournal;
  readonly transport: TransportOptions;
  readonly project: Project;
  readonly io: Io;
}

const dialectOf = (name: string): Dialect => DIALECTS.find(known => known === name) ?? 'spec';
