// What an answer does not settle is read back from one list a kind at the end; until then the action is sent, not done.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ShownChange } from '../../src/model/change.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import { earlierRun } from '../../src/model/journal.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { ShownText } from '../../src/model/secrets/shown.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';
import { apiError, memory } from './memory.ts';
import { createOf, deleteOf, planOf, run, statuses, updateOf } from './plans.ts';

const policy = (name: string, more = {}) => createOf('policy', name, { name, enabled: true }, more);
const seen = (id: string): JsonObject => ({ id, name: id, description: '', enabled: true });
const described = (id: string, more = {}) =>
  updateOf('policy', id, seen(id), { name: id, description: 'new', enabled: true }, more);
const policies = (count: number) => Array.from({ length: count }, (_, i) => policy(`p${i}`));
const reads = (calls: readonly string[]) => calls.filter(call => /^(read|list) /.test(call));

/** A journal in memory; it fails after so many entries, as a killed process does. */
function journalOf(upTo = Number.POSITIVE_INFINITY) {
  const entries: JournalEntry[] = [];
  const write = (entry: JournalEntry) => {
    if (entries.length >= upTo) return Promise.reject('killed');
    entries.push(JSON.parse(JSON.stringify(entry)));
    return Promise.resolve();
  };
  return { entries, journal: { write } };
}

const spoilt = (name: string) => ({
  after: ({ verb }: { verb: string }, answer: JsonObject) =>
    verb === 'create' ? answer : undefined,
  before: ({ verb }: { verb: string }, { objects }: { objects: Map<string, JsonObject> }) => {
    if (verb !== 'list') return;
    for (const [id, body] of objects)
      if (body.name === name) objects.set(id, { ...body, enabled: false });
  },
});

describe('policies', () => {
  test('are created with one request each, and read back with one list', async () => {
    const account = memory();
    const { outcomes, requests } = await run(planOf(policies(90)), account);
    expect(new Set(statuses(outcomes))).toEqual(new Set(['done']));
    // The second list looks for policies of others.
    expect(account.calls.slice(-2)).toEqual(['list policy', 'list policy']);
    expect(reads(account.calls)).toHaveLength(2);
    expect(requests).toBe(92);
  });

  test('are changed with two requests each, and read back with one list', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `p${i}`);
    const account = memory(ids.map(seen));
    const { outcomes, requests } = await run(planOf(ids.map(id => described(id))), account);
    expect(new Set(statuses(outcomes))).toEqual(new Set(['done']));
    expect(account.calls.filter(call => call === 'list policy')).toHaveLength(1);
    expect(requests).toBe(101);
  });

  test('policies that differ when they are read back are failed actions, and the others are done', async () => {
    const account = memory([], spoilt('p1'));
    const { outcomes } = await run(planOf(policies(3)), account);
    expect(statuses(outcomes)).toEqual(['done', 'failed', 'done']);
    expect(outcomes[1]).toMatchObject({
      fault: { code: 'NOT_KEPT', message: expect.stringMatching(/policy\.p1 .* store: enabled$/) },
    });
  });

  test('policies that the list no longer contains are failed actions', async () => {
    const account = memory([], {
      before: ({ verb }, { objects }) => verb === 'list' && objects.clear(),
    });
    const { outcomes } = await run(planOf(policies(2)), account);
    expect(outcomes).toMatchObject([
      { status: 'failed', fault: { code: 'NOT_KEPT' } },
      { status: 'failed', fault: { code: 'NOT_KEPT' } },
    ]);
  });

  test('policies whose list cannot be read stay sent, with the reason', async () => {
    const account = memory([], {
      before: call => {
        if (call.verb === 'list') throw apiError('API_UNAVAILABLE', call);
      },
    });
    const { outcomes } = await run(planOf(policies(2)), account);
    expect(outcomes).toMatchObject([
      { status: 'sent', notes: [expect.stringContaining('could not be read back')] },
      { status: 'sent', notes: [expect.stringContaining('could not be read back')] },
    ]);
  });

  test('end once in progress events, and are reported as sent before', async () => {
    const reported: string[] = [];
    const onEvent = (event: { type: string; action: { id: string } }) =>
      reported.push(`${event.type} ${event.action.id}`);
    await run(planOf(policies(2)), memory(), { onEvent, concurrency: 1 });
    expect(reported).toEqual([
      'start create policy.p0',
      'sent create policy.p0',
      'start create policy.p1',
      'sent create policy.p1',
      'end create policy.p0',
      'end create policy.p1',
    ]);
  });
});

