// Setup keys may share a name: a key is ours by the id that the base has, and a key that nobody knows to be ours is never written.
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const key = (more = '') =>
  `setup_keys: [{ name: laptops, type: reusable, expires_in: 2592000${more} }]\n`;
const SINK = ['--secrets-to', 'file:secrets.env'];
const NOW = ['--allow', 'REVEALS_SECRET', '--allow', 'REPLACES_OBJECT'];

const keysOf = async (account: TestAccount): Promise<readonly JsonObject[]> =>
  ((await account.call('GET', '/api/setup-keys')) as JsonObject[]).toSorted((one, other) =>
    String(one.id) < String(other.id) ? -1 : 1,
  );

/** A colleague creates a key of the same name, which expires later. */
const colleague = (account: TestAccount) =>
  account.call('POST', '/api/setup-keys', {
    name: 'laptops',
    type: 'reusable',
    expires_in: 31_536_000,
    auto_groups: [],
    usage_limit: 0,
  }) as Promise<JsonObject>;

/** Files that were applied, and recorded. */
const applied = (
  story: (all: Teams & { want: (text: string) => Promise<void>; ours: string }) => Promise<void>,
) =>
  teams(async all => {
    const { id, commit, account, apply } = all;
    await account.call('POST', '/api/groups', { name: 'in use' });
    const want = (text: string) =>
      commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/a.yaml': text,
        '.gitignore': 'secrets.env\n',
      });
    await want(key());
    expectCode(await apply('net', [...SINK, ...NOW]), 0);
    const [ours] = await keysOf(account);
    await story({ ...all, want, ours: String(ours?.id) });
  });

const revokedIds = async (account: TestAccount) =>
  (await keysOf(account)).filter(({ revoked }) => revoked).map(({ id }) => String(id));

describe.concurrent('the key of the base, beside a key of the same name that somebody else created,', () => {
  test('is revoked', () =>
    applied(async ({ account, want, apply, ours }) => {
      await colleague(account);
      await want(key(', revoked: true'));
      expectCode(await apply('net'), 0);
      expect(await revokedIds(account)).toEqual([ours]);
    }));

  test('is rotated, and the new key is in the next base', () =>
    applied(async ({ account, want, apply, run, ours }) => {
      const theirs = String((await colleague(account)).id);
      const rotated = await apply('net', ['--rotate', 'setup_key/laptops', ...SINK, ...NOW]);
      expectCode(rotated, 0);
      const ids = (await keysOf(account)).map(({ id }) => String(id));
      expect(ids).toContain(theirs);
      expect(ids).not.toContain(ours);
      expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
      await want(key(', revoked: true'));
      expectCode(await apply('net'), 0);
      const revoked = await revokedIds(account);
      expect(revoked).toHaveLength(1);
      expect(revoked).not.toContain(theirs);
    }));

  test('is reported by drift if somebody revoked it', () =>
    applied(async ({ account, run, ours }) => {
      await colleague(account);
      await account.call('PUT', `/api/setup-keys/${ours}`, { revoked: true, auto_groups: [] });
      const drifted = await run(['drift', 'net', '--base', 'auto']);
      expectCode(drifted, 2);
      expect(drifted.stdout).toContain('revoked');
    }));

  test('is created again if it no longer exists', { tags: 'variation' }, () =>
    applied(async ({ account, apply, ours }) => {
      const theirs = await colleague(account);
      await account.call('DELETE', `/api/setup-keys/${ours}`);
      expectCode(await apply('net', [...SINK, ...NOW]), 0);
      const keys = await keysOf(account);
      expect(keys).toHaveLength(2);
      expect(keys.find(({ id }) => id === theirs.id)?.revoked).toBe(false);
    }),
  );

  test('is deleted once the files no longer declare it', () =>
    applied(async ({ account, want, apply }) => {
      const theirs = String((await colleague(account)).id);
      await want('groups: [{ name: other }]\n');
      expectCode(await apply('net'), 0);
      expect((await keysOf(account)).map(({ id }) => String(id))).toEqual([theirs]);
    }));

  test.each(someOf([[[]], [['--only', 'setup_key/laptops']]], 1))(
    'needs no deletion if it no longer exists: %j',
    more =>
      applied(async ({ account, want, apply, ours }) => {
        const theirs = String((await colleague(account)).id);
        await account.call('DELETE', `/api/setup-keys/${ours}`);
        await want('groups: [{ name: other }]\n');
        const args = ['--allow', 'CONFLICT', '--resolve', 'desired', ...more];
        expectCode(await apply('net', args), 0);
        expect((await keysOf(account)).map(({ id }) => String(id))).toEqual([theirs]);
      }),
  );

  test(
    'stays, as the other key does, if it is unknown which of them is declared',
    { tags: 'variation' },
    () =>
      applied(async ({ account, want, run, ours }) => {
        const theirs = String((await colleague(account)).id);
        await want(key(', revoked: true'));
        const planned = await run(['plan', 'net']);
        expect(planned.stderr).toContain('the account has 2 setup keys called `laptops`');
        for (const text of [ours, theirs, 'lifecycle']) expect(planned.stderr).toContain(text);
        expectCode(await run(['drift', 'net']), 2);
        expectCode(await run(['apply', 'net', '--yes', '--prune', 'unmanaged']), 4);
        const rotate = ['--rotate', 'setup_key/laptops', ...SINK, ...NOW];
        const rotated = await run(['apply', 'net', '--yes', ...rotate]);
        expectCode(rotated, 3);
        expect(rotated.stderr).toContain('bind it with lifecycle.id');
        expect(await revokedIds(account)).toEqual([]);
        expect(await keysOf(account)).toHaveLength(2);
        await want(key(`, revoked: true, lifecycle: { id: "${ours}" }`));
        expectCode(await run(['apply', 'net', '--yes']), 0);
        expect(await revokedIds(account)).toEqual([ours]);
      }),
  );

  test(
    'is the first key of its name in the audit log if the base is a revision',
    { tags: 'variation' },
    () =>
      applied(async ({ account, want, run, ours }) => {
        await colleague(account);
        await want(key(', revoked: true'));
        expectCode(await run(['apply', 'net', '--yes', '--base', 'HEAD~1']), 0);
        expect(await revokedIds(account)).toEqual([ours]);
      }),
  );
});
