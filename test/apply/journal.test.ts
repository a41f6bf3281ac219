// What a run writes down, when, and what it does where it cannot.
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../src/apply/run/journal.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import { earlierRun } from '../../src/model/journal.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import { secretFrom } from '../../src/model/secrets/secret.ts';
import { lost, type Memory, memory } from './memory.ts';
import { createOf, deleteOf, outcomeOf, planOf, run, statuses, updateOf } from './plans.ts';

const DEVS = { id: 'g1', name: 'devs', peers: [], resources: [] };

/** A journal that keeps entries, with the number of calls that the account had seen by each. */
function journalFor(account: Memory, refuses = (_: JournalEntry) => false) {
  const entries: (JournalEntry & { readonly calls: number })[] = [];
  const journal: Journal = {
    write: entry => {
      if (refuses(entry)) return Promise.reject('no space is left on the device');
      entries.push({ ...entry, calls: account.calls.length });
      return Promise.resolve();
    },
  };
  return { journal, entries };
}

describe('an entry', () => {
  test('the entry of a write precedes the write, with the previous state; the entry of the response follows it', async () => {
    const account = memory([DEVS]);
    const { journal, entries } = journalFor(account);
    await outcomeOf(updateOf('group', 'devs', DEVS, { name: 'ops' }), account, { journal });
    expect(entries).toMatchObject([
      {
        type: 'send',
        calls: 1,
        call: { verb: 'update', kind: 'group', id: 'g1', body: { name: 'ops' } },
        before: { fields: { name: 'devs' }, left_out: [] },
      },
      { type: 'answer', verb: 'update', result: 'done', calls: 2 },
      { type: 'name', key: 'devs', id: 'g1' },
      { type: 'end', outcome: { status: 'done' } },
    ]);
  });

  test('the entry of a missing response says that the result is unknown', async () => {
    const account = memory([DEVS], {
      after: call => {
        if (call.verb === 'delete') throw lost(call);
        return undefined;
      },
    });
    const { journal, entries } = journalFor(account);
    await outcomeOf(deleteOf('group', 'devs', DEVS), account, { journal });
    expect(entries[1]).toMatchObject({ type: 'answer', result: 'unknown', code: 'API_NETWORK' });
  });

  test('contains no secret: neither what is sent, nor what the account quotes', async () => {
    const provider = {
      id: 'p1',
      type: 'oidc',
      name: 'staff hush-hush',
      client_id: 'c',
      issuer: 'https://i',
    };
    const account = memory([provider]);
    const { journal, entries } = journalFor(account);
    const fields = {
      type: 'oidc',
      name: 'staff',
      client_id: 'c',
      issuer: 'https://i',
      client_secret: secretFrom('${env:S}'),
    };
    const outcome = await outcomeOf(
      updateOf('identity_provider', 'staff', provider, fields),
      account,
      {
        journal,
        secrets: new KnownSecrets(),
        openSecret: () => 'hush-hush',
      },
    );
    expect(outcome.status).toBe('done');
    expect(account.sent).toMatchObject([{ client_secret: 'hush-hush' }]);
    expect(entries[0]).toMatchObject({
      call: { body: { client_secret: '(secret)', name: 'staff' } },
      before: { left_out: expect.arrayContaining(['name']) },
    });
    expect(JSON.stringify(entries)).not.toContain('hush-hush');
  });
});

describe('a slow disk', () => {
  const first = createOf('group', 'ops', { name: 'ops' });
  const second = createOf('group', 'dev', { name: 'dev' }, { after: [first] });

  test('delays a write until its entry is stored', async () => {
    const account = memory();
    const disk = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const journal: Journal = {
      write: () => {
        asked.resolve();
        return disk.promise;
      },
    };
    const ended = run(planOf([first]), account, { journal });
    await asked.promise;
    expect(account.sent).toEqual([]);
    disk.resolve();
    await ended;
    expect(account.sent).toMatchObject([{ name: 'ops' }]);
  });

  test('does not delay on results, which are stored before the next write', async () => {
    const account = memory();
    const written: string[] = [];
    const journal: Journal = {
      write: entry => {
        written.push(entry.type);
        return entry.type === 'send' ? Promise.resolve() : new Promise(() => {});
      },
    };
    const { outcomes } = await run(planOf([first, second]), account, { journal });
    expect(statuses(outcomes)).toEqual(['done', 'done']);
    const each = ['send', 'answer', 'name', 'end'];
    expect(written).toEqual([...each, ...each]);
  });
});

