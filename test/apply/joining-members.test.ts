// Machines that join a group, and people who change its members, while a run writes the group: the run undoes neither.
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchAccount } from '../../src/api/account/fetch.ts';
import { accountPort } from '../../src/api/account/port.ts';
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import type { AccountPort } from '../../src/apply/port.ts';
import type { UnfinishedRun } from '../../src/apply/run/concurrent/unfinishedRuns.ts';
import { type RunOptions, runPlan } from '../../src/apply/run/run.ts';
import { undo } from '../../src/export/undo/undo.ts';
import { ApiError, present } from '../../src/model/errors.ts';
import { earlierRun, type JournalEntry } from '../../src/model/journal.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan, type ReconcileOptions } from '../support/reconcile.ts';

/** A group that other people change during the apply. */
interface Story {
  readonly account: TestAccount;
  readonly id: string;
  /** The ids of its machines. */
  readonly machines: ReadonlyMap<string, string>;
  /** Somebody else removes a machine from the group. */
  readonly expel: (name: string) => Promise<void>;
  /** The same, by hand, with the token of the run. */
  readonly expelByHand: (name: string) => Promise<void>;
  /** A machine enrols into the group. */
  readonly join: (name: string) => Promise<void>;
  /** The names of the members. */
  readonly members: () => Promise<unknown[]>;
}

async function story(dialect: 'spec' | 'netbird', names = ['one', 'two']): Promise<Story> {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  const machines = new Map<string, string>();
  for (const name of names) machines.set(name, String((await account.enrol(name)).id));
  const made = await account.call('POST', '/api/groups', {
    name: 'devs',
    peers: [...machines.values()],
  });
  const id = String(isObject(made) ? made.id : '');
  const other = await somebodyElse(account);
  const read = async (): Promise<JsonObject> => {
    const body = await account.call('GET', `/api/groups/${id}`);
    return isObject(body) ? body : {};
  };
  const without = async (name: string): Promise<JsonObject> => {
    const { name: called, peers } = await read();
    const left = membersOf(peers).filter(member => member.name !== name);
    return { name: called ?? '', peers: left.map(member => member.id ?? '') };
  };
  return {
    account,
    id,
    machines,
    expel: async name => void (await other('PUT', `/api/groups/${id}`, await without(name))),
    expelByHand: async name =>
      void (await account.call('PUT', `/api/groups/${id}`, await without(name))),
    join: async name => void (await account.enrol(name, [id])),
    members: async () =>
      membersOf((await read()).peers)
        .map(({ name }) => name)
        .sort(),
  };
}

const membersOf = (peers: Json | undefined): readonly JsonObject[] =>
  isList(peers) ? peers.filter(isObject) : [];

async function somebodyElse(account: TestAccount) {
  const body = { name: 'other', role: 'admin', auto_groups: [], is_service_user: true };
  const user = await account.call('POST', '/api/users', body);
  const path = `/api/users/${isObject(user) ? user.id : ''}/tokens`;
  const made = await account.call('POST', path, { name: 'own', expires_in: 1 });
  const shown = isObject(made) ? made.plain_token : undefined;
  const token = String(isObject(shown) ? Object.values(shown)[0] : shown);
  return writeTransport({ ...account.transport, token }).write;
}

/** What somebody else does to the resources of a network; `db` is in the group `aside`. */
async function resources({ account }: Story) {
  const other = await somebodyElse(account);
  const idOf = (made: Json): string => String(isObject(made) ? made.id : '');
  const aside = idOf(await account.call('POST', '/api/groups', { name: 'aside' }));
  const network = idOf(await account.call('POST', '/api/networks', { name: 'office' }));
  const path = `/api/networks/${network}/resources`;
  const ids = new Map<string, string>();
  const bodyOf = (name: string, groups: readonly string[]) => ({
    name,
    address: `${name}.example.com`,
    enabled: true,
    groups,
  });
  const created = async (name: string, groups: readonly string[]) =>
    void ids.set(name, idOf(await other('POST', path, bodyOf(name, groups))));
  await created('db', [aside]);
  return {
    aside,
    created,
    moved: async (name: string, groups: readonly string[]) =>
      void (await other('PUT', `${path}/${ids.get(name)}`, bodyOf(name, groups))),
    deleted: async (name: string) => void (await other('DELETE', `${path}/${ids.get(name)}`)),
  };
}

