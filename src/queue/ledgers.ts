// The ledgers of rollouts in a table. Document, signature and transitions are the same as at a Git remote; a version number
// detects concurrent changes.
import type { WriteResult } from '../apply/fleet/ledgerWriter.ts';
import type { RolloutRefusal } from '../apply/fleet/rolloutRefusal.ts';
import { ledgerOfText, ledgerText } from '../fleet/rollout/ledgerText.ts';
import { type AccountIdentity, namesAmong, sameAccounts } from '../fleet/rollout/sameAccounts.ts';
import { isCannot, type Transition } from '../fleet/rollout/transitions.ts';
import type { Ledger } from '../model/rollout.ts';
import type { Signer } from '../model/signer.ts';
import type { Database, Statements } from './database.ts';

/** The database of the ledgers, and their signer. */
export interface LedgerTable {
  readonly database: Database;
  readonly signer: Signer;
}

/** The same for reading within a transaction. */
export interface LedgerReader {
  readonly database: Statements;
  readonly signer: Signer;
}

/** A ledger as the table has it. */
export interface StoredLedger {
  readonly version: number;
  readonly ledger: Ledger;
}

interface LedgerRow extends Readonly<Record<string, unknown>> {
  readonly rollout: string;
  /** PostgreSQL's `bigint` arrives as text. */
  readonly version: string;
  readonly ledger: string;
  readonly hmac: string;
}

const COLUMNS = 'rollout, version, ledger, hmac';

/**
 * The number of the lock under which rollouts start, so that each start sees the rollouts that were started before. Any number
 * will do if all machines use the same.
 */
const STARTING = 7_463_212;

/** Starts a rollout with a new ledger; refused while the fleet file, or one of the accounts, has an open rollout. */
export async function startLedger(
  table: LedgerTable,
  ledger: Ledger,
): Promise<{ readonly is: 'started'; readonly ledger: Ledger } | RolloutRefusal> {
  const text = ledgerText(ledger);
  const made = await table.database.transaction(async statements => {
    await statements.query('select pg_advisory_xact_lock($1)', [STARTING]);
    const reader = { database: statements, signer: table.signer };
    const taken = await ledgerWith(reader, { fleet: ledger.fleet, accounts: ledger.accounts });
    if (taken !== null) return taken;
    const rows = await statements.query(
      `insert into meshform_fleet.rollout (rollout, fleet, is_open, version, ledger, hmac)
       values ($1, $2, true, 1, $3, $4) on conflict do nothing returning rollout`,
      [ledger.rollout, ledger.fleet, text, table.signer.sign('rollout', text)],
    );
    return rows.length > 0 ? 'started' : 'exists';
  });
  if (made === 'started') return { is: 'started', ledger };
  if (made !== 'exists') return made;
  const open = await openLedger(table, ledger.fleet);
  if (open !== null && 'refused' in open) return open;
  // Either the answer to an earlier statement was lost, or the other rollout has just ended.
  if (open === null) return startLedger(table, ledger);
  return open.ledger.rollout === ledger.rollout
    ? { is: 'started', ledger: open.ledger }
    : { refused: 'rollout-open', ledger: open.ledger, isQueued: true };
}

/** The ledger of the open rollout of a fleet file; null if none is open. */
export async function openLedger(
  table: LedgerReader,
  fleet: string,
): Promise<StoredLedger | RolloutRefusal | null> {
  const [row] = await table.database.query<LedgerRow>(
    `select ${COLUMNS} from meshform_fleet.rollout where fleet = $1 and is_open`,
    [fleet],
  );
  return row ? storedIn(row, table.signer, fleet) : null;
}

/**
 * An open rollout of another fleet file with one of these accounts, as a refusal; null if there is none. A ledger that was not
 * signed with the key does not count as a rollout.
 */
export async function ledgerWith(
  { database, signer }: LedgerReader,
  {
    fleet,
    accounts: wanted,
  }: { readonly fleet: string; readonly accounts: readonly AccountIdentity[] },
): Promise<RolloutRefusal | null> {
  const isAmong = sameAccounts(wanted);
  for (const ledger of await othersIn({ database, signer }, fleet)) {
    const accounts = namesAmong(ledger, isAmong);
    if (accounts.length > 0)
      return { refused: 'accounts-in-rollout', ledger, accounts, isQueued: true };
  }
  return null;
}

