// Which account is applied in which wave.
import type { FleetAccount, FleetWave } from '../../model/fleet.ts';
import { globOf } from '../../model/text/glob.ts';
import { inRolloutOrder } from './order.ts';

/** The properties of an account that decide its wave. */
export type WaveAccount = Pick<FleetAccount, 'name' | 'labels'>;

/** Accounts in waves. */
export interface WaveAssignment {
  /** The wave of each account by name, counted from 1; the accounts in the order in which they begin. */
  readonly waveOf: ReadonlyMap<string, number>;
  /** The accounts that belong to no wave: a fault of the fleet file. */
  readonly leftOver: readonly string[];
  /** The waves whose `match` matches no account at all, counted from 1. */
  readonly matchless: readonly number[];
  /**
   * The other waves without an account, because earlier waves have taken all accounts that match. Such a wave tests nothing and
   * has no bake time.
   */
  readonly empty: readonly number[];
}

/** Assigns each account to the first wave that takes it. Without waves there is one, with all accounts. */
export function assignWaves(
  accounts: readonly WaveAccount[],
  waves: readonly FleetWave[],
): WaveAssignment {
  let free = inRolloutOrder(accounts);
  if (waves.length === 0)
    return { waveOf: numbered([free]), leftOver: [], matchless: [], empty: [] };
  const matchless: number[] = [];
  const taken: WaveAccount[][] = [];
  for (const [i, wave] of waves.entries()) {
    if (!accounts.some(account => isMatch(account, wave))) matchless.push(i + 1);
    const limit = limitOf(wave, accounts.length, accounts.length - free.length);
    const members = new Set(free.filter(account => isMatch(account, wave)).slice(0, limit));
    taken.push([...members]);
    free = free.filter(account => !members.has(account));
  }
  const empty = taken.flatMap((members, i) =>
    members.length === 0 && !matchless.includes(i + 1) ? [i + 1] : [],
  );
  return { waveOf: numbered(taken), leftOver: free.map(({ name }) => name), matchless, empty };
}

function numbered(waves: readonly (readonly WaveAccount[])[]): ReadonlyMap<string, number> {
  return new Map(waves.flatMap((wave, i) => wave.map(({ name }) => [name, i + 1] as const)));
}

/** Percentages are decimal fractions, and floating-point products are not exact: 1.1 % of 1000 is 11.000000000000002. */
const ROUNDING = 1e-9;

// The most accounts that a wave takes after earlier waves have taken `taken`.
function limitOf({ count, share }: FleetWave, all: number, taken: number): number {
  const byShare = share === undefined ? all : Math.ceil((share * all) / 100 - ROUNDING) - taken;
  return Math.max(0, Math.min(count ?? all, byShare));
}

function isMatch({ labels }: WaveAccount, { match = {} }: FleetWave): boolean {
  return Object.entries(match).every(([label, pattern]) => {
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
    return value !== undefined && globOf(pattern.split('*'))(value);
  });
}
