// A create is done when the server holds what was declared: its answer is compared, and what it ignored is put.
import { describe, expect, test } from 'vitest';
import type { Verb } from '../../src/kinds/traits.ts';
import type { Action } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { apiError, lost, memory } from './memory.ts';
import { createOf, kindOf, outcomeOf, pinOf, planOf, run, statuses, updateOf } from './plans.ts';

const engineers = createOf('group', 'engineers', { name: 'engineers' });
const router = createOf(
  'network_router',
  'production/gateways',
  { peer_groups: ['gateways'], metric: 9999, masquerade: true, enabled: false },
  { parent: 'production' },
);
const pins = [pinOf('network', 'production', 'n1'), pinOf('group', 'gateways', 'g1')];

test('a create sends the declared fields, with ids for names, under the named parent', async () => {
  const account = memory();
  expect(await outcomeOf(router, account, { pins })).toEqual({
    action: router.id,
    address: router.address,
    status: 'done',
    remoteId: 'new1',
    notes: [],
  });
  expect(account.calls).toEqual(['create network_router', 'list network_router']);
  expect(account.sent).toEqual([
    { peer_groups: ['g1'], metric: 9999, masquerade: true, enabled: false },
  ]);
});

describe('a create that ignores a field', () => {
  const alwaysEnabled = {
    after: (_: unknown, answer: JsonObject) => ({ ...answer, enabled: true }),
  };

  test('is completed by an update in the same action, and the outcome says so', async () => {
    const account = memory([], {
      after: ({ verb }, answer) => (verb === 'create' ? { ...answer, enabled: true } : answer),
    });
    expect(await outcomeOf(router, account, { pins })).toMatchObject({
      status: 'done',
      notes: ['ignored by the create, set by an update: enabled'],
    });
    expect(account.calls).toEqual([
      'create network_router',
      'update network_router new1',
      'list network_router',
    ]);
    expect(account.sent[1]).toEqual({
      peer_groups: ['g1'],
      metric: 9999,
      masquerade: true,
      enabled: false,
    });
  });

  test('is reported if an update ignores the field too', async () => {
    const outcome = await outcomeOf(router, memory([], alwaysEnabled), { pins });
    expect(outcome).toMatchObject({
      status: 'failed',
      fault: {
        code: 'NOT_KEPT',
        message:
          'network_router.production/gateways was created successfully, but the server did not store: enabled',
      },
    });
  });

  test('reports that the object exists if the update fails', async () => {
    const account = memory([], {
      before: call => {
        if (call.verb === 'update') throw apiError('API_DENIED', call);
      },
      ...alwaysEnabled,
    });
    expect(await outcomeOf(router, account, { pins })).toMatchObject({
      status: 'failed',
      fault: {
        code: 'API_DENIED',
        message: expect.stringContaining('it was created (id new1), but'),
      },
    });
  });
});

describe('a response', () => {
  test('a response that omits fields is followed by a read', async () => {
    const account = memory([], {
      after: ({ verb }, answer) => (verb === 'create' ? { id: answer.id ?? null } : answer),
    });
    expect(await outcomeOf(router, account, { pins })).toMatchObject({ status: 'done', notes: [] });
    expect(account.calls).toEqual([
      'create network_router',
      'read network_router new1',
      'list network_router',
    ]);
  });

  test('a response that may omit empty fields is trusted', async () => {
    const account = memory([], {
      after: (_, answer) => ({ ...answer, description: null, peers: null }),
    });
    const empty = createOf('group', 'e', { name: 'e', peers: [] });
    expect(await outcomeOf(empty, account)).toMatchObject({ status: 'done' });
    expect(account.calls).toEqual(['create group']);
  });

  test('a lost response leaves open whether the object exists', async () => {
    const account = memory([], {
      before: call => {
        throw lost(call);
      },
    });
    expect(await outcomeOf(engineers, account)).toMatchObject({
      status: 'unknown',
      fault: {
        code: 'API_NETWORK',
        hint: 'check whether it exists before you apply again',
      },
    });
  });

  test('a response that cannot be verified by a read leaves the action marked as sent', async () => {
    const account = memory([], {
      before: call => {
        if (call.verb === 'read') throw apiError('API_UNAVAILABLE', call);
      },
    });
    const policy = createOf('policy', 'p', { name: 'p', enabled: true });
    expect(await outcomeOf(policy, account)).toMatchObject({
      status: 'sent',
      remoteId: 'new1',
      notes: [expect.stringContaining('it was sent, but could not be read back: read policy')],
    });
  });
});

test('a value that a kind without updates does not store is reported immediately', async () => {
  const group = kindOf('group');
  const fixed = new Map([[group.name, { ...group, verbs: new Set<Verb>(['create', 'delete']) }]]);
  const account = memory([], { after: (_, answer) => ({ ...answer, name: 'another' }) });
  expect(await outcomeOf(engineers, account, { kinds: fixed })).toMatchObject({
    status: 'failed',
    fault: { code: 'NOT_KEPT' },
  });
  expect(account.calls).toEqual(['create group']);
});

