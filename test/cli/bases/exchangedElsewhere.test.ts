// Names that somebody exchanged in the account between objects of two folders: each folder still means its own object.
import { describe, expect, test, vi } from 'vitest';
import { expectCode, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const NET = `groups:
  - { name: prod-admins, peers: [ada-pc] }
  - { name: prod-db, peers: [srv1] }
policies:
  - { name: p, rules: [{ name: r, sources: [prod-admins], destinations: [prod-db], protocol: tcp, ports: ["22"] }] }
`;
const OTHER = 'groups: [{ name: guests, peers: [bob-pc] }]\n';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly peers: readonly { readonly id: string; readonly name: string }[];
}

// A list has no order on the server.
const groupsOf = async ({ account }: Teams): Promise<readonly Group[]> => {
  const groups = (await account.call('GET', '/api/groups')) as unknown as readonly Group[];
  const sorted = groups.map(group => ({
    ...group,
    peers: (group.peers ?? []).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }));
  return sorted.sort((one, other) => (one.id < other.id ? -1 : 1));
};

async function renamed(all: Teams, renames: readonly (readonly [string, string])[]): Promise<void> {
  for (const [from, to] of renames) {
    const group = (await groupsOf(all)).find(({ name }) => name === from);
    const peers = group?.peers.map(peer => peer.id) ?? [];
    await all.account.call('PUT', `/api/groups/${group?.id}`, { name: to, peers });
  }
}

/** Both folders are applied; then the groups get other names, one after another. */
const applied = (
  renames: readonly (readonly [string, string])[],
  story: (all: Teams) => Promise<void>,
) =>
  teams(async all => {
    const { id, account, apply, commit } = all;
    for (const name of ['ada-pc', 'bob-pc', 'srv1']) await account.enrol(name);
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/n.yaml': NET,
      'other/meshform.yaml': `account: ${id}\n`,
      'other/o.yaml': OTHER,
    });
    expectCode(await apply('net'), 0);
    expectCode(await apply('other', ['--first']), 0);
    await renamed(all, renames);
    await story(all);
  });

const EXCHANGE = [
  ['prod-admins', 'between'],
  ['guests', 'prod-admins'],
  ['between', 'guests'],
] as const;

describe.concurrent('groups of two folders whose names were swapped in the account', () => {
  test('stop the applies of both folders, and nothing changes', () =>
    applied(EXCHANGE, async all => {
      const before = await groupsOf(all);
      const own = await all.apply('net');
      expectCode(own, 3);
      expect(own.stderr).toContain('OBJECT_NAME_TAKEN');
      expect(own.stderr).toContain('is taken by group.guests of `other`, which was renamed');
      expect(own.stderr).not.toMatch(/OBJECT_DUPLICATE|delete them|delete that object/);
      const others = await all.apply('other');
      expectCode(others, 3);
      expect(others.stderr).toContain('is taken by group.prod-admins of `net`, which was renamed');
      expect(await groupsOf(all)).toEqual(before);
    }));

  test('stop the apply if only one group was renamed', () =>
    applied([['prod-admins', 'old'], EXCHANGE[1]], async all => {
      const before = await groupsOf(all);
      expectCode(await all.apply('net'), 3);
      expect(await groupsOf(all)).toEqual(before);
    }));

  test('need no change once somebody swaps the names back', () =>
    applied(
      [...EXCHANGE, ['guests', 'x'], ['prod-admins', 'guests'], ['x', 'prod-admins']],
      async all => {
        for (const folder of ['net', 'other']) {
          const ended = await all.apply(folder);
          expectCode(ended, 0);
          expect(ended.stdout).toContain('No changes.');
        }
      },
    ));

  test('leave a rule that uses a third name unchanged', { tags: 'variation' }, () =>
    applied([], async all => {
      const { account, apply, commit } = all;
      await commit({
        'other/o.yaml': OTHER.replace('[{', '[{ name: trusted, peers: [ada-pc] }, {'),
        'net/n.yaml': NET.replace('sources: [prod-admins]', 'sources: [trusted]'),
      });
      for (const folder of ['other', 'net']) expectCode(await apply(folder), 0);
      await renamed(all, [
        ['trusted', 'x'],
        ['guests', 'trusted'],
        ['x', 'guests'],
      ]);
      const policies = () => account.call('GET', '/api/policies');
      const before = await policies();
      const ended = await apply('net');
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('trusted');
      expect(await policies()).toEqual(before);
      expectCode(await apply('other'), 0);
      expectCode(await apply('net'), 0);
    }),
  );
});
