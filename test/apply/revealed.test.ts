// Secrets that the server shows once: handed on before anything else happens, and never lost without a word.
import { describe, expect, test } from 'vitest';
import type { AccountPort, KeepSecret } from '../../src/apply/port.ts';
import type { CreateAction } from '../../src/model/plan.ts';
import { apiError, type Call, lost, type Memory, type Mischief, memory } from './memory.ts';
import { createOf, outcomeOf, pinOf, planOf, run, statuses } from './plans.ts';

const KEY = createOf('setup_key', 'ci', {
  name: 'ci',
  type: 'reusable',
  expires_in: 86_400,
  auto_groups: [],
  ephemeral: false,
  allow_extra_dns_labels: false,
});

/** An account whose creates show a secret of their own, `hush-1` and so on, unless their answer is lost. */
function showing(mischief: Mischief = {}): Memory {
  const account = memory([], mischief);
  const { port } = account;
  let shown = 0;
  const create: AccountPort['create'] = async (...call) => {
    shown += 1;
    const number = shown;
    return { ...(await port.create(...call)), revealed: `hush-${number}` };
  };
  return { ...account, port: { ...port, create } };
}

/** A place that keeps what it is given, or says why it does not. */
function place(why: string | null = null) {
  const kept: unknown[] = [];
  const keepSecret: KeepSecret = async secret => {
    kept.push(secret);
    await new Promise(resolve => setImmediate(resolve));
    return why;
  };
  return { kept, keepSecret };
}

const waiting = (...actions: CreateAction[]) =>
  createOf('group', 'after', { name: 'after' }, { after: actions });

describe('a secret that the server shows', () => {
  test('is stored with the address of its object and the name of its field', async () => {
    const { kept, keepSecret } = place();
    const outcome = await outcomeOf(KEY, showing(), { keepSecret });
    expect(outcome).toMatchObject({ status: 'done', notes: [] });
    expect(kept).toEqual([{ address: 'setup_key.ci', field: 'key', value: 'hush-1' }]);
    expect(JSON.stringify(outcome)).not.toContain('hush');
  });

  test('is stored before the next action runs', async () => {
    const seen: string[] = [];
    const keepSecret: KeepSecret = async () => {
      await new Promise(resolve => setImmediate(resolve));
      seen.push('kept');
      return null;
    };
    const account = showing({ before: ({ verb, kind }) => seen.push(`${verb} ${kind}`) });
    await run(planOf([KEY, waiting(KEY)]), account, { keepSecret });
    expect(seen.slice(0, 3)).toEqual(['create setup_key', 'kept', 'create group']);
  });

  test('is lost if it cannot be stored, and nothing that waits for it runs', async () => {
    const { keepSecret } = place('the disk is full');
    const { outcomes } = await run(planOf([KEY, waiting(KEY)]), showing(), { keepSecret });
    expect(statuses(outcomes)).toEqual(['failed', 'skipped']);
    expect(outcomes[0]).toMatchObject({
      fault: {
        code: 'SECRET_LOST',
        message: 'setup_key.ci was created (id new1), but its `key` is LOST: the disk is full',
        hint: "it cannot be read again: create a new one with --rotate 'setup_key/ci'",
      },
    });
  });

  test('is lost without a place for secrets, as was accepted, and the outcome says so', async () => {
    expect(await outcomeOf(KEY, showing())).toMatchObject({
      status: 'done',
      notes: ['its `key` was shown only once and is lost, as allowed'],
    });
  });

  test('is not revealed by a later error that repeats it', async () => {
    const account = showing({
      before: call => {
        const message = 'no: hush-1, HUSH-1';
        if (call.kind === 'group') throw apiError('API_INVALID', call, { message });
      },
    });
    const { outcomes } = await run(planOf([KEY, waiting(KEY)]), account, place());
    expect(outcomes[1]).toMatchObject({ fault: { message: 'no: (secret), (secret)' } });
  });
});

