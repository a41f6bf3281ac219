// A create whose answer is lost: what was made is found, and nothing is made twice.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import {
  apiError,
  type Call,
  createdEvent,
  lost,
  type Mischief,
  memory,
  OWN_USER,
} from './memory.ts';
import { createOf, deleteOf, kindOf, outcomeOf, pinOf, planOf, run, statuses } from './plans.ts';

const group = createOf('group', 'engineers', { name: 'engineers' });
const network = createOf('network', 'production', { name: 'production', description: 'One' });
const router = createOf(
  'network_router',
  'production/gateways',
  { peer_groups: ['gateways'], metric: 9999, masquerade: true, enabled: false },
  { parent: 'production' },
);
const pins = [pinOf('network', 'production', 'n1'), pinOf('group', 'gateways', 'g1')];

/** Loses the first `times` creates: before the server has done them, or after. */
function losing(when: 'before' | 'after', times = 1): Mischief {
  let left = times;
  const lose = (call: Call) => {
    if (call.verb === 'create' && left-- > 0) throw lost(call);
    return undefined;
  };
  return { hasLog: true, ...(when === 'before' ? { before: lose } : { after: lose }) };
}

const FOUND = ['the response was lost, but a list shows that it was created'];

test('the created object is found in a list', async () => {
  const account = memory([], losing('after'));
  expect(await outcomeOf(network, account)).toMatchObject({
    status: 'done',
    remoteId: 'new1',
    notes: FOUND,
  });
  expect(account.calls).toEqual(['create network', 'list network', 'list network']);
});

test('the created object is looked for in its parent, and completed as if the response had arrived', async () => {
  const account = memory([], {
    before: ({ verb, body }) =>
      verb === 'create' && body ? Object.assign(body, { enabled: true }) : null,
    ...losing('after'),
  });
  expect(await outcomeOf(router, account, { pins })).toMatchObject({
    status: 'done',
    notes: [...FOUND, 'ignored by the create, set by an update: enabled'],
  });
  expect(account.calls).toEqual([
    'create network_router',
    'list network_router',
    'update network_router new1',
    'list network_router',
  ]);
});

test('objects that refer to the created object are created after it', async () => {
  const policy = createOf(
    'policy',
    'p',
    { name: 'p', source_posture_checks: ['checked'] },
    { after: [createOf('posture_check', 'checked', {})] },
  );
  const check = createOf('posture_check', 'checked', { name: 'checked', checks: {} });
  const account = memory([], losing('after'));
  const { outcomes } = await run(planOf([check, policy]), account);
  expect(statuses(outcomes)).toEqual(['done', 'done']);
  expect(account.sent.at(-1)).toMatchObject({ source_posture_checks: ['new1'] });
});

describe('the created object is not confused with', () => {
  const asked = { name: 'production', description: 'One' };

  test.each<[string, JsonObject]>([
    ['an object of another name', { ...asked, name: 'staging' }],
    ['an object of the name that is something else', { ...asked, description: 'Another' }],
  ])('%s', async (_, other) => {
    const account = memory([{ ...other, id: 'n7' }], losing('before'));
    expect(await outcomeOf(network, account)).toMatchObject({
      status: 'unknown',
      fault: { code: 'API_NETWORK', hint: 'check whether it exists before you apply again' },
    });
  });

  test('an object that the plan knew', async () => {
    const old = { ...asked, id: 'n7' };
    const account = memory([old], losing('before'));
    const gone = deleteOf('network', 'production', old, { after: [network] });
    const plan = { ...planOf([network, gone]), pins: [pinOf('network', 'production', 'n7')] };
    const { outcomes } = await run(plan, account);
    expect(statuses(outcomes)).toEqual(['unknown', 'skipped']);
  });

  test('an equal object of somebody else', async () => {
    const account = memory([], losing('before'));
    const theirs = createdEvent(kindOf('network'), { number: 9, id: 'n7', by: 'u2' });
    account.events.push(theirs);
    account.objects.set('n7', { ...asked, id: 'n7' });
    expect(await outcomeOf(network, account)).toMatchObject({
      status: 'unknown',
      fault: {
        message: expect.stringContaining('the audit log does not prove that this run created it'),
      },
    });
    expect(account.calls).toEqual(['create network', 'list network']);
  });

  test('an object that the same user created before the run', async () => {
    const account = memory([], losing('before'));
    const before = createdEvent(kindOf('network'), { number: 9, id: 'n7', by: OWN_USER });
    account.events.push(before);
    account.objects.set('n7', { ...asked, id: 'n7' });
    expect(await outcomeOf(network, account)).toMatchObject({ status: 'unknown' });
  });

  test('any object, without proof by the log', async () => {
    const account = memory([], { ...losing('after'), hasLog: false });
    expect(await outcomeOf(network, account)).toMatchObject({ status: 'unknown' });
    expect(account.calls).toEqual(['create network', 'list network']);
  });
});

