// The ledger, the lock and the pace of a queue, in a real PostgreSQL.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newThrottle } from '../../src/api/transport/throttle.ts';
import { signerOf } from '../../src/apply/signing/signer.ts';
import { abandon, begin, ended } from '../../src/fleet/rollout/transitions.ts';
import type { Signer } from '../../src/model/signer.ts';
import { accountOfKey, keyOfAccount } from '../../src/queue/advance.ts';
import { carryRollout } from '../../src/queue/carrying.ts';
import { type Database, openDatabase, type Session } from '../../src/queue/database.ts';
import { DatabaseClock } from '../../src/queue/databaseClock.ts';
import {
  changeLedger,
  type LedgerTable,
  ledgersIn,
  openLedger,
  readLedger,
  startLedger,
} from '../../src/queue/ledgers.ts';
import { sharedThrottle } from '../../src/queue/pace.ts';
import { SessionLocks } from '../../src/queue/sessionLock.ts';
import { makeTables } from '../../src/queue/tables.ts';
import { fleetOf, ledgerOf } from '../fleet/rollout/simulation.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

let postgres: TestPostgres;
beforeAll(() => {
  postgres = startPostgres();
});
afterAll(() => postgres.stop());

const KEY = 'a key that is long enough to sign the ledger of a fleet with';
const signer = (signingKey = KEY) => signerOf({ signingKey, token: '' }) as Signer;

async function opened(url = postgres.database()): Promise<Database> {
  const database = await openDatabase(url, { name: 'test' });
  onTestFinished(() => database.close());
  await makeTables(database);
  return database;
}

const LEDGER = ledgerOf(fleetOf(3, [{ bake: 0 }]));
const [NAME = ''] = LEDGER.accounts.map(({ name }) => name);

async function started(): Promise<LedgerTable> {
  const table = { database: await opened(), signer: signer() };
  expect(await startLedger(table, LEDGER)).toEqual({ is: 'started', ledger: LEDGER });
  return table;
}

