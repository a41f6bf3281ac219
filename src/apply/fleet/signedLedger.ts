// Ledgers with their signatures. Only somebody with the signing key can state what a rollout has
// done.
import { ledgerOfText, ledgerText } from '../../fleet/rollout/ledgerText.ts';
import type { Ledger } from '../../model/rollout.ts';
import type { Signer } from '../../model/signer.ts';
import type { SigningKeyRefusal } from '../refusal.ts';
import { type SigningKeys, signerOf } from '../signing/signer.ts';
import type { RolloutRefusal } from './rolloutRefusal.ts';
import type { RolloutRemote, SignedText } from './rolloutRemote.ts';

/** The store of the ledgers of rollouts, and their signer. */
export interface RolloutStore {
  readonly remote: RolloutRemote;
  readonly signer: Signer;
}

/**
 * The signer of a fleet; a refusal if there is no signing key. The accounts of a fleet have many
 * tokens, so no single token could replace the key.
 */
export const rolloutSigner = (
  keys: Pick<SigningKeys, 'signingKey' | 'onSecret'>,
): Signer | SigningKeyRefusal => signerOf({ ...keys, token: '' });

/** The document of a ledger with its signature. */
export function signedLedger(signer: Signer, ledger: Ledger): SignedText {
  const text = ledgerText(ledger);
  return { text, signature: signer.sign('rollout', text) };
}

/**
 * The unverified content of the ledger in a commit; null if the commit contains no ledger. Used
 * only to determine whether a refusal is needed.
 */
export async function claimAt({ remote }: RolloutStore, commit: string): Promise<Ledger | null> {
  const document = await remote.documentIn(commit);
  const ledger = document === null ? null : ledgerOfText(document.text);
  return ledger === null || 'why' in ledger ? null : ledger;
}

/** The ledger at a ref; a refusal if it is not signed or cannot be read. */
export async function ledgerAt(
  { remote, signer }: RolloutStore,
  ref: string,
  commit: string,
): Promise<Ledger | RolloutRefusal> {
  const document = await remote.documentIn(commit);
  if (document === null)
    return { refused: 'ledger-unreadable', ref, why: 'its commit has no document' };
  if (!signer.isSigned('rollout', document.text, document.signature))
    return { refused: 'ledger-unverified', ref, because: 'not-signed' };
  const ledger = ledgerOfText(document.text);
  return 'why' in ledger ? { refused: 'ledger-unreadable', ref, why: ledger.why } : ledger;
}
