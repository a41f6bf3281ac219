// An end of a member removes only members that these files declared before: a list may hold what somebody else put into it.
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import type { EndedFolder } from './endedFolder.ts';
import { FILES, RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const PAST = 'until: 2026-11-01';

interface Named {
  readonly id: string;
  readonly name: string;
}

const list = async <T = Named>({ account }: EndedFolder, path: string): Promise<readonly T[]> =>
  (await account.call('GET', `/api/${path}`)) as readonly T[];

const idIn = async (own: EndedFolder, path: string, name: string): Promise<string> =>
  (await list(own, path)).find(one => one.name === name)?.id ?? '';

/** Somebody puts a machine into a group by hand. */
async function joins(own: EndedFolder, machine: string, group: string): Promise<void> {
  const groups = await list<Named & { readonly peers: readonly Named[] }>(own, 'groups');
  const found = groups.find(({ name }) => name === group);
  const peers = [...(found?.peers ?? []).map(({ id }) => id), await idIn(own, 'peers', machine)];
  await own.account.call('PUT', `/api/groups/${found?.id}`, { name: group, peers });
}

async function membersOf(own: EndedFolder, group: string): Promise<readonly string[]> {
  const groups = await list<Named & { readonly peers: readonly Named[] }>(own, 'groups');
  return (groups.find(({ name }) => name === group)?.peers ?? []).map(({ name }) => name).sort();
}

async function committed({ write, folder }: EndedFolder, texts: Record<string, string>) {
  await write(texts);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'changed');
}

const RUNS = [
  [['expire', 'network', '--yes'], 4],
  [['apply', 'network', '--yes', '--base', 'HEAD~1'], 0],
  [['apply', 'network', '--yes', ...RECORDED], 0],
  [['apply', 'network', '--yes', ...RECORDED], 0],
  [['expire', 'network', '--yes'], 4],
] as const;

test('a past expiry does not remove a group member that no base declares', () =>
  recorded(async own => {
    await joins(own, 'bob', 'staff');
    const ends = `peers: [ada, { name: bob, ${PAST} }]`;
    await committed(own, { 'a.yaml': FILES.replace('peers: [ada]', ends) });
    for (const [argv, exit] of RUNS) {
      const { code, stderr } = await own.run(argv);
      expect([argv, code, stderr.split('END_HELD').length - 1, stderr]).toEqual([
        argv,
        exit,
        1,
        expect.stringContaining('no record shows'),
      ]);
      expect(await membersOf(own, 'staff')).toEqual(['ada', 'bob']);
    }
  }));

test('a past expiry does not remove a rule’s source that somebody added, until an apply of the whole rule', () =>
  recorded(async own => {
    interface Policy extends Named {
      readonly rules: readonly (Readonly<Record<string, unknown>> & {
        readonly sources: readonly Named[];
        readonly destinations: readonly Named[];
      })[];
    }
    const policies = await list<Policy>(own, 'policies');
    const stays = policies.find(({ name }) => name === 'stays');
    const [rule] = stays?.rules ?? [];
    const ids = (groups: readonly Named[] = []) => groups.map(({ id }) => id);
    const servers = await idIn(own, 'groups', 'servers');
    await own.account.call('PUT', `/api/policies/${stays?.id}`, {
      ...stays,
      rules: [
        {
          ...rule,
          sources: [...ids(rule?.sources), servers],
          destinations: ids(rule?.destinations),
        },
      ],
    });
    const ends = `sources: [staff, { name: servers, ${PAST} }]`;
    await committed(own, { 'a.yaml': FILES.replace('sources: [staff]', ends) });
    const sources = async () =>
      (await list<Policy>(own, 'policies'))
        .find(({ name }) => name === 'stays')
        ?.rules.flatMap(one => one.sources.map(({ name }) => name))
        .sort();
    const { code, stderr } = await own.run(['expire', 'network', '--yes']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('group.servers has ended in policy.stays and stays there'),
    ]);
    expect(await sources()).toEqual(['servers', 'staff']);
    // The files have the list of sources as a whole: what they do not declare, a person took back.
    await own.run(['apply', 'network', '--yes', ...RECORDED]);
    expect(await sources()).toEqual(['staff']);
  }));

test('a member that the files declared before is removed at its expiry, even beside a member that they did not declare', () =>
  recorded(async own => {
    const members = (text: string) => FILES.replace('peers: [ada]', `peers: [${text}]`);
    await committed(own, { 'a.yaml': members('ada, { name: bob, until: 2026-12-01 }') });
    expect((await own.run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    await joins(own, 'db', 'staff');
    const both = `ada, { name: bob, until: 2026-12-01 }, { name: db, ${PAST} }`;
    await committed(own, { 'a.yaml': members(both) });
    own.at('2026-12-02T00:00:00Z');
    const { code, stderr } = await own.run(['expire', 'network', '--yes']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('peer.db has ended in group.staff'),
    ]);
    expect(await membersOf(own, 'staff')).toEqual(['ada', 'db']);
  }));
