// Whether the recorded base that a plan was compared with was signed by an apply. Whoever can push a ref must not decide what is
// pruned.
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { UnverifiedBase } from '../refusal.ts';
import { type BaseHost, placeOf } from './place.ts';

/** The refusal for a plan that was compared with a base which no key of the signer has signed; null if there is none. */
export async function unverifiedBase(
  { base, folder }: Plan,
  host: BaseHost,
  signer: Signer,
): Promise<UnverifiedBase | null> {
  const commits = [base?.recorded ?? [], base?.believed ?? []].flat();
  for (const commit of commits) {
    const refusal = await unverified(commit, folder, host, signer);
    if (refusal) return refusal;
  }
  return null;
}

/** The refusal for a base that no key of the signer has signed; null if one has. */
export async function unverified(
  commit: string,
  folder: string,
  host: BaseHost,
  { isSigned }: Signer,
): Promise<UnverifiedBase | null> {
  const stored = await storedBase(placeOf(folder, host), commit).catch(() => null);
  if (stored === null) return { refused: 'base-unverified', commit, because: 'missing' };
  if ('why' in stored)
    return { refused: 'base-unverified', commit, because: 'unreadable', why: stored.why };
  return isSigned('base', stored.text, stored.signature)
    ? null
    : { refused: 'base-unverified', commit, because: 'not-signed' };
}
