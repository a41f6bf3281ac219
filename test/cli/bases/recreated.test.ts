// An object that somebody deleted and created again is another one: the base knows the declared object by its id.
import { describe, expect, test } from 'vitest';
import { expectCode, groupsIn, PRUNE, type Teams, teams } from './teams.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Somebody deletes the group `b` and creates an equal one. */
async function createdAgain({ account }: Teams): Promise<void> {
  const groups = (await account.call('GET', '/api/groups')) as unknown as readonly Named[];
  const { id } = groups.find(({ name }) => name === 'b') as Named;
  await account.call('DELETE', `/api/groups/${id}`);
  await account.call('POST', '/api/groups', { name: 'b' });
}

describe.concurrent('an object that somebody deleted and created again', () => {
  test('stays if the files then remove theirs, and the plan says what it is', () =>
    teams(async own => {
      const { id, commit, apply, run, names } = own;
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net'), 0);
      await createdAgain(own);
      await commit(groupsIn('net', id, ['a']));
      const planned = await run(['plan', 'net', '--base', 'auto', ...PRUNE]);
      expect([planned.code, planned.stderr]).toEqual([
        0,
        expect.stringContaining('REMOVED_BEFORE the files no longer declare group.b'),
      ]);
      expect(planned.stdout).toContain('No changes');
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      // It belongs to nobody now.
      const later = await apply('net');
      expect([later.code, later.stderr]).toEqual([
        0,
        expect.not.stringContaining('REMOVED_BEFORE'),
      ]);
    }));

  test('is theirs again once an apply has declared it', () =>
    teams(async own => {
      const { id, commit, apply, names } = own;
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net'), 0);
      await createdAgain(own);
      expectCode(await apply('net'), 0);
      await commit(groupsIn('net', id, ['a']));
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a']);
    }));
});
