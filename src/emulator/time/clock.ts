// A clock that can be put forward. By how much is kept with the state, so that time does not run back at a new start.
import { INSTALLATION } from '../account/account.ts';
import type { Clock } from '../environment.ts';
import type { Rows } from '../store/store.ts';
import { openTable, type Table } from '../store/table.ts';

export interface ForwardClock {
  readonly now: Clock;
  /** Puts it forward, as part of a transaction. */
  forward(rows: Rows, milliseconds: number): void;
}

type ClockRecord = { readonly id: string; readonly ahead: number };

const ONLY = 'clock';

/** `clock`, as far ahead as the store says. */
export function newForwardClock(rows: Rows, clock: Clock): ForwardClock {
  let ahead = openClock(rows).get(ONLY)?.ahead ?? 0;
  return {
    now: () => new Date(clock().getTime() + ahead),
    forward: (open, milliseconds) => {
      ahead += milliseconds;
      openClock(open).put({ id: ONLY, ahead });
    },
  };
}

function openClock(rows: Rows): Table<ClockRecord> {
  return openTable(rows, INSTALLATION, 'clock');
}
