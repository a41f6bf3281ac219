// The state of the account in one observation: the connected machines, the settings of the log, and
// everything on which access depends.

import {
  accountIdIn,
  connectedIn,
  keptAnswers,
  LOG_KIND,
  lastSeenIn,
  logSettingsIn,
} from '../../access/state/keptAnswers.ts';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { ACCESS_KINDS } from '../../access/state/stateOfLive.ts';
import { domainsIn, NAME_KINDS } from '../../access/state/zones.ts';
import { readAnswers } from '../../api/account/answers.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { readKinds } from '../../kinds/registry.ts';
import type { Fields } from '../../model/value.ts';
import type { SeenAccount } from '../../usage/store/nextObservation.ts';
import { stateChange } from '../../usage/store/stateLog.ts';

/** The settings with which an account is read. */
export interface AccountReading {
  readonly transport: ReadTransport;
  readonly concurrency: number;
  readonly hasPeople: boolean;
  readonly now: () => number;
}

/** The answers of the account, its id, and the reason if its access is unknown. */
export interface ReadAccount extends SeenAccount {
  readonly id: string;
  readonly fault: string | null;
}

/** The maximum number of times an account is read if it changes during a read. */
const READINGS = 3;

/** Reads the account. `last`: the answers from the last observation. */
export async function accountSeen(
  reading: AccountReading,
  last: Fields | null,
): Promise<ReadAccount> {
  let seen = await readOnce(reading);
  let before = last;
  // A changed answer may mix the old and the new state. It counts only if two reads return it.
  for (let times = 1; times < READINGS && isOther(before, seen.answers); times++) {
    before = seen.answers;
    seen = await readOnce(reading);
  }
  return seen;
}

const isOther = (before: Fields | null, now: Fields | null): boolean =>
  now !== null && (before === null || stateChange(before, now) !== null);

async function readOnce(reading: AccountReading): Promise<ReadAccount> {
  const { transport, concurrency, hasPeople, now } = reading;
  const read = (names: ReadonlySet<string>) =>
    readAnswers(transport, readKinds(), names, concurrency);
  const from = now();
  const { lists, unavailable } = await read(ACCESS_KINDS.union(new Set([LOG_KIND])));
  const answered = stateOfAnswers(lists);
  const isNamed = !('faults' in answered) && domainsIn(answered.state).length > 0;
  // DNS names matter only if a rule gives access to a name.
  const names = isNamed ? (await read(NAME_KINDS)).lists : {};
  const [why] = Object.values(unavailable);
  return {
    span: { from, to: now() },
    answers: 'faults' in answered ? null : keptAnswers({ ...lists, ...names }, { hasPeople }),
    fault: 'faults' in answered ? (why ?? answered.faults[0]) : null,
    connected: connectedIn(lists),
    lastSeen: lastSeenIn(lists),
    log: logSettingsIn(lists),
    id: accountIdIn(lists),
  };
}
