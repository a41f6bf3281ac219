// Sends the next jobs of a rollout. Any worker may do this at any time. The database records which jobs were sent, so no job is
// sent twice, and no job is lost if a worker dies before it sends the job.
import { nextStep, type RolloutStep } from '../fleet/rollout/next.ts';
import type { AccountIdentity } from '../fleet/rollout/sameAccounts.ts';
import { complete, isCannot } from '../fleet/rollout/transitions.ts';
import type { Ledger } from '../model/rollout.ts';
import type { Statements } from './database.ts';
import type { AccountJob, Jobs } from './jobs.ts';
import { changeLedger, type LedgerTable, openLedger } from './ledgers.ts';

/** The parts that sending the jobs of a fleet file needs. */
export interface Advancing {
  readonly table: LedgerTable;
  readonly jobs: Pick<Jobs, 'send' | 'jobOf'>;
  readonly fleet: string;
  readonly now: () => number;
}

/** The state of a rollout after its next jobs were queued. */
export interface Advanced {
  readonly ledger: Ledger;
  readonly step: RolloutStep;
  /** The accounts whose jobs were sent. */
  readonly sent: readonly string[];
  /** The accounts for which the queue already has a job of another rollout. */
  readonly refused: readonly string[];
}

/**
 * The key of an account in the queue and its locks. It contains the server and the id, because two fleet files may name one
 * account differently, and two servers may report the same id.
 */
export const keyOfAccount = ({ account, server, name }: AccountIdentity): string =>
  server === undefined ? (account ?? name) : `${server} ${account ?? name}`;

/** The id of the account with this key, or its name if the id is not known. */
export const accountOfKey = (key: string): string => key.replace(/^https?:\/\/\S+ /, '');

/** Queues the next jobs of the open rollout of a fleet file; null if none is open. Rejects if its ledger cannot be used. */
export async function advance(advancing: Advancing): Promise<Advanced | null> {
  const { table, fleet, now } = advancing;
  const open = await openLedger(table, fleet);
  if (open === null) return null;
  if ('refused' in open) throw new Error(`the ledger of the rollout is ${open.refused}`);
  const { rollout } = open.ledger;
  let sent: readonly string[] = [];
  let step: RolloutStep | undefined;
  // The row of the ledger stays locked during the transaction, so simultaneous workers take turns.
  const changed = await table.database.transaction(async statements => {
    const rows = await statements.query(
      'select 1 from meshform_fleet.rollout where rollout = $1 and is_open for update skip locked',
      [rollout],
    );
    // Another worker is advancing this rollout.
    if (rows.length === 0) return null;
    const before = await sentOf(statements, rollout);
    const current = await openLedger({ database: statements, signer: table.signer }, fleet);
    if (current === null || 'refused' in current) return null;
    step = nextStep(current.ledger, { now: now(), isDead: ({ name }) => !before.has(name) });
    if (step.is !== 'apply' && step.is !== 'check') return { ledger: current.ledger, refused: [] };
    const waiting = step.accounts.filter(name => !before.has(name));
    const made = await sendEach(advancing, statements, {
      ledger: current.ledger,
      step: step.is,
      names: waiting,
    });
    sent = made.sent;
    return { ledger: current.ledger, refused: made.refused };
  });
  if (changed === null || step === undefined) return null;
  if (step.is === 'done') await changeLedger(table, rollout, finished(now()));
  return { ...changed, step, sent };
}

// The transition that completes a rollout, unless another worker has completed it meanwhile.
const finished = (at: number) => (ledger: Ledger) => {
  const done = complete(at)(ledger);
  return isCannot(done) ? ledger : done;
};

async function sendEach(
  { jobs }: Advancing,
  statements: Statements,
  {
    ledger,
    step,
    names,
  }: {
    readonly ledger: Ledger;
    readonly step: AccountJob['step'];
    readonly names: readonly string[];
  },
): Promise<{ readonly sent: readonly string[]; readonly refused: readonly string[] }> {
  const { rollout } = ledger;
  const byName = new Map(ledger.accounts.map(account => [account.name, account]));
  const sent: string[] = [];
  const refused: string[] = [];
  for (const name of names) {
    const entry = byName.get(name);
    if (entry === undefined) continue;
    const job = { rollout, account: name, step };
    if (await jobs.send(statements, keyOfAccount(entry), job)) {
      await statements.query(
        'insert into meshform_fleet.sent (rollout, account) values ($1, $2) on conflict do nothing',
        [rollout, name],
      );
      sent.push(name);
      continue;
    }
    // The job of the account's last step may not be over yet; any other job belongs to another fleet file.
    const other = await jobs.jobOf(keyOfAccount(entry));
    if (other !== undefined && other.rollout !== rollout) refused.push(name);
  }
  return { sent, refused };
}

async function sentOf({ query }: Statements, rollout: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ account: string }>(
    'select account from meshform_fleet.sent where rollout = $1',
    [rollout],
  );
  return new Set(rows.map(({ account }) => account));
}

/** Records that the job of an account is over, so that its next job can be sent. */
export async function jobOver(
  { query }: Statements,
  { rollout, account }: Pick<AccountJob, 'rollout' | 'account'>,
): Promise<void> {
  await query('delete from meshform_fleet.sent where rollout = $1 and account = $2', [
    rollout,
    account,
  ]);
}

/** Lets a rollout continue: accounts whose jobs are dead letters get new jobs. */
export async function jobsAgain({ query }: Statements, rollout: string): Promise<void> {
  await query('delete from meshform_fleet.sent where rollout = $1', [rollout]);
}
