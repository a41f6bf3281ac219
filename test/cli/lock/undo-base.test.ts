// What an undo brings back counts as declared by the base from then on: the next apply of the files takes it away again, and until
// then drift names it.
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 120_000 });

const at = (minute: number): number => minute * 60_000;
const FILE = ['--lock', 'file'] as const;
const GIT = ['--lock', 'git'] as const;
const UNDO = ['apply', 'network', '--undo', '--yes', '--allow', 'DELETES_OBJECT'] as const;
const DRIFT = ['drift', 'network', '--base', 'auto'] as const;
const HOW = ['--prune', 'removed', '--base', 'auto', '--record-base', '--yes'] as const;
const ALLOWED = ['--allow', 'DELETES_OBJECT', '--allow', 'LOSES_MEMBERS'] as const;
const APPLY = ['apply', 'network', ...HOW, ...ALLOWED] as const;

const RULE = '{ name: one, sources: [a], destinations: [b], protocol: tcp, ports: ["22"] }';
const MORE = '{ name: two, sources: [a], destinations: [b], protocol: all }';
const files = (more: string, peers: string, description = 'as agreed'): string =>
  [
    `groups: [{ name: a, peers: [${peers}] }, { name: b }]`,
    `policies: [{ name: p, description: ${description}, rules: [${RULE}] }${more}]`,
    '',
  ].join('\n');
const BEFORE = files(`, { name: q, rules: [${MORE}] }`, 'p1, p4', 'before');
const AFTER = files('', 'p1');

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly peers?: readonly { readonly name: string }[];
}

async function state({ account }: Machines): Promise<string> {
  const policies = (await account.call('GET', '/api/policies')) as unknown as Named[];
  const groups = (await account.call('GET', '/api/groups')) as unknown as Named[];
  const members = groups.find(({ name }) => name === 'a')?.peers ?? [];
  const own = policies.filter(({ name }) => name !== 'Default');
  return [
    ...own.map(({ name, description = '' }) => `${name} ${description}`.trim()).sort(),
    ...members.map(({ name }) => name).sort(),
  ].join(', ');
}

const OLD = 'p before, q, p1, p4';
const NEW = 'p as agreed, p1';

// The second revision removes a policy and a member, and changes a description; its apply is complete.
async function removed(all: Machines, lock: readonly string[]): Promise<Machine> {
  for (const name of ['p1', 'p4']) await all.account.enrol(name);
  const one = await all.machine('one');
  await one.write('all.yaml', BEFORE);
  expectCode(await one.runAt(at(1), ...APPLY, ...lock), 0);
  expect(await state(all)).toBe(OLD);
  await one.write('all.yaml', AFTER);
  expectCode(await one.runAt(at(2), ...APPLY, ...lock), 0);
  expect(await state(all)).toBe(NEW);
  return one;
}

test.each(
  someOf(
    [
      ['a file', FILE],
      ['the Git remote', GIT],
    ] as const,
    1,
  ),
)('an apply of the same files removes what an undo restored, with the lock in %s', (_, lock) =>
  machines(async all => {
    const one = await removed(all, lock);
    expectCode(await one.run(...DRIFT), 0);
    const undone = await one.runAt(at(3), ...UNDO, ...lock);
    expectCode(undone, 0);
    expect(await state(all)).toBe(OLD);

    const drift = await one.runAt(at(4), ...DRIFT);
    expectCode(drift, 2);
    expect(drift.stdout).toContain('# policy.q was restored by an undo, but no file declares it');
    expect(drift.stdout).toMatch(/description *= "as agreed" -> "before" \(drift\)/);
    expect(drift.stdout).toMatch(/peers \(drift\)\n *\+ "p4"/);
    expect(drift.stdout).toContain('Drift: 2 changed, 0 missing, 1 not removed.');
    const plan = await one.run('plan', 'network', '--base', 'auto');
    expect(plan.stderr).toMatch(
      /BROUGHT_BACK policy.q was brought back by the undo of the apply [0-9a-f]{8}; no file/,
    );

    const unpruned = await one.run(
      'apply',
      'network',
      '--base',
      'auto',
      '--record-base',
      '--yes',
      ...lock,
    );
    expectCode(unpruned, 6);
    expect(unpruned.stderr).toContain('policy.q is no longer declared and stays in the account');
    expectCode(await one.runAt(at(5), ...APPLY, ...lock), 0);
    expect(await state(all)).toBe(NEW);
    expectCode(await one.run(...DRIFT), 0);
    expect((await one.runAt(at(6), ...APPLY, ...lock)).stdout).toContain('No changes');
  }),
);

test('another machine reads at the remote what an undo restored', { tags: 'variation' }, () =>
  machines(async all => {
    const one = await removed(all, GIT);
    expectCode(await one.runAt(at(3), ...UNDO, ...GIT), 0);
    const two = await all.machine('two');
    expectCode(await two.runAt(at(4), ...DRIFT), 2);
    expectCode(await two.runAt(at(5), ...APPLY, ...GIT), 0);
    expect(await state(all)).toBe(NEW);
  }),
);

