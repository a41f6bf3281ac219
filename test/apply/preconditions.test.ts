// What must hold just before an action is looked at before the first write, and again just before each.
import { describe, expect, test } from 'vitest';
import { deleteScope, digest } from '../../src/engine/diff/digest.ts';
import { remoteId } from '../../src/model/names.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { byId, decodeFields } from '../../src/wire/decode.ts';
import { memory } from './memory.ts';
import { createOf, deleteOf, kindOf, pinOf, planOf, run, statuses, updateOf } from './plans.ts';

/** A plan that was saved: nothing that this process read vouches for it. */
const SAVED = { planReadAt: undefined };
const network = createOf('network', 'production', { name: 'production' });
const group = { id: 'g1', name: 'devs' };
const isWrite = (call: string) => /^(create|update|delete)/.test(call);

describe('before the first write', () => {
  test('one stale action prevents all others from starting', async () => {
    const account = memory([group, { id: 'g2', name: 'somebody was here' }]);
    const renamed = updateOf('group', 'ops', { id: 'g2', name: 'before' }, { name: 'ops' });
    const plan = planOf([network, updateOf('group', 'team', group, { name: 'team' }), renamed]);
    const { outcomes, written } = await run(plan, account, SAVED);
    expect(statuses(outcomes)).toEqual(['skipped', 'skipped', 'failed']);
    expect(outcomes[0]).toMatchObject({ blockedBy: renamed.id });
    expect(written).toBe(0);
    expect(account.calls.filter(isWrite)).toEqual([]);
  });

  test('every stale action is reported', async () => {
    const account = memory([]);
    const gone = ['a', 'b'].map(key =>
      updateOf('group', key, { id: key, name: key }, { name: 'x' }),
    );
    const { outcomes } = await run(planOf(gone), account, SAVED);
    expect(outcomes.map(outcome => outcome.status === 'failed' && outcome.fault.message)).toEqual([
      'group.a was deleted from the account since the plan was made',
      'group.b was deleted from the account since the plan was made',
    ]);
  });

  test('each list is read once per kind and parent, however many actions there are', async () => {
    const account = memory([]);
    const many = Array.from({ length: 40 }, (_, i) =>
      createOf('group', `g${i}`, { name: `g${i}` }),
    );
    await run(planOf(many), account, SAVED);
    expect(account.calls.filter(call => call === 'list group')).toHaveLength(1);
  });
});

