// A plan from its guards to its exit code: hazards, secrets, the question, the journal, the run, the report.
import type { TransportOptions } from '../api/transport.ts';
import { accepted } from '../engine/hazards.ts';
import type { EarlierRun } from '../model/journal.ts';
import type { Plan } from '../model/plan.ts';
import type { Toolbox } from '../pipeline.ts';
import {
  confirm,
  exitCodeOf,
  printRun,
  type RunFormat,
  refuseHazards,
  runWithInterrupts,
} from './applying.ts';
import { EXIT } from './exitCodes.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from './flags.ts';
import type { Io } from './io.ts';
import { type JournalChoice, recordRun } from './record/journal.ts';
import { recordApplied, refuseUnrecordable } from './recordBase.ts';
import { secretsFor } from './secrets/runSecrets.ts';

/** What an apply is told besides its plan. */
export interface ApplyFlags extends SourceFlags, AccountFlags, PlanFlags {
  readonly format: RunFormat;
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
  readonly onError: 'continue' | 'stop';
  readonly recordBase?: boolean;
  readonly anyServer?: boolean;
  /** The file that the run is written down in. */
  readonly journal?: string;
}

/** Carries a plan out, from where an earlier run of it got to. Resolves to the exit code; throws a `Stop`. */
export async function applyPlan(
  { tools, plan, transport, io }: Applying,
  flags: ApplyFlags,
  { earlier, ...choice }: Omit<JournalChoice, 'file'> & { readonly earlier?: EarlierRun } = {},
): Promise<number> {
  const { format, concurrency, onError, allow = [] } = flags;
  refuseHazards(plan, flags);
  if (flags.recordBase) await refuseUnrecordable(plan, io);
  const secrets = await secretsFor(plan, tools.kinds, flags, io);
  if (plan.actions.length > 0)
    await confirm(plan, { format, yes: flags.yes === true || flags.autoApprove === true }, io);
  const options = { ...secrets, concurrency, onError, format };
  if (plan.actions.length === 0) {
    const { result, signal } = await runWithInterrupts(tools, plan, transport, options, io);
    printRun(plan, result, tools.kinds, format, io);
    return recorded(exitCodeOf(result, signal), { plan, io }, flags);
  }
  // What was accepted by a flag of this run is accepted for all of it, however often it has to go on.
  const approved = {
    ...plan,
    actions: plan.actions.map(action => accepted(action, { allow, hasSink: false })),
  };
  const { url } = transport;
  const record = await recordRun(
    approved,
    tools.kinds,
    { ...choice, file: flags.journal, url },
    io,
  );
  try {
    const journalled = { ...options, journal: record.journal, earlier };
    const { result, signal } = await runWithInterrupts(tools, plan, transport, journalled, io);
    printRun(plan, result, tools.kinds, format, io);
    await record.close(result);
    return await recorded(exitCodeOf(result, signal), { plan, io }, flags);
  } finally {
    await record.release();
  }
}

/** What is carried out, where, and with what. */
export interface Applying {
  readonly tools: Toolbox;
  readonly plan: Plan;
  readonly transport: TransportOptions;
  readonly io: Io;
}

async function recorded(
  code: number,
  { plan, io }: Pick<Applying, 'plan' | 'io'>,
  { recordBase }: ApplyFlags,
): Promise<number> {
  if (recordBase && code === EXIT.done) await recordApplied(plan, io);
  return code;
}