describe('ledgers', () => {
  test('are created once if several workers start concurrently', async () => {
    const url = postgres.database();
    await Promise.all([opened(url), opened(url), opened(url)]);
  });

  test('only one of two rollouts of a fleet file that start concurrently is opened', async () => {
    const table = { database: await opened(), signer: signer() };
    const made = await Promise.all(
      ['one', 'two', 'three'].map(rollout => startLedger(table, { ...LEDGER, rollout })),
    );
    expect(made.filter(one => 'is' in one)).toHaveLength(1);
    const refused = made.filter(one => 'refused' in one).map(({ refused }) => refused);
    expect(refused).toEqual(['rollout-open', 'rollout-open']);
    // Of another fleet file there may be another one.
    const other = { ...LEDGER, rollout: 'four', fleet: 'other/fleet.yaml' };
    expect(await startLedger(table, other)).toMatchObject({ is: 'started' });
  });

  test('accounts that another fleet file has in an open rollout are not started, even if both rollouts start concurrently', async () => {
    const table = { database: await opened(), signer: signer() };
    const accounts = LEDGER.accounts.map(one => ({ ...one, account: `id of ${one.name}` }));
    const made = await Promise.all(
      ['one', 'two', 'three'].map(rollout =>
        startLedger(table, { ...LEDGER, accounts, rollout, fleet: `${rollout}.yaml` }),
      ),
    );
    expect(made.filter(one => 'is' in one)).toHaveLength(1);
    const refused = made.flatMap(one => ('refused' in one ? [one] : []));
    const taken = { refused: 'accounts-in-rollout', isQueued: true };
    expect(refused).toMatchObject([taken, taken]);
  });

  test('accounts with the same ids at another server, which may report any id, are started', async () => {
    const table = { database: await opened(), signer: signer() };
    for (const [rollout, server] of Object.entries({ one: 'https://a', two: 'https://b' })) {
      const accounts = LEDGER.accounts.map(one => ({ ...one, account: 'the same', server }));
      const ledger = { ...LEDGER, accounts, rollout, fleet: `${rollout}.yaml` };
      expect(await startLedger(table, ledger)).toMatchObject({ is: 'started' });
    }
    const keys = ['https://a', 'https://b'].map(server =>
      keyOfAccount({ name: NAME, account: 'the same', server }),
    );
    expect(new Set(keys).size).toBe(2);
    expect(keys.map(accountOfKey)).toEqual(['the same', 'the same']);
  });

  test('the accounts of the next rollout can be started once the open rollout is finished', async () => {
    const table = await started();
    await changeLedger(table, LEDGER.rollout, abandon('enough', 0));
    expect(await openLedger(table, LEDGER.fleet)).toBeNull();
    expect(await startLedger(table, { ...LEDGER, rollout: 'next' })).toMatchObject({
      is: 'started',
    });
  });

  test('lose no simultaneous change, and begin each account once', async () => {
    const table = await started();
    const runners = ['a', 'b', 'c', 'd'];
    const all = LEDGER.accounts.flatMap(({ name }) =>
      runners.map(async runner => {
        const begun = await changeLedger(table, LEDGER.rollout, begin(name, runner, 0));
        if (begun.is !== 'done') return begun.is;
        const end = ended(name, { code: 0 }, 1);
        return (await changeLedger(table, LEDGER.rollout, end)).is;
      }),
    );
    await Promise.all(all);
    const read = await readLedger(table, LEDGER);
    const states = 'refused' in read ? [] : read.ledger.accounts.map(({ state }) => state);
    expect(states).toEqual(['applied', 'applied', 'applied']);
  });

  test('are all read to learn who applied an account, open and finished', async () => {
    const table = await started();
    await changeLedger(table, LEDGER.rollout, abandon('enough', 0));
    await startLedger(table, { ...LEDGER, rollout: 'next' });
    const all = await ledgersIn(table);
    expect(all.map(({ rollout }) => rollout).sort()).toEqual([LEDGER.rollout, 'next'].sort());
  });

  test('ledgers that somebody without the key wrote are not used', async () => {
    const table = await started();
    await table.database.query(
      `update meshform_fleet.rollout set ledger = replace(ledger, '"waiting"', '"healthy"')`,
    );
    const unverified = { refused: 'ledger-unverified', because: 'not-signed' };
    expect(await openLedger(table, LEDGER.fleet)).toMatchObject(unverified);
    const change = await changeLedger(table, LEDGER.rollout, begin(NAME, 'a', 0));
    expect(change).toMatchObject({ is: 'refused' });
    expect(await ledgersIn(table)).toEqual([]);
  });

  test('ledgers with a valid signature are not used in place of another ledger', async () => {
    const table = await started();
    const other = { ...LEDGER, rollout: 'other', fleet: 'other/fleet.yaml' };
    await startLedger(table, other);
    await table.database.query(
      `update meshform_fleet.rollout one set ledger = two.ledger, hmac = two.hmac
       from meshform_fleet.rollout two where two.rollout = 'other'`,
    );
    expect(await readLedger(table, LEDGER)).toMatchObject({
      refused: 'ledger-unverified',
      because: 'elsewhere',
    });
  });

  test('ledgers of another fleet file are not used, whatever the columns beside them say', async () => {
    const table = await started();
    await table.database.query(`update meshform_fleet.rollout set fleet = 'other/fleet.yaml'`);
    const elsewhere = { refused: 'ledger-unverified', because: 'elsewhere' };
    expect(await openLedger(table, 'other/fleet.yaml')).toMatchObject(elsewhere);
    const job = { rollout: LEDGER.rollout, fleet: 'other/fleet.yaml', account: NAME };
    const carrying = { ...job, runner: 'a', isHeld: () => Promise.resolve(true) };
    expect(await carryRollout(table, carrying)).toMatchObject(elsewhere);
  });
});