describe('a create', () => {
  test('is refused if the account has an object of the same identity', async () => {
    const account = memory([{ id: 'n7', name: 'production', description: 'theirs' }]);
    const { outcomes } = await run(planOf([network]), account, SAVED);
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
  });

  test('is allowed beside an object of the same identity that the plan knew', async () => {
    const account = memory([{ id: 'n7', name: 'production' }]);
    const beside = createOf(
      'network',
      'production',
      { name: 'production' },
      {
        except: [remoteId('n7')],
      },
    );
    const { outcomes } = await run(planOf([beside]), account, SAVED);
    expect(statuses(outcomes)).toEqual(['done']);
  });

  test('is compared with the objects of its own parent, by the names that its references stand for', async () => {
    const router = (peer_groups: readonly string[], metric: number) => ({
      peer_groups,
      metric,
      masquerade: true,
      enabled: true,
    });
    const create = createOf('network_router', 'n/gateways', router(['gateways'], 1), {
      parent: 'n',
    });
    const pins = [pinOf('network', 'n', 'n1'), pinOf('group', 'gateways', 'g1')];
    const there = [{ id: 'n1' }, { id: 'g1' }];
    const other = memory([...there, { id: 'r1', ...router(['g2'], 1) }]);
    expect(statuses((await run(planOf([create], pins), other, SAVED)).outcomes)).toEqual(['done']);
    const same = memory([...there, { id: 'r1', ...router(['g1'], 2) }]);
    expect(statuses((await run(planOf([create], pins), same, SAVED)).outcomes)).toEqual(['failed']);
  });

  test.each([
    ['10 seconds', { step: 10_001, writes: 2 }],
    ['100 own writes', { step: 0, writes: 102 }],
  ])('is checked again after %s', async (_, { step, writes }) => {
    let now = 0;
    const account = memory([], {
      after: (call, answer) => {
        if (call.verb === 'create') now += step;
        return answer;
      },
    });
    const many = Array.from({ length: writes }, (_, i) =>
      createOf('group', `g${i}`, { name: `g${i}` }),
    );
    const options = { now: () => now, planReadAt: 0, concurrency: 1 };
    await run(planOf(many), account, options);
    expect(account.calls.filter(call => call === 'list group').length).toBeGreaterThan(0);
  });

  test('detects an object that somebody else creates while the run writes', async () => {
    let now = 0;
    const account = memory([], {
      after: (call, answer, { objects }) => {
        if (call.verb !== 'create') return answer;
        now += 10_001;
        objects.set('theirs', { id: 'theirs', name: 'production' });
        return answer;
      },
    });
    const first = createOf('group', 'devs', { name: 'devs' });
    const plan = planOf([first, { ...network, after: [first.id] }]);
    const { outcomes, written } = await run(plan, account, { now: () => now, concurrency: 1 });
    expect(statuses(outcomes)).toEqual(['done', 'failed']);
    expect(outcomes[1]).toMatchObject({ fault: { code: 'PLAN_STALE' } });
    expect(written).toBe(1);
  });

  test('a create in a parent that the same run created needs no check, because the parent is empty', async () => {
    const account = memory([]);
    const router = createOf(
      'network_router',
      'production/g',
      { peer_groups: ['id:g1'], metric: 1 },
      { parent: 'production', after: [network] },
    );
    const { outcomes } = await run(planOf([network, router]), account, SAVED);
    expect(outcomes[1]?.status).not.toBe('skipped');
    expect(account.calls.filter(call => call === 'list network_router')).toEqual([]);
  });
});

describe('a delete', () => {
  const seen = { id: 'n1', name: 'old' };
  const resource = (id: string, address = '10.0.0.1/32'): JsonObject => ({
    id,
    name: id,
    address,
    enabled: true,
    groups: [],
  });
  const childOf = (body: JsonObject) => {
    const { shape } = kindOf('network_resource');
    const fields = decodeFields(shape, body, byId);
    return {
      id: remoteId(String(body.id)),
      digest: digest(kindOf('network_resource'), fields, deleteScope(kindOf('network_resource'))),
    };
  };
  const going = deleteOf('network', 'old', seen, {
    children: [
      { kind: kindOf('network_resource').name, objects: [childOf(resource('r1'))] },
      { kind: kindOf('network_router').name, objects: [] },
    ],
  });
  const withChildren = (...bodies: JsonObject[]) => {
    const account = memory([seen]);
    const list: typeof account.port.list = async kind =>
      kind.name === 'network_resource'
        ? bodies.map(body => ({ id: remoteId(String(body.id)), body }))
        : kind.name === 'network'
          ? [{ id: remoteId('n1'), body: seen }]
          : [];
    return { ...account, port: { ...account.port, list } };
  };
  const outcomeWith = async (...bodies: JsonObject[]) => {
    const account = withChildren(...bodies);
    const { outcomes } = await run(planOf([going]), account);
    return { outcome: outcomes[0], isGone: !account.objects.has('n1') };
  };

  test('deletes an object with the children that the plan knew, or fewer', async () => {
    expect(await outcomeWith(resource('r1'))).toMatchObject({ isGone: true });
    expect(await outcomeWith()).toMatchObject({ isGone: true });
  });

  test.each([
    [
      'more than that',
      [resource('r1'), resource('r2'), resource('r3')],
      'has 2 network resources more',
    ],
    ['another one', [resource('r2')], 'has 1 network resource more'],
    ['one that changed', [resource('r1', '10.0.0.9/32')], 'has 1 network resource changed since'],
  ])('does not delete %s', async (_, there, why) => {
    expect(await outcomeWith(...there)).toMatchObject({
      isGone: false,
      outcome: { fault: { code: 'PLAN_STALE', message: expect.stringContaining(why) } },
    });
  });
});
