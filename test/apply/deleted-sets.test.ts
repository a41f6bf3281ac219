// Machines that join a group after the plan, and before a run deletes it: they lose it, nobody can put them back, and so the run
// names them.
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import type { AccountPort } from '../../src/apply/port.ts';
import { type RunOptions, runPlan } from '../../src/apply/run/run.ts';
import { ApiError } from '../../src/model/errors.ts';
import { earlierRun, type JournalEntry } from '../../src/model/journal.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

/** A group with the machines `one` and `two`, and a plan that deletes it. */
interface Story {
  readonly account: TestAccount;
  readonly made: Plan;
  /** A machine enrols, into the group or into others. */
  readonly enrol: (name: string, groups?: readonly string[]) => Promise<void>;
  /** Somebody adds a machine in the dashboard, or takes one out. */
  readonly edit: (names: readonly string[]) => Promise<void>;
  readonly id: string;
  readonly other: string;
}

const idOf = (made: Json): string => String(isObject(made) ? made.id : '');

async function story(dialect: 'spec' | 'netbird'): Promise<Story> {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  const ids = new Map<string, string>();
  const enrol = async (name: string, groups: readonly string[] = []) =>
    void ids.set(name, String((await account.enrol(name, [...groups])).id));
  for (const name of ['one', 'two', 'three']) await enrol(name);
  const peersOf = (names: readonly string[]) => names.map(name => ids.get(name) ?? '');
  const body = (names: readonly string[]) => ({ name: 'devs', peers: peersOf(names) });
  const id = idOf(await account.call('POST', '/api/groups', body(['one', 'two'])));
  const other = idOf(await account.call('POST', '/api/groups', { name: 'others' }));
  const files = 'groups: [{ name: devs, lifecycle: { delete: true } }]';
  const made = await plan(account, desiredOf(files));
  const edit = async (names: readonly string[]) =>
    void (await account.call('PUT', `/api/groups/${id}`, body(names)));
  return { account, made, enrol, edit, id, other };
}

interface Applying {
  /** What others do between the read of the group and its deletion. */
  readonly beforeDelete?: () => Promise<void>;
  readonly wrap?: (port: AccountPort) => AccountPort;
  readonly run?: Partial<RunOptions>;
}

async function applied(
  { account, made }: Story,
  { beforeDelete = async () => {}, wrap = port => port, run = {} }: Applying = {},
) {
  const port = accountPort(writeTransport(account.transport), KINDS);
  const watched: AccountPort = {
    ...port,
    delete: async (...call) => {
      await beforeDelete();
      return port.delete(...call);
    },
  };
  const { outcomes } = await runPlan(made, {
    kinds: KINDS,
    now: () => 0,
    planReadAt: 0,
    concurrency: 1,
    openSecret: () => 'unused',
    port: wrap(watched),
    ...run,
  });
  return outcomes;
}

const groupsIn = async ({ account }: Story): Promise<unknown[]> => {
  const groups = await account.call('GET', '/api/groups');
  return (isList(groups) ? groups.filter(isObject) : []).map(({ name }) => name).sort();
};

const refusal = (code: 'API_DENIED' | 'API_NETWORK') =>
  new ApiError({
    code,
    message: 'not today',
    request: { method: 'DELETE', path: '/api/groups/1' },
    mayHaveHappened: code === 'API_NETWORK',
    retryable: false,
  });

const lost = (names: string) => ({
  status: 'failed',
  fault: {
    code: 'MEMBERS_NOT_KEPT',
    message: `group.devs is deleted, and these members of \`peers\`, which the plan did not show, lost their membership: ${names}`,
    hint: 'check what access they need: no later run adds them to a set',
  },
});
const perhaps = (names: string) => ({
  status: 'failed',
  fault: {
    code: 'MEMBERS_NOT_KEPT',
    message: `group.devs is deleted, and may have had members in \`peers\` that are new in the account since the run began: ${names}`,
  },
});

const unlogged = ({ log, ...port }: AccountPort): AccountPort => ({
  ...port,
  ...(log && { log: { ...log, events: () => Promise.reject(refusal('API_DENIED')) } }),
});

