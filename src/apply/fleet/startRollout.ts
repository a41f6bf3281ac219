// Starts a rollout. One push creates its ledger and the ref that names the open rollout of its
// fleet file, so only one rollout of the file is open. No account is in the open rollouts of two
// files.
import { rolloutRef } from '../../base/refName.ts';
import { abandon, isCannot } from '../../fleet/rollout/transitions.ts';
import type { Ledger } from '../../model/rollout.ts';
import type { RefMove } from '../../read/remote/remoteRefs.ts';
import { othersOpen, readOpenRef, refusing, rolloutWith, unreachable } from './readRollout.ts';
import type { RolloutRefusal } from './rolloutRefusal.ts';
import { type RolloutStore, signedLedger } from './signedLedger.ts';

/** A rollout that is open. */
export interface StartedRollout {
  /** `joined`: another shard has started the rollout. */
  readonly is: 'started' | 'joined';
  readonly ledger: Ledger;
}

/**
 * How many times a push is checked if others also start a rollout, or if the remote answers slowly.
 */
const TRIES = 5;

/**
 * Starts the rollout of a new ledger. Refuses if another rollout of the fleet file, or of one of
 * the accounts, is open. With `joins`, it joins an open rollout with the same plans, because the
 * shards of a rollout start independently of each other.
 */
export async function startRollout(
  store: RolloutStore,
  ledger: Ledger,
  { joins = false }: { readonly joins?: boolean } = {},
): Promise<StartedRollout | RolloutRefusal> {
  const { remote, signer } = store;
  const { commit, objects } = await remote.make(signedLedger(signer, ledger), null);
  const first = { ref: rolloutRef(ledger.rollout), from: null, to: commit, objects };
  let last: RolloutRefusal = { refused: 'remote-unreachable', remote: remote.name, why: '' };
  for (let tries = 0; tries < TRIES; tries++) {
    const open = await readOpenRef(store, ledger.fleet);
    if ('refused' in open) return open;
    const other = open.rollout?.ledger;
    // An earlier push started this rollout, but the response was lost.
    if (other?.rollout === ledger.rollout)
      return startedAlone(store, other, { first, open: open.ref });
    if (other && !other.finished)
      return joins && other.plans === ledger.plans
        ? { is: 'joined', ledger: other }
        : { refused: 'rollout-open', ledger: other };
    const taken = await rolloutWith(store, ledger.accounts, open.others);
    if (taken !== null) return taken;
    const pushed = await remote.push([first, { ref: open.ref, from: open.commit, to: commit }]);
    if (pushed.is === 'done') return startedAlone(store, ledger, { first, open: open.ref });
    if (pushed.is === 'refused') return refusing(remote.name, pushed);
    const why = pushed.is === 'unknown' ? pushed : { why: `its refs keep changing` };
    last = unreachable(remote.name, why);
  }
  return last;
}

/** The refs of a rollout that was just started. */
interface StartedRefs {
  readonly first: RefMove & { readonly to: string };
  /** The ref that names the open rollout. */
  readonly open: string;
}

// Checks for conflicts after the push. A push cannot prevent two rollouts with the same accounts,
// because two fleet files have different refs. If two such rollouts start at the same time, either
// both see each other after their pushes, or only the later rollout sees the earlier one. A rollout
// that sees another one withdraws.
async function startedAlone(
  store: RolloutStore,
  ledger: Ledger,
  { first, open }: StartedRefs,
): Promise<StartedRollout | RolloutRefusal> {
  const { remote, signer } = store;
  const others = await othersOpen(store, ledger.fleet);
  // If the remote does not answer, the rollout stays open, because its next step needs the remote too.
  const taken = 'refused' in others ? null : await rolloutWith(store, ledger.accounts, others);
  if (taken === null) return { is: 'started', ledger };
  const ended = abandon(WITHDRAWN, Date.parse(ledger.started_at))(ledger);
  if (isCannot(ended)) return taken;
  const { commit: to, objects } = await remote.make(signedLedger(signer, ended), first.to);
  const end = { ref: first.ref, from: first.to, to, objects };
  const pushed = await remote.push([end, { ref: open, from: first.to, to: null }]);
  // If the remote refuses to delete refs, the ref names a finished rollout afterwards.
  if (pushed.is === 'refused') await remote.push([end]);
  return taken;
}

const WITHDRAWN =
  'the rollout of another fleet file with the same accounts started at the same time';
