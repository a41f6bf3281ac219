// Carries a plan out for a command: guards, the question, the run, the exit code.
import { planDialectFindings } from '../../api/account/dialect.ts';
import { accountBehind } from '../../api/account/fetch.ts';
import {
  readTransport,
  type TransportOptions,
  writeTransport,
} from '../../api/transport/transport.ts';
import type { RunEvent } from '../../apply/run/port.ts';
import type { RunOptions } from '../../apply/run/run.ts';
import { carryOut } from '../../carryOut.ts';
import { accepted, missingAllowances } from '../../engine/checks/hazards.ts';
import { differsByDialect, fieldsDifferByDialect } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import { present } from '../../model/errors.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonLine, jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Toolbox } from '../../pipeline.ts';
import { neededFlags } from '../../report/plan/neededFlags.ts';
import { planLine } from '../../report/plan/summary.ts';
import { runDocument } from '../../report/run/runDocument.ts';
import {
  endEvent,
  planEvent,
  resultEvent,
  sentEvent,
  startEvent,
} from '../../report/run/runEvents.ts';
import { runText } from '../../report/run/runText.ts';
import { accessHazards } from '../access/gates.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import { renderPlan } from '../files/render.ts';
import type { PlanFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import type { Locked } from '../record/lock.ts';
import type { secretsFor } from '../secrets/runSecrets.ts';
import { Stop } from '../stop.ts';
import { progressOn } from './progress.ts';

/** What an apply says on stdout: for people, as one document, or as an event a line. */
export type RunFormat = 'text' | 'json' | 'jsonl';

/**
 * Throws a `Stop` for a hazard that nobody accepted, in the plan or by the flags of this run; its hint is what to add. `gates`
 * are those of the account as it is now.
 */
export function refuseHazards(
  plan: Plan,
  gates: AccessGates | undefined,
  { allow = [], resolve = [], secretsTo }: Pick<PlanFlags, 'allow' | 'resolve' | 'secretsTo'>,
): void {
  const acceptance = { allow, resolve, hasSink: secretsTo !== undefined };
  const actions = plan.actions.map(action => accepted(action, acceptance));
  const missing = [
    ...missingAllowances(actions).map(({ hazard }) => hazard),
    ...accessHazards(gates?.hazards ?? [], allow).filter(({ allowed }) => !allowed),
  ];
  if (missing.length === 0) return;
  const flags = neededFlags(missing).join(' ');
  const list = missing.map(({ code, message }) => `  ${code}  ${message}`);
  const message = 'the plan has hazards that are not allowed:';
  throw new Stop(EXIT.refused, message, `add ${flags}`, list);
}

/** Throws a `Stop` where a saved plan is for another account than the token is of, or for a server of another dialect. */
export async function refuseOtherAccount(
  plan: Plan,
  { kinds }: Toolbox,
  connection: TransportOptions,
  io: Io,
): Promise<void> {
  const { account: wanted } = plan;
  const transport = readTransport(connection);
  const { account, seen } = await accountBehind(transport, kinds);
  if (wanted !== undefined && wanted !== account) {
    const is = account === undefined ? 'an account that cannot be identified' : quoted(account);
    const message = `the plan was made for the account ${quoted(wanted)}, but the token belongs to ${is}`;
    throw new Stop(EXIT.refused, message, 'use a token of that account, or create a new plan');
  }
  if (!isOfDialect(plan, kinds)) return;
  const { dialect } = plan;
  const findings = await planDialectFindings(transport, kinds, { dialect, seen });
  printFindings(findings, io);
  stopOnErrors(findings);
}

/** Whether anything that a plan does differs by dialect. If not, the dialect that it holds says nothing of the server. */
export function isOfDialect({ actions }: Plan, kinds: KindTable): boolean {
  return actions.some(action => {
    const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
    // What is kept in parts is written otherwise where it is kept whole.
    if (differsByDialect(kind) || action.partOf !== undefined) return true;
    return action.verb !== 'delete' && fieldsDifferByDialect(kind, action.fields);
  });
}

/** Shows a saved plan before it is carried out: whole where a person is about to be asked, else its counts. */
export function showSaved(
  plan: Plan,
  { kinds, isAsked }: { readonly kinds: KindTable; readonly isAsked: boolean },
  io: Io,
): void {
  if (isAsked) io.stdout.write(renderPlan(plan, kinds, 'text', io));
  else say(io.stdout, planLine(plan));
}

/** Asks a person, where there is one; `--yes` is the answer where there is none. */
export async function confirm(
  plan: Plan,
  {
    yes,
    format,
    lock,
  }: { readonly yes: boolean; readonly format: RunFormat; readonly lock: Locked },
  io: Io,
): Promise<void> {
  if (yes) return;
  if (!io.ask) {
    const hint = 'add --yes, or apply a saved and approved plan';
    throw new Stop(EXIT.usage, 'there is no terminal to ask for confirmation', hint);
  }
  // As text the plan stands above the question, its counts last.
  const counts = format === 'text' ? '' : `${planLine(plan)}\n`;
  const question = `${counts}\nApply this plan? Type "yes" to continue: `;
  const { ask } = io;
  const answer = await keepingLock(lock, io, () => ask(question));
  if (answer.trim() !== 'yes')
    throw new Stop(
      EXIT.refused,
      'not applied: the answer was not "yes"',
      'run it again and type yes to apply the plan',
    );
}

const LOCK_RENEWAL_MS = 60_000;

// A person may take longer to answer than a lock holds by itself.
async function keepingLock<T>(lock: Locked, io: Io, wait: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  const keep = async (): Promise<void> => {
    while (!answered.signal.aborted) {
      await io.sleep(LOCK_RENEWAL_MS, answered.signal);
      if (!answered.signal.aborted) await lock.keep().catch(() => false);
    }
  };
  const keeping = keep();
  try {
    return await wait();
  } finally {
    answered.abort();
    await keeping;
  }
}

/** The same connection. The lock is kept for as long as the server makes the run wait. */
export function keepingLockInPauses(
  connection: TransportOptions,
  lock: Locked,
  io: Io,
): TransportOptions {
  return {
    ...connection,
    onRetry: (error, pause) => {
      connection.onRetry?.(error, pause);
      if (pause > LOCK_RENEWAL_MS) void keepingLock(lock, io, () => io.sleep(pause));
    },
  };
}

/** Runs the plan. An interrupt lets running actions finish; a second one ends the process. */
export async function runWithInterrupts(
  tools: Toolbox,
  plan: Plan,
  connection: TransportOptions,
  options: Pick<RunOptions, 'concurrency' | 'onError' | 'journal' | 'earlier' | 'planReadAt'> &
    Awaited<ReturnType<typeof secretsFor>> & { readonly format: RunFormat },
  io: Io,
): Promise<{ result: RunResult; signal: 'SIGINT' | 'SIGTERM' | null }> {
  const stop = new AbortController();
  let caught: 'SIGINT' | 'SIGTERM' | null = null;
  const release = io.onInterrupt(signal => {
    if (caught !== null) io.abort(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
    caught = signal;
    io.stderr.write(
      'stopping: waiting for running actions; press Ctrl-C again to stop immediately\n',
    );
    stop.abort();
  });
  const progress = progressOn(io, plan.actions.length - (options.earlier?.done.size ?? 0));
  if (options.format === 'jsonl') io.stdout.write(jsonLine(planEvent(plan)));
  try {
    const result = await carryOut(tools, plan, writeTransport(connection), {
      ...options,
      now: io.now,
      isOver: () => io.now() >= (connection.until ?? Number.POSITIVE_INFINITY),
      signal: stop.signal,
      onEvent: event => {
        progress.running(event);
        if (options.format === 'jsonl') io.stdout.write(jsonLine(documentOf(event)));
      },
    });
    return { result, signal: caught };
  } finally {
    progress.clear();
    release();
  }
}

function documentOf(event: RunEvent): JsonObject {
  if (event.type === 'start') return startEvent(event.action);
  return event.type === 'sent' ? sentEvent(event.outcome) : endEvent(event.outcome);
}

/** After these the account may be as somebody else wants it; nothing of ours is half done where nothing was written. */
const STALE: ReadonlySet<string> = new Set(['PLAN_STALE', 'LOCK_LOST']);

/** The exit code of a run, from its outcomes. */
export function exitCodeOf(
  { outcomes, written }: RunResult,
  signal: 'SIGINT' | 'SIGTERM' | null,
): number {
  if (signal !== null) return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  const faults = outcomes.flatMap(outcome =>
    outcome.status === 'failed' || outcome.status === 'unknown' ? [outcome.fault.code] : [],
  );
  const isStale = faults.length > 0 && faults.every(code => STALE.has(code));
  if (faults.length > 0) return isStale && written === 0 ? EXIT.stale : EXIT.incomplete;
  return outcomes.every(({ status }) => status === 'done') ? EXIT.done : EXIT.incomplete;
}

/** What became of the run, on stdout. A text has nothing to add where there was nothing to do. */
export function printRun(
  plan: Plan,
  result: RunResult,
  kinds: KindTable,
  format: RunFormat,
  io: Io,
): void {
  if (format === 'jsonl') io.stdout.write(jsonLine(resultEvent(result)));
  else if (format === 'json') io.stdout.write(jsonText(runDocument(plan, result, kinds)));
  else if (plan.actions.length > 0) {
    say(io.stdout, '');
    io.stdout.write(runText(plan, result, styleFor(io.stdout, io)));
  }
}
