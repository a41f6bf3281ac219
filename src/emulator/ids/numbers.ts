// Numeric ids: each kind has its own counter, and no number is used again, even after a deletion.

import type { Environment } from '../environment.ts';
import type { Account } from '../store/account.ts';

/** The next number of a kind. */
export function nextNumber(account: Account, kind: string): number {
  const last = (account.sequences.get(kind)?.last ?? 0) + 1;
  account.sequences.put({ id: kind, last });
  return last;
}

/** Ensures that a chosen number is not assigned again. */
export function reserveNumber(account: Account, kind: string, number: number): void {
  const last = account.sequences.get(kind)?.last ?? 0;
  if (number > last) account.sequences.put({ id: kind, last: number });
}

/** The id in a response. An id that was assigned under the other dialect is shown as a text. */
export function shownId(id: string, { behaviour }: Environment): number | string {
  return behaviour.numberedIds === 'integers' && /^\d+$/.test(id) ? Number(id) : id;
}