test(
  'an apply of a part of the files keeps in the base what an undo restored',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await removed(all, GIT);
      expectCode(await one.runAt(at(3), ...UNDO, ...GIT), 0);
      expectCode(await one.runAt(at(4), ...APPLY, '--only', 'group/b', ...GIT), 0);
      expect(await state(all)).toBe(OLD);
      expectCode(await one.run(...DRIFT), 2);
      expectCode(await one.runAt(at(5), ...APPLY, ...GIT), 0);
      expect(await state(all)).toBe(NEW);
    }),
);

test(
  'an object that the files declare again after an undo is managed again, and a third value for it is not a conflict',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await removed(all, GIT);
      expectCode(await one.runAt(at(3), ...UNDO, ...GIT), 0);
      await one.write('all.yaml', BEFORE.replace('before', 'third'));
      expectCode(await one.runAt(at(4), ...APPLY, ...GIT), 0);
      expect(await state(all)).toBe(OLD.replace('before', 'third'));
      expectCode(await one.run(...DRIFT), 0);
    }),
);

test(
  'an undo of an undo leaves the account and the base as before both',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await removed(all, GIT);
      expectCode(await one.runAt(at(3), ...UNDO, ...GIT), 0);
      const { runs } = JSON.parse((await one.run('runs', 'network', '--format', 'json')).stdout);
      const [{ run }] = runs;
      const again = ['apply', 'network', '--undo', run, '--yes', '--allow', 'DELETES_OBJECT'];
      expectCode(await one.runAt(at(4), ...again, '--allow', 'LOSES_MEMBERS', ...GIT), 0);
      expect(await state(all)).toBe(NEW);
      expectCode(await one.run(...DRIFT), 0);
      expect((await one.runAt(at(5), ...APPLY, ...GIT)).stdout).toContain('No changes');
    }),
);

test.each(['spec', 'netbird'] as const)(
  'a rule that an undo restored is removed again, with a server that is %s',
  { tags: 'variation' },
  dialect =>
    machines(async all => {
      const one = await all.machine('one');
      const rules = (more: string) =>
        `groups: [{ name: a }, { name: b }]\npolicies: [{ name: p, rules: [${RULE}${more}] }]\n`;
      await one.write('all.yaml', rules(`, ${MORE}`));
      expectCode(await one.runAt(at(1), ...APPLY), 0);
      const twoRules = JSON.stringify(await all.account.call('GET', '/api/policies'));
      expect(twoRules).toContain('"two"');
      await one.write('all.yaml', rules(''));
      expectCode(await one.runAt(at(2), ...APPLY), 0);
      expectCode(await one.runAt(at(3), ...UNDO), 0);
      expect(JSON.stringify(await all.account.call('GET', '/api/policies'))).toContain('"two"');
      expectCode(await one.runAt(at(4), ...DRIFT), 2);
      expectCode(await one.runAt(at(5), ...APPLY), 0);
      expect(JSON.stringify(await all.account.call('GET', '/api/policies'))).not.toContain('"two"');
      expectCode(await one.runAt(at(6), ...DRIFT), 0);
    }, dialect),
);

test('an undo continues if the base cannot record it, and says so', { tags: 'variation' }, () =>
  machines(async all => {
    const one = await removed(all, FILE);
    const [document] = git(one.folder, 'ls-tree', all.base).split('\n');
    const unsigned = execFileSync('git', ['-C', one.folder, 'mktree'], {
      input: `${document}\n`,
      encoding: 'utf8',
    }).trim();
    const commit = git(one.folder, 'commit-tree', '-m', 'unsigned', '-p', all.base, unsigned);
    git(one.folder, 'update-ref', all.base, commit.trim());
    const undone = await one.runAt(at(3), ...UNDO, ...FILE);
    expectCode(undone, 0);
    expect(undone.stderr).toContain('warning UNDO_NOT_RECORDED');
    expect(await state(all)).toBe(OLD);
  }),
);

test.each([
  ['has no document', 'empty'],
  ['is not there', 'lost'],
] as const)(
  'an undo continues if the commit of the base %s, and says so',
  { tags: 'variation' },
  (_, fault) =>
    machines(async all => {
      const one = await removed(all, FILE);
      if (fault === 'empty') {
        const tree = execFileSync('git', ['-C', one.folder, 'mktree'], {
          input: '',
          encoding: 'utf8',
        });
        const commit = git(one.folder, 'commit-tree', '-m', 'empty', tree.trim());
        git(one.folder, 'update-ref', all.base, commit.trim());
      } else {
        const commit = git(one.folder, 'rev-parse', all.base).trim();
        const path = [commit.slice(0, 2), commit.slice(2)];
        await rm(join(one.folder, '.git', 'objects', ...path));
      }
      const undone = await one.runAt(at(3), ...UNDO, ...FILE);
      expectCode(undone, 0);
      expect(undone.stderr).toContain(
        'warning UNDO_NOT_RECORDED the base of `network` cannot be recorded: the base at `refs/meshform-base/',
      );
      expect(await state(all)).toBe(OLD);
    }),
);
