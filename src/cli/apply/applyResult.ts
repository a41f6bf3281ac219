// Prints the result of an apply, and determines its exit code.
import type { BaseRecord } from '../../apply/recordedBase/record.ts';
import type { Applied } from '../../apply/request.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { heldBack } from '../../model/missingObjects.ts';
import { isRestoredFully, isSettled, type RunResult } from '../../model/outcome.ts';
import { shortRun } from '../../model/runName.ts';
import { jsonLine, jsonText } from '../../model/text/jsonText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, pathText } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { runComment } from '../../report/comment/runComment.ts';
import { runDocument } from '../../report/run/runDocument.ts';
import { resultEvent } from '../../report/run/runEvents.ts';
import { runText } from '../../report/run/runText.ts';
import { counted } from '../../report/text/summary.ts';
import { styleFor } from '../colour.ts';
import { EXIT, exitOn, type Interrupt } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { resumeCommand } from './resumeCommand.ts';
import type { RunFormat } from './runObservers.ts';

/** The settings with which a result is printed. */
interface Printing {
  readonly kinds: KindTable;
  readonly format: RunFormat;
  /** The interrupt that stopped the run. */
  readonly signal: Interrupt | null;
}

/** Prints the result of an apply. Returns the exit code; throws a `Stop` if the base could not be recorded. */
export function reportResult(applied: Applied, printing: Printing, io: Io): number {
  const { result, journal, removedJournal, earlier, base, isAlreadyApplied } = applied;
  if (isAlreadyApplied) printApplied(applied, printing, io);
  else printRun(applied, printing, io);
  const held = heldBack(applied.plan.diagnostics).length;
  const ranTo = exitCodeOf(result, printing.signal);
  const unproven = applied.plan.diagnostics.filter(one => one.code === 'UNDO_UNPROVEN').length;
  const code = ranTo === EXIT.done && held + unproven > 0 ? EXIT.incomplete : ranTo;
  if (journal !== undefined && !isAlreadyApplied) {
    const file = pathText(nearPath(io.cwd, journal));
    say(io.stderr, `Journal: ${file}.`);
    say(io.stderr, nextStep(code, applied) ?? continuation(code, journal, io));
  } else if (removedJournal !== undefined) {
    for (const line of removedText(applied, code, io)) say(io.stderr, line);
  } else if (ranTo === EXIT.incomplete && !isAlreadyApplied && !result.outcomes.every(isSettled))
    say(io.stderr, RUN_AGAIN);
  if (held > 0) say(io.stderr, heldText(held));
  if (unproven > 0)
    say(
      io.stderr,
      `Not everything is undone: nothing proves whether the run created ${counted(unproven, 'object')}, see UNDO_UNPROVEN above.`,
    );
  if (base) tellBase(base, applied, io);
  if (code === EXIT.stale && earlier !== undefined) hintAtResume(earlier, io);
  return code;
}

// Describes the copy of the journal at the remote with the lock. The run updated this copy while
// its file was open.
function removedText(
  { plan: { folder }, removedJournal = '', isShortened, sharedRun }: Applied,
  code: number,
  io: Io,
): readonly string[] {
  const file = pathText(nearPath(io.cwd, removedJournal));
  const verb = code === EXIT.done ? 'undo' : 'resume';
  const lost = isShortened ? 'emptied or shortened' : 'removed';
  const gone = `The journal ${file} was ${lost} during the run`;
  if (sharedRun !== undefined) {
    const command = `\`meshform apply ${shellWord(folder)} --${verb} ${shortRun(sharedRun)}\``;
    return [`${gone}: the Git remote has a copy, for ${command}.`];
  }
  return verb === 'undo'
    ? [`${gone}: this apply cannot be undone with \`--undo\`.`]
    : [`${gone}: nothing can be resumed.`, PLAN_REST];
}

// A stale plan cannot be resumed, because its preconditions will not hold later either.
function nextStep(code: number, { result: { outcomes } }: Applied): string | undefined {
  if (code === EXIT.stale) return PLAN_AGAIN;
  const faults = faultsIn(outcomes);
  const isStale = faults.length > 0 && faults.every(fault => fault === 'PLAN_STALE');
  return code === EXIT.incomplete && isStale ? PLAN_REST : undefined;
}

const faultsIn = (outcomes: RunResult['outcomes']): readonly string[] =>
  outcomes.flatMap(outcome =>
    outcome.status === 'failed' || outcome.status === 'unknown' ? [outcome.fault.code] : [],
  );