describe.each(['spec', 'netbird'] as const)(
  'in dialect %s, a run that deletes a group',
  dialect => {
    test('is done if the group has the members that the plan showed, or fewer', async () => {
      const there = await story(dialect);
      await there.edit(['two']);
      expect(await applied(there)).toMatchObject([{ status: 'done', notes: [] }]);
      expect(await groupsIn(there)).toEqual(['All', 'others']);
    });

    test.each([
      ['with the log', (port: AccountPort) => port],
      ['without the log', unlogged],
    ])('names a machine that joined since the plan, %s', async (_, wrap) => {
      const there = await story(dialect);
      await there.edit(['one', 'three']);
      expect(await applied(there, { wrap })).toMatchObject([lost('three')]);
      expect(await groupsIn(there)).toEqual(['All', 'others']);
    });

    test('names a machine that somebody adds between the check and the deletion', async () => {
      const there = await story(dialect);
      const outcomes = await applied(there, {
        beforeDelete: () => there.edit(['one', 'two', 'three']),
      });
      expect(outcomes).toMatchObject([lost('three')]);
    });

    test('does not name a machine that somebody adds and then removes', async () => {
      const there = await story(dialect);
      const outcomes = await applied(there, {
        beforeDelete: async () => {
          await there.edit(['one', 'two', 'three']);
          await there.edit(['one', 'two']);
        },
      });
      expect(outcomes).toMatchObject([{ status: 'done' }]);
    });

    test('does not name a machine that was deleted', async () => {
      const there = await story(dialect);
      await there.edit(['one', 'three']);
      const outcomes = await applied(there, {
        beforeDelete: async () => {
          const peers = await there.account.call('GET', '/api/peers');
          const three = (isList(peers) ? peers.filter(isObject) : []).find(p => p.name === 'three');
          await there.account.call('DELETE', `/api/peers/${three?.id}`);
        },
      });
      expect(outcomes).toMatchObject([{ status: 'done' }]);
    });

    test.each([
      ['with the log', (port: AccountPort) => port],
      ['without the log', unlogged],
    ])(
      'names a machine that enrols between the check and the deletion and is in no group, %s',
      async (_, wrap) => {
        const there = await story(dialect);
        const outcomes = await applied(there, {
          wrap,
          beforeDelete: async () => {
            await there.enrol('late', [there.id]);
            await there.enrol('elsewhere', [there.other]);
          },
        });
        expect(outcomes).toMatchObject([perhaps('late')]);
      },
    );

    test('does not name a machine that enrols after the deletion', async () => {
      const there = await story(dialect);
      const outcomes = await applied(there, {
        wrap: port => ({
          ...port,
          delete: async (...call) => {
            await port.delete(...call);
            await there.enrol('later');
          },
        }),
      });
      expect(outcomes).toMatchObject([{ status: 'done', notes: [] }]);
    });

    test('names them after a lost response too', async () => {
      const there = await story(dialect);
      await there.edit(['three']);
      const outcomes = await applied(there, {
        wrap: port => ({
          ...port,
          delete: async (...call) => {
            await port.delete(...call);
            throw refusal('API_NETWORK');
          },
        }),
      });
      expect(outcomes).toMatchObject([lost('three')]);
    });

    test('names the known members, and says which are unknown, if the log cannot be read at its end', async () => {
      const there = await story(dialect);
      await there.edit(['one', 'three']);
      let reads = 0;
      const outcomes = await applied(there, {
        wrap: ({ log, ...port }) => ({
          ...port,
          ...(log && {
            log: {
              ...log,
              events: () => (++reads === 1 ? log.events() : Promise.reject(refusal('API_DENIED'))),
            },
          }),
        }),
      });
      expect(outcomes).toMatchObject([
        {
          status: 'failed',
          fault: {
            code: 'MEMBERS_NOT_KEPT',
            message: expect.stringMatching(
              /^group\.devs is deleted, and these members .*: three; group\.devs is deleted, and it is unknown who joined `peers` before: the audit log could not be read: not today$/,
            ),
          },
        },
      ]);
    });

    test('a continued run names the removed sets, unless the killed run has already named them', async () => {
      const there = await story(dialect);
      await there.edit(['one', 'three']);
      const entries: JournalEntry[] = [];
      const journal = { write: async (entry: JournalEntry) => void entries.push(entry) };
      const killed = new Error('killed');
      const first = applied(there, {
        run: { journal },
        wrap: port => ({
          ...port,
          ...(port.log && { log: { ...port.log, settled: () => Promise.reject(killed) } }),
        }),
      });
      await expect(first).rejects.toBe(killed);
      const earlier = earlierRun(entries);
      const cutOff = await applied(there, { run: { earlier: { ...earlier, isCutOff: true } } });
      expect(cutOff).toMatchObject([lost('three')]);
      expect(await applied(there, { run: { earlier } })).toMatchObject([{ status: 'done' }]);
    });
  },
);
