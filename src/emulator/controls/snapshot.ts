// The whole state of the emulator as a value that can be restored later.
import type { Json } from '../../model/value.ts';
import { done, ok } from '../request/answer.ts';
import { anything, list, object, type Read, text, whole } from '../request/body.ts';
import { invalid, Refusal } from '../request/refusal.ts';
import { INSTALLATION } from '../store/account.ts';
import type { Row, Rows } from '../store/store.ts';
import { type Control, refuseStrays } from './control.ts';

const FORM = 1;

/** Data that belongs to the running emulator and not to its state. */
const ITS_OWN = ['clock', 'starts'];

const SNAPSHOT = object({
  form: whole,
  rows: list(object({ scope: text, table: text, key: text, value: anything })),
});

/** The data of all accounts, including tokens as stored. */
export const takeSnapshot: Control = ({ rows }) =>
  ok({
    form: FORM,
    rows: stateIn(rows).map(({ scope, table, key, value }) => ({
      scope,
      table,
      key,
      // Rows contain only JSON.
      value: value as Json,
    })),
  });

/** Replaces all data with a snapshot. The emulator's own token still opens the first account. */
export const restoreSnapshot: Control = ({ rows, reopen, body }) => {
  putBack(rows, known(body(SNAPSHOT)));
  reopen(rows);
  return done();
};

export type Snapshot = Read<typeof SNAPSHOT>;

/** Reads a snapshot inside a body. Throws a refusal if the value is not one. */
export function knownSnapshot(json: Json): Snapshot {
  const snapshot = known(SNAPSHOT.read(json));
  refuseStrays(SNAPSHOT, json);
  return snapshot;
}

/** The error for a value that is not a snapshot of this kind of emulator. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot';
  /** Whether the snapshot was the initial state of tenants, and not of the emulator. */
  readonly isOfTenants: boolean;

  constructor(message: string, isOfTenants: boolean) {
    super(message);
    this.isOfTenants = isOfTenants;
  }
}

/** Parses a snapshot. Throws `UnusableSnapshot` if the value is not one. */
export function readSnapshot(json: Json): Snapshot {
  return usable(() => knownSnapshot(json));
}

/** Runs `work` with a snapshot, and returns its result. Throws `UnusableSnapshot` instead of a refusal. */
export function usable<T>(work: () => T, isOfTenants = false): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = error.status === 400 ? 'it is not a snapshot' : error.message;
    throw new UnusableSnapshot(reason, isOfTenants);
  }
}

function known(snapshot: Snapshot): Snapshot {
  if (snapshot.form !== FORM)
    throw invalid(`this emulator cannot read a snapshot of format ${snapshot.form}`);
  return snapshot;
}

/** Replaces the state with a snapshot. */
export function putBack(rows: Rows, { rows: kept }: Snapshot): void {
  for (const { scope, table, key } of stateIn(rows)) rows.remove(scope, table, key);
  for (const { scope, table, key, value } of kept) rows.put(scope, table, key, value);
}

function stateIn(rows: Rows): readonly Row[] {
  return rows
    .everything()
    .filter(({ scope, table }) => scope !== INSTALLATION || !ITS_OWN.includes(table));
}