describe('an action that depends on another action', () => {
  test('runs once that action was read back', async () => {
    const first = policy('first');
    const group = createOf('group', 'g', { name: 'g' }, { after: [first] });
    const account = memory();
    const { outcomes } = await run(planOf([first, policy('other'), group]), account, {
      concurrency: 1,
    });
    expect(statuses(outcomes)).toEqual(['done', 'done', 'done']);
    const at = (call: string) => account.calls.indexOf(call);
    expect(at('list policy')).toBeLessThan(at('create group'));
    expect(account.calls.filter(call => call === 'list policy')).toHaveLength(2);
  });

  test('does not run if the write of that action was not stored', async () => {
    const first = policy('p1');
    const old = deleteOf('policy', 'old', seen('old'), { after: [first] });
    const account = memory([seen('old')], spoilt('p1'));
    const { outcomes } = await run(planOf([first, policy('p2'), old]), account, { concurrency: 1 });
    expect(statuses(outcomes)).toEqual(['failed', 'done', 'skipped']);
    expect(account.objects.has('old')).toBe(true);
  });

  test('shares one list with many other actions that it depends on', async () => {
    const made = policies(40);
    const old = made.map((after, i) =>
      deleteOf('policy', `old${i}`, seen(`old${i}`), { after: [after] }),
    );
    const account = memory(old.map(({ remoteId }) => seen(remoteId)));
    const { outcomes } = await run(planOf([...made, ...old]), account);
    expect(new Set(statuses(outcomes))).toEqual(new Set(['done']));
    expect(account.calls.filter(call => call === 'list policy').length).toBeLessThan(4);
  });
});

describe('an update that removes access', () => {
  const off = (id: string) => updateOf('policy', id, seen(id), { name: id, enabled: false });
  const withChange = (made: Plan, fields: ShownChange['fields']): Plan => ({
    ...made,
    changes: made.actions.map(({ address, kind, key }) => ({
      address,
      kind,
      key,
      fields,
      type: 'update',
      notes: [],
    })),
  });
  const switchedOff = { type: 'value', path: ['enabled'], before: true, after: false } as const;
  const renamed = {
    type: 'value',
    path: ['description'],
    before: '' as ShownText,
    after: 'x' as ShownText,
  } as const;

  test('is read back before the next action; any other update is read back at the end', async () => {
    const order = async (fields: ShownChange['fields']) => {
      const account = memory([seen('a'), seen('b')]);
      const made = withChange(planOf([off('a'), off('b')]), fields);
      const { outcomes } = await run(made, account, { concurrency: 1 });
      expect(statuses(outcomes)).toEqual(['done', 'done']);
      return account.calls;
    };
    const turn = (id: string) => [`read policy ${id}`, `update policy ${id}`];
    expect(await order([switchedOff])).toEqual([
      ...turn('a'),
      'read policy a',
      ...turn('b'),
      'read policy b',
    ]);
    expect(await order([renamed])).toEqual([...turn('a'), ...turn('b'), 'list policy']);
  });
});