test('the object that this run created is used, and an equal object is reported', async () => {
  const asked = { name: 'production', description: 'One' };
  const account = memory([{ ...asked, id: 'n7' }], losing('after'));
  const message = expect.stringMatching(/created by this run \(id new1\).*somebody else \(id n7\)/);
  expect(await outcomeOf(network, account)).toMatchObject({
    fault: { code: 'CREATED_TWICE', message },
  });
});

test('the outcome stays unknown if the object cannot be looked for', async () => {
  const account = memory([], {
    ...losing('after'),
    before: call => {
      if (call.verb === 'list') throw apiError('API_UNAVAILABLE', call);
    },
  });
  expect(await outcomeOf(network, account)).toMatchObject({
    status: 'unknown',
    fault: { code: 'API_NETWORK' },
  });
});

describe('an object that was not created', () => {
  test('is not requested again if the server would create a duplicate', async () => {
    const account = memory([], losing('before'));
    expect(await outcomeOf(network, account)).toMatchObject({ status: 'unknown' });
    expect(account.calls).toEqual(['create network', 'list network']);
  });

  test('is requested once more if the server refuses duplicates', async () => {
    const account = memory([], losing('before'));
    expect(await outcomeOf(group, account)).toMatchObject({ status: 'done', notes: [] });
    expect(account.calls).toEqual(['create group', 'list group', 'create group']);
  });

  test('is found if it was created after the timeout, when the second request is refused', async () => {
    let isLate = false;
    const account = memory([], {
      hasLog: true,
      before: (call, { objects, events }) => {
        if (call.verb !== 'create') return;
        if (isLate) {
          objects.set('late', { id: 'late', name: 'engineers' });
          events.push(createdEvent(kindOf('group'), { number: 1, id: 'late', by: OWN_USER }));
        }
        const error = isLate ? apiError('API_CONFLICT', call) : lost(call);
        isLate = true;
        throw error;
      },
    });
    expect(await outcomeOf(group, account)).toMatchObject({
      status: 'done',
      remoteId: 'late',
      notes: FOUND,
    });
  });

  test('stays open if the second request is not sent, because the lock is lost', async () => {
    const account = memory([], losing('before'));
    const isHeld = () => Promise.resolve(account.calls.length === 0);
    const journal = { isHeld, write: () => Promise.resolve() };
    expect(await outcomeOf(group, account, { journal })).toMatchObject({
      status: 'unknown',
      fault: {
        message: expect.stringContaining('the next request was not sent for group.engineers'),
        hint: 'check whether it exists before you apply again',
      },
    });
    expect(account.calls).toEqual(['create group', 'list group']);
  });

  test('stays open if the second request is not sent, because the time of the run is over', async () => {
    const account = memory([], {
      before: call => {
        if (call.verb !== 'create') return;
        if (!account.calls.includes('list group')) throw lost(call);
        throw apiError('API_DEADLINE', call, { unsent: 'the run reached its --deadline' });
      },
    });
    expect(await outcomeOf(group, account)).toMatchObject({
      status: 'unknown',
      fault: { message: expect.stringContaining('may have been executed') },
    });
  });

  test('stays open if the response is lost again', async () => {
    const account = memory([], losing('before', 2));
    expect(await outcomeOf(group, account)).toMatchObject({ status: 'unknown' });
    expect(account.calls).toEqual(['create group', 'list group', 'create group', 'list group']);
  });
});

test('a create that was refused is not looked for', async () => {
  const account = memory([], {
    before: call => {
      throw apiError('API_CONFLICT', call);
    },
  });
  expect(await outcomeOf(group, account)).toMatchObject({ status: 'failed' });
  expect(account.calls).toEqual(['create group']);
});
