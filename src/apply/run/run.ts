// Runs a plan: actions start when they are ready, actions on one object take turns, and actions
// that need a failed action are skipped.
import pLimit from 'p-limit';
import { mayTakeAccess } from '../../engine/actions/takesAccess.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import { begunIn, type EarlierRun, logEntry } from '../../model/journal.ts';
import type { ActionId, Address, RemoteId } from '../../model/names.ts';
import type { Blocker, EarlierOutcome, Fault, Outcome, RunResult } from '../../model/outcome.ts';
import type { Action, Plan, ShownAction } from '../../model/plan.ts';
import { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import type { ShownFields } from '../../model/secrets/shown.ts';
import type { AccountPort, KeepSecret, OpenSecret, RunEvent, SentSecrets } from '../port.ts';
import { type ChangesByOthers, newChangesByOthers } from './concurrent/changesByOthers.ts';
import {
  type MembersBefore,
  membersBefore,
  membersBeforeEarlier,
  recordMembers,
} from './concurrent/checkWithoutLog.ts';
import { createdTwice } from './concurrent/createdTwice.ts';
import { logPosition, needsLog } from './concurrent/logPosition.ts';
import { newOwnWrites, type OwnWrites } from './concurrent/ownWrites.ts';
import { type PeriodicChecks, periodicChecks } from './concurrent/periodicChecks.ts';
import { restoreUnfinished, type UnfinishedRun } from './concurrent/unfinishedRuns.ts';
import { countedPort } from './countedPort.ts';
import { type FailureStop, failureStop } from './failureStop.ts';
import { type Journal, journalled } from './journal.ts';
import { newReadBack, type ReadBack } from './readBack.ts';
import { goneResults } from './recovery/goneResults.ts';
import { changedByHolder, lockGone } from './refused.ts';
import { storingFingerprints } from './storeFingerprints.ts';
import type { TurnContext } from './turns/context.ts';
import { RecentLists } from './turns/recentLists.ts';
import { type RunNames, runNames } from './turns/runNames.ts';
import { takeTurn } from './turns/turn.ts';
import { createsAddress, staleActions } from './verify.ts';

export interface RunOptions {
  readonly kinds: KindTable;
  readonly port: AccountPort;
  readonly openSecret: OpenSecret;
  /** Stores one-time secrets. */
  readonly keepSecret?: KeepSecret | undefined;
  /** Stores fingerprints of the secrets that are sent. */
  readonly memory?: SentSecrets | undefined;
  /** Values that must not be printed. The run adds the secrets that it opens or receives. */
  readonly secrets?: KnownSecrets | undefined;
  readonly concurrency: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** When this process read the account for the plan; undefined for a saved plan. */
  readonly planReadAt?: number | undefined;
  /** Whether a failure stops only the actions that depend on it, or the whole run. */
  readonly onError?: 'continue' | 'stop';
  /** Whether the time for the run has expired, so that no new action starts. */
  readonly isOver?: () => boolean;
  /** Once aborted, no new action starts; running actions are completed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Records every write before it is sent. */
  readonly journal?: Journal | undefined;
  /** The objects that an earlier run of the plan created, if this run does not continue it. */
  readonly createdEarlier?: ReadonlySet<RemoteId> | undefined;
  /** The actions of the plan that an earlier run completed; they are not repeated. */
  readonly earlier?: EarlierRun | undefined;
  /**
   * Actions that must not be carried out, with the reasons. A run that continues an earlier run carries out all other actions.
   */
  readonly forbidden?: ReadonlyMap<ActionId, Fault> | undefined;
  /**
   * Earlier incomplete runs of the files that this run does not continue. This run adds the members
   * again that those runs removed from sets.
   */
  readonly unfinished?: readonly UnfinishedRun[] | undefined;
  /** Whether the run still holds its lock, even if it has no journal. */
  readonly isHeld?: (() => Promise<boolean>) | undefined;
}

/**
 * Carries out a plan. If a precondition of the plan does not hold, nothing is written. Resolves to
 * one outcome for every action, in the order of the plan. Throws an `ApiError` if the account
 * cannot be read before the first write. Throws any other error only for an internal error, after
 * all running actions have ended.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const before = options.port.requests();
  const run = await beginRun(plan, options);
  const stale = await refused(plan, run);
  const ended = stale ?? (await carriedOut(plan, run));
  const outcomes = await causedByLock(ended, options.journal);
  const earlier = stale ? [] : await restoredEarlier(plan, run);
  const { done, sent } = options.earlier ?? { done: new Map(), sent: new Map() };
  const written = run.written() + done.size + sent.size;
  const requests = options.port.requests() - before;
  return { outcomes, requests, written, ...(earlier.length > 0 && { earlier }) };
}

// Adds the members again that earlier runs removed. If this run is interrupted, the next run adds
// them.
async function restoredEarlier(plan: Plan, run: Run): Promise<readonly EarlierOutcome[]> {
  const { kinds, port, ownWrites, names, unfinished = [], signal, isHeld } = run;
  if (unfinished.length === 0 || signal?.aborted) return [];
  const held: AccountPort = {
    ...port,
    update: async (kind, at, body) => {
      if ((await isHeld?.()) === false) throw lockGone();
      return port.update(kind, at, body);
    },
  };
  const looking = { kinds, port: ownWrites.recording(held), ownWrites, plan, names };
  return restoreUnfinished(unfinished, { ...looking, position: run.logPosition });
}

// Reports the lost lock as the reason for stale actions. If a run was suspended for longer than its
// lock lasts, it finds the account changed before it notices that it has lost the lock.
async function causedByLock(
  outcomes: readonly Outcome[],
  journal: Journal | undefined,
): Promise<readonly Outcome[]> {
  const isStale = outcomes.some(one => one.status === 'failed' && one.fault.code === 'PLAN_STALE');
  if (!isStale || (await journal?.isHeld?.()) !== false) return outcomes;
  return outcomes.map(one =>
    one.status === 'failed' && one.fault.code === 'PLAN_STALE'
      ? { ...one, fault: changedByHolder(one.fault) }
      : one,
  );
}

/** A run in progress. */
interface Run extends RunOptions {
  readonly secrets: KnownSecrets;
  readonly names: RunNames;
  readonly lists: RecentLists;
  readonly logPosition?: number;
  readonly membersBefore?: MembersBefore;
  /** Updates that may remove access. */
  readonly takesAccess: ReadonlySet<ActionId>;
  /** The state of objects before the run, as the plan shows it. */
  readonly shownBefore: ReadonlyMap<Address, ShownFields>;
  /** Writes that changed the account, or may have changed it. */
  readonly written: () => number;
  /**
   * The updates of objects with sets that others can join, sent by this run or by the earlier run.
   */
  readonly ownWrites: OwnWrites;
}

async function beginRun(
  plan: Plan,
  { secrets = new KnownSecrets(), ...options }: RunOptions,
): Promise<Run> {
  const { kinds, port, now, planReadAt, earlier } = options;
  const names = runNames(plan);
  for (const { kind, key, id, server_fields: body } of earlier?.names ?? [])
    names.learn(kind, key, id, body);
  const lists = new RecentLists(port, now, planReadAt);
  const counted = countedPort(port, { lists, kinds });
  const takesAccess = takingAccess(plan, kinds);
  return {
    ...options,
    ...counted,
    secrets,
    names,
    lists,
    takesAccess,
    shownBefore: new Map(
      plan.changes.flatMap(({ address, before }) => (before ? [[address, before]] : [])),
    ),
    ownWrites: newOwnWrites(earlier, { kinds, now }),
    ...(await beforeWrites(plan, options)),
  };
}

// Reads the data that later shows who joined or left a set during the run: the position of the
// audit log, or the members before the run. A run that continues an interrupted run uses the start
// of the interrupted run.
async function beforeWrites(
  plan: Plan,
  { kinds, port, earlier, journal, unfinished = [] }: RunOptions,
): Promise<Pick<Run, 'logPosition' | 'membersBefore'>> {
  if (earlier?.newest !== undefined) return { logPosition: earlier.newest };
  if (earlier?.membersBefore) return { membersBefore: membersBeforeEarlier(earlier) };
  if (journal?.newest !== undefined) return { logPosition: journal.newest };
  if (port.log === undefined) return {};
  if (unfinished.length === 0 && !needsLog(plan, kinds)) return {};
  const position = await logPosition(port.log);
  if (position !== undefined) return { logPosition: position };
  return { membersBefore: await membersBefore(plan, kinds, port) };
}

function takingAccess({ actions, changes }: Plan, kinds: KindTable): ReadonlySet<ActionId> {
  const changeOf = new Map(changes.map(change => [change.address, change]));
  const taking = actions.filter(({ verb, address, kind: name }) => {
    const change = changeOf.get(address);
    const kind = kinds.get(name);
    return verb === 'update' && change && kind && mayTakeAccess(change, kind);
  });
  return new Set(taking.map(({ id }) => id));
}

// The outcomes of a run whose plan is stale; null if every precondition holds.
async function refused(plan: Plan, run: Run): Promise<Outcome[] | null> {
  const doubted = run.lists.isPlanRecent ? plan.actions.filter(createsAddress) : plan.actions;
  if (doubted.length === 0) return null;
  const { concurrency, earlier, onEvent } = run;
  const contextOf = (action: Action) => turnContext(action, run);
  const forbidden = earlier ? undefined : run.forbidden;
  const faults = await staleActions(
    { ...plan, actions: doubted },
    { contextOf, concurrency, earlier, forbidden },
  );
  const [first] = plan.actions.filter(({ id }) => faults.has(id));
  if (first === undefined) return null;
  const outcomeOf = ({ id: action, address }: ShownAction): Outcome => {
    const fault: Fault | undefined = faults.get(action);
    return fault
      ? { action, address, status: 'failed', fault }
      : (earlier?.done.get(action) ??
          earlier?.sent.get(action) ?? {
            action,
            address,
            status: 'skipped',
            blockedBy: first.id,
          });
  };
  return plan.actions.map(action => {
    const outcome = outcomeOf(action);
    const isEarlier = earlier?.done.has(action.id) || earlier?.sent.has(action.id);
    if (!isEarlier) onEvent?.({ type: 'end', action, outcome });
    return outcome;
  });
}

async function carriedOut(plan: Plan, run: Run): Promise<readonly Outcome[]> {
  const { earlier } = run;
  const gone = earlier
    ? await goneResults(plan, earlier, action => turnContext(action, run))
    : new Map<ActionId, Fault>();
  await recordStart(run).catch(() => {});
  const fault = new AbortController();
  const { turnOf, readBack, inTurn } = turnTaker(plan, run, fault.signal);
  const lookBack = lookBackAt(plan, run, inTurn);
  const looks = looksDuring(run, lookBack, fault);
  for (const action of plan.actions) {
    const sent = earlier?.sent.get(action.id);
    if (sent) readBack.add(action, sent);
  }
  const turns = new Map<ActionId, Promise<Outcome>>();
  for (const action of plan.actions) {
    const known = earlier?.done.get(action.id) ?? earlier?.sent.get(action.id);
    const before = action.after.map(id => present(turns.get(id), `the turn of ${id}`));
    const lost = gone.get(action.id);
    // The journal also records that the earlier run has completed this action, because an undo
    // needs this information.
    const settled = lost ? failed(action, lost) : known;
    const turn = settled
      ? Promise.resolve(settled)
      : Promise.all(before).then(outcomes => turnOf(action, outcomes));
    turn.then(looks.start, () => {});
    turn.catch((error: unknown) => fault.abort(error));
    turns.set(action.id, turn);
  }
  const ended = await Promise.allSettled(turns.values());
  await looks.ended();
  if (fault.signal.aborted) throw fault.signal.reason;
  await readBack.settleAll();
  const outcomes = ended.flatMap(turn =>
    turn.status === 'fulfilled' ? [readBack.outcomeOf(turn.value)] : [],
  );
  const seen = await lookBack.after(outcomes);
  const { list } = run.port;
  return createdTwice(plan, seen, { list, contextOf: action => turnContext(action, run) });
}

// Records the start data, for a later run that continues this run.
async function recordStart({
  journal,
  earlier,
  port,
  logPosition,
  membersBefore: before,
}: Run): Promise<void> {
  if (!journal || earlier?.newest !== undefined || earlier?.membersBefore) return;
  if (journal.newest !== undefined) return;
  if (logPosition !== undefined) {
    const user = (journal.isShared ? await port.log?.self() : null) ?? undefined;
    await journal.write(logEntry({ newest: logPosition, user }));
  }
  if (before) await recordMembers(before, journal);
}

function lookBackAt(plan: Plan, run: Run, inTurn: InTurn): ChangesByOthers {
  const { kinds, port, names, logPosition: position, membersBefore: before } = run;
  const { written, deleted } = run.ownWrites;
  return newChangesByOthers(plan, {
    kinds,
    log: port.log,
    position,
    before,
    names,
    written,
    deleted,
    portOf: action => turnContext(action, run).port,
    exclusively: (address, work) => inTurn([address], work),
  });
}

function looksDuring(run: Run, lookBack: ChangesByOthers, fault: AbortController): PeriodicChecks {
  return periodicChecks({
    now: run.now,
    lastWrite: () =>
      run.ownWrites.written().reduce((last, { sentAt }) => Math.max(last, sentAt), 0),
    check: lookBack.during,
    onFault: error => fault.abort(error),
  });
}

type TakeTurn = (action: ShownAction, earlier: readonly Outcome[]) => Promise<Outcome>;

// Returns a function that takes the turn of an action. An action is skipped if an action that it
// needs is not done. Any other action starts once its objects are free and a slot is available.
// Writes are read back before an action that depends on them starts.
function turnTaker(plan: Plan, run: Run, fault: AbortSignal): Turns {
  const { concurrency, onEvent, secrets } = run;
  const limit = pLimit(concurrency);
  const inTurn = queues();
  const gate = gateOf(run, fault);
  const { reported, ended } = endings(plan, run, gate);
  const readBack = newReadBack({
    contextOf: action => turnContext(action, run),
    ended,
    redact: text => secrets.redact(text),
  });
  const carryOut = async (action: ShownAction): Promise<Outcome> => {
    const before = await readBack.settle([...action.after, ...readBack.sharing(action)]);
    const undone = before.find(other => isUndone(other) && action.after.includes(other.action));
    const blockedBy = undone?.action ?? gate.blocker(action);
    if (blockedBy !== undefined) return reported(action, skipped(action, blockedBy));
    const fault = run.forbidden?.get(action.id);
    if (fault) return ended(action, failed(action, fault));
    onEvent?.({ type: 'start', action });
    const outcome = await ended(action, await takeTurn(action, turnContext(action, run), secrets));
    if (outcome.status === 'sent') readBack.add(action, outcome);
    return outcome;
  };
  const turnOf: TakeTurn = async (action, earlier) => {
    const undone = earlier.find(({ status }) => status !== 'done' && status !== 'sent');
    if (undone) return reported(action, skipped(action, undone.action));
    return inTurn(action.writes, () => limit(() => carryOut(action)));
  };
  return { turnOf, readBack, inTurn };
}

/** Reports the outcomes of actions. */
interface Endings {
  readonly reported: (action: ShownAction, outcome: Outcome) => Outcome;
  /** Stores and records the outcome of a completed turn, and reports it. */
  readonly ended: (action: ShownAction, taken: Outcome) => Promise<Outcome>;
}

function endings(plan: Plan, { onEvent, memory, journal }: Run, gate: FailureStop): Endings {
  const remember = storingFingerprints(plan, memory);
  const reported = (action: ShownAction, outcome: Outcome): Outcome => {
    if (outcome.status === 'sent') onEvent?.({ type: 'sent', action, outcome });
    else onEvent?.({ type: 'end', action, outcome });
    return outcome;
  };
  return {
    reported,
    ended: async (action, taken) => {
      const outcome = await gate.ended(action, await remember(action, taken));
      // If the outcome cannot be recorded, the journal shows less than happened.
      journal?.write({ type: 'end', outcome }).catch(() => {});
      return reported(action, outcome);
    },
  };
}

/** The order of the actions, and the results that are not read back yet. */
interface Turns {
  readonly turnOf: TakeTurn;
  readonly readBack: ReadBack;
  readonly inTurn: InTurn;
}

/** Calls `run` after all earlier work on the same objects has ended. */
type InTurn = <T>(writes: readonly Address[], run: () => Promise<T>) => Promise<T>;

const isUndone = ({ status }: Outcome): boolean => status !== 'done';

function gateOf({ port, signal, isOver, onError }: Run, fault: AbortSignal): FailureStop {
  return failureStop({
    port,
    isInterrupted: () => fault.aborted || signal?.aborted === true,
    isOver: () => isOver?.() === true,
    stopsOnError: onError === 'stop',
  });
}

// The context of a turn. All writes of the turn are counted, and are recorded first if there is a journal.
function turnContext(action: Action, run: Run): TurnContext {
  const { kinds, names, lists, openSecret, keepSecret, journal, earlier, secrets } = run;
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const begun = earlier && begunIn(earlier, action.id);
  const { port, logPosition: position } = run;
  const isReadBack = run.takesAccess.has(action.id);
  const context = { kind, kinds, port, names, lists, openSecret, keepSecret, begun, isReadBack };
  const { createdEarlier } = run;
  const recorded = journalled(
    action,
    { ...context, createdEarlier, logPosition: position, earlierUser: earlier?.user },
    { journal, kinds, secrets, shownBefore: run.shownBefore.get(action.address) },
  );
  return { ...recorded, port: run.ownWrites.recording(recorded.port) };
}

// Every writer of an object waits for the earlier writers. A turn joins all its queues at once, so
// that no deadlock can occur.
function queues(): InTurn {
  const last = new Map<Address, Promise<unknown>>();
  return (writes, run) => {
    const before = Promise.allSettled(writes.flatMap(address => last.get(address) ?? []));
    const mine = before.then(run);
    for (const address of writes) last.set(address, mine);
    return mine;
  };
}

function failed({ id, address }: ShownAction, fault: Fault): Outcome {
  return { action: id, address, status: 'failed', fault };
}

function skipped({ id, address }: ShownAction, blockedBy: Blocker): Outcome {
  return { action: id, address, status: 'skipped', blockedBy };
}