test('a response without a secret is reported in the outcome', async () => {
  const { kept, keepSecret } = place();
  const outcome = await outcomeOf(KEY, memory(), { keepSecret });
  expect(outcome).toMatchObject({ status: 'done', notes: ['the response has no `key`'] });
  expect(kept).toEqual([]);
});

/** Loses the answers to the first `times` creates. */
function losing(times: number, when: 'before' | 'after' = 'after'): Mischief {
  let left = times;
  const lose = (call: Call) => {
    if (call.verb === 'create' && left-- > 0) throw lost(call);
    return undefined;
  };
  return { hasLog: true, ...(when === 'after' ? { after: lose } : { before: lose }) };
}

describe('a lost response', () => {
  test('loses the secret too: the object is deleted and created again', async () => {
    const { kept, keepSecret } = place();
    const account = showing(losing(1));
    expect(await outcomeOf(KEY, account, { keepSecret })).toMatchObject({
      status: 'done',
      remoteId: 'new2',
      notes: [
        'the response to its creation was lost, and with it its `key`: the created object (id new1) was deleted, and created again',
      ],
    });
    expect(account.calls).toEqual([
      'create setup_key',
      'list setup_key',
      'delete setup_key new1',
      'create setup_key',
      'list setup_key',
    ]);
    expect(kept).toMatchObject([{ value: 'hush-2' }]);
    expect([...account.objects.keys()]).toEqual(['new2']);
  });

  test('neither of two objects of a name is deleted after a lost response if no log shows who created them', async () => {
    const stranger = { ...KEY.fields, id: 'k7' };
    const account = showing({ ...losing(1), hasLog: false });
    account.objects.set('k7', stranger);
    expect(await outcomeOf(KEY, account, place())).toMatchObject({
      status: 'unknown',
      fault: {
        message: expect.stringContaining(
          "its `key` is LOST: create a new one with --rotate 'setup_key/ci'",
        ),
      },
    });
    expect([...account.objects.keys()]).toEqual(['k7', 'new1']);
  });

  test('does not delete an object that the plan knew before', async () => {
    const account = showing(losing(1, 'before'));
    account.objects.set('k7', { ...KEY.fields, id: 'k7' });
    const pins = [pinOf('setup_key', 'ci', 'k7')];
    expect(await outcomeOf(KEY, account, { ...place(), pins })).toMatchObject({
      status: 'unknown',
    });
    expect([...account.objects.keys()]).toEqual(['k7']);
  });

  test('a second lost response is not repaired', async () => {
    const account = showing(losing(2));
    expect(await outcomeOf(KEY, account, place())).toMatchObject({
      status: 'failed',
      fault: { code: 'SECRET_LOST', message: expect.stringContaining('(id new2)') },
    });
  });

  test('a lost response that cannot be repaired reports the objects that remain', async () => {
    const account = showing({
      ...losing(1),
      before: call => {
        if (call.verb === 'delete') throw apiError('API_DENIED', call);
      },
    });
    expect(await outcomeOf(KEY, account, place())).toMatchObject({
      status: 'unknown',
      fault: {
        message: expect.stringContaining('the created object (id new1) could not be deleted'),
      },
    });
  });

  test('a lost response of an invitation is not requested a second time', async () => {
    const account = showing(losing(1));
    const user = createOf('user', 'ada@example.com', {
      email: 'ada@example.com',
      role: 'user',
      auto_groups: [],
    });
    expect(await outcomeOf(user, account, place())).toMatchObject({
      status: 'done',
      remoteId: 'new1',
      notes: ['the response to its creation was lost, and with it its `password`'],
    });
  });
});

test('a create that is refused outright has lost nothing', async () => {
  const account = showing({
    before: call => {
      throw apiError('API_INVALID', call);
    },
  });
  const outcome = await outcomeOf(KEY, account, place());
  expect(outcome).toMatchObject({ status: 'failed', fault: { code: 'API_INVALID' } });
  expect(JSON.stringify(outcome)).not.toContain('LOST');
});
