// An object that somebody deleted and created again is another one: the base knows the declared object by its id.
import { describe, expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
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
  test('stays if the files then remove its declaration, and the plan explains it', () =>
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

  test('belongs to the files again once an apply has declared it', () =>
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

const SECRETS = ['--secrets-to', 'file:secrets.jsonl'] as const;

/** What an apply makes again: its list, and how it is declared first and afterwards. */
interface Remade {
  readonly list: string;
  readonly first: string;
  readonly later: string;
}

const GROUP: Remade = {
  list: '/api/groups',
  first: 'groups: [{ name: b }]',
  later: 'groups: [{ name: b, peers: [] }]',
};
const KEY: Remade = {
  list: '/api/setup-keys',
  first: 'setup_keys: [{ name: b, type: one-off, expires_in: 86400 }]',
  later: 'setup_keys: [{ name: b, type: reusable, expires_in: 86400 }]',
};
/** An apply without a base makes the object again that the base knows by another id, and the files then remove it. */
async function madeAgain(
  { id, account, apply, commit, run }: Teams,
  { list, first, later }: Remade,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const files = (text: string) => ({ 'net/b.yaml': `${text}\n` });
  await commit({ ...groupsIn('net', id, ['a']), ...files(first) });
  expectCode(await apply('net', SECRETS), 0);
  const idOf = async () =>
    ((await account.call('GET', list)) as unknown as readonly Named[]).find(
      ({ name }) => name === 'b',
    )?.id;
  const before = await idOf();
  if (list === GROUP.list) await account.call('DELETE', `${list}/${before}`);
  await commit(files(later));
  const allowed = ['--allow', 'REPLACES_OBJECT', '--allow', 'DELETES_OBJECT'];
  expectCode(await run(['apply', 'net', '--yes', ...allowed, ...SECRETS], env), 0);
  expect(await idOf()).not.toBe(before);
  await commit({ 'net/b.yaml': null });
}

describe.concurrent('an object that an apply without --record-base created again', () => {
  test.each(
    someOf(
      [
        ['a group', GROUP],
        ['a setup key', KEY],
      ],
      1,
    ),
  )('is deleted once the files remove it: %s', (_, what) =>
    teams(async own => {
      await madeAgain(own, what);
      const planned = await own.run(['plan', 'net', '--base', 'auto', ...PRUNE]);
      expectCode(planned, 0);
      expect(planned.stderr).not.toContain('REMOVED_BEFORE');
      expect(planned.stdout).toContain('Plan: 0 to add, 0 to change, 1 to destroy.');
      // The base declares another type of key.
      expectCode(await own.apply('net', ['--resolve', 'desired']), 0);
      expect(await own.names(what.list)).not.toContain('b');
    }),
  );

  test('stays if the journal of that apply is signed with another key', () =>
    teams(async own => {
      await madeAgain(own, GROUP, { MESHFORM_SIGNING_KEY: 'a key that nobody can guess' });
      const applied = await own.apply('net');
      expectCode(applied, 0);
      expect(applied.stderr).toContain('REMOVED_BEFORE');
      expect(await own.names('/api/groups')).toContain('b');
    }));

  test('stays if somebody has created a new object since then', () =>
    teams(async own => {
      await madeAgain(own, GROUP);
      await createdAgain(own);
      const applied = await own.apply('net');
      expectCode(applied, 0);
      expect(applied.stderr).toContain('REMOVED_BEFORE');
      expect(await own.names('/api/groups')).toContain('b');
    }));
});
