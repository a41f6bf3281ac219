// Objects that an unfinished apply created, beside objects of the same names that somebody else created or renamed.
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { addJournals } from './cutJournals.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const ADDED = `policies:
  - name: xp
    rules: [{ name: r, protocol: tcp, ports: ["99"], sources: [a], destinations: [b] }]
networks: [{ name: xnet }]
setup_keys: [{ name: xk, type: reusable, expires_in: 86400, auto_groups: [a] }]
`;
const LATE =
  'posture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';
const MORE = ADDED + LATE;
const SECRETS = ['--secrets-to', 'file:../secrets', '--allow', 'REVEALS_SECRET'];
const REFUSED = { method: 'POST', path: '/api/posture-checks', effect: 'status', status: 400 };

const listed = async ({ account }: Machines, path: string) =>
  ((await account.call('GET', path)) as JsonObject[]).toSorted((one, other) =>
    String(one.id) < String(other.id) ? -1 : 1,
  );

const idsOf = async (all: Machines, path: string, name: string): Promise<string[]> =>
  (await listed(all, path)).filter(one => one.name === name).map(({ id }) => String(id));

async function policyBody(all: Machines, name: string): Promise<JsonObject> {
  const rule = {
    name: 'r',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'tcp',
    ports: ['99'],
    sources: await idsOf(all, '/api/groups', 'a'),
    destinations: await idsOf(all, '/api/groups', 'b'),
  };
  return { name, enabled: true, rules: [rule] };
}

/** Creates what somebody else would, under the names of the run. */
async function createTwins(all: Machines): Promise<void> {
  await all.account.call('POST', '/api/policies', await policyBody(all, 'xp'));
  await all.account.call('POST', '/api/networks', { name: 'xnet' });
  const key = { name: 'xk', type: 'reusable', expires_in: 86_400, auto_groups: [], usage_limit: 0 };
  await all.account.call('POST', '/api/setup-keys', key);
}

const PATHS = ['/api/policies', '/api/networks', '/api/setup-keys'] as const;
const NAMES = ['xp', 'xnet', 'xk'] as const;

const made = async (all: Machines): Promise<readonly string[][]> =>
  Promise.all(PATHS.map((path, i) => idsOf(all, path, NAMES[i] ?? '')));

async function begun(all: Machines): Promise<Machine> {
  const one = await all.machine('one');
  await one.declare('a', 'b');
  expectCode(await one.apply(), 0);
  return one;
}

const inNetbird = (story: (all: Machines) => Promise<void>) => machines(story, 'netbird');

test('objects of an unfinished apply are deleted by id if somebody else’s objects have the names in the base', () =>
  inNetbird(async all => {
    const one = await begun(all);
    await one.write('x.yaml', MORE);
    await all.account.fault({ ...REFUSED, times: 1 });
    expectCode(await one.apply(...SECRETS), 4);
    const [[policy = ''] = [], [network = ''] = []] = await made(all);
    await all.account.call('PUT', `/api/policies/${policy}`, await policyBody(all, 'theirs'));
    await all.account.call('PUT', `/api/networks/${network}`, { name: 'theirs' });
    await all.account.call('POST', '/api/policies', await policyBody(all, 'xp'));
    await all.account.call('POST', '/api/networks', { name: 'xnet' });
    const [[foreignPolicy = ''] = [], [foreignNetwork = ''] = []] = await made(all);
    await one.write('x.yaml', 'groups: [{ name: c }]\n');
    const reverted = await one.apply('--allow', 'CONFLICT');
    expectCode(reverted, 0);
    const policies = (await listed(all, '/api/policies')).map(({ id }) => id);
    expect(policies).not.toContain(policy);
    expect(policies).toContain(foreignPolicy);
    const networks = (await listed(all, '/api/networks')).map(({ id }) => id);
    expect(networks).toEqual([foreignNetwork]);
  }));

test(
  'a policy that the server splits is deleted too if the change is reverted',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const one = await begun(all);
      const rule = (name: string) =>
        `{ name: ${name}, sources: [a], destinations: [b], protocol: all }`;
      const policy = `policies: [{ name: parts, rules: [${rule('r')}, ${rule('s')}] }]\n`;
      await one.write('x.yaml', policy + LATE);
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply(), 4);
      expect(await listed(all, '/api/policies')).toHaveLength(3);
      await one.write('x.yaml', 'groups: [{ name: c }]\n');
      expectCode(await one.apply(), 0);
      expect(await listed(all, '/api/policies')).toHaveLength(1);
    }),
);

test(
  'an unfinished apply is found among any number of journals that somebody adds',
  { tags: 'variation' },
  () =>
    inNetbird(async all => {
      const one = await begun(all);
      await one.write('x.yaml', `groups: [{ name: c }]\n${LATE}`);
      await all.account.fault({ ...REFUSED, times: 1 });
      expectCode(await one.apply('--concurrency', '1'), 4);
      addJournals(all, 105);
      const two = await all.machine('two');
      await two.write('x.yaml', 'groups: [{ name: d }]\n');
      expectCode(await two.apply('--only', 'group/d'), 0);
      expectCode(await two.apply(), 0);
      expect(await all.groups()).toEqual(['a', 'b', 'd']);
    }),
);

describe('objects that somebody else creates with the same names during an apply', () => {
  /** As soon as a group is created. */
  const withTwins = async (all: Machines, text: string): Promise<[Machine, Machine]> => {
    const one = await begun(all);
    await one.write('x.yaml', `${text}groups: [{ name: c }]\n`);
    const others: Promise<void>[] = [];
    all.account.onAnswer(({ method, path }) => {
      if (method === 'POST' && path === '/api/groups' && others.length === 0)
        others.push(createTwins(all));
    });
    return [one, await all.machine('two')];
  };

  test('are listed by the apply with their ids, beside its own', { tags: 'variation' }, () =>
    inNetbird(async all => {
      const [one] = await withTwins(all, ADDED);
      const ended = await one.apply(...SECRETS, '--concurrency', '1');
      expectCode(ended, 4);
      expect(ended.stdout.match(/was created by this run/g)).toHaveLength(3);
      for (const ids of await made(all)) {
        expect(ids).toHaveLength(2);
        for (const id of ids) expect(ended.stdout).toContain(id);
      }
    }),
  );

  test(
    'stay if the apply was not finished, and the next apply adopts its own objects',
    { tags: 'variation' },
    () =>
      inNetbird(async all => {
        const [one, two] = await withTwins(all, MORE);
        await all.account.fault({ ...REFUSED, times: 1 });
        const ended = await one.apply(...SECRETS, '--concurrency', '1');
        expectCode(ended, 4);
        const before = await Promise.all(PATHS.map(path => listed(all, path)));
        const next = await two.apply(...SECRETS);
        expectCode(next, 0);
        expect(await Promise.all(PATHS.map(path => listed(all, path)))).toEqual(before);
      }),
  );
});

const KEY = 'setup_keys: [{ name: k, type: reusable, expires_in: 86400, auto_groups: [a] }]\n';
const AUTO = ['--base', 'auto'];

describe.each(
  someOf(
    [
      ['the lock in the Git remote, and no pruning', ['--prune', 'none', '--lock', 'git']],
      ['a file as lock', ['--prune', 'removed', '--lock', 'file']],
      ['a file as lock, and no pruning', ['--prune', 'none', '--lock', 'file']],
    ],
    1,
  ),
)('an apply with %s', (_, flags) => {
  const apply = (machine: Machine, ...more: string[]) =>
    machine.run(
      'apply',
      'network',
      ...flags,
      ...AUTO,
      '--record-base',
      '--yes',
      ...SECRETS,
      ...more,
    );
  const keys = (all: Machines) => idsOf(all, '/api/setup-keys', 'k');

  test('creates a deleted key only once, however many applies end before they are complete', () =>
    inNetbird(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      await one.write('k.yaml', KEY);
      expectCode(await apply(one), 0);
      const [before] = await keys(all);
      await all.account.call('DELETE', `/api/setup-keys/${before}`);
      await one.write('late.yaml', LATE);
      let after: string[] = [];
      for (const _ of [1, 2, 3]) {
        await all.account.fault({ ...REFUSED, times: 1 });
        expectCode(await apply(one), 4);
        const now = await keys(all);
        expect(now).toHaveLength(1);
        if (after.length > 0) expect(now).toEqual(after);
        after = now;
      }
      const planned = await one.run('plan', 'network', ...AUTO);
      expectCode(planned, 0);
      expect(planned.stdout).not.toContain('setup_key.k ');
      const drifted = await one.run('drift', 'network', ...AUTO);
      expect(drifted.stdout).not.toContain('setup_key.k ');
      expectCode(await apply(one), 0);
      expect(await keys(all)).toEqual(after);
      // The base has it from now on.
      await one.write('c.yaml', 'groups: [{ name: c }]\n');
      expectCode(await apply(one), 0);
      expect(await keys(all)).toEqual(after);
    }));

  const REPLACE = ['--allow', 'REPLACES_OBJECT'];
  const undeletable = {
    method: 'DELETE',
    path: '/api/setup-keys/*',
    effect: 'status',
    status: 400,
  };

  /** A key of the base, replaced by an apply that could not delete it. */
  async function replaced(all: Machines): Promise<[Machine, before: string, after: string]> {
    const one = await all.machine('one');
    await one.declare('a');
    await one.write('k.yaml', KEY);
    expectCode(await apply(one), 0);
    const [before = ''] = await keys(all);
    await one.write('k.yaml', KEY.replace('reusable', 'one-off'));
    await all.account.fault({ ...undeletable, times: 1 });
    expectCode(await apply(one, ...REPLACE), 4);
    const made = (await keys(all)).filter(id => id !== before);
    expect(made).toHaveLength(1);
    return [one, before, made[0] ?? ''];
  }

  test(
    'finishes a replacement that ended before the old key was deleted',
    { tags: 'variation' },
    () =>
      inNetbird(async all => {
        const [one, before, after] = await replaced(all);
        const planned = await one.run('plan', 'network', ...AUTO, ...flags.slice(0, 2));
        expect(planned.stdout).toContain(`id:${before}`);
        expect(planned.stdout).toContain('an unfinished apply has created its replacement');
        expect(planned.stderr).not.toContain('OBJECT_NAMESAKE');
        expectCode(await apply(one), 6);
        expect(await keys(all)).toHaveLength(2);
        await one.write('c.yaml', 'groups: [{ name: c }]\n');
        expectCode(await apply(one, ...REPLACE), 0);
        expect(await keys(all)).toEqual([after]);
        const next = await one.run('plan', 'network', ...AUTO);
        expect(next.stdout).toContain('No changes.');
        // The base has the new one.
        await one.write(
          'k.yaml',
          KEY.replace('reusable', 'one-off').replace(' }', ', revoked: true }'),
        );
        expectCode(await apply(one), 0);
        expect(await keys(all)).toEqual([after]);
      }),
  );

  test(
    'keeps the key of the base if the files revert an unfinished replacement',
    { tags: 'variation' },
    () =>
      inNetbird(async all => {
        const [one, before] = await replaced(all);
        await one.write('k.yaml', KEY);
        expectCode(await apply(one, '--allow', 'DELETES_OBJECT'), 0);
        expect(await keys(all)).toContain(before);
      }),
  );
});
