// `apply --undo` in a folder in which something has ended: what a schedule ended stays ended.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Fields, Json } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';
import { RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `
groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - { name: servers, peers: [db] }
  - { name: temps, peers: [] }
policies:
  - name: night
    lifecycle: { until: 2026-12-01 }
    rules: [{ name: r, sources: [staff], destinations: [servers], protocol: tcp, ports: ["99"] }]
  - name: web
    rules: [{ name: r, sources: [staff, { name: temps, until: 2026-12-01 }], destinations: [servers], protocol: tcp, ports: ["80"] }]
`;
const ALLOW = ['--allow', 'DELETES_OBJECT', '--yes'];

const peersOf = async ({ account }: EndedFolder, name: string): Promise<readonly string[]> => {
  const groups = (await account.call('GET', '/api/groups')) as readonly {
    readonly name: string;
    readonly peers: readonly { readonly name: string }[] | null;
  }[];
  return (groups.find(one => one.name === name)?.peers ?? []).map(peer => peer.name).sort();
};

const sourcesOf = async ({ account }: EndedFolder): Promise<readonly string[]> => {
  const policies = (await account.call('GET', '/api/policies')) as readonly {
    readonly rules: readonly { readonly sources: readonly { readonly name: string }[] }[];
  }[];
  return policies.flatMap(one => one.rules.flatMap(({ sources }) => sources.map(of => of.name)));
};

/** A folder of which `night` and the membership of `bob` have ended since its first apply. */
const atEnd = (use: (folder: EndedFolder) => Promise<void>) =>
  withEndedFolder(async folder => {
    for (const name of ['ada', 'bob', 'db']) await folder.account.enrol(name);
    await folder.write({ 'a.yaml': FILES });
    expect((await folder.run(['apply', 'network', ...ALLOW])).code).toBe(0);
    await use(folder);
  });

test('an apply that only postpones an expiry is the last apply: --undo undoes no earlier apply', () =>
  recorded(async own => {
    const { run, folder, write, account } = own;
    const text = await readFile(join(folder, 'network/grants/g.yaml'), 'utf8');
    await write({ 'grants/g.yaml': text.replace('2026-12-01', '2026-12-05') });
    git(folder, 'commit', '-qam', 'longer');
    const applied = await run(['apply', 'network', '--yes', ...RECORDED]);
    expect(applied.code, applied.stderr).toBe(0);
    const { code, stderr } = await run(['apply', 'network', '--undo', ...ALLOW]);
    expect([code, stderr]).toEqual([6, expect.stringContaining('wrote nothing to undo')]);
    expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);

    // An apply that changes nothing at all leaves no journal.
    const again = await run(['apply', 'network', '--yes', ...RECORDED]);
    expect(again.code, again.stderr).toBe(0);
    const runs = await run(['runs', 'network', '--format', 'json']);
    expect(JSON.parse(runs.stdout).runs).toHaveLength(2);
  }));

const DECEMBER = '2026-12-02T00:00:00Z';

test('an undo of an undo does not give back what has ended since', () =>
  recorded(
    async own => {
      const { run, account, folder, at } = own;
      const journal = join(folder, 'journal.jsonl');
      const undone = await run(['apply', 'network', '--undo', '--journal', journal, ...ALLOW]);
      expect([undone.code, await namesOf(account, 'policies')]).toEqual([0, []]);
      at(DECEMBER);
      const again = await run(['apply', 'network', '--undo', journal, ...ALLOW]);
      const text = again.stderr.replaceAll(/\s+/g, ' ');
      const says = 'policy.grant stays away: it ended at 2026-12-02T00:00:00Z';
      expect([again.code, text]).toEqual([0, expect.stringContaining(says)]);
      expect(await namesOf(account, 'policies')).toEqual(['web']);
      expect(await peersOf(own, 'staff')).toEqual(['ada']);
      expect(await sourcesOf(own)).toEqual(['staff']);
    },
    {},
    FILES,
  ));

test('without a base, an undo of an undo does not give back members that have ended since', () =>
  atEnd(async folder => {
    const { run, at } = folder;
    const journal = join(folder.folder, 'journal.jsonl');
    const undone = await run(['apply', 'network', '--undo', '--journal', journal, ...ALLOW]);
    expect([undone.code, await peersOf(folder, 'staff')]).toEqual([0, []]);
    // Before their ends, they would come back without them.
    const early = await run(['apply', 'network', '--undo', journal, ...ALLOW]);
    expect([early.code, early.stderr]).toEqual([6, expect.stringContaining('LOSES_END')]);
    at(DECEMBER);
    const again = await run(['apply', 'network', '--undo', journal, ...ALLOW]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('UNDO_PARTIAL')]);
    expect(again.stdout).not.toContain('LOSES_END');
    expect(await peersOf(folder, 'staff')).toEqual(['ada']);
    expect(await sourcesOf(folder)).toEqual(['staff']);
  }));

