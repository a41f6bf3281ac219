// Starts a rollout. One push creates its ledger and the ref that names the open rollout of its fleet file, so only one rollout is
// open.
import { rolloutRef } from '../../base/refName.ts';
import type { Ledger } from '../../model/rollout.ts';
import { readOpenRef, refusing, unreachable } from './readRollout.ts';
import type { RolloutRefusal } from './rolloutRefusal.ts';
import { type RolloutStore, signedLedger } from './signedLedger.ts';

/** A rollout that is open. */
export interface StartedRollout {
  /** `joined`: another shard has started it. */
  readonly is: 'started' | 'joined';
  readonly ledger: Ledger;
}

/** How many times a push is checked, if others also start a rollout or the remote answers slowly. */
const TRIES = 5;

/**
 * Starts the rollout of a new ledger. Refuses if another rollout is open. With `joins`, it joins an open rollout with the same
 * plans, because the shards of a rollout start independently of each other.
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
    // An earlier push started this rollout, but its answer was lost.
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
