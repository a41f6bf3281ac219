// What an unfinished apply changed or deleted that no file declares: it is told until the account has the earlier values again.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { cutNewest, forgeEnd } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 90_000 });

const LATE =
  'posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };
const WIDE = `policies:
  - name: hand
    rules: [{ name: hand, protocol: all, sources: [a, c], destinations: [b], bidirectional: false }]
${LATE}`;

const listed = async ({ account }: Pick<Machines, 'account'>, path: string) =>
  (await account.call('GET', path)) as JsonObject[];

async function named(all: Machines, path: string, name: string): Promise<JsonObject | undefined> {
  return (await listed(all, path)).find(one => one.name === name);
}

const hand = (all: Machines) => named(all, '/api/policies', 'hand');

const idOf = async (all: Machines, group: string): Promise<string> =>
  String((await named(all, '/api/groups', group))?.id);

/** A policy that somebody makes in the dashboard. */
async function byHand(all: Machines, name = 'hand', action = 'accept'): Promise<void> {
  const rule = {
    name,
    enabled: true,
    action,
    bidirectional: false,
    protocol: 'tcp',
    ports: ['22'],
    sources: [await idOf(all, 'a')],
    destinations: [await idOf(all, 'b')],
  };
  await all.account.call('POST', '/api/policies', { name, enabled: true, rules: [rule] });
}

/** The rule of the policy, as far as an apply widened it. */
async function rule(all: Machines): Promise<unknown> {
  const { rules } = (await hand(all)) ?? {};
  const [first = {}] = rules as JsonObject[];
  return [first.protocol, (first.sources as JsonObject[]).map(({ name }) => name).sort()];
}

const WIDENED = ['all', ['a', 'c']];
const NARROW = ['tcp', ['a']];

async function runsOf(machine: Machine): Promise<{ run: string; outcome: string }[]> {
  const { stdout } = await machine.run('runs', 'network', '--format', 'json');
  return (JSON.parse(stdout) as { runs: { run: string; outcome: string }[] }).runs;
}

/** The beginning of the id of the apply that is not finished. */
async function unfinishedOf(machine: Machine): Promise<string> {
  const open = (await runsOf(machine)).find(({ outcome }) => outcome === 'incomplete');
  return open?.run.slice(0, 8) ?? '';
}

/** An apply that widened a policy that was made by hand, and was not finished; its commit is reverted. */
async function widened(all: Machines): Promise<[Machine, string]> {
  const one = await all.machine('one');
  await one.declare('a', 'b', 'c');
  expectCode(await one.apply(), 0);
  await byHand(all);
  await one.write('x.yaml', WIDE);
  await one.runAt(60_000, 'runs', 'network');
  await all.account.fault({ ...REFUSED, times: 1 });
  expectCode(await one.apply('--concurrency', '1'), 4);
  expect(await rule(all)).toEqual(WIDENED);
  const run = await unfinishedOf(one);
  git(one.folder, 'revert', '--no-edit', 'HEAD');
  git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
  const two = await all.machine('two');
  await two.runAt(120_000, 'runs', 'network');
  return [two, run];
}

const AUTO = ['--base', 'auto'];
const plan = (machine: Machine) => machine.run('plan', 'network', '--prune', 'removed', ...AUTO);
const drift = (machine: Machine) => machine.run('drift', 'network', ...AUTO);

const toldOf = (run: string) =>
  `LEFT_BY_RUN policy.hand was changed by the apply ${run}, which was not finished, and no file declares that:`;
const FIELDS = ['`rules.hand.protocol` is "all", and was "tcp"', '`rules.hand.sources` has "c"'];

async function expectTold(machine: Machine, run: string): Promise<void> {
  for (const { stderr } of [await plan(machine), await drift(machine)]) {
    expect(stderr).toContain(toldOf(run));
    for (const field of FIELDS) expect(stderr).toContain(field);
    expect(stderr).toContain(`meshform apply --undo ${run}`);
  }
}

async function expectSilent(machine: Machine): Promise<void> {
  for (const { stderr } of [await plan(machine), await drift(machine)])
    expect(stderr).not.toContain('LEFT_BY_RUN');
}

const undo = (machine: Machine, run: string) =>
  machine.run('apply', 'network', '--undo', run, '--yes', '--allow', 'DELETES_OBJECT');

