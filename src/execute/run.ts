// Walks a plan: what is ready runs, what shares an object takes turns, what depends on a failure is skipped by name.
import pLimit from 'p-limit';
import type { KindTable } from '../kinds/kind.ts';
import { present } from '../model/errors.ts';
import type { EarlierRun } from '../model/journal.ts';
import { KnownSecrets } from '../model/knownSecrets.ts';
import type { ActionId, Address } from '../model/names.ts';
import type { Blocker, Outcome, RunResult } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.ts';
import type { TurnContext } from './context.ts';
import { watchEvictions } from './evictions.ts';
import { type Journal, journalled } from './journal.ts';
import { type RunNames, runNames } from './names.ts';
import type { AccountPort, KeepSecret, OpenSecret, RunEvent, SentSecrets } from './port.ts';
import { remembering } from './remember.ts';
import { takeTurn } from './turn.ts';

export interface RunOptions {
  readonly kinds: KindTable;
  readonly port: AccountPort;
  readonly openSecret: OpenSecret;
  /** Where secrets go that the server shows once. */
  readonly keepSecret?: KeepSecret | undefined;
  /** Remembers the secrets that are sent. */
  readonly memory?: SentSecrets | undefined;
  /** What is not to be told; what the run comes to know is added. */
  readonly secrets?: KnownSecrets | undefined;
  readonly concurrency: number;
  /** Whether a failure leaves what does not wait for it to go on, or nothing. */
  readonly onError?: 'continue' | 'stop';
  /** Whether the time for the run is over: then nothing new is launched either. */
  readonly isOver?: () => boolean;
  /** Once aborted, nothing new is launched; what runs is waited for. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Where every write is written down before it is sent. */
  readonly journal?: Journal | undefined;
  /** What an earlier run of the plan has done: none of that is done again. */
  readonly earlier?: EarlierRun | undefined;
}

/**
 * Carries a plan out. The outcomes come in the plan's order, one for every action. Throws only for a fault of our own,
 * and not before everything under way has ended.
 */
export async function runPlan(
  plan: Plan,
  { secrets = new KnownSecrets(), ...given }: RunOptions,
): Promise<RunResult> {
  const options = { ...given, secrets };
  const before = options.port.requests();
  const names = runNames(plan);
  const { kinds, port, journal, earlier } = options;
  for (const { kind, key, id, server_fields: body } of earlier?.names ?? [])
    names.learn(kind, key, id, body);
  const putBack = await watchEvictions(plan, {
    ...{ kinds, log: port.log, newest: earlier?.newest },
    portOf: action => contextOf(action, names, options).port,
    onNewest: async newest => journal?.write({ type: 'log', newest }).catch(() => {}),
  });
  const fault = new AbortController();
  const stop = AbortSignal.any([fault.signal, ...(options.signal ? [options.signal] : [])]);
  const turnOf = turnTaker(plan, names, options, stop);
  const turns = new Map<ActionId, Promise<Outcome>>();
  for (const action of plan.actions) {
    const done = earlier?.done.get(action.id);
    const before = action.after.map(id => present(turns.get(id), `the turn of ${id}`));
    const turn = done
      ? Promise.resolve(done)
      : Promise.all(before).then(outcomes => turnOf(action, outcomes));
    turn.catch((error: unknown) => fault.abort(error));
    turns.set(action.id, turn);
  }
  const ended = await Promise.allSettled(turns.values());
  if (fault.signal.aborted) throw fault.signal.reason;
  const turned = ended.flatMap(turn => (turn.status === 'fulfilled' ? [turn.value] : []));
  const outcomes = await putBack(turned, names);
  return { outcomes, requests: options.port.requests() - before };
}

type Run = RunOptions & { readonly secrets: KnownSecrets };

type TakeTurn = (action: Action, earlier: readonly Outcome[]) => Promise<Outcome>;

// Skips an action that needs one which is not done; runs any other once its objects are free and there is room for it.
function turnTaker(plan: Plan, names: RunNames, options: Run, stop: AbortSignal): TakeTurn {
  const { concurrency, onEvent, memory, onError, isOver, journal } = options;
  const limit = pLimit(concurrency);
  const remember = remembering(plan, memory);
  const inTurn = queues();
  let failed: ActionId | undefined;
  const blocker = (): Blocker | undefined => {
    if (stop.aborted) return 'interrupt';
    if (isOver?.()) return 'deadline';
    return onError === 'stop' ? failed : undefined;
  };
  const run = async (action: Action): Promise<Outcome> => {
    const blockedBy = blocker();
    if (blockedBy !== undefined) return skipped(action, blockedBy);
    onEvent?.({ type: 'start', action });
    const context = contextOf(action, names, options);
    const outcome = await remember(action, await takeTurn(action, context, options.secrets));
    // Where it cannot be written down, the journal claims less than happened.
    await journal?.write({ type: 'end', outcome }).catch(() => {});
    return outcome;
  };
  const told = async (action: Action, ended: Outcome | Promise<Outcome>): Promise<Outcome> => {
    const outcome = await ended;
    if (outcome.status === 'failed' || outcome.status === 'unknown') failed ??= action.id;
    onEvent?.({ type: 'end', action, outcome });
    return outcome;
  };
  return (action, earlier) => {
    const undone = earlier.find(({ status }) => status !== 'done');
    if (undone) return told(action, skipped(action, undone.action));
    return inTurn(action.writes, () => limit(() => told(action, run(action))));
  };
}

// What a turn works with; all that it writes is written down first, where there is a journal.
function contextOf(action: Action, names: RunNames, options: Run): TurnContext {
  const { kinds, port, openSecret, keepSecret, journal, earlier } = options;
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const begun = earlier?.begun.get(action.id);
  const context = { kind, port, names, openSecret, keepSecret, begun };
  return journalled(action, context, { journal, kinds, secrets: options.secrets });
}

// Whoever writes an object queues behind everyone who does. All queues are joined at once, so that none waits in a circle.
function queues() {
  const last = new Map<Address, Promise<unknown>>();
  return <T>(writes: readonly Address[], run: () => Promise<T>): Promise<T> => {
    const before = Promise.allSettled(writes.flatMap(address => last.get(address) ?? []));
    const mine = before.then(run);
    for (const address of writes) last.set(address, mine);
    return mine;
  };
}

function skipped({ id, address }: Action, blockedBy: Blocker): Outcome {
  return { action: id, address, status: 'skipped', blockedBy };
}
