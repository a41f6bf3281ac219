// The progress of a rollout: the next wave, whether the rollout is over, and the accounts that stop later ones.
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';

/** Whether an account no longer blocks the rollout: it is healthy, or somebody accepted it. */
export function isSettled(account: RolloutAccount): boolean {
  const { state, accepted } = account;
  return state === 'healthy' || state === 'gone' || state === 'stale' || accepted !== undefined;
}

/** Whether an account failed or is not healthy, and nobody accepted it. Stale accounts are counted by `isStale`. */
export function isUnhealthy({ state, accepted }: RolloutAccount): boolean {
  return (state === 'failed' || state === 'unhealthy') && accepted === undefined;
}

/** Whether an account has a plan that changed since it was approved, and nobody accepted that. */
export function isStale({ state, accepted }: RolloutAccount): boolean {
  return state === 'stale' && accepted === undefined;
}

/**
 * The accounts that somebody must accept before the rollout continues, in the order of the ledger. Stale accounts count once there
 * are too many, or once nothing else was tried.
 */
export function mustBeAccepted(ledger: Ledger): readonly RolloutAccount[] {
  const untried = new Set(untriedBefore(ledger));
  const areStaleCounted = areTooManyStale(ledger);
  return ledger.accounts.filter(
    account =>
      isUnhealthy(account) || untried.has(account) || (areStaleCounted && isStale(account)),
  );
}

/**
 * The accounts of all waves before the current wave, if none of them was tried: each of them is gone or has a stale plan, and
 * nobody accepted that. Otherwise empty.
 */
export function untriedBefore(ledger: Ledger): readonly RolloutAccount[] {
  const wave = currentWave(ledger) ?? 0;
  const before = ledger.accounts.filter(account => account.wave < wave);
  return before.every(isUntried) ? before : [];
}

const isUntried = ({ state, accepted }: RolloutAccount): boolean =>
  (state === 'gone' || state === 'stale') && accepted === undefined;

/** Whether more accounts are stale than the fleet file allows. */
export function areTooManyStale({ accounts, stop }: Ledger): boolean {
  return accounts.filter(isStale).length * 100 > stop.stale * accounts.length;
}

/** The number of the first wave with an account that is not settled; null after the last one. */
export function currentWave({ accounts }: Ledger): number | null {
  return accounts.find(account => !isSettled(account))?.wave ?? null;
}

/** The accounts of a wave, in their order. */
export const accountsOf = ({ accounts }: Ledger, wave: number): readonly RolloutAccount[] =>
  accounts.filter(account => account.wave === wave);

/** The time at which the first account of a wave began, in RFC 3339; undefined before that. */
export function waveBegunAt(ledger: Ledger, wave: number): string | undefined {
  const begun = accountsOf(ledger, wave).flatMap(({ begun_at }) => begun_at ?? []);
  return begun.length === 0 ? undefined : begun.reduce(earlier);
}

/**
 * When the last apply of a wave ended, in RFC 3339; undefined while an account is waiting or running, and if nothing was applied.
 * The bake time counts from then.
 */
export function waveAppliedAt(ledger: Ledger, wave: number): string | undefined {
  const accounts = accountsOf(ledger, wave);
  if (accounts.some(isOpen)) return undefined;
  const applied = accounts.flatMap(({ applied_at }) => applied_at ?? []);
  return applied.length === 0 ? undefined : applied.reduce(later);
}

/** When the bake time of a wave is over, in milliseconds since 1970; undefined if `waveAppliedAt` is undefined. */
export function bakedAt(ledger: Ledger, wave: number): number | undefined {
  const applied = waveAppliedAt(ledger, wave);
  const bake = ledger.waves[wave - 1]?.bake ?? 0;
  return applied === undefined ? undefined : Date.parse(applied) + bake;
}

/** Whether an account has yet to be applied. */
export const isOpen = ({ state }: RolloutAccount): boolean =>
  state === 'waiting' || state === 'running';

const earlier = (a: string, b: string): string => (Date.parse(b) < Date.parse(a) ? b : a);
const later = (a: string, b: string): string => (Date.parse(b) > Date.parse(a) ? b : a);
