// The queue of a fleet on the command line, as far as no database is needed. `npm run test:fleet` has the rest, with PostgreSQL.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cronOf } from '../../../src/cli/commands/fleetQueue.ts';
import { databaseStop } from '../../../src/cli/fleet/queues.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { QueueMissing } from '../../../src/queue/database.ts';
import { type OpenFleet, openFleet, type TestFleet } from './fleetFolder.ts';

const PASSWORD = 'correct-horse-battery';

let opened: OpenFleet;
let fleet: TestFleet;
beforeAll(async () => {
  opened = await openFleet({ tenants: 1 });
  fleet = opened.fleet;
  expect(await fleet.fleet(['plan', '--out', 'plans'])).toMatchObject({ code: 0 });
});
afterAll(() => opened.close());

/** A PostgreSQL that is not there. */
const absent = () =>
  `postgresql:///fleet?user=meshform&password=${PASSWORD}&host=${encodeURIComponent(join(fleet.home, 'no'))}`;

const QUEUE = ['apply', 'plans', '--yes', '--queue'];

describe('a wrong command line of a queue is refused:', () => {
  test.each([
    [[...QUEUE, '--shard', '1/2'], 'the workers divide the accounts among themselves'],
    [[...QUEUE, '--secrets-to', 'file:keys'], 'add --secrets-to to `meshform fleet worker`'],
    [[...QUEUE, '--notify'], 'this run ends before there is anything to report'],
    [['apply', 'plans', '--queue'], 'nothing says that these plans were approved'],
    [
      ['apply', 'plans', '--yes', '--database', 'postgresql://localhost/fleet'],
      '`--database` works only with --queue',
    ],
    [QUEUE, 'no database is configured'],
    [['worker', '--plans', 'plans'], 'set MESHFORM_DATABASE_URL, or add --database'],
    [['worker', '--database', 'mysql://localhost/fleet'], 'is not one of PostgreSQL'],
    [['worker', '--health', '0'], 'It must be a port'],
    [
      ['worker', '--database', `postgresql://meshform:${PASSWORD}@localhost/fleet`],
      'everybody on this machine can read flags',
    ],
    [['schedule', 'drift'], 'a schedule takes either an interval or --off'],
    [
      ['schedule', 'drift', '--every', '1h', '--off'],
      'a schedule takes either an interval or --off',
    ],
    [['schedule', 'drift', '--every', '7m'], 'It must divide an hour or a day'],
    [['schedule', 'plan', '--every', '1h'], 'It must be drift'],
  ])('%j', async (words, says) => {
    const { code, stdout, stderr } = await fleet.fleet(words);
    expect(stderr).toContain(says);
    expect(code).toBe(64);
    expect(stdout + stderr).not.toContain(PASSWORD);
  });

  test('a worker without the key that signs the ledger', async () => {
    const env = { MESHFORM_DATABASE_URL: absent(), MESHFORM_SIGNING_KEY: '' };
    const { code, stderr } = await fleet.fleet(['worker'], { env });
    expect(stderr).toContain('a fleet needs a key to sign its ledger with');
    expect(code).toBe(64);
  });

  test.each([[['worker']], [QUEUE], [['schedule', 'drift', '--every', '1h']], [['status']]])(
    'an unreachable database fails without revealing the password: %j',
    async words => {
      const env = { MESHFORM_DATABASE_URL: absent() };
      const { code, stdout, stderr } = await fleet.fleet(words, { env });
      expect(stderr).toContain('the database does not answer: connect ENOENT');
      expect(code).toBe(69);
      expect(stdout + stderr).not.toContain(PASSWORD);
    },
  );
});

test('a rollout without the queue begins although the database does not answer, and says so', async () => {
  const env = { MESHFORM_DATABASE_URL: absent() };
  const { code, stderr } = await fleet.fleet(['apply', 'plans', '--yes'], { env });
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'note: an open rollout in the queue of MESHFORM_DATABASE_URL would not be seen: the database does not answer',
  );
  expect(stderr).not.toContain(PASSWORD);
  expect(code).toBe(0);
});

test('the error says what to install if the packages of the queue are missing', () => {
  const missing = new QueueMissing('the package pg-boss is not installed');
  const stop = databaseStop(missing, { secrets: new KnownSecrets() });
  expect(stop).toMatchObject({
    code: 69,
    message: 'the package pg-boss is not installed: the queue of a fleet needs it',
    hint: 'install both packages beside meshform: `npm install pg@8 pg-boss@12`',
  });
});

test.each([
  ['1m', '* * * * *'],
  ['15m', '*/15 * * * *'],
  ['1h', '0 * * * *'],
  ['6h', '0 */6 * * *'],
  ['1d', '0 0 * * *'],
])('--every %s is the cron schedule %s', (every, cron) => {
  expect(cronOf(every)).toBe(cron);
});

test.each(['0m', '7m', '90m', '5h', '2d', '30s', 'often'])('--every %s is refused', every => {
  expect(() => cronOf(every)).toThrow('It must divide an hour or a day');
});
