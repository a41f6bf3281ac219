// Walks a plan: what is ready runs, what shares an object takes turns, what depends on a failure is skipped by name.
import pLimit from 'p-limit';
import type { KindTable } from '../kinds/kind.ts';
import { present } from '../model/errors.ts';
import { KnownSecrets } from '../model/knownSecrets.ts';
import type { ActionId, Address } from '../model/names.ts';
import type { Blocker, Outcome, RunResult } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.ts';
import { watchEvictions } from './evictions.ts';
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
}

/**
 * Carries a plan out. The outcomes come in the plan's order, one for every action. Throws only for a fault of our own,
 * and not before everything under way has ended.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const before = options.port.requests();
  const names = runNames(plan);
  const putBack = await watchEvictions(plan, options.kinds, options.port);
  const fault = new AbortController();
  const stop = AbortSignal.any([fault.signal, ...(options.signal ? [options.signal] : [])]);
  const turnOf = turnTaker(plan, names, options, stop);
  const turns = new Map<ActionId, Promise<Outcome>>();
  for (const action of plan.actions) {
    const earlier = action.after.map(id => present(turns.get(id), `the turn of ${id}`));
    const turn = Promise.all(earlier).then(outcomes => turnOf(action, outcomes));
    turn.catch((error: unknown) => fault.abort(error));
    turns.set(action.id, turn);
  }
  const ended = await Promise.allSettled(turns.values());
  if (fault.signal.aborted) throw fault.signal.reason;
  const turned = ended.flatMap(turn => (turn.status === 'fulfilled' ? [turn.value] : []));
  const outcomes = await putBack(turned, names);
  return { outcomes, requests: options.port.requests() - before };
}

type TakeTurn = (action: Action, earlier: readonly Outcome[]) => Promise<Outcome>;

// Skips an action that needs one which is not done; runs any other once its objects are free and there is room for it.
function turnTaker(
  plan: Plan,
  names: RunNames,
  { kinds, port, concurrency, onEvent, ...options }: RunOptions,
  stop: AbortSignal,
): TakeTurn {
  const limit = pLimit(concurrency);
  const { openSecret, keepSecret, memory, secrets = new KnownSecrets(), onError, isOver } = options;
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
    const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
    const context = { kind, port, names, openSecret, keepSecret };
    return remember(action, await takeTurn(action, context, secrets));
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