/** The names of the resources of the group. */
async function resourcesOf({ account, id }: Story): Promise<unknown[]> {
  const group = await account.call('GET', `/api/groups/${id}`);
  const held = new Set(membersOf(isObject(group) ? group.resources : undefined).map(one => one.id));
  const networks = await account.call('GET', '/api/networks');
  const lists = await Promise.all(
    membersOf(networks).map(network =>
      account.call('GET', `/api/networks/${network.id}/resources`),
    ),
  );
  const named = lists.flatMap(membersOf).filter(one => held.has(one.id));
  return named.map(({ name }) => name).sort();
}

/** Something that happens after the nth read of the group, before anything else is sent. */
type AfterRead = (nth: number) => Promise<void>;

interface Applying extends ReconcileOptions {
  readonly afterRead?: AfterRead;
  readonly wrap?: (port: AccountPort) => AccountPort;
  readonly run?: Partial<RunOptions>;
}

/** Applies files while others are at work. */
const applied = async (there: Story, files: string | Plan, applying: Applying) =>
  (await resultOf(there, files, applying)).outcomes;

async function resultOf(
  { account, id }: Story,
  files: string | Plan,
  { afterRead = async () => {}, wrap = port => port, run = {}, ...options }: Applying,
) {
  const made = typeof files === 'string' ? await plan(account, desiredOf(files), options) : files;
  const port = accountPort(writeTransport(account.transport), KINDS);
  let reads = 0;
  const watched: AccountPort = {
    ...port,
    read: async (kind, at) => {
      const read = await port.read(kind, at);
      if (at.id === id) await afterRead(++reads);
      return read;
    },
  };
  return runPlan(made, {
    kinds: KINDS,
    now: () => 0,
    planReadAt: 0,
    concurrency: 1,
    openSecret: () => 'unused',
    port: wrap(watched),
    ...run,
  });
}

const RENAME = 'groups: [{ name: developers, lifecycle: { was: devs } }]';
const REMOVAL = 'groups: [{ name: devs, peers: [one] }]';
const ADDITION = 'groups: [{ name: devs, peers: [one, two, three] }]';
const base = desiredOf('groups: [{ name: devs, peers: [one, two] }]');