describe('a journal that cannot be written', () => {
  test('prevents every write', async () => {
    const account = memory([DEVS]);
    const { journal } = journalFor(account, () => true);
    const plan = planOf([
      createOf('group', 'ops', { name: 'ops' }),
      updateOf('group', 'devs', DEVS, { name: 'builders' }),
    ]);
    const { outcomes } = await run(plan, account, { journal });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: {
          code: 'JOURNAL_FAILED',
          message: expect.stringContaining('no space is left on the device'),
        },
      },
      { status: 'failed', fault: { code: 'JOURNAL_FAILED' } },
    ]);
    expect(account.sent).toEqual([]);
  });

  test('a journal that cannot be written after a write does not change the result of the write', async () => {
    const account = memory([DEVS]);
    const { journal } = journalFor(account, ({ type }) => type !== 'send');
    const action = updateOf('group', 'devs', DEVS, { name: 'ops' });
    expect(await outcomeOf(action, account, { journal })).toMatchObject({ status: 'done' });
  });
});

describe('the work of an earlier run', () => {
  const update = updateOf('group', 'devs', DEVS, { name: 'ops' });

  test('is not repeated', async () => {
    const account = memory([DEVS]);
    const { journal, entries } = journalFor(account);
    await outcomeOf(update, account, { journal });
    const before = account.calls.length;
    const sent = account.sent.length;
    const { outcomes } = await run(planOf([update]), account, { earlier: earlierRun(entries) });
    expect(statuses(outcomes)).toEqual(['done']);
    expect(account.sent).toHaveLength(sent);
    // One list shows that nobody has deleted the object since.
    expect(account.calls).toHaveLength(before + 1);
  });

  test('is recognised by a read if the response is missing', async () => {
    const account = memory([{ ...DEVS, name: 'ops' }]);
    const send: JournalEntry = {
      type: 'send',
      action: update.id,
      call: { verb: 'update', kind: update.kind, id: update.remoteId },
    };
    const outcome = await outcomeOf(update, account, { earlier: earlierRun([send]) });
    expect(outcome).toMatchObject({
      status: 'done',
      notes: [expect.stringContaining('earlier run')],
    });
    expect(account.sent).toEqual([]);
  });

  test('is done without a request if the account already has the result of the update, whoever made it', async () => {
    const account = memory([{ ...DEVS, name: 'ops' }]);
    const outcome = await outcomeOf(update, account, { earlier: earlierRun([]) });
    expect(outcome).toMatchObject({
      status: 'done',
      notes: [expect.stringContaining('nothing was sent')],
    });
    expect(account.sent).toEqual([]);
  });

  test('does not include work that ended with a refusal', () => {
    const begun = (...results: ('done' | 'refused' | 'unknown')[]) => {
      const call = { verb: 'update', kind: update.kind } as const;
      const entries = results.flatMap((result): JournalEntry[] => [
        { type: 'send', action: update.id, call },
        { type: 'answer', action: update.id, verb: 'update', result },
      ]);
      return earlierRun(entries).begun.has(update.id);
    };
    expect(begun('refused')).toBe(false);
    expect(begun('unknown')).toBe(true);
    // What an earlier call may have done is still open, whatever the later one is reported.
    expect(begun('unknown', 'refused')).toBe(true);
    expect(begun('done', 'refused')).toBe(true);
  });

  describe('of an object with a secret that is shown once', () => {
    const KEY = {
      name: 'ci',
      type: 'reusable',
      expires_in: 86400,
      usage_limit: 0,
      auto_groups: [],
    };
    const create = createOf('setup_key', 'ci', KEY);
    const made = { ...KEY, id: 'k1', revoked: false };
    const sent: JournalEntry = {
      type: 'send',
      action: create.id,
      call: { verb: 'create', kind: create.kind },
    };
    const answered: JournalEntry = {
      type: 'answer',
      action: create.id,
      verb: 'create',
      result: 'done',
      id: updateOf('setup_key', 'ci', made, {}).remoteId,
    };
    const kept: JournalEntry = { type: 'kept', action: create.id, field: 'key' };

    test('keeps the object if the secret is safe', async () => {
      const account = memory([made]);
      const earlier = earlierRun([sent, answered, kept]);
      expect(await outcomeOf(create, account, { earlier })).toMatchObject({
        status: 'done',
        remoteId: 'k1',
      });
      expect([...account.objects.keys()]).toEqual(['k1']);
    });

    test('creates the object again if nobody has seen the secret', async () => {
      const account = memory([made]);
      const earlier = earlierRun([sent, answered]);
      const outcome = await outcomeOf(create, account, { earlier });
      expect(outcome).toMatchObject({ status: 'done', remoteId: 'new1' });
      expect([...account.objects.keys()]).toEqual(['new1']);
    });
  });
});
