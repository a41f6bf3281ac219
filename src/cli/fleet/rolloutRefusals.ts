// Why a rollout does not begin or go on, in sentences.
import type { NotHeld } from '../../apply/fleet/rolloutLease.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** The end of a command whose rollout does not begin or go on. */
export function rolloutStop(refusal: NotHeld): Stop {
  switch (refusal.refused) {
    case 'rollout-open':
      return new Stop(
        EXIT.refused,
        `the fleet has an open rollout, ${refusal.ledger.rollout}, begun at ${refusal.ledger.started_at}`,
        'go on with it by `meshform fleet apply --continue`; `meshform fleet status` shows how far it is',
      );
    case 'no-rollout':
      return new Stop(
        EXIT.invalid,
        `the remote has no rollout ${quoted(refusal.rollout)}`,
        '`meshform fleet status` shows the open rollout',
      );
    case 'rollout-finished':
      return new Stop(
        EXIT.refused,
        `the rollout ${refusal.ledger.rollout} is finished`,
        'plan again with `meshform fleet plan`',
      );
    case 'rollout-busy':
      return new Stop(
        EXIT.refused,
        `another run carries out the rollout ${refusal.rollout}:`,
        'wait for it with --wait, such as --wait 10m; it is taken over once it is gone',
        holderText(refusal.by).trimEnd().split('\n'),
      );
    case 'rollout-not-waited':
      return new Stop(
        EXIT.interrupted,
        `interrupted while another run carried out the rollout ${refusal.rollout}`,
        'nothing was begun',
      );
    case 'ledger-unverified':
      return new Stop(
        EXIT.refused,
        refusal.because === 'not-signed'
          ? `the ledger at ${nameText(refusal.ref)} is not signed with this key`
          : `the ledger at ${nameText(refusal.ref)} belongs to another rollout`,
        'use the MESHFORM_SIGNING_KEY of the run that began it; if somebody else wrote it, delete the ref and find out who',
      );
    case 'ledger-unreadable':
      return new Stop(
        EXIT.refused,
        `the ledger at ${nameText(refusal.ref)} cannot be read: ${refusal.why}`,
        'use the version of meshform that began the rollout',
      );
    default:
      return new Stop(
        EXIT.refused,
        refusal.refused === 'remote-refuses'
          ? `the remote ${quoted(refusal.remote)} does not take the ledger of a rollout: ${refusal.why}`
          : `the remote ${quoted(refusal.remote)} cannot be reached: ${refusal.why}`,
        refusal.hint ?? 'allow refs/meshform-* at the remote: docs/locks.md',
      );
  }
}