const inNetbird = (story: (all: Machines) => Promise<void>) => machines(story, 'netbird');

test('a policy that an unfinished apply widened is reported until that apply is undone, even if it was closed', () =>
  inNetbird(async all => {
    const [two, run] = await widened(all);
    await expectTold(two, run);
    const complete = await two.apply();
    expectCode(complete, 0);
    expect(complete.stderr).toContain(toldOf(run));
    expect((await runsOf(two)).find(one => one.run.startsWith(run))?.outcome).toBe('superseded');
    expect(await rule(all)).toEqual(WIDENED);
    await expectTold(two, run);
    await two.declare('a', 'b', 'c', 'd');
    expectCode(await two.apply(), 0);
    await expectTold(two, run);
    expectCode(await undo(two, run), 0);
    expect(await rule(all)).toEqual(NARROW);
    await expectSilent(two);
  }));

test(
  'a policy that an unfinished apply widened is reported if the remote has only the plan of that apply',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const [two, run] = await widened(all);
      expect(cutNewest(all, 'send')).toBe(run);
      await expectTold(two, run);
      expectCode(await two.apply(), 0);
      await expectTold(two, run);
      expectCode(await undo(two, run), 0);
      expect(await rule(all)).toEqual(NARROW);
      await expectSilent(two);
    }),
);

test(
  'a change of an unfinished apply is reported after the apply was closed, until --keep-left',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const [two, run] = await widened(all);
      expectCode(await two.run('apply', 'network', '--abandon', run, '--yes'), 0);
      await expectTold(two, run);
      expectCode(await two.apply(), 0);
      await expectTold(two, run);
      const kept = await two.run('apply', 'network', '--abandon', run, '--keep-left', '--yes');
      expectCode(kept, 0);
      expect(kept.stderr).toContain(`What the run \`${run}\` left stays in the account`);
      await expectSilent(two);
      expect(await rule(all)).toEqual(WIDENED);
    }),
);

test(
  'a change of an unfinished apply is not reported while the files declare it, nor a field that somebody changed since then',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const [two, run] = await widened(all);
      expectCode(await two.apply(), 0);
      await two.write('x.yaml', WIDE.replace(LATE, ''));
      await expectSilent(two);
      const expire = () => two.run('expire', 'network', '--yes');
      expect((await expire()).stderr).not.toContain('LEFT_BY_RUN');
      git(two.folder, 'revert', '--no-edit', 'HEAD');
      await expectTold(two, run);
      expect((await expire()).stderr.split('LEFT_BY_RUN')).toHaveLength(2);
      const { id, ...policy } = (await hand(all)) as JsonObject;
      const [first] = policy.rules as JsonObject[];
      const ids = (value: unknown) => (value as JsonObject[]).map(one => String(one.id));
      await all.account.call('PUT', `/api/policies/${id}`, {
        ...policy,
        rules: [
          {
            ...first,
            protocol: 'udp',
            ports: ['53'],
            sources: ids(first?.sources),
            destinations: ids(first?.destinations),
          },
        ],
      });
      const { stderr } = await plan(two);
      expect(stderr).toContain(toldOf(run));
      expect(stderr).not.toContain('.protocol`');
      expect(stderr).toContain(FIELDS[1]);
    }),
);

test(
  'an object that an unfinished apply deleted is reported with its fields, and created again by the undo',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      await one.write(
        'k.yaml',
        'policies: [{ name: keep, rules: [{ name: r, sources: [a], destinations: [b], protocol: all }] }]\n',
      );
      expectCode(await one.apply(), 0);
      await byHand(all, 'deny', 'drop');
      await one.write('x.yaml', LATE);
      await one.runAt(60_000, 'runs', 'network');
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--prune', 'unmanaged', '--concurrency', '1'), 4);
      const run = await unfinishedOf(one);
      expect(await named(all, '/api/policies', 'deny')).toBeUndefined();
      git(one.folder, 'revert', '--no-edit', 'HEAD');
      git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
      const two = await all.machine('two');
      await two.runAt(120_000, 'runs', 'network');
      const told = `LEFT_BY_RUN policy.deny was deleted by the apply ${run}, which was not finished, and no file declares it: it had`;
      const expectDeleted = async (): Promise<void> => {
        for (const { stderr } of [await plan(two), await drift(two)]) {
          expect(stderr).toContain(told);
          expect(stderr).toContain('action: "drop"');
          expect(stderr).toContain(`meshform apply --undo ${run}`);
        }
      };
      await expectDeleted();
      expectCode(await two.apply(), 0);
      await expectDeleted();
      expectCode(await undo(two, run), 0);
      expect(await named(all, '/api/policies', 'deny')).toBeDefined();
      await expectSilent(two);
    }),
);

