// Failures after which nothing else can succeed end the run, instead of failing once for every action that is left.
import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '../../src/model/errors.ts';
import { apiError, type Mischief, memory } from './memory.ts';
import { createOf, deleteOf, planOf, run, statuses, updateOf } from './plans.ts';

const MANY = 50;
const groups = Array.from({ length: MANY }, (_, i) =>
  createOf('group', `g${i}`, { name: `g${i}` }),
);
const networks = [1, 2, 3].map(i => createOf('network', `n${i}`, { name: `n${i}` }));

/** Every create of a kind is refused. */
const refusing = (code: ApiErrorCode, kind = 'group'): Mischief => ({
  before: call => {
    if (call.verb === 'create' && call.kind === kind) throw apiError(code, call);
  },
});

const creates = (calls: readonly string[]) => calls.filter(call => call.startsWith('create'));

test('a token that the server no longer accepts ends the run', async () => {
  const account = memory([], refusing('API_UNAUTHENTICATED'));
  const { outcomes } = await run(planOf([...groups, ...networks]), account, { concurrency: 2 });
  expect(creates(account.calls).length).toBeLessThanOrEqual(2);
  expect(outcomes.filter(({ status }) => status === 'skipped').length).toBeGreaterThan(MANY);
});

describe('an error that may affect the whole account', () => {
  test.each<ApiErrorCode>(['API_NOT_FOUND', 'API_BAD_ANSWER', 'API_UNAVAILABLE', 'API_DENIED'])(
    '%s: ends the run if the account itself no longer responds',
    async code => {
      const account = memory([], refusing(code));
      const check = () =>
        Promise.reject(apiError('API_NOT_FOUND', { verb: 'list', kind: 'group' }));
      const port = { ...account.port, check };
      const { outcomes } = await run(planOf([...groups, ...networks]), { ...account, port });
      expect(creates(account.calls).length).toBeLessThanOrEqual(8);
      expect(outcomes[0]).toMatchObject({
        fault: { message: expect.stringContaining('then list group failed') },
      });
    },
  );

  test('does not end the run if the account can still be read', async () => {
    const account = memory([], refusing('API_NOT_FOUND'));
    const port = { ...account.port, check: () => Promise.resolve() };
    const { outcomes } = await run(planOf([...groups, ...networks]), { ...account, port });
    expect(creates(account.calls)).toHaveLength(MANY + networks.length);
    expect(statuses(outcomes.slice(MANY))).toEqual(['done', 'done', 'done']);
  });

  test('an error about one object does not make the run check the account', async () => {
    const account = memory([], refusing('API_INVALID'));
    const check = () => Promise.reject(new Error('looked'));
    const { outcomes } = await run(planOf(groups.slice(0, 3)), {
      ...account,
      port: { ...account.port, check },
    });
    expect(statuses(outcomes)).toEqual(['failed', 'failed', 'failed']);
  });
});

test('an operation that is denied for one object is not tried on the other objects of the kind', async () => {
  const seen = { id: 'g9', name: 'old' };
  const account = memory([seen, { ...seen, id: 'g8' }], refusing('API_DENIED'));
  const others = [
    updateOf('group', 'renamed', seen, { name: 'renamed' }),
    deleteOf('group', 'gone', { ...seen, id: 'g8' }),
  ];
  const plan = planOf([...groups, ...others, ...networks]);
  const { outcomes } = await run(plan, account, { concurrency: 1 });
  expect(creates(account.calls)).toHaveLength(1 + networks.length);
  expect(statuses(outcomes.slice(MANY))).toEqual(['done', 'done', 'done', 'done', 'done']);
  expect(outcomes[1]).toMatchObject({ status: 'skipped', blockedBy: groups[0]?.id });
});
