// The transitions of a ledger. Each returns the next ledger, or why it is refused: no account begins twice, or before its turn.
import type { Ledger, RolloutAccount, RolloutOutcome } from '../../model/rollout.ts';
import { quoted } from '../../model/text/visible.ts';
import { nextStep, unacceptedOf, whyStopped } from './next.ts';
import { bakedAt, currentWave, isStale } from './progress.ts';

/** Why a transition is refused, in a sentence without its full stop. */
export interface Cannot {
  readonly cannot: string;
}

/** A transition. */
export type Transition = (ledger: Ledger) => Ledger | Cannot;

/** Whether a transition was refused. */
export const isCannot = (result: object): result is Cannot => 'cannot' in result;

/** How an apply ended. */
export type ApplyEnd = Omit<RolloutOutcome, 'at'>;

/** The result of checking an account after its bake time. */
export type Health =
  | { readonly is: 'healthy' }
  | ({ readonly is: 'unhealthy' } & Omit<ApplyEnd, 'run'>);

/**
 * An account begins: it must be its turn, and nothing may stop the rollout. A running account begins again only if its run is
 * dead, which the caller states by naming another `runner`.
 */
export function begin(name: string, runner: string, at: number): Transition {
  return ledger => {
    const why = whyStopped(ledger);
    if (why !== null) return { cannot: `the rollout is stopped: ${why}` };
    return changed(ledger, name, account => {
      const { state, wave } = account;
      if (state === 'running' && account.runner === runner) return isAlready(account);
      if (state !== 'waiting' && state !== 'running') return isAlready(account);
      if (wave !== currentWave(ledger)) return { cannot: `wave ${wave} has not begun` };
      const { outcome: _, ...rest } = account;
      return { ...rest, state: 'running', runner, begun_at: account.begun_at ?? timeText(at) };
    });
  };
}

/** The apply of a running account ended: completely, with a fault, or without a write because its plan is stale. */
export function ended(name: string, end: ApplyEnd, at: number): Transition {
  return ledger =>
    changed(ledger, name, account => {
      const { runner: _, ...rest } = account;
      if (account.state !== 'running') return isAlready(account);
      const outcome = { ...end, at: timeText(at) };
      if (end.cause === 'stale') return { ...rest, state: 'stale', outcome };
      const state = end.code === 0 ? 'applied' : 'failed';
      return { ...rest, state, applied_at: timeText(at), outcome };
    });
}

/**
 * A running account could not begin because of somebody else's lock or hold: nothing was written, and it waits again. The outcome
 * says for whom.
 */
export function postponed(name: string, end: ApplyEnd, at: number): Transition {
  return ledger =>
    changed(ledger, name, account => {
      const { runner: _, begun_at: __, ...rest } = account;
      if (account.state !== 'running') return isAlready(account);
      return { ...rest, state: 'waiting', outcome: { ...end, at: timeText(at) } };
    });
}

/**
 * The plan of a running account was stale, and was made again. If it does the same as the approved plan, it replaces that plan;
 * otherwise the account is stale.
 */
export function plannedAgain(
  name: string,
  made: Pick<RolloutAccount, 'plan' | 'content_digest'>,
  at: number,
): Transition {
  return ledger => {
    const account = ledger.accounts.find(one => one.name === name);
    if (account?.content_digest !== made.content_digest) {
      const why = 'its plan does not do the same as the approved plan';
      return ended(name, { code: STALE_CODE, cause: 'stale', why }, at)(ledger);
    }
    return changed(ledger, name, one =>
      one.state === 'running' ? { ...one, plan: made.plan } : isAlready(one),
    );
  };
}

/** The exit code of a run whose plan is stale. */
const STALE_CODE = 5;

/** An applied account was checked after its bake time. */
export function checked(name: string, health: Health, at: number): Transition {
  return ledger =>
    changed(ledger, name, account => {
      const { state, wave } = account;
      if (state !== 'applied') return isAlready(account);
      const baked = bakedAt(ledger, wave);
      if (baked === undefined) return { cannot: `wave ${wave} is not applied yet` };
      if (at < baked) return { cannot: `wave ${wave} is watched until ${timeText(baked)}` };
      if (health.is === 'healthy') return { ...account, state: 'healthy' };
      const { is: _, ...outcome } = health;
      const { run } = account.outcome ?? {};
      const seen = { ...outcome, at: timeText(at), ...(run !== undefined && { run }) };
      return { ...account, state: 'unhealthy', outcome: seen };
    });
}