test('--undo without a run undoes the last apply, and not what `expire` removed since', () =>
  atEnd(async folder => {
    const { run, at, write, account } = folder;
    await write({ 'b.yaml': 'groups: [{ name: added }]\n' });
    expect((await run(['apply', 'network', ...ALLOW])).code).toBe(0);
    at(DECEMBER);
    expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
    const undone = await run(['apply', 'network', '--undo', ...ALLOW]);
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('group "added"')]);
    expect(await namesOf(account, 'policies')).toEqual(['web']);
    expect(await peersOf(folder, 'staff')).toEqual(['ada']);
    expect(await sourcesOf(folder)).toEqual(['staff']);
    expect(await namesOf(account, 'groups')).not.toContain('added');
  }));

test.each([
  ['an apply', ['apply', 'network', ...ALLOW], ''],
  ['`expire`, if it is named,', ['expire', 'network', '--yes'], 'journal.jsonl'],
])(
  'an object that had expired when %s removed it is not created again by an undo',
  (_, argv, named) =>
    atEnd(async folder => {
      const { run, at, write, account } = folder;
      await write({ 'b.yaml': 'groups: [{ name: added }]\n' });
      at(DECEMBER);
      const journal = join(folder.folder, 'journal.jsonl');
      const kept = named === '' ? [] : ['--journal', journal];
      expect((await run([...argv, ...kept])).code).toBe(0);
      expect(await namesOf(account, 'policies')).toEqual(['web']);
      const undo = ['apply', 'network', '--undo', ...(named === '' ? [] : [journal]), ...ALLOW];
      const undone = await run(undo);
      expect(undone.stderr).toContain('UNDO_PARTIAL');
      expect(undone.stderr.replaceAll(/\s+/g, ' ')).toMatch(
        /policy\.night stays away: it ended at 2026-12-0/,
      );
      expect(await namesOf(account, 'policies')).toEqual(['web']);
      expect(await peersOf(folder, 'staff')).toEqual(['ada']);
      expect(await sourcesOf(folder)).toEqual(['staff']);
      expect(await namesOf(account, 'groups')).not.toContain('added');
    }),
);

test('an object that had expired under another name is not reported as expired with another object', () =>
  recorded(async ({ run, write, account, folder, at }) => {
    const later = 'sources: [staff], destinations: [servers], protocol: tcp, ports: ["23"]';
    await write({
      'grants/h.yaml': `policies: [{ name: later, lifecycle: { until: 2026-12-03 }, rules: [{ name: a, ${later} }] }]\n`,
    });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'another grant');
    expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    const policies = (await account.call('GET', '/api/policies')) as readonly {
      readonly id: string;
      readonly name: string;
      readonly rules: readonly Fields[];
    }[];
    const grant = policies.find(({ name }) => name === 'grant');
    const ids = (value: Json | undefined) =>
      (value as readonly { readonly id: string }[]).map(({ id }) => id);
    const rules = (grant?.rules ?? []).map(rule => ({
      ...rule,
      sources: ids(rule.sources),
      destinations: ids(rule.destinations),
    }));
    const renamed = { name: 'renamed', enabled: true, rules };
    await account.call('PUT', `/api/policies/${grant?.id}`, renamed);
    at('2026-12-05T00:00:00Z');
    const journal = join(folder, 'journal.jsonl');
    expect((await run(['expire', 'network', '--yes', '--journal', journal])).code).toBe(0);
    const { stderr } = await run(['apply', 'network', '--undo', journal, ...ALLOW]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'policy.renamed stays away: it had ended by 2026-12-05T00:00:00Z',
    );
  }));