describe.each(['spec', 'netbird'] as const)('in dialect %s', dialect => {
  test.each([
    ['renames', RENAME, {}, ['late', 'one', 'two']],
    ['takes a member from', REMOVAL, { base }, ['late', 'one']],
    [
      'adds a member to',
      'groups: [{ name: devs, peers: [three] }]',
      {},
      ['late', 'one', 'three', 'two'],
    ],
  ] as const)(
    'a machine that joins while a run %s its group stays in it',
    async (_, files, options, expected) => {
      const there = await story(dialect);
      await there.account.enrol('three');
      const outcomes = await applied(there, files, {
        ...options,
        afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      });
      expect(outcomes).toMatchObject([
        { status: 'done', notes: ['joined `peers` during the write, and was added again: late'] },
      ]);
      expect(await there.members()).toEqual(expected);
    },
  );

  test('a network resource that joins between the read and the write stays in its group', async () => {
    const there = await story(dialect);
    const { created, moved } = await resources(there);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => {
        if (nth !== 1) return;
        await created('made', [there.id]);
        await moved('db', [there.id]);
      },
    });
    expect(await resourcesOf(there)).toEqual(['db', 'made']);
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          expect.stringContaining('OVERWROTE_FOREIGN'),
          'joined `resources` during the write, and was added again: db, made',
        ],
      },
    ]);
  });

  test('a network resource that somebody takes out between the read and the write stays out', async () => {
    const there = await story(dialect);
    const { created, moved, aside } = await resources(there);
    await created('stays', [there.id]);
    await created('goes', [there.id]);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await moved('goes', [aside]))),
    });
    expect(await resourcesOf(there)).toEqual(['stays']);
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          expect.stringContaining('OVERWROTE_FOREIGN'),
          'was removed from `resources` by others during the write, which restored it, and was removed again: goes',
        ],
      },
    ]);
  });

  test('a network resource that joins and leaves during the write, or is deleted, is not added again', async () => {
    const there = await story(dialect);
    const { created, moved, deleted, aside } = await resources(there);
    await applied(there, RENAME, {
      afterRead: async nth => {
        if (nth !== 1) return;
        await moved('db', [there.id]);
        await moved('db', [aside]);
        await created('short', [there.id]);
        await deleted('short');
      },
    });
    expect(await resourcesOf(there)).toEqual([]);
  });

  test('a network resource that cannot be added again is a failure with its name', async () => {
    const there = await story(dialect);
    const { moved } = await resources(there);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await moved('db', [there.id]))),
      wrap: port => ({
        ...port,
        update: async (kind, at, body) => {
          if (kind.parent === undefined) return port.update(kind, at, body);
          throw refusal('API_DENIED');
        },
      }),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: { code: 'MEMBERS_NOT_KEPT', message: expect.stringContaining(': db') },
      },
    ]);
  });

  test('machines that join while others are added again stay too', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      // Each write is between two reads.
      afterRead: async nth => void (nth % 2 === 1 && nth < 8 && (await there.join(`late${nth}`))),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [expect.stringMatching(/added again: late1, late3, late5, late7$/)],
      },
    ]);
    expect(await there.members()).toEqual(['late1', 'late3', 'late5', 'late7', 'one', 'two']);
  });

  test('a member that somebody removes between the read and the write is removed again', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await there.expel('two'))),
    });
    expect(await there.members()).toEqual(['one']);
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          'was removed from `peers` by others during the write, which restored it, and was removed again: two',
        ],
      },
    ]);
  });

  test('a member that the files keep, and that somebody removes between the read and the write, is removed again', async () => {
    const there = await story(dialect);
    await there.account.enrol('three');
    const outcomes = await applied(there, ADDITION, {
      afterRead: async nth => void (nth === 1 && (await there.expel('two'))),
    });
    expect(await there.members()).toEqual(['one', 'three']);
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          'was removed from `peers` by others during the write, which restored it, and was removed again: two',
        ],
      },
    ]);
  });

  test('a member that the files list exactly, and that somebody removes between the read and the write, is removed again', async () => {
    const there = await story(dialect);
    await there.account.enrol('three');
    const exact =
      'groups: [{ name: devs, peers: [one, two, three], lifecycle: { exact: [peers] } }]';
    const outcomes = await applied(there, exact, {
      afterRead: async nth => {
        if (nth !== 1) return;
        await there.expel('two');
        await there.join('late');
      },
    });
    expect(await there.members()).toEqual(['one', 'three']);
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          'was removed from `peers` by others during the write, which restored it, and was removed again: two',
        ],
      },
    ]);
  });

  test('a member that somebody removes after the plan, and that the files keep, is not added again', async () => {
    const there = await story(dialect);
    await there.account.enrol('three');
    const made = await plan(there.account, desiredOf(ADDITION));
    await there.expel('two');
    const outcomes = await applied(there, made, {});
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
    expect(await there.members()).toEqual(['one']);
  });

  test('a member that the files add, and that somebody removes while others are added again, is removed again', async () => {
    const there = await story(dialect);
    await there.account.enrol('three');
    await applied(there, ADDITION, {
      afterRead: async nth => {
        if (nth === 1) await there.join('late');
        if (nth === 3) await there.expel('three');
      },
    });
    expect(await there.members()).toEqual(['late', 'one', 'two']);
  });

  test('a member that somebody removes while others are added again is removed again', async () => {
    const there = await story(dialect);
    await applied(there, RENAME, {
      afterRead: async nth => {
        if (nth === 1) await there.join('late');
        if (nth === 2) await there.expel('two');
      },
    });
    expect(await there.members()).toEqual(['late', 'one']);
  });

  test('a member that somebody removes after the write stays out', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      wrap: port => ({
        ...port,
        update: async (kind, at, body) => {
          const answer = await port.update(kind, at, body);
          await there.expel('two');
          return answer;
        },
      }),
    });
    expect(await there.members()).toEqual(['one']);
    expect(outcomes).toMatchObject([{ status: 'done', notes: [] }]);
  });

  test('a member that the token’s user removes by hand stays out', async () => {
    const there = await story(dialect);
    let isDue = true;
    await applied(there, RENAME, {
      wrap: port => ({
        ...port,
        update: async (kind, at, body) => {
          const answer = await port.update(kind, at, body);
          if (isDue) await there.expelByHand('two');
          isDue = false;
          return answer;
        },
      }),
    });
    expect(await there.members()).toEqual(['one']);
  });

  test('a machine that was deleted meanwhile is not added again', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => {
        if (nth === 1) await there.join('late');
        if (nth !== 2) return;
        const peers = await there.account.call('GET', '/api/peers');
        const late = membersOf(peers).find(({ name }) => name === 'late');
        await there.account.call('DELETE', `/api/peers/${late?.id}`);
      },
    });
    expect(await there.members()).toEqual(['one', 'two']);
    expect(outcomes).toMatchObject([{ status: 'done', notes: [] }]);
  });

  test('a machine that joined is added again after a write whose response was lost', async () => {
    const there = await story(dialect);
    let isDue = true;
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      wrap: port => ({
        ...port,
        update: async (kind, at, body) => {
          const answer = await port.update(kind, at, body);
          if (!isDue) return answer;
          isDue = false;
          throw refusal('API_NETWORK');
        },
      }),
    });
    expect(outcomes).toMatchObject([{ status: 'done' }]);
    expect(await there.members()).toEqual(['late', 'one', 'two']);
  });

  test('a machine that cannot be added again is a failure with its name', async () => {
    const there = await story(dialect);
    let writes = 0;
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      wrap: port => ({
        ...port,
        update: (kind, at, body) => {
          if (++writes === 1) return port.update(kind, at, body);
          throw refusal('API_DENIED');
        },
      }),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message: 'group.developers lost members that joined `peers` during the write: late',
          hint: 'add them again; meshform could not: not today',
        },
      },
    ]);
  });

  test('a group that others change again and again is reported after some attempts', async () => {
    const there = await story(dialect);
    let last = '';
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => {
        last = `late${nth}`;
        await there.join(last);
      },
    });
    const [outcome] = outcomes;
    expect(outcome).toMatchObject({ status: 'failed', fault: { code: 'MEMBERS_NOT_KEPT' } });
    const fault = present(outcome?.status === 'failed' ? outcome.fault : undefined, 'a fault');
    const missing = present(fault.message.split(': ').at(-1), 'names').split(', ');
    expect([...(await there.members()), ...missing]).toEqual(
      expect.arrayContaining(['late1', 'one', 'two']),
    );
    // Whoever is not in the group is named, except who joined after the last write.
    expect(missing).toHaveLength(1);
  });

  test('a machine is added again during a long run, not only at its end', async () => {
    const there = await story(dialect);
    let now = 0;
    const gone = ['first', 'second'];
    for (const name of gone) await there.account.call('POST', '/api/networks', { name });
    const networks = gone.map(name => `{ name: ${name}, lifecycle: { delete: true } }`);
    const files = `${RENAME}\nnetworks: [${networks.join(', ')}]`;
    let membersAtTheEnd: unknown[] = [];
    let deleted = 0;
    await applied(there, files, {
      run: { now: () => now },
      afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      wrap: port => ({
        ...port,
        delete: async (...call) => {
          deleted += 1;
          now += 40_000;
          if (deleted === 2) {
            // Whatever is under way beside this action comes to its end.
            for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
            membersAtTheEnd = await there.members();
          }
          return port.delete(...call);
        },
      }),
    });
    expect(deleted).toBe(2);
    expect(membersAtTheEnd).toEqual(['late', 'one', 'two']);
  });

  test('a log that no longer shows the start of the run is reported', async () => {
    const there = await story(dialect);
    let reads = 0;
    const later = Array.from({ length: 9_500 }, (_, n) => ({
      id: String(1_000_000 + n),
      activity_code: 'user.join',
      target_id: 'u',
      meta: {},
      initiator_id: 'u',
      timestamp: '2026-01-02T03:04:06Z',
    }));
    const outcomes = await applied(there, RENAME, {
      wrap: ({ log, ...port }) => ({
        ...port,
        ...(log && {
          log: { ...log, events: async () => (++reads === 1 ? log.events() : later) },
        }),
      }),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          'the audit log no longer shows the start of the run: check that `peers` has all members that joined meanwhile',
        ],
      },
    ]);
  });

  test.each([
    ['', false, false],
    [', also after a lost response', false, true],
    [', also where the token may not read the log', true, false],
  ])('every write of the group is followed by a read of it%s', async (_, isUnlogged, isLost) => {
    const there = await story(dialect);
    const calls: string[] = [];
    let losing = isLost;
    await applied(there, RENAME, {
      afterRead: async nth => {
        calls.push('read');
        if (nth === 1) await there.join('late');
      },
      wrap: ({ log, ...port }) => ({
        ...port,
        ...(log && {
          log: isUnlogged ? { ...log, events: () => Promise.reject(refusal('API_DENIED')) } : log,
        }),
        update: async (...call) => {
          calls.push('write');
          const answer = await port.update(...call);
          if (!losing) return answer;
          losing = false;
          throw refusal('API_NETWORK');
        },
      }),
    });
    const writes = [...calls.keys()].filter(index => calls[index] === 'write');
    expect(writes).toHaveLength(isUnlogged ? 1 : 2);
    for (const write of writes)
      expect(calls.slice(write - 1, write + 2)).toEqual(['read', 'write', 'read']);
    // Once more at the end.
    expect(calls.slice(-2)).toEqual(['read', 'read']);
  });

  test('the group is reported if the log cannot be read at the end, because missing members are unknown', async () => {
    const there = await story(dialect);
    let reads = 0;
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await there.join('late'))),
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
          message:
            'group.developers was not checked for members that joined `peers` during the write: the audit log could not be read: not today',
        },
      },
    ]);
  });

  test('a missing member is a failure with its name if the account does not show the token’s user', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      wrap: ({ log, ...port }) => ({
        ...port,
        ...(log && { log: { ...log, self: () => Promise.resolve(null) } }),
      }),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message: 'group.developers does not have late in `peers`: they left it during the write',
        },
      },
    ]);
    expect(await there.members()).toEqual(['one', 'two']);
  });

  test('a sent member that no read shows is a failure with its name, if the log does not show who removed it', async () => {
    const there = await story(dialect);
    const outcomes = await applied(there, RENAME, {
      wrap: ({ log, ...port }) => ({
        ...port,
        // A server that stores less than it accepts, and does not log it.
        update: (kind, at, body) => port.update(kind, at, { ...body, peers: [] }),
        ...(log && {
          log: {
            ...log,
            events: async () =>
              (await log.events()).filter(
                ({ activity_code: code }) => code !== 'peer.group.delete',
              ),
          },
        }),
      }),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message:
            'group.developers does not have one, two in `peers`, although the write sent them',
        },
      },
    ]);
  });

  test.each([
    ['adds members', 'groups: [{ name: devs, peers: [three] }]', {}, ['late', 'one', 'two']],
    ['takes members out', REMOVAL, { base }, ['late', 'one', 'two']],
  ] as const)(
    'a machine that joined meanwhile stays in the undo of a run that %s',
    async (_, files, options, expected) => {
      const there = await story(dialect);
      await there.account.enrol('three');
      const made = await plan(there.account, desiredOf(files), options);
      const entries: JournalEntry[] = [];
      const journal = { write: async (entry: JournalEntry) => void entries.push(entry) };
      expect(await applied(there, made, { run: { journal } })).toMatchObject([{ status: 'done' }]);
      const everything = { kinds: new Set(KINDS.keys()), parents: new Map() };
      const { objects } = await fetchAccount(
        readTransport(there.account.transport),
        KINDS,
        everything,
        { concurrency: 4, dialect },
      );
      const back = undo({
        kinds: KINDS,
        plan: made,
        entries,
        objects,
        others: [],
        proven: [],
        isLost: false,
        file: 'run.jsonl',
      });
      const way = await plan(there.account, back.desired, { base: back.base });
      const undone = await applied(there, way, {
        afterRead: async nth => void (nth === 1 && (await there.join('late'))),
      });
      expect(undone).toMatchObject([{ status: 'done' }]);
      expect(await there.members()).toEqual(expected);
    },
  );

  describe('a continued run', () => {
    const firstRun = async (there: Story, wrap: (port: AccountPort) => AccountPort) => {
      const made = await plan(there.account, desiredOf(RENAME));
      const entries: JournalEntry[] = [];
      const journal = { write: async (entry: JournalEntry) => void entries.push(entry) };
      const outcomes = await applied(there, made, {
        afterRead: async nth => void (nth === 1 && (await there.join('late'))),
        wrap,
        run: { journal },
      }).catch((error: unknown) => error);
      return { made, outcomes, earlier: earlierRun(entries) };
    };

    test('a continued run adds the machine again after a kill between the write and the end', async () => {
      const there = await story(dialect);
      const killed = new Error('killed');
      const { made, outcomes, earlier } = await firstRun(there, port => ({
        ...port,
        ...(port.log && { log: { ...port.log, settled: () => Promise.reject(killed) } }),
      }));
      expect(outcomes).toBe(killed);
      expect(await there.members()).toEqual(['one', 'two']);
      await applied(there, made, { run: { earlier } });
      expect(await there.members()).toEqual(['late', 'one', 'two']);
    });

    test('keeps machines that join between the kill and the resume', async () => {
      const there = await story(dialect);
      const killed = new Error('killed');
      const { made, earlier } = await firstRun(there, port => ({
        ...port,
        update: () => Promise.reject(killed),
      }));
      await there.join('later');
      const continued = await applied(there, made, { run: { earlier } });
      expect(continued).toMatchObject([{ status: 'done' }]);
      expect(await there.members()).toEqual(['late', 'later', 'one', 'two']);
    });

    test('leaves out machines that the token’s user removed by hand since the kill', async () => {
      const there = await story(dialect);
      const killed = new Error('killed');
      const { made, earlier } = await firstRun(there, port => ({
        ...port,
        ...(port.log && { log: { ...port.log, settled: () => Promise.reject(killed) } }),
      }));
      await there.expelByHand('two');
      await applied(there, made, { run: { earlier } });
      expect(await there.members()).toEqual(['late', 'one']);
    });

    test('adds the machine whose addition was refused before', async () => {
      const there = await story(dialect);
      let writes = 0;
      const { made, outcomes, earlier } = await firstRun(there, port => ({
        ...port,
        update: (kind, at, body) =>
          ++writes === 1 ? port.update(kind, at, body) : Promise.reject(refusal('API_DENIED')),
      }));
      expect(outcomes).toMatchObject([{ fault: { code: 'MEMBERS_NOT_KEPT' } }]);
      const continued = await applied(there, made, { run: { earlier } });
      expect(continued).toMatchObject([{ status: 'done' }]);
      expect(await there.members()).toEqual(['late', 'one', 'two']);
    });
  });
});

