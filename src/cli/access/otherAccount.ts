// Refuses observed traffic of another account, because no access in the comparison would seem to be
// in use.
import { quoted } from '../../model/text/visible.ts';
import type { Project } from '../../source/project/project.ts';
import { accountOf, type Observed } from '../../usage/observed.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** The files or the account with which the observed traffic is compared. */
export interface ComparedWith {
  /** The id of its account; undefined if it is not known. */
  readonly account: string | undefined;
  /** The clause before the id of that account, such as `these files are for`. */
  readonly is: string;
  /** The other remedy if the store is right, such as `correct it there`. */
  readonly otherwise?: string;
}

/**
 * Throws a `Stop` if the observed traffic belongs to another account than the compared files or
 * account.
 */
export function refuseOtherAccount(
  observed: Observed | undefined,
  { account: other, is, otherwise }: ComparedWith,
): void {
  const account = observed && accountOf(observed);
  if (other === undefined || account === undefined || other === account) return;
  const name = 'name the store of this account with --store';
  throw new Stop(
    EXIT.environment,
    `the observed traffic belongs to the account ${quoted(account)}, and ${is} ${quoted(other)}`,
    otherwise === undefined ? name : `${name}, or ${otherwise}`,
  );
}

/**
 * The files, in the form for a comparison with observed traffic. The account of the files is known
 * only if the project file names it.
 */
export const ofFiles = ({ account }: Pick<Project, 'account'>): ComparedWith => ({
  account,
  is: 'these files are for',
  otherwise: 'correct `account` in meshform.yaml',
});
