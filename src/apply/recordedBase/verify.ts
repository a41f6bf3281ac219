// Verifies that an apply signed the recorded base with which a plan was compared, for the account
// and the folder of the plan. A user who can only push a ref must not decide what is pruned.
import { baseRef } from '../../base/refName.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { type StoredBase, storedBase } from '../../read/git/storedBases.ts';
import type { UnverifiedBase } from '../refusal.ts';
import { type BaseHost, placeOf } from './gitPlace.ts';

/**
 * The refusal if no key of the signer has signed, for this plan, the base with which the plan was
 * compared; otherwise null.
 */
export async function unverifiedBase(
  plan: Plan,
  host: BaseHost,
  signer: Signer,
): Promise<UnverifiedBase | null> {
  const { recorded, believed = [] } = plan.base ?? {};
  for (const commit of [recorded ?? [], believed].flat()) {
    const isOfPlan = commit === recorded ? isOfFolder : isOfAccount;
    const refusal = await unverified(commit, plan, { host, signer, isOfPlan });
    if (refusal) return refusal;
  }
  return null;
}

/**
 * The host and the signer that verify a base. By default, the base must belong to the account of
 * the plan.
 */
interface Verifying {
  readonly host: BaseHost;
  readonly signer: Signer;
  readonly isOfPlan?: (stored: StoredBase, plan: Pick<Plan, 'account' | 'base'>) => boolean;
}

/** The refusal if no key of the signer has signed a base for a plan; otherwise null. */
export async function unverified(
  commit: string,
  plan: Pick<Plan, 'folder' | 'account' | 'base'>,
  { host, signer, isOfPlan = isOfAccount }: Verifying,
): Promise<UnverifiedBase | null> {
  const stored = await storedBase(placeOf(plan.folder, host), commit).catch(() => null);
  if (stored === null) return { refused: 'base-unverified', commit, because: 'missing' };
  if ('why' in stored)
    return { refused: 'base-unverified', commit, because: 'unreadable', why: stored.why };
  if (!signer.isSigned('base', stored.text, stored.signature))
    return { refused: 'base-unverified', commit, because: 'not-signed' };
  return isOfPlan(stored, plan)
    ? null
    : { refused: 'base-unverified', commit, because: 'elsewhere' };
}

const isOfAccount = ({ base }: StoredBase, { account }: Pick<Plan, 'account'>): boolean =>
  base.account === account;

// A plan that records no base does not contain the name of its folder.
const isOfFolder = (stored: StoredBase, plan: Pick<Plan, 'account' | 'base'>): boolean =>
  isOfAccount(stored, plan) &&
  (plan.base?.content === undefined ||
    baseRef(stored.base.account, stored.base) === baseRef(stored.base.account, plan.base.content));