/** The ledgers of open rollouts of other fleet files. */
export async function othersIn(
  { database, signer }: LedgerReader,
  fleet: string,
): Promise<readonly Ledger[]> {
  const rows = await database.query<LedgerRow>(
    `select ${COLUMNS} from meshform_fleet.rollout where fleet <> $1 and is_open`,
    [fleet],
  );
  return signedIn(rows, signer);
}

/**
 * The ledgers of all rollouts of all fleet files, open and finished. A ledger that was not signed with the key does not count as
 * a rollout.
 */
export async function ledgersIn({ database, signer }: LedgerReader): Promise<readonly Ledger[]> {
  const rows = await database.query<LedgerRow>(`select ${COLUMNS} from meshform_fleet.rollout`);
  return signedIn(rows, signer);
}

const signedIn = (rows: readonly LedgerRow[], signer: Signer): readonly Ledger[] =>
  rows.flatMap(row => {
    const stored = storedIn(row, signer);
    return 'refused' in stored ? [] : stored.ledger;
  });

/** The ledger of a rollout, found by fleet file and id. */
export async function readLedger(
  table: LedgerReader,
  { rollout, fleet }: { readonly rollout: string; readonly fleet: string },
): Promise<StoredLedger | RolloutRefusal> {
  const [row] = await table.database.query<LedgerRow>(
    `select ${COLUMNS} from meshform_fleet.rollout where rollout = $1`,
    [rollout],
  );
  return row ? storedIn(row, table.signer, fleet) : { refused: 'no-rollout', rollout };
}

/**
 * Applies a transition to the current ledger, and writes the result unless somebody else wrote
 * another version meanwhile. `besides` makes further writes in the same transaction.
 */
export function changeLedger(
  { database, signer }: LedgerTable,
  rollout: string,
  transition: Transition,
  besides?: (statements: Statements, ledger: Ledger) => Promise<void>,
): Promise<WriteResult> {
  return database.transaction(async statements => {
    const [row] = await statements.query<LedgerRow>(
      `select ${COLUMNS} from meshform_fleet.rollout where rollout = $1 for update`,
      [rollout],
    );
    if (row === undefined) return refused({ refused: 'no-rollout', rollout });
    const now = storedIn(row, signer);
    if ('refused' in now) return refused(now);
    const ledger = transition(now.ledger);
    if (isCannot(ledger)) return { is: 'cannot', ...ledger };
    const text = ledgerText(ledger);
    const written = await statements.query(
      `update meshform_fleet.rollout set ledger = $3, hmac = $4, version = version + 1, is_open = $5
       where rollout = $1 and version = $2 returning version`,
      [rollout, row.version, text, signer.sign('rollout', text), ledger.finished === undefined],
    );
    if (written.length === 0) return { is: 'refused', why: 'somebody else wrote the ledger' };
    await besides?.(statements, ledger);
    return { is: 'done', ledger };
  });
}

const REFUSED: Readonly<Record<string, string>> = {
  'no-rollout': 'the database does not have the rollout',
  'ledger-unverified': 'the ledger in the database is not signed with a key of this run',
  'ledger-unreadable': 'the ledger in the database cannot be read',
};

const refused = ({ refused: why }: RolloutRefusal): WriteResult => ({
  is: 'refused',
  why: REFUSED[why] ?? why,
});

// Only the document is signed: the values of the other columns must agree with it.
function storedIn(
  { rollout, version, ledger: text, hmac }: LedgerRow,
  signer: Signer,
  fleet?: string,
): StoredLedger | RolloutRefusal {
  const ref = `meshform_fleet.rollout/${rollout}`;
  if (!signer.isSigned('rollout', text, hmac))
    return { refused: 'ledger-unverified', ref, because: 'not-signed' };
  const ledger = ledgerOfText(text);
  if ('why' in ledger) return { refused: 'ledger-unreadable', ref, why: ledger.why };
  if (ledger.rollout !== rollout || (fleet !== undefined && ledger.fleet !== fleet))
    return { refused: 'ledger-unverified', ref, because: 'elsewhere' };
  return { version: Number(version), ledger };
}
