// How a request line leads to an operation, or to nothing.
import { describe, expect, it } from 'vitest';
import { loadContract, pathTable } from '../../src/contract/index.ts';

const contract = loadContract();

describe('the contract', () => {
  it('finds every operation at its own path, with the values of its placeholders', () => {
    for (const operation of contract.operations) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, 'value-of-$1');
      expect(contract.match(operation.method, path)).toEqual({
        found: 'entry',
        value: operation,
        parameters: Object.fromEntries(
          [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `value-of-${name}`]),
        ),
      });
    }
  });

  it('has no operation of an unknown id', () => {
    expect(() => contract.operation('createNothing')).toThrow('createNothing');
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(contract)).toBe(true);
    expect(Object.isFrozen(contract.operations)).toBe(true);
    expect(contract.operations.every(operation => Object.isFrozen(operation))).toBe(true);
  });
});

describe('a table of paths', () => {
  const match = pathTable([
    { method: 'GET', path: '/users/current', value: 'current' },
    { method: 'PUT', path: '/users/{userId}', value: 'update' },
    { method: 'POST', path: '/users/{userId}/invite', value: 'invite' },
    { method: 'DELETE', path: '/users/invites/{inviteId}', value: 'revoke' },
  ]);

  it('prefers a literal segment, whatever the method', () => {
    expect(match('GET', '/users/current')).toMatchObject({ value: 'current' });
    expect(match('PUT', '/users/current')).toEqual({ found: 'other methods', methods: ['GET'] });
  });

  it('falls back to a placeholder if the literal segment leads nowhere', () => {
    expect(match('POST', '/users/current/invite')).toMatchObject({
      value: 'invite',
      parameters: { userId: 'current' },
    });
  });

  it('distinguishes a wrong method from an unknown path', () => {
    expect(match('PATCH', '/users/u1')).toEqual({ found: 'other methods', methods: ['PUT'] });
    expect(match('PUT', '/users')).toEqual({ found: 'nothing' });
    expect(match('PUT', '/users/')).toEqual({ found: 'nothing' });
    expect(match('PUT', '/users/u1/')).toEqual({ found: 'nothing' });
    expect(match('PUT', '/Users/u1')).toEqual({ found: 'nothing' });
  });

  it('decodes the value of a placeholder, and refuses a value that cannot be decoded', () => {
    expect(match('PUT', '/users/a%2Fb%20c')).toMatchObject({ parameters: { userId: 'a/b c' } });
    expect(match('PUT', '/users/%zz')).toEqual({ found: 'nothing' });
  });
});