test(
  'an object that an unfinished apply deleted because the files removed it is not reported',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b', 'c');
      expectCode(await one.apply(), 0);
      await one.declare('a', 'b');
      await one.write('x.yaml', LATE);
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1'), 4);
      expect(await all.groups()).toEqual(['a', 'b']);
      await expectSilent(one);
      expectCode(await one.apply(), 0);
      await expectSilent(one);
    }),
);

test('an unsigned line added to its journal does not make an apply look finished', () =>
  inNetbird(async all => {
    const [two, run] = await widened(all);
    forgeEnd(all, run);
    for (const { stderr } of [await plan(two), await drift(two), await two.apply()]) {
      expect(stderr).toContain(`the apply ${run} `);
      expect(stderr).toContain('That line is not signed: somebody added it');
    }
    expect(await rule(all)).toEqual(WIDENED);
  }));

const AT_OPS = `groups: [{ name: ops, peers: [bob] }]\n${LATE}`;

async function membersOf(all: Machines, group: string): Promise<unknown> {
  const { peers } = (await named(all, '/api/groups', group)) ?? {};
  return (peers as JsonObject[]).map(({ name }) => name).sort();
}

test(
  'a member that an unfinished apply added to a group of another folder is reported, and pruned',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      for (const name of ['ada', 'bob']) await all.account.enrol(name);
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await mkdir(join(one.folder, 'app'));
      await writeFile(join(one.folder, 'app/meshform.yaml'), `account: ${all.id}\n`);
      await writeFile(join(one.folder, 'app/g.yaml'), 'groups: [{ name: ops, peers: [ada] }]\n');
      await one.write('b.yaml', 'groups: [{ name: b }]\n');
      const app = ['apply', 'app', '--first', '--base', 'auto', '--record-base', '--yes'];
      expectCode(await one.run(...app), 0);
      await one.write('x.yaml', AT_OPS);
      await one.runAt(60_000, 'runs', 'network');
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1'), 4);
      const run = await unfinishedOf(one);
      expect(await membersOf(all, 'ops')).toEqual(['ada', 'bob']);
      git(one.folder, 'revert', '--no-edit', 'HEAD');
      const told = await drift(one);
      expect(told.stderr).toContain(`LEFT_BY_RUN group.ops was changed by the apply ${run}`);
      expect(told.stderr).toContain('`peers` has "bob"');
      expectCode(await one.apply(), 0);
      expect(await membersOf(all, 'ops')).toEqual(['ada']);
      await expectSilent(one);
    }),
);

test(
  'a member that an unfinished apply added to a group of these files is reported until it is removed',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      for (const name of ['ada', 'bob', 'eve']) await all.account.enrol(name);
      const one = await all.machine('one');
      await one.write('g.yaml', 'groups: [{ name: ops, peers: [ada] }]\n');
      expectCode(await one.apply(), 0);
      await one.write('g.yaml', 'groups: [{ name: ops, peers: [ada, bob] }]\n');
      await one.write('x.yaml', LATE);
      await one.runAt(60_000, 'runs', 'network');
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1'), 4);
      await expectSilent(one);
      await one.write('g.yaml', 'groups: [{ name: ops, peers: [ada, eve] }]\n');
      const told = '`peers` has "bob"';
      expect((await drift(one)).stderr).toContain(told);
      const alone = await one.run('plan', 'network', '--prune', 'none', ...AUTO);
      expect(alone.stderr).toContain(told);
      expect((await plan(one)).stderr).not.toContain('LEFT_BY_RUN');
      expectCode(await one.apply(), 0);
      expect(await membersOf(all, 'ops')).toEqual(['ada', 'eve']);
      await expectSilent(one);
    }),
);