test('a refusal is a failure in the server’s own words, with its request id', async () => {
  const account = memory([], {
    before: call => {
      throw apiError('API_CONFLICT', call, { requestId: 'd5p7eedra0h0lt6f59hg' });
    },
  });
  expect(await outcomeOf(engineers, account)).toEqual({
    action: engineers.id,
    address: engineers.address,
    status: 'failed',
    fault: {
      code: 'API_CONFLICT',
      message: 'create group failed: API_CONFLICT',
      hint: 'see what changed with `meshform drift`, and create a new plan with `meshform plan`; the server’s id of the request is d5p7eedra0h0lt6f59hg',
    },
  });
});

describe('a server that silently drops references', () => {
  const rule = {
    name: 'r',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'all',
    sources: ['engineers'],
    destinations: ['engineers'],
  };
  const policy = createOf('policy', 'p', { name: 'p', enabled: true, rules: [rule] });
  const pinned = { pins: [pinOf('group', 'engineers', 'g1')] };

  test('is detected by a read, although its response reports success', async () => {
    const account = memory([], {
      after: ({ verb }, answer) =>
        verb === 'read'
          ? { ...answer, rules: [{ ...rule, sources: null, destinations: [{ id: 'g1' }] }] }
          : answer,
    });
    expect(await outcomeOf(policy, account, pinned)).toMatchObject({
      status: 'failed',
      fault: { code: 'NOT_KEPT', message: expect.stringMatching(/did not store: rules$/) },
    });
  });

  test('is trusted if the read shows all references', async () => {
    expect(await outcomeOf(policy, memory(), pinned)).toMatchObject({ status: 'done' });
  });
});

describe('a created object', () => {
  const rule = {
    name: 'r',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'all',
    sources: ['engineers'],
    destinationResource: { network_resource: 'production/db' },
  };
  const db = { name: 'db', address: '10.0.0.5/32', enabled: true, groups: [] };
  const made = createOf('network_resource', 'production/db', db, { parent: 'production' });
  const pointingAt = (...after: Action[]) =>
    createOf('policy', 'p', { name: 'p', enabled: true, rules: [rule] }, { after });
  const known = [pinOf('network', 'production', 'n1'), pinOf('group', 'engineers', 'g1')];

  test.each([
    ['its answer', 'create'],
    ['the read that followed a sparse answer', 'read'],
  ])('can be referenced by later actions, with the type from %s', async (_, verb) => {
    const account = memory([], {
      after: (call, answer) => {
        if (call.kind !== 'network_resource') return answer;
        return call.verb === verb ? { ...answer, type: 'host' } : { id: answer.id ?? null };
      },
    });
    const { outcomes } = await run(planOf([made, pointingAt(made)], known), account);
    expect(statuses(outcomes)).toEqual(['done', 'done']);
    expect(account.sent.at(-1)).toMatchObject({
      rules: [{ sources: ['g1'], destinationResource: { id: 'new1', type: 'host' } }],
    });
  });

  test('is referenced with its new state once it is updated', async () => {
    const shown = { id: 'r1', type: 'host', ...db };
    const change = updateOf(
      'network_resource',
      'production/db',
      shown,
      { address: '10.0.0.0/24' },
      { parent: 'production' },
    );
    const account = memory([shown], {
      after: ({ verb }, answer) => (verb === 'update' ? { ...answer, type: 'subnet' } : answer),
    });
    const pinned = [...known, pinOf('network_resource', 'production/db', 'r1', { type: 'host' })];
    const { outcomes } = await run(planOf([change, pointingAt(change)], pinned), account);
    expect(statuses(outcomes)).toEqual(['done', 'done']);
    expect(account.sent.at(-1)).toMatchObject({
      rules: [{ destinationResource: { id: 'r1', type: 'subnet' } }],
    });
  });

  test('a created object of unknown type is not referenced', async () => {
    const { outcomes } = await run(planOf([made, pointingAt(made)], known), memory());
    expect(outcomes).toMatchObject([
      { status: 'done' },
      { status: 'failed', fault: { code: 'API_BAD_ANSWER' } },
    ]);
  });

  test('a created object that replaces another object is referenced from then on', async () => {
    const shown = {
      id: 'r1',
      groups: [{ id: 'old' }],
      name: 'db',
      address: '10.0.0.5/32',
      enabled: true,
    };
    const again = createOf('group', 'engineers', { name: 'engineers' });
    const referrer = updateOf(
      'network_resource',
      'production/db',
      shown,
      { groups: ['engineers'] },
      { after: [again], parent: 'production' },
    );
    const account = memory([shown]);
    const { outcomes } = await run(
      planOf(
        [again, referrer],
        [pinOf('group', 'engineers', 'old'), pinOf('network', 'production', 'n1')],
      ),
      account,
    );
    expect(statuses(outcomes)).toEqual(['done', 'done']);
    expect(account.sent.at(-1)).toMatchObject({ groups: ['new1'] });
  });
});
