// Secrets are opened for the one moment they are sent, and no outcome tells them.
import { describe, expect, test } from 'vitest';
import { type Secret, secretFrom } from '../../src/model/secrets/secret.ts';
import { apiError, lost, memory } from './memory.ts';
import { createOf, NOT_THERE, outcomeOf, planOf, run, statuses, updateOf } from './plans.ts';

const HUSH = 'Hush-Hush (1+1)';
const opener = (value: string | null = HUSH) => {
  const asked: string[] = [];
  const openSecret = ({ $secret }: Secret) => {
    asked.push($secret);
    return value === null ? NOT_THERE : $secret.replace('${env:HOOK}', value);
  };
  return { asked, openSecret };
};

const target = {
  url: 'https://hook.example.com',
  headers: { Authorization: secretFrom('Bearer ${env:HOOK}') },
};
const shown = {
  id: 'c1',
  type: 'webhook',
  event_types: ['user.join'],
  enabled: false,
  target: { ...target, headers: { Authorization: '****' } },
};
const channel = createOf('notification_channel', 'hook', { ...shown, id: '', target });
const update = updateOf('notification_channel', 'hook', shown, { enabled: true, target });

test('a secret is sent in clear text, and the masked value in the response counts as stored', async () => {
  const account = memory([], { after: () => shown });
  const { asked, openSecret } = opener();
  expect(await outcomeOf(channel, account, { openSecret })).toMatchObject({ status: 'done' });
  expect(account.sent[0]).toMatchObject({
    target: { headers: { Authorization: `Bearer ${HUSH}` } },
  });
  expect(asked).toEqual(['Bearer ${env:HOOK}']);
});

test('a secret is not decrypted before the object is known to be the approved one', async () => {
  const { asked, openSecret } = opener();
  const account = memory([{ ...shown, enabled: true }]);
  expect(await outcomeOf(update, account, { openSecret })).toMatchObject({
    fault: { code: 'PLAN_STALE' },
  });
  expect(asked).toEqual([]);
});

test('a missing secret stops its own action before the write, and no other', async () => {
  const account = memory();
  const group = createOf('group', 'g', { name: 'g' });
  const { outcomes } = await run(planOf([channel, group]), account, opener(null));
  expect(statuses(outcomes)).toEqual(['failed', 'done']);
  expect(outcomes[0]).toMatchObject({
    fault: NOT_THERE,
  });
  expect(account.calls).toEqual(['create group']);
});

describe('a secret that only the account has', () => {
  test('stops a write that would lose it', async () => {
    const account = memory([shown]);
    const enabled = updateOf('notification_channel', 'hook', shown, { enabled: true });
    expect(await outcomeOf(enabled, account, opener())).toMatchObject({
      status: 'failed',
      fault: { code: 'SECRET_UNDEFINED', message: expect.stringContaining('`target`') },
    });
    expect(account.calls).toEqual(['read notification_channel c1']);
  });
});

test('a lost response leaves open whether a secret arrived: a read cannot show it', async () => {
  const account = memory([shown], {
    after: call => {
      if (call.verb === 'update') throw lost(call);
      return shown;
    },
  });
  const rotated = updateOf('notification_channel', 'hook', shown, { target });
  expect(await outcomeOf(rotated, account, opener())).toMatchObject({ status: 'unknown' });
  expect(account.calls.at(-1)).toBe('update notification_channel c1');
});

describe('a server that quotes what it was sent', () => {
  const quoting = (quote: string) =>
    memory([], {
      before: call => {
        throw apiError('API_INVALID', call, { message: `invalid header: ${quote}, sorry` });
      },
    });

  test.each([
    ['as it is', `Bearer ${HUSH}`],
    ['in lower case', `bearer ${HUSH.toLowerCase()}`],
  ])('does not make us reveal it: %s', async (_, quote) => {
    const outcome = await outcomeOf(channel, quoting(quote), opener());
    expect(outcome).toMatchObject({ fault: { message: 'invalid header: (secret), sorry' } });
    expect(JSON.stringify(outcome).toLowerCase()).not.toContain('hush');
  });

  test('an empty secret hides nothing', async () => {
    const outcome = await outcomeOf(
      {
        ...channel,
        fields: {
          ...channel.fields,
          target: { ...target, headers: { A: secretFrom('${env:HOOK}') } },
        },
      },
      quoting('A'),
      opener(''),
    );
    expect(outcome).toMatchObject({ fault: { message: 'invalid header: A, sorry' } });
  });
});
