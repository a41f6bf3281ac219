// A new one-time secret of an object that stays: handed on, asked for again if the response was lost, and never got twice without a word.
import { describe, expect, test } from 'vitest';
import type { KeepSecret } from '../../src/apply/port.ts';
import { type EarlierRun, earlierRun, type JournalEntry } from '../../src/model/journal.ts';
import type { UpdateAction } from '../../src/model/plan.ts';
import type { Fields } from '../../src/model/value.ts';
import { apiError, type Call, lost, type Mischief, memory } from './memory.ts';
import { outcomeOf, updateOf } from './plans.ts';

const SEEN = {
  id: '7',
  provider: 'generic',
  prefix: 'staff',
  group_prefixes: ['eng-'],
  enabled: true,
};

const renewing = (fields: Fields = {}): UpdateAction => ({
  ...updateOf('scim_integration', 'generic staff', SEEN, fields),
  renews: { secret: 'auth_token' },
});

/** A place that keeps what it is given, or says why it does not. */
function place(why: string | null = null) {
  const kept: unknown[] = [];
  const keepSecret: KeepSecret = secret => {
    kept.push(secret.value);
    return Promise.resolve(why);
  };
  return { kept, keepSecret };
}

/** Loses the answers to the first `times` requests for a secret. */
function losing(times: number): Mischief {
  let left = times;
  return {
    after: call => {
      if (call.verb === 'renew' && left-- > 0) throw lost(call);
      return undefined;
    },
  };
}

const journalOf = () => {
  const entries: JournalEntry[] = [];
  const write = (entry: JournalEntry) => {
    entries.push(entry);
    return Promise.resolve();
  };
  return { entries, journal: { write } };
};

/** What a run leaves that ended after its first `count` entries. */
async function interrupted(upTo: (entry: JournalEntry) => boolean): Promise<EarlierRun> {
  const { entries, journal } = journalOf();
  await outcomeOf(renewing(), memory([SEEN]), { ...place(), journal });
  return earlierRun(entries.slice(0, entries.findIndex(upTo) + 1));
}

describe('a new secret', () => {
  test('is stored, and nothing else of the object is written', async () => {
    const account = memory([SEEN]);
    const { kept, keepSecret } = place();
    const outcome = await outcomeOf(renewing(), account, { keepSecret });
    expect(outcome).toMatchObject({ status: 'done', remoteId: '7', notes: [] });
    expect(account.calls).toEqual(['read scim_integration 7', 'renew scim_integration 7']);
    expect(kept).toEqual(['renewed-1']);
    expect(JSON.stringify(outcome)).not.toContain('renewed-1');
  });

  test('comes after the changes of the object', async () => {
    const account = memory([SEEN]);
    await outcomeOf(renewing({ prefix: 'staff', group_prefixes: [] }), account, place());
    expect(account.calls.map(call => call.split(' ')[0])).toEqual(['read', 'update', 'renew']);
  });

  test('comes although the fields already have their values', async () => {
    const action = renewing({ group_prefixes: [] });
    const account = memory([{ ...SEEN, group_prefixes: [] }]);
    expect(await outcomeOf(action, account, place())).toMatchObject({
      status: 'done',
      notes: ['a read shows that its fields already have these values'],
    });
    expect(account.calls.map(call => call.split(' ')[0])).toEqual(['read', 'renew']);
  });

  test('is not requested if the object was changed since the plan, or no longer exists', async () => {
    const changed = memory([{ ...SEEN, prefix: 'other' }]);
    expect(await outcomeOf(renewing({ prefix: 'staff' }), changed, place())).toMatchObject({
      fault: { code: 'PLAN_STALE' },
    });
    expect(await outcomeOf(renewing(), memory(), place())).toMatchObject({
      fault: { code: 'PLAN_STALE' },
    });
  });

  test('is lost if it cannot be stored, and so is the former one', async () => {
    expect(await outcomeOf(renewing(), memory([SEEN]), place('the disk is full'))).toMatchObject({
      status: 'failed',
      fault: {
        code: 'SECRET_LOST',
        message:
          'scim_integration["generic staff"] has a new `auth_token`, which is LOST, and the former one is no longer valid: the disk is full',
        hint: "it cannot be read again: create a new one with --rotate 'scim_integration/generic staff'",
      },
    });
  });

  test('is lost if the response does not have it, and so is the former one', async () => {
    const withoutSecret = memory([SEEN], {
      after: ({ verb }) => (verb === 'renew' ? {} : undefined),
    });
    const { kept, keepSecret } = place();
    expect(await outcomeOf(renewing(), withoutSecret, { keepSecret })).toMatchObject({
      status: 'failed',
      fault: {
        code: 'SECRET_LOST',
        message:
          'scim_integration["generic staff"] has a new `auth_token`, which is LOST, and the former one is no longer valid: the response does not have it',
      },
    });
    expect(kept).toEqual([]);
  });

  test('is lost without a place for secrets, as was accepted, and the outcome says so', async () => {
    expect(await outcomeOf(renewing(), memory([SEEN]))).toMatchObject({
      status: 'done',
      notes: ['its `auth_token` was shown only once and is lost, as allowed'],
    });
  });
});

