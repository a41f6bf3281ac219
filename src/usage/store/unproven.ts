// The journal of a store of format version 1 does not say to which store it belongs. The machines
// and groups in it show whether it belongs to this account.
import { idsOfAccount } from '../../access/state/keptAnswers.ts';
import type { Manifest } from './manifest.ts';
import type { Observation } from './observation.ts';
import { type LoggedState, statesIn } from './stateLog.ts';

/** A journal that nothing binds to its store. */
export interface UnprovenJournal {
  /** The ids of the machines and groups in the journal. */
  readonly ids: ReadonlySet<string>;
  /** The ids of the machines and groups in the other files of the store, which are its own. */
  readonly stored: ReadonlySet<string>;
}

/** The journal of a manifest, if nothing binds it to its store; otherwise null. `states`: those outside the journal. */
export function unprovenJournal(
  { begin }: Pick<Manifest, 'begin'>,
  states: readonly LoggedState[],
  observations: readonly Observation[],
): UnprovenJournal | null {
  if (begin !== undefined || observations.length === 0) return null;
  const signs = observations.flatMap(({ days }) => days.map(day => day.signs));
  const machines = signs.flatMap(signed => Array.from(signed.keys()));
  const seen = observations.flatMap(({ state }) => state ?? []);
  return {
    ids: idsIn(seen).union(new Set(machines)),
    stored: idsIn(states),
  };
}

/** Whether a journal has machines or groups, and none of them is of the account with these ids. */
export const isOfOther = (
  { ids, stored }: UnprovenJournal,
  account: ReadonlySet<string>,
): boolean => ids.size > 0 && ids.isDisjointFrom(stored) && ids.isDisjointFrom(account);

function idsIn(states: readonly LoggedState[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { account } of statesIn(states)) for (const id of idsOfAccount(account)) ids.add(id);
  return ids;
}