describe.each(someOf(['spec', 'netbird'] as const, 1))('%s', dialect => {
  const KEPT = `
groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - { name: servers, peers: [db] }
  - { name: temps, peers: [] }
  - { name: crew, peers: [bob], lifecycle: { until: 2026-12-01 } }
`;
  const WITH_ENDS = `${KEPT}
policies:
  - name: night
    lifecycle: { until: 2026-12-01 }
    rules: [{ name: r, sources: [staff], destinations: [servers], protocol: tcp, ports: ["99"] }]
  - name: web
    rules: [{ name: r, sources: [staff, crew, { name: temps, until: 2026-12-01 }], destinations: [servers], protocol: tcp, ports: ["80"] }]
  - name: whole
    rules: [{ name: r, sources: [staff, { name: temps, until: 2026-12-01 }], destinations: [servers], protocol: tcp, ports: ["81"] }]
  - name: over
    rules: [{ name: r, sources: [{ name: temps, until: 2026-12-01 }], destinations: [servers], protocol: tcp, ports: ["82"] }]
`;
  const WITHOUT = `
groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }, { name: temps, peers: [] }]
policies:
  - name: web
    rules: [{ name: r, sources: [staff], destinations: [servers], protocol: tcp, ports: ["80"] }]
`;
  /** A run took out what had an end, before that end. */
  const removed = (use: (folder: EndedFolder) => Promise<void>) =>
    recorded(
      async own => {
        await own.write({ 'a.yaml': WITHOUT });
        git(own.folder, 'rm', '-qf', 'network/grants/g.yaml');
        git(own.folder, 'add', '-A');
        git(own.folder, 'commit', '-qm', 'all of it is over');
        const { code, stderr } = await own.run(['apply', 'network', ...ALLOW, ...RECORDED]);
        expect([code, stderr]).toEqual([0, expect.anything()]);
        expect(await namesOf(own.account, 'policies')).toEqual(['web']);
        await use(own);
      },
      { dialect },
      WITH_ENDS,
    );

  test('an undo does not restore an object that a run removed before its expiry, once it has expired', () =>
    removed(async own => {
      own.at(DECEMBER);
      const undone = await own.run(['apply', 'network', '--undo', ...ALLOW]);
      const text = undone.stderr.replaceAll(/\s+/g, ' ');
      expect([undone.code, text]).toEqual([0, expect.stringContaining('UNDO_PARTIAL')]);
      for (const said of [
        'policy.night stays away: it ended at 2026-12-02T00:00:00Z',
        'policy.grant stays away: it ended at 2026-12-02T00:00:00Z',
        'group.crew stays away: it ended at 2026-12-02T00:00:00Z',
        'policy.over stays away: what it needs had ended by 2026-12-02T00:00:00Z',
        'group.staff: what had ended is not restored',
        'policy.web: what had ended is not restored',
        'policy.whole: what had ended is not restored',
      ])
        expect(text).toContain(said);
      expect(await namesOf(own.account, 'policies')).toEqual(['web', 'whole']);
      expect(await namesOf(own.account, 'groups')).not.toContain('crew');
      expect(await peersOf(own, 'staff')).toEqual(['ada']);
      expect(await sourcesOf(own)).toEqual(['staff', 'staff']);
    }));

  test.runIf(dialect === 'spec')(
    'an undo that restores a member with an expiry needs a flag without a recorded base',
    () =>
      removed(async own => {
        const [ref = ''] = git(own.folder, 'for-each-ref', '--format=%(refname)').match(
          /refs\/meshform-base\/\S+/,
        ) ?? [''];
        git(own.folder, 'update-ref', '-d', ref);
        const undone = await own.run(['apply', 'network', '--undo', ...ALLOW]);
        const text = `${undone.stdout}${undone.stderr}`.replaceAll(/\s+/g, ' ');
        expect([undone.code, text]).toEqual([6, expect.stringContaining('LOSES_END')]);
        expect(text).toContain('policy.web is restored, but these expiry times are lost');
        expect(await namesOf(own.account, 'policies')).toEqual(['web']);
        const allowed = ['apply', 'network', '--undo', '--allow', 'LOSES_END', ...ALLOW];
        expect((await own.run(allowed)).code).toBe(0);
        expect(await peersOf(own, 'staff')).toEqual(['ada', 'bob']);
      }),
  );

  test('an undo restores an object that a run removed before its expiry, until that expiry', () =>
    removed(async own => {
      own.at('2026-12-01T00:00:00Z');
      const undone = await own.run(['apply', 'network', '--undo', ...ALLOW]);
      expect([undone.code, undone.stderr]).toEqual([0, expect.not.stringContaining('stays away')]);
      expect(await namesOf(own.account, 'policies')).toEqual([
        'grant',
        'night',
        'over',
        'web',
        'whole',
      ]);
      expect(await peersOf(own, 'staff')).toEqual(['ada', 'bob']);

      // The recorded base has the ends, although no file has them any more.
      own.at(DECEMBER);
      const { code, stdout, stderr } = await own.run(['expire', 'network', '--yes']);
      expect(code, stdout + stderr).toBe(0);
      expect(await namesOf(own.account, 'policies')).toEqual(['web', 'whole']);
      expect(await peersOf(own, 'staff')).toEqual(['ada']);
      expect(await sourcesOf(own)).toEqual(['staff', 'staff']);
    }));
});
