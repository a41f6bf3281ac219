// A clock that can be advanced. The offset is stored with the state, so that time does not run backwards after a restart.

import type { Clock } from '../environment.ts';
import { INSTALLATION } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { openTable, type Table } from '../store/table.ts';

export interface ForwardClock {
  readonly now: Clock;
  /** Advances the clock, as part of a transaction. */
  forward(rows: Rows, milliseconds: number): void;
}

type ClockRecord = { readonly id: string; readonly ahead: number };

const ONLY = 'clock';

/** `clock`, advanced by the stored offset. */
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
