// An update changes what the plan approved, of the object that the plan saw, and keeps what is somebody else's.
import { describe, expect, test } from 'vitest';
import { remoteId } from '../../src/model/names.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { apiError, type Call, lost, memory } from './memory.ts';
import { outcomeOf, pinOf, updateOf } from './plans.ts';

const seen = { id: 'n1', name: 'production', description: 'old', routers: ['x'], policies: [] };
const described = updateOf('network', 'production', seen, {
  name: 'production',
  description: 'new',
});

test('an update reads, compares, writes the fields of the files over the live object, and trusts the response', async () => {
  const account = memory([seen]);
  expect(await outcomeOf(described, account)).toEqual({
    action: described.id,
    address: described.address,
    status: 'done',
    remoteId: 'n1',
    notes: [],
  });
  expect(account.calls).toEqual(['read network n1', 'update network n1']);
  expect(account.sent).toEqual([{ name: 'production', description: 'new' }]);
});

describe('an object that changed since the plan', () => {
  const refused = async (there: JsonObject[]) => {
    const account = memory(there);
    const outcome = await outcomeOf(described, account);
    expect(account.calls).toEqual(['read network n1']);
    return outcome;
  };

  test('is not written', async () => {
    expect(await refused([{ ...seen, description: 'somebody was here' }])).toMatchObject({
      status: 'failed',
      fault: {
        code: 'PLAN_STALE',
        message: 'network.production changed in the account since the plan was made',
      },
    });
  });

  test('is not created again if it was deleted', async () => {
    expect(await refused([])).toMatchObject({
      status: 'failed',
      fault: {
        code: 'PLAN_STALE',
        message: 'network.production was deleted from the account since the plan was made',
      },
    });
  });

  test('is written if only fields changed that the files do not declare', async () => {
    const named = updateOf('network', 'production', seen, { name: 'live' });
    const account = memory([{ ...seen, description: 'theirs', routers: null, policies: ['p1'] }]);
    expect(await outcomeOf(named, account)).toMatchObject({ status: 'done' });
    expect(account.sent).toEqual([{ name: 'live', description: 'theirs' }]);
  });
});

describe('a set that others change too', () => {
  const peer = (id: string) => ({ id, name: `peer ${id}` });
  const resources = [{ id: 'r1', type: 'host' }];
  const group = (peers: string[]) => ({
    id: 'g1',
    name: 'devs',
    peers: peers.map(peer),
    resources,
  });
  const members = { peers: { add: ['id:p3'], remove: ['id:p2'], keep: ['id:p1'] } };
  const change = updateOf('group', 'devs', group(['p1', 'p2']), {}, { members });

  test('gains and loses only the members that the files add and remove', async () => {
    const account = memory([group(['p1', 'p2'])]);
    expect(await outcomeOf(change, account)).toMatchObject({ status: 'done' });
    expect(account.sent).toEqual([{ name: 'devs', peers: ['p1', 'p3'], resources }]);
  });

  test('keeps members that joined since the plan', async () => {
    const account = memory([group(['p9', 'p1', 'p2'])]);
    expect(await outcomeOf(change, account)).toMatchObject({ status: 'done' });
    expect(account.sent[0]?.peers).toEqual(['p1', 'p3', 'p9']);
  });

  test('does not restore others’ members that left since the plan', async () => {
    const planned = updateOf('group', 'devs', group(['p1', 'p2', 'p8']), {}, { members });
    const account = memory([group(['p1', 'p2'])]);
    expect(await outcomeOf(planned, account)).toMatchObject({ status: 'done' });
    expect(account.sent[0]?.peers).toEqual(['p1', 'p3']);
  });

  test.each([
    ['that the files keep has left', ['p2']],
    ['that was to be removed has left', ['p1']],
    ['that was to be added is there already', ['p1', 'p2', 'p3']],
  ])('is refused if a member %s', async (_, peers) => {
    const account = memory([group(peers)]);
    expect(await outcomeOf(change, account)).toMatchObject({ fault: { code: 'PLAN_STALE' } });
    expect(account.sent).toEqual([]);
  });

  test('is sent back whole if the files do not declare it', async () => {
    const renamed = updateOf('group', 'devs', group(['p1']), { name: 'developers' });
    const account = memory([group(['p1', 'p7'])]);
    expect(await outcomeOf(renamed, account)).toMatchObject({ status: 'done' });
    expect(account.sent).toEqual([{ name: 'developers', peers: ['p1', 'p7'], resources }]);
  });

  test('is not stored if a member that was removed is still there', async () => {
    const account = memory([group(['p1', 'p2'])], {
      after: ({ verb }, answer) =>
        verb === 'update' ? { ...answer, peers: ['p1', 'p2', 'p3'] } : answer,
    });
    expect(await outcomeOf(change, account)).toMatchObject({
      fault: { code: 'NOT_KEPT', message: expect.stringMatching(/did not store: peers$/) },
    });
  });

  test('is not stored if a member that was added is missing', async () => {
    const account = memory([group(['p1', 'p2']), { id: 'p1' }, { id: 'p3' }], {
      after: ({ verb }, answer) =>
        verb === 'update' ? { ...answer, peers: [peer('p1')] } : answer,
    });
    expect(await outcomeOf(change, account)).toMatchObject({ fault: { code: 'NOT_KEPT' } });
  });
});

