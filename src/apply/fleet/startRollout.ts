// Starts a rollout: its ledger and the ref that names the open rollout of its fleet file are made in one push, so there is only one.
import { rolloutRef } from '../../base/refName.ts';
import type { Ledger } from '../../model/rollout.ts';
import { readOpenRef, refusing, unreachable } from './readRollout.ts';
import type { RolloutRefusal } from './refusal.ts';
import { type RolloutStore, signedLedger } from './signedLedger.ts';

/** A rollout that is open. */
export interface StartedRollout {
  /** `joined`: another shard has started it. */
  readonly is: 'started' | 'joined';
  readonly ledger: Ledger;
}

/** How often the outcome of a push is looked at, where others start a rollout too or the remote is slow to answer. */
const TRIES = 5;

/**
 * Starts the rollout of a new ledger. One that is open is refused; with `joins`, one with the same plans is joined, because the shards of
 * a rollout start without knowing of each other.
 */
export async function startRollout(
  store: RolloutStore,
  ledger: Ledger,
  { joins = false }: { readonly joins?: boolean } = {},
): Promise<StartedRollout | RolloutRefusal> {
  const { remote, signer } = store;
  const commit = await remote.write(signedLedger(signer, ledger), null);
  const first = { ref: rolloutRef(ledger.rollout), from: null, to: commit };
  let last: RolloutRefusal = { refused: 'remote-unreachable', remote: remote.name, why: '' };
  for (let tries = 0; tries < TRIES; tries++) {
    const open = await readOpenRef(store, ledger.fleet);
    if ('refused' in open) return open;
    const other = open.rollout?.ledger;
    // The answer to an earlier push was lost.
    if (other?.rollout === ledger.rollout) return { is: 'started', ledger: other };
    if (other && !other.finished)
      return joins && other.plans === ledger.plans
        ? { is: 'joined', ledger: other }
        : { refused: 'rollout-open', ledger: other };
    const pushed = await remote.push([first, { ref: open.ref, from: open.commit, to: commit }]);
    if (pushed.is === 'done') return { is: 'started', ledger };
    if (pushed.is === 'refused') return refusing(remote.name, pushed);
    const why = pushed.is === 'unknown' ? pushed : { why: `its refs change all the time` };
    last = unreachable(remote.name, why);
  }
  return last;
}
