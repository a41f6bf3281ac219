// An end in one folder never removes what another folder of the account declares: in its files now, or in its base.
import { execFileSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import type { Ended } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { namesOf } from './endedFolder.ts';
import { type SharedAccount, withSharedAccount } from './sharedAccount.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const UNTIL = 'until: 2026-12-01';
const AFTER = '2026-12-02T00:00:00Z';
const OWN = 'groups: [{ name: own }]\n';
const shared = (peers: string, more = '') =>
  `groups: [{ name: shared, peers: [${peers}]${more} }]\n`;
const ending = (peers: string) => shared(peers, `, lifecycle: { ${UNTIL} }`);

const told = ({ stdout, stderr }: Ended): string => `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');

function expectCode(ended: Ended, code: number): void {
  expect(ended.code, told(ended)).toBe(code);
}

const applied = async (
  { commit, apply }: SharedAccount,
  files: Readonly<Record<string, string>>,
): Promise<void> => {
  await commit(files);
  expectCode(await apply('net', '--first'), 0);
  expectCode(await apply('app', '--first'), 0);
};

// The commands that end something.
const RUNS = ['apply', 'expire'] as const;

test('an object that another folder declares too stays, and everything else expires', () =>
  withSharedAccount(async all => {
    const { commit, account, at, expire } = all;
    const policies = (names: readonly string[], more: string) =>
      `groups: [{ name: all }]\npolicies:\n${names.map(name => `  - { name: ${name}${more}, rules: [{ name: r, sources: [all], destinations: [all], protocol: all }] }\n`).join('')}`;
    const until = `, lifecycle: { ${UNTIL} }`;
    await applied(all, { 'net/a.yaml': policies(['both', 'own'], until), 'app/a.yaml': OWN });
    await commit({ 'app/b.yaml': policies(['both'], '') });
    at(AFTER);
    const ended = await expire('net');
    expectCode(ended, 4);
    expect(told(ended)).toMatch(
      /END_HELD policy\.both has ended and stays, because it is also declared by `app`/,
    );
    expect(await namesOf(account, 'policies')).toEqual(['both']);
    expectCode(await all.apply('net'), 3);
  }));

describe.concurrent('a group of which two folders declare a part', () => {
  test.each(['groups: [{ name: shared, lifecycle: { until: 2026-12-01 } }]\n', ending('lap2')])(
    'cannot have an expiry in one of them: %s',
    part =>
      withSharedAccount(async ({ commit, run }) => {
        await commit({ 'net/a.yaml': shared('lap1'), 'app/a.yaml': part });
        for (const folder of ['net', 'app']) {
          const plan = await run(['plan', folder]);
          expectCode(plan, 3);
          expect(told(plan)).toContain('OBJECT_DUPLICATE');
          expect(told(plan)).toMatch(/app\/a\.yaml/);
        }
      }),
  );

  test.each(RUNS)(
    'is not deleted by an expiry in one folder while the base of the other declares it: %s',
    { tags: 'variation' },
    way =>
      withSharedAccount(async all => {
        const { commit, membersOf, at, apply } = all;
        await applied(all, { 'net/a.yaml': shared('lap1'), 'app/a.yaml': OWN });
        // The group moves to the other folder, and gets an end there.
        await commit({ 'net/a.yaml': OWN, 'app/a.yaml': ending('lap1') });
        expectCode(await apply('app'), 0);
        at(AFTER);
        const held = await all[way]('app');
        expectCode(held, way === 'expire' ? 4 : 0);
        expect(told(held)).toContain('END_HELD');
        expect(told(held)).toMatch(
          /END_HELD group\.shared has ended and stays, because it is also declared by the base of `net`/,
        );
        expect(await membersOf('shared')).toEqual(['lap1']);
        expectCode(await apply('net'), 0);
        expect(await membersOf('shared')).toEqual(['lap1']);
        const gone = await all[way]('app');
        expectCode(gone, 0);
        expect(told(gone)).not.toContain('END_HELD');
        expect(await membersOf('shared')).toBeUndefined();
      }),
  );

  test.each(someOf(RUNS, 1))(
    'keeps a member with an expiry in one folder if the other declares it without an expiry: %s',
    way =>
      withSharedAccount(async all => {
        const { commit, membersOf, at, apply } = all;
        const member = `lap2, { name: lap1, ${UNTIL} }`;
        await applied(all, { 'net/a.yaml': shared('lap1'), 'app/a.yaml': shared(member) });
        at(AFTER);
        const held = await all[way]('app');
        expectCode(held, way === 'expire' ? 4 : 0);
        expect(told(held)).toMatch(
          /END_HELD peer\.lap1 has ended in group\.shared and stays there: also declared by `net`/,
        );
        expect(await membersOf('shared')).toEqual(['lap1', 'lap2']);
        await commit({ 'net/a.yaml': OWN });
        // The base of the other folder has it still.
        expect(told(await all[way]('app'))).toContain('END_HELD');
        expect(await membersOf('shared')).toEqual(['lap1', 'lap2']);
        expectCode(await apply('net'), 0);
        await all[way]('app');
        expect(await membersOf('shared')).toEqual(['lap2']);
      }),
  );

  test.each(RUNS)('loses a member that has expired in both: %s', { tags: 'variation' }, way =>
    withSharedAccount(async all => {
      const { membersOf, at } = all;
      await applied(all, {
        'net/a.yaml': shared(`lap3, { name: lap1, until: 2026-12-10 }`),
        'app/a.yaml': shared(`lap2, { name: lap1, ${UNTIL} }`),
      });
      at(AFTER);
      expect(told(await all[way]('app'))).toContain('END_HELD');
      expect(await membersOf('shared')).toEqual(['lap1', 'lap2', 'lap3']);
      at('2026-12-12T00:00:00Z');
      expectCode(await all[way]('net'), 0);
      expect(await membersOf('shared')).toEqual(['lap2', 'lap3']);
    }),
  );

  test('loses a member that has expired in both by a saved plan', { tags: 'variation' }, () =>
    withSharedAccount(async all => {
      const { membersOf, at, run } = all;
      await applied(all, {
        'net/a.yaml': shared(`lap3, { name: lap1, until: 2026-12-10 }`),
        'app/a.yaml': shared(`lap2, { name: lap1, ${UNTIL} }`),
      });
      at('2026-12-12T00:00:00Z');
      await run(['plan', 'net', '--out', '../plan.json']);
      expectCode(await run(['apply', '../plan.json', '--yes']), 0);
      expect(await membersOf('shared')).toEqual(['lap2', 'lap3']);
    }),
  );
});

describe.concurrent('a base of another folder that no apply has written', () => {
  test.each([
    ['an object', 'groups: [{ name: shared, peers: [lap1], lifecycle: { until: 2026-12-01 } }]\n'],
    ['a member', 'groups: [{ name: shared, peers: [{ name: lap1, until: 2026-12-01 }] }]\n'],
  ])(
    'makes the apply fail instead of preventing the expiry of %s',
    { tags: 'variation' },
    (_, files) =>
      withSharedAccount(async all => {
        const { account, apply, at, commit, folder } = all;
        await commit({ 'app/a.yaml': files, 'net/a.yaml': OWN });
        expectCode(await apply('app', '--first'), 0);
        forgedBase(folder, await accountId(account));
        at(AFTER);
        const refused = await apply('app');
        expectCode(refused, 6);
        expect(told(refused)).toContain('is not signed with a key of this run');
      }),
  );
});

async function accountId({ call }: SharedAccount['account']): Promise<string> {
  const groups = (await call('GET', '/api/groups')) as readonly { id: string; name: string }[];
  return groups.find(({ name }) => name === 'All')?.id ?? '';
}

/** The base of `app`, put in the place of that of `net` by somebody who has no key. */
function forgedBase(folder: string, account: string): void {
  const at = `refs/meshform-base/${account}`;
  const own = JSON.parse(git(folder, 'show', `${at}/app:base.json`)) as object;
  const text = JSON.stringify({ ...own, folder: 'net' });
  const write = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trim();
  const blob = write(text, 'hash-object', '-w', '--stdin');
  const tree = write(`100644 blob ${blob}\tbase.json\n`, 'mktree');
  const commit = git(folder, 'commit-tree', '-m', 'forged', tree).trim();
  git(folder, 'update-ref', `${at}/net`, commit);
}

describe.concurrent('a policy that moved to another folder and expired there', () => {
  const policy = (more = '') =>
    `groups: [{ name: a }, { name: b }]\npolicies: [{ name: p,${more} rules: [{ name: r, sources: [a], destinations: [b], protocol: tcp, ports: ["22"] }] }]\n`;

  test.each(someOf(RUNS, 1))(
    'is deleted once its former folder was recorded without it: %s',
    { tags: 'variation' },
    way =>
      withSharedAccount(async all => {
        const { account, commit, at, apply } = all;
        await applied(all, { 'net/a.yaml': policy(), 'app/a.yaml': OWN });
        await commit({
          'net/a.yaml': 'groups: [{ name: a }, { name: b }]\n',
          'app/a.yaml': `${OWN}${policy(` lifecycle: { ${UNTIL} },`).replace(/^.*\n/, '')}`,
        });
        expectCode(await apply('app'), 0);
        at(AFTER);
        expect(told(await all[way]('app'))).toContain('END_HELD');
        expect(await namesOf(account, 'policies')).toEqual(['p']);
        expectCode(await apply('net'), 0);
        expect(await namesOf(account, 'policies')).toEqual(['p']);
        expectCode(await all[way]('app'), 0);
        expect(await namesOf(account, 'policies')).toEqual([]);
      }),
  );
});