describe('a response that does not show what was stored', () => {
  const spoilt = (spoil: (call: Call, answer: JsonObject) => JsonObject | undefined) =>
    memory([seen], {
      after: (call, answer) => (call.verb === 'update' ? spoil(call, answer) : undefined),
    });

  test('is followed by a read', async () => {
    const account = spoilt(() => ({ id: 'n1', name: 'production' }));
    expect(await outcomeOf(described, account)).toMatchObject({ status: 'done' });
    expect(account.calls).toEqual(['read network n1', 'update network n1', 'read network n1']);
  });

  test('a response that does not show the stored value is reported if a read shows the old value', async () => {
    const account = spoilt((_, { name = '' }) => {
      account.objects.set('n1', seen);
      return { id: 'n1', name };
    });
    expect(await outcomeOf(described, account)).toMatchObject({ fault: { code: 'NOT_KEPT' } });
    expect(account.calls).toHaveLength(3);
  });

  test('is trusted if a read shows another value', async () => {
    const account = spoilt((_, answer) => ({ ...answer, description: null }));
    expect(await outcomeOf(described, account)).toMatchObject({ fault: { code: 'NOT_KEPT' } });
    expect(account.calls).toHaveLength(2);
  });
});

describe('a lost response', () => {
  const loseUpdate = (happened: boolean) =>
    memory([seen], {
      before: call => {
        if (call.verb === 'update' && !happened) throw lost(call);
      },
      after: call => {
        if (call.verb === 'update') throw lost(call);
        return undefined;
      },
    });

  test('is resolved by a read that shows the result', async () => {
    expect(await outcomeOf(described, loseUpdate(true))).toMatchObject({
      status: 'done',
      notes: ['the response was lost, but a read shows that the write succeeded'],
    });
  });

  test('stays open if the read shows no result', async () => {
    expect(await outcomeOf(described, loseUpdate(false))).toMatchObject({
      status: 'unknown',
      fault: {
        code: 'API_NETWORK',
        message: 'update network failed: API_NETWORK',
        hint: 'check whether it was updated before you apply again',
      },
    });
  });

  test('stays open if the read fails too', async () => {
    let reads = 0;
    const account = memory([seen], {
      before: call => {
        if (call.verb === 'read') reads += 1;
        if (call.verb === 'update' || reads > 1) throw lost(call);
      },
    });
    expect(await outcomeOf(described, account)).toMatchObject({
      status: 'unknown',
      fault: { message: 'update network failed: API_NETWORK' },
    });
  });
});

test('a refusal is a failure, and needs no read', async () => {
  const account = memory([seen], {
    before: call => {
      if (call.verb === 'update') throw apiError('API_INVALID', call);
    },
  });
  expect(await outcomeOf(described, account)).toMatchObject({
    status: 'failed',
    fault: { code: 'API_INVALID' },
  });
  expect(account.calls).toHaveLength(2);
});

test('an object that moves is read at its old place and written at its new place', async () => {
  const there = { id: 'r1', name: 'db', address: '10.0.0.5/32', enabled: true, groups: [] };
  const moved = updateOf(
    'network_resource',
    'staging/db',
    there,
    { name: 'db' },
    { parent: 'staging', parentId: remoteId('n1') },
  );
  const places: unknown[] = [];
  const account = memory([there], {
    before: ({ verb, parentId }) => places.push([verb, parentId]),
  });
  const pins = [pinOf('network', 'staging', 'n2')];
  expect(await outcomeOf(moved, account, { pins })).toMatchObject({ status: 'done' });
  expect(places).toEqual([
    ['read', 'n1'],
    ['update', 'n2'],
  ]);
});