describe('the lock of an account', () => {
  const clock = { now: 0 };
  const locksOf = (database: Database, worker: string) => {
    const locks = new SessionLocks({
      database,
      signer: signer(),
      worker,
      requestLimit: 5000,
      sleep: milliseconds => {
        clock.now += milliseconds;
        return Promise.resolve();
      },
      monotonic: () => clock.now,
    });
    onTestFinished(() => locks.close());
    return locks;
  };

  test('is held by one worker, and by one job of a worker', async () => {
    const url = postgres.database();
    const one = locksOf(await opened(url), 'one');
    const two = locksOf(await opened(url), 'two');
    const held = await one.take('acme');
    expect(await held?.mayWrite()).toBe(true);
    expect(await one.take('acme')).toBeNull();
    expect(await two.take('acme')).toBeNull();
    expect(await two.take('other')).not.toBeNull();
    await held?.release();
    expect(await held?.mayWrite()).toBe(false);
    expect(await two.take('acme')).not.toBeNull();
  });

  test('is taken without waiting for writes if its holder released it', async () => {
    const url = postgres.database();
    const one = await locksOf(await opened(url), 'one').take('acme');
    await one?.announceHolder('run 1');
    await one?.release();
    const before = clock.now;
    const two = await locksOf(await opened(url), 'two').take('acme');
    expect(await two?.mayWrite()).toBe(true);
    expect(clock.now).toBe(before);
    expect(two?.isLost('run 1')).toBe(false);
  });

  test('is lost with the connection: its worker writes no more, and the next one waits for its last write', async () => {
    const url = postgres.database();
    const database = await opened(url);
    const one = await locksOf(database, 'one').take('acme');
    await one?.announceHolder('run 1');
    const next = locksOf(await opened(url), 'two');
    await database.query(
      `select pg_terminate_backend(l.pid) from pg_locks l where locktype = 'advisory'
         and l.database = (select oid from pg_database where datname = current_database())`,
    );
    expect(await one?.mayWrite()).toBe(false);
    const two = await next.take('acme');
    expect(two?.isLost('run 1')).toBe(true);
    expect(two?.isLost('run 2')).toBe(false);
    const before = clock.now;
    expect(await two?.mayWrite()).toBe(true);
    expect(clock.now - before).toBe(5000);
    // The lost one gives nothing back that is no longer its own.
    await one?.release();
    expect(await two?.mayWrite()).toBe(true);
    expect(await locksOf(database, 'three').take('acme')).toBeNull();
  });

  test('is needed for every write of a session', async () => {
    const database = await opened();
    const sessions: Session[] = [];
    const session = async () => {
      const made = await database.session();
      sessions.push(made);
      return made;
    };
    const one = await locksOf({ ...database, session }, 'one').take('acme');
    expect(await one?.mayWrite()).toBe(true);
    // As a pooler does between two of its clients.
    for (const { query } of sessions) await query('discard all');
    expect(await one?.mayWrite()).toBe(false);
  });

  test('is shared through one session by two jobs that begin concurrently', async () => {
    const database = await opened();
    let count = 0;
    const session = () => {
      count += 1;
      return database.session();
    };
    const locks = locksOf({ ...database, session }, 'one');
    const held = await Promise.all([locks.take('acme'), locks.take('other')]);
    expect(held.every(one => one !== null)).toBe(true);
    expect(count).toBe(1);
  });

  test('is not ended by somebody who writes to the database, and nobody writes too early', async () => {
    const url = postgres.database();
    const database = await opened(url);
    const one = await locksOf(database, 'one').take('acme');
    await one?.announceHolder('run 1');
    await database.query(
      `insert into meshform_fleet.lock_holder (account, id, hmac)
         select account, 'a run outside of the fleet', hmac from meshform_fleet.lock_holder`,
    );
    await database.query(
      `update meshform_fleet.account_lock set request_limit = 0, released = 'yes'`,
    );
    await database.query(
      `select pg_terminate_backend(l.pid) from pg_locks l where locktype = 'advisory'
         and l.database = (select oid from pg_database where datname = current_database())`,
    );
    const two = await locksOf(await opened(url), 'two').take('acme');
    expect(two?.isLost('a run outside of the fleet')).toBe(false);
    expect(two?.isLost('run 1')).toBe(true);
    const before = clock.now;
    expect(await two?.mayWrite()).toBe(true);
    expect(clock.now - before).toBe(5000);
  });
});

describe('the pace of a token', () => {
  const throttles = async (count: number, interval: number) => {
    const url = postgres.database();
    const waits: number[] = [];
    const made = await Promise.all(
      Array.from({ length: count }, async () => {
        const timing = { now: () => 0, sleep: async (wait: number) => void waits.push(wait) };
        const own = newThrottle(timing);
        return sharedThrottle(await opened(url), 'token', { ...timing, own, interval });
      }),
    );
    return { made, waits };
  };

  test('lets requests of several workers take turns', async () => {
    const { made, waits } = await throttles(3, 60_000);
    for (const throttle of [...made, ...made]) await throttle.turn();
    const turns = waits.map(wait => Math.round(wait / 60_000)).sort((a, b) => a - b);
    expect(turns).toEqual([1, 2, 3, 4, 5]);
  });

  test('slows all workers after a 429 for one of them, also those that have their turn', async () => {
    const { made, waits } = await throttles(2, 0);
    const [one, two] = made;
    const permit = await one?.turn();
    expect(permit?.throttled(30_000)).toEqual({ pause: 30_000, isNew: true });
    // The pause is written before the next turn of the same worker.
    const own = one?.turn();
    await own;
    await two?.turn();
    expect(Math.min(...waits.slice(-1))).toBeGreaterThan(29_000);
  });
});

test('machines whose clocks differ have the clock of the database in common, which continues between two readings', async () => {
  const database = await opened();
  let passed = 500;
  const clocks = [0, Date.now() + 3_600_000].map(
    now => new DatabaseClock({ now, monotonic: () => passed }),
  );
  for (const clock of clocks) await clock.read(database);
  // The database of this test is on the same machine.
  for (const clock of clocks) expect(Math.abs(clock.now() - Date.now())).toBeLessThan(30_000);
  const before = clocks.map(clock => clock.now());
  passed += 7000;
  expect(clocks.map(clock => clock.now())).toEqual(before.map(time => time + 7000));
  // Without an answer, the clock goes on.
  const silent = { query: () => Promise.reject(new Error('no answer')) };
  await expect(clocks[0]?.read(silent)).rejects.toThrow('no answer');
  expect(clocks[0]?.now()).toBe((before[0] ?? 0) + 7000);
});