describe('a run that is interrupted after its write, and that the next run does not continue', () => {
  const killed = new Error('killed');
  const at = Date.parse('2026-01-02T03:04:05Z');

  /** Renames the group, and ends between the write and the check at its end. */
  const interrupted = async (there: Story, afterRead: AfterRead): Promise<UnfinishedRun> => {
    const made = await plan(there.account, desiredOf(RENAME));
    const entries: JournalEntry[] = [];
    const journal = { write: async (entry: JournalEntry) => void entries.push(entry) };
    const ended = await applied(there, made, {
      afterRead,
      wrap: port => ({
        ...port,
        ...(port.log && { log: { ...port.log, settled: () => Promise.reject(killed) } }),
      }),
      run: { journal },
    }).catch((error: unknown) => error);
    expect(ended).toBe(killed);
    return { run: 'first', plan: made, earlier: earlierRun(entries), until: at };
  };

  /** The next run, whose plan is empty. */
  const next = async (there: Story, unfinished: UnfinishedRun, more: Partial<Applying> = {}) => {
    const made = await plan(there.account, desiredOf(RENAME));
    expect(made.actions).toEqual([]);
    return resultOf(there, made, { ...more, run: { unfinished: [unfinished] } });
  };

  const joins = (there: Story) => async (nth: number) =>
    void (nth === 1 && (await there.join('late')));

  test('machines that join while the next run adds others again stay too', async () => {
    const there = await story('netbird');
    const first = await interrupted(there, joins(there));
    expect(await there.members()).toEqual(['one', 'two']);
    const { earlier, written } = await next(there, first, {
      afterRead: async nth => void (nth === 1 && (await there.join('later'))),
    });
    expect(await there.members()).toEqual(['late', 'later', 'one', 'two']);
    expect(written).toBe(2);
    expect(earlier).toMatchObject([
      {
        run: 'first',
        outcome: {
          address: 'group.developers',
          status: 'done',
          notes: ['joined `peers` during the write, and was added again: late, later'],
        },
      },
    ]);
  });

  test('a network resource that joined is in its group again, and a network resource that was removed is not', async () => {
    const there = await story('netbird');
    const { created, moved, aside } = await resources(there);
    await created('goes', [there.id]);
    const first = await interrupted(there, async nth => {
      if (nth !== 1) return;
      await moved('db', [there.id]);
      await moved('goes', [aside]);
    });
    expect(await resourcesOf(there)).toEqual(['goes']);
    await next(there, first);
    expect(await resourcesOf(there)).toEqual(['db']);
  });

  test('a member that joined it and was removed afterwards, also by the user of the first run, stays out', async () => {
    const there = await story('netbird');
    const first = await interrupted(there, async () => {});
    await there.join('after');
    await there.expelByHand('after');
    const { earlier } = await next(there, { ...first, until: at - 1 });
    expect(earlier).toBeUndefined();
    expect(await there.members()).toEqual(['one', 'two']);
  });

  test('loses no machine that joined, also with a copy of its journal that lacks the update', async () => {
    const there = await story('netbird');
    const first = await interrupted(there, joins(there));
    const earlier = { ...first.earlier, updates: [], isCopy: true };
    await next(there, { ...first, earlier });
    expect(await there.members()).toEqual(['late', 'one', 'two']);
  });

  test('a run that lost its lock adds nobody, and names who is missing', async () => {
    const there = await story('netbird');
    const first = await interrupted(there, joins(there));
    const made = await plan(there.account, desiredOf(RENAME));
    const run = { unfinished: [first], isHeld: () => Promise.resolve(false) };
    const { earlier } = await resultOf(there, made, { run });
    expect(earlier).toMatchObject([
      { outcome: { status: 'failed', fault: { message: expect.stringContaining(': late') } } },
    ]);
    expect(await there.members()).toEqual(['one', 'two']);
  });
});

