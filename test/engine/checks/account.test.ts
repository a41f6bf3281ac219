// A plan fails when the token belongs to another account than the files name.
import { describe, expect, test } from 'vitest';
import { planFor } from '../planning.ts';
import { found } from './verdict.ts';

describe('files with an account id', () => {
  const files = 'groups: [{ name: a }]';

  test('are not planned for a different account', () => {
    const { diagnostics, actions } = planFor(files, [], { account: 'g0', behind: 'g9' });
    expect(diagnostics).toMatchObject([
      {
        code: 'ACCOUNT_DIFFERS',
        severity: 'error',
        message: 'these files are for the account `g0`, but the token belongs to `g9`',
      },
    ]);
    expect(actions).toEqual([]);
  });

  test('are not planned if the account is unknown', () => {
    expect(found(files, [], { account: 'g0' })).toEqual({ codes: ['ACCOUNT_DIFFERS'], actions: 0 });
  });

  test('are planned for that account, and files without an id for any', () => {
    expect(found(files, [], { account: 'g0', behind: 'g0' })).toEqual({ codes: [], actions: 1 });
    expect(found(files, [], { behind: 'g9' })).toEqual({ codes: [], actions: 1 });
  });

  test('have a plan that names the account', () => {
    expect(planFor(files, [], { behind: 'g9' }).account).toBe('g9');
  });
});
