// A delete deletes what the plan approved, and is done where there is nothing left to delete.
import { describe, expect, test } from 'vitest';
import { remoteId } from '../../src/model/names.ts';
import { apiError, lost, memory } from './memory.ts';
import { deleteOf, outcomeOf } from './plans.ts';

const seen = { id: 'g1', name: 'devs', peers: [{ id: 'p1', name: 'a' }], resources: null };
const gone = deleteOf('group', 'devs', seen);

test('a delete reads, compares and deletes the object', async () => {
  const account = memory([seen]);
  expect(await outcomeOf(gone, account)).toEqual({
    action: gone.id,
    address: gone.address,
    status: 'done',
    remoteId: 'g1',
    notes: [],
  });
  expect(account.calls).toEqual(['read group g1', 'delete group g1']);
});

test('a child object is deleted below its parent', async () => {
  const there = { id: 'r1', name: 'db', address: '10.0.0.5/32', enabled: true, groups: null };
  const places: unknown[] = [];
  const account = memory([there], { before: ({ parentId }) => places.push(parentId) });
  const action = deleteOf('network_resource', 'n/db', there, { parentId: remoteId('n1') });
  expect(await outcomeOf(action, account)).toMatchObject({ status: 'done' });
  expect(places).toEqual(['n1', 'n1']);
});

test('a delete is refused if the object has changed', async () => {
  const account = memory([{ ...seen, name: 'admins' }]);
  expect(await outcomeOf(gone, account)).toMatchObject({
    status: 'failed',
    fault: {
      code: 'PLAN_STALE',
      message: 'group.devs changed in the account since the plan was made',
    },
  });
  expect(account.objects.has('g1')).toBe(true);
});

test('a group is deleted although members joined or left it since the plan', async () => {
  const account = memory([{ ...seen, peers: [{ id: 'p2', name: 'b' }] }]);
  expect(await outcomeOf(gone, account)).toMatchObject({ status: 'done' });
});

describe('an object that no longer exists', () => {
  test('counts as deleted, and the outcome says so', async () => {
    const account = memory();
    expect(await outcomeOf(gone, account)).toMatchObject({
      status: 'done',
      notes: ['it was already deleted'],
    });
    expect(account.calls).toEqual(['read group g1']);
  });

  test.each(['API_NOT_FOUND', 'API_INVALID'] as const)(
    'an object that somebody deleted between the read and the delete is recognised by %s',
    async code => {
      const account = memory([seen], {
        before: call => {
          if (call.verb !== 'delete') return;
          account.objects.delete('g1');
          throw apiError(code, call);
        },
      });
      expect(await outcomeOf(gone, account)).toMatchObject({
        status: 'done',
        notes: ['the delete was not confirmed, but a read shows that it is gone'],
      });
    },
  );
});

describe('a failed delete', () => {
  test.each([
    ['API_INVALID', 3],
    ['API_CONFLICT', 2],
    ['API_DENIED', 2],
  ] as const)(
    'a failed delete with the code %s is reported unchanged while the object exists',
    async (code, calls) => {
      const account = memory([seen], {
        before: call => {
          if (call.verb === 'delete') throw apiError(code, call);
        },
      });
      expect(await outcomeOf(gone, account)).toMatchObject({ status: 'failed', fault: { code } });
      expect(account.calls).toHaveLength(calls);
    },
  );

  test('a delete without a response is done if the object no longer exists', async () => {
    const account = memory([seen], {
      after: call => {
        if (call.verb === 'delete') throw lost(call);
        return undefined;
      },
    });
    expect(await outcomeOf(gone, account)).toMatchObject({
      status: 'done',
      notes: ['the delete was not confirmed, but a read shows that it is gone'],
    });
  });

  test('a delete without a response stays open if the object still exists', async () => {
    const account = memory([seen], {
      before: call => {
        if (call.verb === 'delete') throw lost(call);
      },
    });
    expect(await outcomeOf(gone, account)).toMatchObject({
      status: 'unknown',
      fault: { hint: 'check whether it was deleted before you apply again' },
    });
  });

  test('a failed delete that cannot be verified is reported as the server answered it', async () => {
    let reads = 0;
    const account = memory([seen], {
      before: call => {
        if (call.verb === 'read') reads += 1;
        if (call.verb === 'delete') throw lost(call);
        if (reads > 1) throw apiError('API_UNAVAILABLE', call);
      },
    });
    expect(await outcomeOf(gone, account)).toMatchObject({
      status: 'unknown',
      fault: { code: 'API_NETWORK' },
    });
  });
});