/** The error of a request that the server refused, or whose response was lost. */
function refusal(code: 'API_DENIED' | 'API_NETWORK', message = 'not today'): ApiError {
  const request = { method: 'PUT', path: '/api/groups' };
  const mayHaveHappened = code === 'API_NETWORK';
  return new ApiError({ code, request, message, retryable: false, mayHaveHappened });
}

describe('with a token that may not read the log, a run', () => {
  const unlogged = async (): Promise<Story> => {
    const there = await story('netbird');
    const path = '/api/events/audit';
    await there.account.fault({ method: 'GET', path, effect: 'status', status: 403, times: 99 });
    return there;
  };

  test('names the machines that the write may have removed, and adds nobody', async () => {
    const there = await unlogged();
    const afterRead = async (nth: number) => (nth === 1 ? there.join('late') : undefined);
    const outcomes = await applied(there, RENAME, { afterRead });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message: expect.stringContaining('does not have late in `peers`'),
          hint: expect.stringContaining('may not read the audit log'),
        },
      },
    ]);
    expect(await there.members()).toEqual(['one', 'two']);
  });

  test('is done if no member is new', async () => {
    const there = await unlogged();
    expect(await applied(there, RENAME, {})).toMatchObject([{ status: 'done', notes: [] }]);
  });

  test('a continued run names, after a kill, the machines that the first run may have removed', async () => {
    const there = await unlogged();
    await there.account.enrol('outside');
    const made = await plan(there.account, desiredOf(RENAME));
    const entries: JournalEntry[] = [];
    const journal = { write: async (entry: JournalEntry) => void entries.push(entry) };
    const killed = new Error('killed');
    const first = await applied(there, made, {
      afterRead: async nth => {
        if (nth === 1) await there.join('late');
        if (nth === 2) throw killed;
      },
      run: { journal },
    }).catch((error: unknown) => error);
    expect(first).toBe(killed);
    expect(await there.members()).toEqual(['one', 'two']);
    // The log may be readable by then: it does not say when the first run began.
    await there.account.control('DELETE', '/emulator/faults');
    const continued = await applied(there, made, { run: { earlier: earlierRun(entries) } });
    expect(continued).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message: expect.stringContaining('does not have late in `peers`'),
        },
      },
    ]);
    expect(await there.members()).toEqual(['one', 'two']);
  });

  test('names a sent member that the read after the write does not show, and does not add it', async () => {
    const there = await unlogged();
    const wrap = (port: AccountPort): AccountPort => ({
      ...port,
      update: async (kind, at, body) => {
        const answer = await port.update(kind, at, body);
        await there.expel('two');
        return answer;
      },
    });
    const outcomes = await applied(there, RENAME, { wrap });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'MEMBERS_NOT_KEPT',
          message: 'group.developers does not have two in `peers`, although the write sent them',
        },
      },
    ]);
    expect(await there.members()).toEqual(['one']);
  });

  test('never adds a machine that somebody removed', async () => {
    const there = await unlogged();
    const outcomes = await applied(there, RENAME, {
      afterRead: async nth => void (nth === 2 && (await there.expel('two'))),
    });
    expect(outcomes).toMatchObject([
      {
        status: 'done',
        notes: [
          expect.stringContaining(
            'left `peers` after the write; it is unknown who removed them: two',
          ),
        ],
      },
    ]);
    expect(await there.members()).toEqual(['one']);
  });
});