describe('a lost response', () => {
  test('loses its secret: a new secret is requested, and stored', async () => {
    const { kept, keepSecret } = place();
    expect(await outcomeOf(renewing(), memory([SEEN], losing(1)), { keepSecret })).toMatchObject({
      status: 'done',
      notes: [
        'the response with a new `auth_token` was lost: another one was requested, and the lost one is no longer valid',
      ],
    });
    expect(kept).toEqual(['renewed-2']);
  });

  test('is reported if the second one is lost too', async () => {
    const account = memory([SEEN], losing(2));
    expect(await outcomeOf(renewing(), account, place())).toMatchObject({
      status: 'unknown',
      fault: {
        message: expect.stringContaining(
          "the former `auth_token` may no longer be valid, and a new one is LOST: create another with --rotate 'scim_integration/generic staff'",
        ),
      },
    });
  });

  test('stays unknown if the second request is refused: the first one may have been carried out', async () => {
    let requests = 0;
    const refuse = (call: Call) => {
      if (call.verb !== 'renew') return undefined;
      requests += 1;
      throw requests === 1 ? lost(call) : apiError('API_INVALID', call);
    };
    expect(await outcomeOf(renewing(), memory([SEEN], { after: refuse }), place())).toMatchObject({
      status: 'unknown',
      fault: { code: 'API_INVALID' },
    });
  });

  test('differs from a refusal, after which no other secret is requested', async () => {
    const account = memory([SEEN], {
      before: call => {
        if (call.verb === 'renew') throw apiError('API_INVALID', call);
      },
    });
    expect(await outcomeOf(renewing(), account, place())).toMatchObject({ status: 'failed' });
    expect(account.calls.filter(call => call.startsWith('renew'))).toHaveLength(1);
  });
});

describe('a run that continues another', () => {
  test('asks for another secret if it is not known that the first was stored', async () => {
    const earlier = await interrupted(({ type }) => type === 'send');
    const { kept, keepSecret } = place();
    expect(await outcomeOf(renewing(), memory([SEEN]), { keepSecret, earlier })).toMatchObject({
      status: 'done',
      notes: ['a new `auth_token` that the earlier run may have got is no longer valid'],
    });
    expect(kept).toEqual(['renewed-1']);
  });

  test('asks for none if the first was stored', async () => {
    const earlier = await interrupted(({ type }) => type === 'kept');
    const account = memory([SEEN]);
    expect(await outcomeOf(renewing(), account, { ...place(), earlier })).toMatchObject({
      status: 'done',
      notes: ['the earlier run had stored its new `auth_token`'],
    });
    expect(account.calls.filter(call => call.startsWith('renew'))).toEqual([]);
  });

  test('finds the request in the journal, without the secret', async () => {
    const { entries, journal } = journalOf();
    await outcomeOf(renewing(), memory([SEEN]), { ...place(), journal });
    const call = { verb: 'renew', kind: 'scim_integration', id: '7' };
    expect(entries.filter(({ type }) => type !== 'name')).toMatchObject([
      { type: 'send', call },
      { type: 'answer', verb: 'renew', result: 'done' },
      { type: 'kept', field: 'auth_token' },
      { type: 'end' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('renewed-1');
  });
});