/** An account is no longer in the fleet, and the rollout does not wait for it any more. */
export function vanished(name: string): Transition {
  return ledger =>
    changed(ledger, name, account => {
      const { runner: _, ...rest } = account;
      return account.state === 'gone' || account.state === 'healthy'
        ? isAlready(account)
        : { ...rest, state: 'gone' };
    });
}

/** Stops the rollout: no further account begins. `why` is a sentence without its full stop. */
export function stop(why: string, at: number): Transition {
  return ledger => {
    if (ledger.finished) return { cannot: 'the rollout is finished' };
    return { ...ledger, halt: { turn: ledger.halt.turn + 1, why, at: timeText(at) } };
  };
}

/** Who accepts unhealthy accounts, and when, in milliseconds since 1970. */
export interface Accepting {
  readonly at: number;
  readonly by?: string | undefined;
}

/** A stopped rollout continues. Every unhealthy account must be accepted by name, and no other account may be. */
export function accept(names: readonly string[], { at, by }: Accepting): Transition {
  return ledger => {
    if (ledger.finished) return { cannot: 'the rollout is finished' };
    const must = new Set(unacceptedOf(ledger));
    const missing = Array.from(must).filter(name => !names.includes(name));
    if (missing.length > 0) return { cannot: `not accepted: ${missing.map(quoted).join(', ')}` };
    const isAcceptable = (account: RolloutAccount) => isStale(account) || must.has(account.name);
    const faulty = ledger.accounts.filter(account => isAcceptable(account) || account.accepted);
    const stray = names.find(name => !faulty.some(account => account.name === name));
    if (stray !== undefined) return { cannot: `${quoted(stray)} is not unhealthy` };
    const accepted = { at: timeText(at), ...(by !== undefined && { by }) };
    const accounts = ledger.accounts.map(account =>
      names.includes(account.name) && account.accepted === undefined
        ? { ...account, accepted, turn: account.turn + 1 }
        : account,
    );
    return { ...ledger, accounts, halt: { turn: ledger.halt.turn + 1 } };
  };
}

/** The rollout ends, because nothing is left to do. */
export function complete(at: number): Transition {
  return ledger => {
    if (ledger.finished) return { cannot: 'the rollout is finished' };
    const step = nextStep(ledger, { now: at });
    if (step.is !== 'done') return { cannot: `the rollout is not over: ${step.is}` };
    return { ...ledger, finished: { is: 'complete', at: timeText(at) } };
  };
}

/** Somebody gives up the rollout. Applied accounts stay applied. */
export function abandon(why: string, at: number): Transition {
  return ledger =>
    ledger.finished
      ? { cannot: 'the rollout is finished' }
      : { ...ledger, finished: { is: 'abandoned', at: timeText(at), why } };
}

/** Applies several transitions one after the other; if one is refused, none applies. */
export function inSequence(transitions: readonly Transition[]): Transition {
  return ledger =>
    transitions.reduce<Ledger | Cannot>(
      (now, transition) => (isCannot(now) ? now : transition(now)),
      ledger,
    );
}

function changed(
  ledger: Ledger,
  name: string,
  change: (account: RolloutAccount) => RolloutAccount | Cannot,
): Ledger | Cannot {
  if (ledger.finished) return { cannot: 'the rollout is finished' };
  const account = ledger.accounts.find(one => one.name === name);
  if (account === undefined) return { cannot: `the rollout has no account ${quoted(name)}` };
  const next = change(account);
  if (isCannot(next)) return next;
  const entry = { ...next, turn: account.turn + 1 };
  return { ...ledger, accounts: ledger.accounts.map(one => (one === account ? entry : one)) };
}

const isAlready = ({ name, state }: RolloutAccount): Cannot => ({
  cannot: `${quoted(name)} is ${state}`,
});

const timeText = (time: number): string => new Date(time).toISOString();