// Prints the outcome of the run. Text output is empty if there was nothing to do.
function printRun(applied: Applied, { kinds, format }: Printing, io: Io): void {
  const { plan, result } = applied;
  if (format === 'jsonl') io.stdout.write(jsonLine(resultEvent(result)));
  else if (format === 'json') io.stdout.write(jsonText(runDocument(applied, result)));
  else if (format === 'comment') io.stdout.write(runComment({ ...applied, kinds }));
  else if (plan.actions.length > 0 || result.earlier !== undefined) {
    say(io.stdout, '');
    io.stdout.write(runText(plan, result, styleFor(io.stdout, io)));
  }
}

// Prints that the saved plan was applied before. Nothing was sent, because the account already has
// all its results.
function printApplied(applied: Applied, printing: Printing, io: Io): void {
  const { result, journal = '' } = applied;
  const { kinds, format } = printing;
  const already = { already_applied: true };
  if (format === 'jsonl') io.stdout.write(jsonLine({ ...resultEvent(result), ...already }));
  else if (format === 'json')
    io.stdout.write(jsonText({ ...runDocument(applied, result), ...already }));
  else if (format === 'comment') io.stdout.write(runComment({ ...applied, kinds }));
  else {
    const done = 'Already applied: the account has every change of this plan.';
    say(io.stdout, '');
    say(io.stdout, `${done} Journal: ${pathText(nearPath(io.cwd, journal))}.`);
  }
}

// The next step after an incomplete run. If the apply of an account fails, the rollout of a fleet
// stops there, and no run of the rollout writes to this account again.
const continuation = (code: number, journal: string, io: Io): string =>
  io.projectFiles?.inFleet !== undefined && code === EXIT.incomplete
    ? ACCEPT_FIRST
    : `Continue with ${resumeCommand(journal, io)}.`;

const ACCEPT_FIRST =
  'What is left needs a new plan: continue with `meshform fleet apply --continue --accept NAME`, and plan this account again once the rollout is over.';

const RUN_AGAIN =
  'Nothing was sent, and there is no journal. Continue by running the command again.';

const PLAN_AGAIN = 'Create a new plan with `meshform plan --out FILE`.';

const PLAN_REST = 'See what is left to do with `meshform plan`.';

// The part of the plan that was applied may be what prevents the rest, so the message says how to
// resume.
function hintAtResume(path: string, io: Io): void {
  const resume = resumeCommand(path, io);
  say(io.stderr, `An earlier apply of this plan did not complete. Continue it with ${resume}.`);
}

function tellBase(
  { ref, revision, failure, isUnknown, lost }: BaseRecord,
  { plan }: Applied,
  io: Io,
): void {
  if (failure !== undefined) {
    const folder = shellWord(plan.folder);
    if (isUnknown && plan.actions.length > 0)
      throw new Stop(
        EXIT.incomplete,
        `the account is as planned, but it is unknown whether the remote has recorded its base: ${failure}`,
        `see it with \`meshform base show ${folder}\`; if it is the previous base, \`meshform base record ${folder}\` records it`,
      );
    const did = lost?.is === 'deleted' ? 'deleted' : 'put an older base at';
    const why = lost ? `somebody ${did} ${nameText(ref)} during this run` : failure;
    const message = `the account is as planned, but its base is not recorded: ${why}`;
    const again = lost && `\`meshform base record ${folder} --commit ${lost.commit}\``;
    // A run without actions has no journal from which the base could be recorded.
    const hint =
      plan.actions.length === 0
        ? `${again ? `record the previous base with ${again}, then ` : ''}run the same command again: it records the base`
        : again
          ? `record the previous base, then this base: first ${again}, then \`meshform base record ${folder}\``
          : `record it with \`meshform base record ${folder}\``;
    throw new Stop(EXIT.incomplete, message, hint);
  }
  say(io.stderr, `${nameText(ref)} is ${revision.slice(0, 12)} now`);
}

const heldText = (held: number): string =>
  held === 1
    ? 'Not everything is applied: 1 object stays as it is, because what it needs is missing.'
    : `Not everything is applied: ${held} objects stay as they are, because what they need is missing.`;

/**
 * Faults which mean that others may have changed the account. If nothing was written, the run is
 * not incomplete.
 */
const STALE: ReadonlySet<string> = new Set(['PLAN_STALE', 'LOCK_LOST', 'API_LOCK_LOST']);

function exitCodeOf(result: RunResult, signal: Interrupt | null): number {
  const { outcomes, written } = result;
  if (signal !== null) return exitOn(signal);
  const faults = faultsIn(outcomes);
  const isStale = faults.length > 0 && faults.every(code => STALE.has(code));
  const isUnwritten = faults.length > 0 && faults.every(code => code === 'JOURNAL_FAILED');
  if (isUnwritten && written === 0) return EXIT.refused;
  if (faults.length > 0) return isStale && written === 0 ? EXIT.stale : EXIT.incomplete;
  const isComplete = outcomes.every(({ status }) => status === 'done') && isRestoredFully(result);
  return isComplete ? EXIT.done : EXIT.incomplete;
}