describe('a journal', () => {
  test('has an action as sent before it has it as done', async () => {
    const { entries, journal } = journalOf();
    await run(planOf(policies(2)), memory(), { journal });
    const ends = entries.flatMap(entry => (entry.type === 'end' ? [entry.outcome.status] : []));
    expect(ends).toEqual(['sent', 'sent', 'done', 'done']);
    expect([...earlierRun(entries).sent.keys()]).toEqual([]);
  });

  test('a journal that ends before the read is resumed by reading back, and nothing is sent again', async () => {
    const made = planOf(policies(3));
    const { entries, journal } = journalOf();
    const account = memory();
    await run(made, account, { journal });
    const last = entries.findLastIndex(
      entry => entry.type === 'end' && entry.outcome.status === 'sent',
    );
    const earlier = earlierRun(entries.slice(0, last + 1));
    expect(earlier.sent.size).toBe(3);
    const asked = account.calls.length;
    const { outcomes, written } = await run(made, account, { earlier });
    expect(statuses(outcomes)).toEqual(['done', 'done', 'done']);
    expect(account.calls.slice(asked)).toEqual(['list policy', 'list policy']);
    expect(written).toBe(3);
  });

  test('a journal no longer records an action as sent if the object was not stored', async () => {
    const { entries, journal } = journalOf();
    await run(planOf(policies(2)), memory([], spoilt('p1')), { journal });
    const { done, sent, begun } = earlierRun(entries);
    expect([done.size, sent.size, begun.size]).toEqual([1, 0, 1]);
  });
});

describe.each(['spec', 'netbird'] as const)('a whole server of dialect %s', dialect => {
  const files = (count: number, description: string): string => {
    const rule =
      'rules: [{ name: r, enabled: true, action: accept, protocol: all, sources: [g], destinations: [g] }]';
    const list = Array.from(
      { length: count },
      (_, i) => `  - { name: p${i}, description: ${description}, ${rule} }`,
    );
    return `groups: [{ name: g }]\npolicies:\n${list.join('\n')}\n`;
  };

  test('gets 200 requests for 200 policies, and a few more', async () => {
    const account = await startAccount({ dialect });
    onTestFinished(() => account.close());
    const made = await plan(account, desiredOf(files(200, 'one')), { dialect });
    const first = await apply(account, made);
    expect(new Set(statuses(first.outcomes))).toEqual(new Set(['done']));
    // 201 writes, the log once, the lists of policies before a create once for each 100 writes, and one list at the end.
    expect(first.requests).toBeLessThanOrEqual(201 + 1 + 3 + 1);
    const changed = await plan(account, desiredOf(files(200, 'two')), { dialect });
    const second = await apply(account, changed);
    expect(new Set(statuses(second.outcomes))).toEqual(new Set(['done']));
    // 200 reads before 200 writes, the log before and after with who we are, and one list at the end.
    expect(second.requests).toBeLessThanOrEqual(200 + 200 + 3 + 1);
    expect(second.requests).toBeLessThanOrEqual(changed.requests.planned);
    expect((await plan(account, desiredOf(files(200, 'two')), { dialect })).changes).toEqual([]);
  });
});

describe('the log of the account', () => {
  const waits = async (path: string, before: JsonObject, yaml: string) => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await account.call('POST', path, before);
    const made = await plan(account, desiredOf(yaml));
    const slept: number[] = [];
    const sleep = (milliseconds: number) => {
      slept.push(milliseconds);
      return Promise.resolve();
    };
    const there = { ...account, transport: { ...account.transport, sleep } };
    const { outcomes } = await apply(there, made);
    expect(statuses(outcomes)).toEqual(['done']);
    return slept;
  };

  test('is not waited for after updates that cannot remove members', async () => {
    const before = { name: 'n', description: 'old' };
    const yaml = 'networks: [{ name: n, description: new }]';
    expect(await waits('/api/networks', before, yaml)).toEqual([]);
  });

  test('is waited for after an update of a set that others join', async () => {
    const yaml = 'groups: [{ name: developers, peers: [], lifecycle: { was: devs } }]';
    expect(await waits('/api/groups', { name: 'devs', peers: [] }, yaml)).toEqual([2000]);
  });
});
