// A plan from its guards to its exit code: hazards, secrets, the question, the journal, the run, the report.
import type { TransportOptions } from '../../api/transport/transport.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import type { Toolbox } from '../../pipeline.ts';
import { gatesRefusal } from '../access/gates.ts';
import { EXIT } from '../exitCodes.ts';
import {
  type AccountFlags,
  allowanceText,
  type PlanFlags,
  type SourceFlags,
} from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { recordRun } from '../record/journal.ts';
import type { Locked } from '../record/lock.ts';
import { refuseMissingSecrets } from '../secrets/missingSecrets.ts';
import { secretsFor } from '../secrets/runSecrets.ts';
import {
  confirm,
  exitCodeOf,
  keepingLockInPauses,
  printRun,
  type RunFormat,
  refuseHazards,
  runWithInterrupts,
} from './applying.ts';
import { recordApplied, refuseUnrecordable } from './recordBase.ts';

/** What an apply is told besides its plan. */
export interface ApplyFlags extends SourceFlags, AccountFlags, PlanFlags {
  readonly format: RunFormat;
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
  readonly onError: 'continue' | 'stop';
  readonly recordBase?: boolean;
  readonly anyServer?: boolean;
  /** The digest of the plan that was approved. */
  readonly digest?: string;
  /** The file that the run is written down in. */
  readonly journal?: string;
}

/** What is carried out, where, and with what. */
export interface Applying {
  readonly tools: Toolbox;
  readonly plan: Plan;
  /** What its access is held against, on the account as it is now. */
  readonly gates: AccessGates | undefined;
  /** The digest of the plan as it was shown. */
  readonly digest: string;
  /** When this process read the account for the plan; undefined for a plan that was saved. */
  readonly planReadAt?: number;
  readonly transport: TransportOptions;
  readonly lock: Locked;
  readonly io: Io;
}

/** A run that this one goes on with, or takes back. */
export interface Continuation {
  readonly earlier?: EarlierRun;
  /** The journal of the run that this one goes on with. */
  readonly continues?: string;
  /** The journal of the run that this one takes back. */
  readonly undoes?: string;
}

/** Carries a plan out, from where an earlier run of it got to. Resolves to the exit code; throws a `Stop`. */
export async function applyPlan(
  { tools, plan, gates, digest, planReadAt, transport, lock, io }: Applying,
  flags: ApplyFlags,
  { earlier, continues, undoes }: Continuation = {},
): Promise<number> {
  const { format, concurrency, onError, allow = [] } = flags;
  const isShown = format === 'text' && planReadAt !== undefined;
  const refusal = gatesRefusal(gates, isShown);
  if (refusal !== undefined) throw refusal;
  refuseHazards(plan, gates, flags);
  if (flags.recordBase) await refuseUnrecordable(plan, io);
  const { token } = transport;
  const secrets = await secretsFor(plan, tools.kinds, { ...flags, token }, io);
  await refuseMissingSecrets(plan, secrets.inputs, earlier, io);
  const yes = flags.yes === true || flags.autoApprove === true;
  if (plan.actions.length > 0) await confirm(plan, { format, yes, lock }, io);
  const options = { ...secrets, concurrency, onError, format, planReadAt };
  if (plan.actions.length === 0) {
    const { result, signal } = await runWithInterrupts(tools, plan, transport, options, io);
    printRun(plan, result, tools.kinds, format, io);
    return recorded(exitCodeOf(result, signal), { plan, io }, flags);
  }
  const head = { digest, allow: allow.map(allowanceText), undoes };
  const record = await recordRun(
    { plan, kinds: tools.kinds, lock, ...head },
    { file: flags.journal, continues },
    io,
  );
  try {
    const journalled = { ...options, journal: record.journal, earlier };
    const connection = keepingLockInPauses(transport, lock, io);
    const { result, signal } = await runWithInterrupts(tools, plan, connection, journalled, io);
    printRun(plan, result, tools.kinds, format, io);
    await record.close(result);
    return await recorded(exitCodeOf(result, signal), { plan, io }, flags);
  } finally {
    await record.release();
  }
}

/** The exit code, once what was applied is recorded as the base where that was asked for. */
export async function recorded(
  code: number,
  { plan, io }: Pick<Applying, 'plan' | 'io'>,
  { recordBase }: Pick<ApplyFlags, 'recordBase'>,
): Promise<number> {
  if (recordBase && code === EXIT.done) await recordApplied(plan, io);
  return code;
}
