// Two servers that report the same id of an account: the refs of the account at the Git remote belong to one of them.
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { git } from '../../support/git.ts';
import { expectCode, FILES, machines } from './sharedMachines.ts';

test('a server that reports the id of an account of another server gets neither its lock nor its refs', () =>
  machines(async ({ account, machine, remote, id }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const before = git(remote, 'for-each-ref', 'refs/meshform*');
    // Equal seeds give equal ids.
    const other = await startAccount();
    try {
      const there = { MESHFORM_URL: other.url, MESHFORM_TOKEN: other.token };
      const apply = [...FILES, '--yes'];
      const refused = await one.runWith(there, ...apply);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(
        `the account ${id} belongs to the server ${account.url}, and this run reaches ${other.url}`,
      );
      expect(git(remote, 'for-each-ref', 'refs/meshform*')).toBe(before);
      expect(other.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      // Whoever knows that both addresses lead to one server says so once.
      expectCode(await one.runWith(there, ...apply, '--any-server'), 0);
      expectCode(await one.apply(), 0);
      const note = git(remote, 'show', `refs/meshform-journal/${id}:server.json`);
      expect(JSON.parse(note).addresses).toEqual([account.url, other.url].sort());
    } finally {
      await other.close();
    }
  }));
