// The ledger of a rollout while a worker applies one account.
import type { HeldRollout } from '../apply/fleet/holdRollout.ts';
import type { RolloutRefusal } from '../apply/fleet/rolloutRefusal.ts';
import type { Transition } from '../fleet/rollout/transitions.ts';
import type { Ledger } from '../model/rollout.ts';
import { quoted } from '../model/text/visible.ts';
import { changeLedger, type LedgerTable, readLedger } from './ledgers.ts';

/** The parts of a rollout that applying one account needs. */
export type CarriedRollout = Pick<HeldRollout, 'runner' | 'ledger' | 'change'>;

/** The job, and its worker. */
export interface Carrying {
  readonly rollout: string;
  /** The path of the fleet file: jobs of other fleet files are not carried out. */
  readonly fleet: string;
  readonly account: string;
  /** The id of this attempt. The ledger treats each attempt as a different runner. */
  readonly runner: string;
  /** Whether the lock of the account is held. */
  readonly isHeld: () => Promise<boolean>;
}

/** Reads the ledger of a rollout, to carry out one account. */
export async function carryRollout(
  table: LedgerTable,
  { rollout, fleet, account, runner, isHeld }: Carrying,
): Promise<CarriedRollout | RolloutRefusal> {
  const read = await readLedger(table, { rollout, fleet });
  if ('refused' in read) return read;
  let known = read.ledger;
  let hasBegun = false;
  return {
    runner,
    ledger: () => known,
    change: async transition => {
      if (!(await isHeld())) return { is: 'lost', why: 'the lock of the account is lost' };
      const own = hasBegun ? onlyOf(account, runner, transition) : transition;
      const written = await changeLedger(table, rollout, own);
      if (written.is === 'done') {
        known = written.ledger;
        hasBegun ||= entryOf(known, account)?.runner === runner;
      }
      return written;
    },
  };
}

// Once another worker has begun an account again, the worker that began the account first writes nothing more about it.
const onlyOf =
  (account: string, runner: string, transition: Transition): Transition =>
  ledger => {
    const entry = entryOf(ledger, account);
    return entry?.state === 'running' && entry.runner !== runner
      ? { cannot: `another run applies ${quoted(account)}` }
      : transition(ledger);
  };

const entryOf = (ledger: Ledger, name: string) =>
  ledger.accounts.find(account => account.name === name);
