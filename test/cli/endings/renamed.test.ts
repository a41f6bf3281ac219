// What has ended is known by its id where a base is recorded: a new name in the dashboard keeps nothing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { SERVERS } from '../../support/servers/servers.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf } from './endedFolder.ts';
import { FILES, RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

interface Policy {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly rules: readonly {
    readonly sources: readonly { readonly id: string }[];
    readonly destinations: readonly { readonly id: string }[];
  }[];
}

const policiesOf = async ({ account }: EndedFolder) =>
  (await account.call('GET', '/api/policies')) as unknown as readonly Policy[];

const policyNamed = async (own: EndedFolder, name: string): Promise<Policy> => {
  const found = (await policiesOf(own)).find(one => one.name === name);
  if (!found) throw new Error(`no policy ${name}`);
  return found;
};

const bodyOf = ({ rules }: Policy, name: string) => ({
  name,
  enabled: true,
  rules: rules.map(rule => ({
    ...rule,
    sources: rule.sources.map(({ id }) => id),
    destinations: rule.destinations.map(({ id }) => id),
  })),
});

const rename = ({ account }: EndedFolder, policy: Policy, name: string) =>
  account.call('PUT', `/api/policies/${policy.id}`, bodyOf(policy, name) as never);

const renamed = async (own: EndedFolder) =>
  rename(own, await policyNamed(own, 'grant'), 'temporary');

test.each(someOf(SERVERS, 2))('expire removes a renamed policy: $dialect, $edition', server =>
  recorded(async own => {
    const { run, at, account } = own;
    await renamed(own);
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto', '--write']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }, server),
);

test('drift names the current name of an expired object, its differences and who changed it', () =>
  recorded(async own => {
    const { run, at, account } = own;
    at('2026-11-30T18:00:00Z');
    const grant = await policyNamed(own, 'grant');
    const body = { ...bodyOf(grant, 'temporary'), enabled: false };
    await account.call('PUT', `/api/policies/${grant.id}`, body as never);
    at('2026-12-02T00:00:00Z');
    const { code, stdout } = await run(['drift', 'network', '--base', 'auto']);
    expect(code).toBe(2);
    expect(stdout).toContain('# policy.grant has expired, but is still in the account\n');
    expect(stdout).toContain('the account calls it `temporary`\n');
    expect(stdout).toContain('has ended: until 2026-12-01\n');
    expect(stdout).toContain('differs from its declaration: `enabled` is false, not true\n');
    expect(stdout).toContain('cause: exact, owner@example.com at 2026-11-30T18:00:00');
    const junit = await run(['drift', 'network', '--base', 'auto', '--format', 'junit']);
    expect(junit.stdout).toContain('failure type="drift" message="policy.grant has expired');
  }));

test('drift blames nobody for an expired object that nobody changed', () =>
  recorded(async ({ run, at }) => {
    at('2026-12-02T00:00:00Z');
    const { stdout } = await run(['drift', 'network', '--base', 'auto']);
    expect(stdout).toContain('policy.grant has expired');
    expect(stdout).toContain('cause: none, ');
    expect(stdout).not.toMatch(/calls it|differs from its declaration/);
  }));

test(
  'an apply removes a renamed policy at its expiry and records a base, and the next plan is empty',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const { run, at, account } = own;
      at('2026-12-02T00:00:00Z');
      expect((await run(['drift', 'network', '--base', 'auto'])).code).toBe(2);
      expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
      expect(await namesOf(account, 'policies')).toEqual(['stays']);
      expect((await run(['drift', 'network', '--base', 'auto'])).code).toBe(0);
      const again = await run(['plan', 'network', '--detailed-exitcode', ...RECORDED]);
      expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    }),
);

test(
  'an expired object is not created again from a base if its file is removed',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const { run, at, account, folder } = own;
      at('2026-12-02T00:00:00Z');
      expect((await run(['expire', 'network', '--yes', '--base', 'auto', '--write'])).code).toBe(0);
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', 'ended');
      expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
      expect(await namesOf(account, 'policies')).toEqual(['stays']);
    }),
);

test('expire reads a base that only the remote has, and ends with 0', { tags: 'variation' }, () =>
  recorded(async own => {
    const { run, at, folder, account } = own;
    git(folder, 'init', '-q', '--bare', '.git/remote.git');
    git(folder, 'remote', 'add', 'origin', join(folder, '.git/remote.git'));
    git(folder, 'push', '-q', 'origin', 'refs/meshform-base/*:refs/meshform-base/*', 'main');
    for (const ref of git(folder, 'for-each-ref', '--format=%(refname)', 'refs/meshform-base')
      .trim()
      .split('\n'))
      git(folder, 'update-ref', '-d', ref);
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }),
);

const ENDED = FILES.replace('{ name: stays,', '{ name: stays, lifecycle: { until: 2026-11-01 },');

test.each(
  someOf(
    [
      ['the protect list', { 'meshform.yaml': 'protect: [policy/stays]\n' }],
      [
        'the declaration',
        {
          'a.yaml': FILES.replace('{ name: stays,', '{ name: stays, lifecycle: { protect: true },'),
        },
      ],
    ] as const,
    1,
  ),
)('expire does not remove an object whose protection the same change removes in %s', (_, before) =>
  recorded(async own => {
    const { run, write, folder, account } = own;
    const project = await readFile(join(folder, 'network', 'meshform.yaml'), 'utf8');
    const texts: Record<string, string> = { ...before };
    const kept = { 'meshform.yaml': project + (texts['meshform.yaml'] ?? '') };
    await write({ ...texts, ...kept });
    git(folder, 'commit', '-qam', 'protected');
    const protecting = await run(['apply', 'network', '--yes', ...RECORDED]);
    expect([protecting.code, protecting.stderr]).toMatchObject([0, expect.anything()]);
    await write({ 'meshform.yaml': project, 'a.yaml': ENDED });
    git(folder, 'commit', '-qam', 'ended');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('PROTECTED')]);
    expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
  }),
);

type Listed = readonly { readonly id: string; readonly name: string }[];

async function idsOf({ account }: EndedFolder, path: string) {
  const listed = (await account.call('GET', `/api/${path}`)) as Listed;
  return Object.fromEntries(listed.map(({ name, id }) => [name, id]));
}

/** Gives the objects at `path` with these ids other names, in this order. */
async function called(
  { account }: EndedFolder,
  path: string,
  names: readonly (readonly [id: string | undefined, name: string])[],
): Promise<void> {
  const flags = path === 'peers' ? ['ssh', 'login_expiration', 'inactivity_expiration'] : [];
  const off = Object.fromEntries(flags.map(flag => [`${flag}_enabled`, false]));
  for (const [id, name] of names) {
    const read = (await account.call('GET', `/api/${path}/${id}`)) as { peers?: Listed };
    const { peers } = read;
    const kept = path === 'groups' && { peers: (peers ?? []).map(one => one.id), resources: [] };
    await account.call('PUT', `/api/${path}/${id}`, { name, ...off, ...kept });
  }
}

const exchanged = (one: string | undefined, other: string | undefined, [a, b]: [string, string]) =>
  [
    [one, 'aside'],
    [other, a],
    [one, b],
  ] as const;

const MEMBER = FILES.replace('peers: [ada]', 'peers: [ada, { name: bob, until: 2026-12-01 }]');

describe.each(
  someOf(
    [
      ['was renamed', (id: string | undefined) => [[id, 'bob2']] as const],
      [
        'exchanged its name with a member that stays',
        (id: string | undefined, other: string | undefined) => exchanged(other, id, ['ada', 'bob']),
      ],
    ],
    1,
  ),
)('a member that has expired and %s', (_, renaming) => {
  const story = (use: (own: EndedFolder, ada: string | undefined) => Promise<void>) =>
    recorded(
      async own => {
        const { ada, bob } = await idsOf(own, 'peers');
        await called(own, 'peers', renaming(bob, ada));
        own.at('2026-12-02T00:00:00Z');
        await use(own, ada);
        const { staff } = await idsOf(own, 'groups');
        const { peers } = (await own.account.call('GET', `/api/groups/${staff}`)) as {
          peers: Listed;
        };
        expect(peers.map(({ id }) => id)).toEqual([ada]);
      },
      {},
      MEMBER,
    );

  test('is reported as overdue, and is removed by expire', () =>
    story(async ({ run }) => {
      const drifted = await run(['drift', 'network', '--base', 'auto']);
      expect(drifted.code).toBe(2);
      expect(drifted.stdout).toContain('# group.staff has members that have expired');
      const { code, stderr } = await run(['expire', 'network', '--yes', '--base', 'auto']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      const again = await run(['drift', 'network', '--base', 'auto']);
      expect(again.stdout).not.toContain('ended');
    }));

  test('is removed by an apply', { tags: 'variation' }, () =>
    story(async ({ run }) => {
      const { code, stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    }),
  );
});

const SOURCES = FILES.replace(
  'peers: [ada] }',
  'peers: [ada] }, { name: temps, peers: [bob] }',
).replace('sources: [staff]', 'sources: [staff, { name: temps, until: 2026-12-01 }]');

test('expire removes the group in the base if groups swapped names', { tags: 'variation' }, () =>
  recorded(
    async own => {
      const { staff, temps } = await idsOf(own, 'groups');
      await called(own, 'groups', exchanged(temps, staff, ['temps', 'staff']));
      own.at('2026-12-02T00:00:00Z');
      const { code, stderr } = await own.run(['expire', 'network', '--yes', '--base', 'auto']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      const policies = (await own.account.call('GET', '/api/policies')) as readonly {
        readonly rules: readonly { readonly sources: Listed }[];
      }[];
      const sources = policies.flatMap(({ rules }) => rules.flatMap(rule => rule.sources));
      expect(sources.map(({ id }) => id)).toEqual([staff]);
      expect(await idsOf(own, 'groups')).toMatchObject({ staff: temps, temps: staff });
    },
    { dialect: 'netbird', edition: 'self-hosted' },
    SOURCES,
  ),
);

// Somebody deletes the grant, and makes another policy of that name with the rules of the policy that stays.
async function replaced(own: EndedFolder): Promise<string> {
  const { account } = own;
  const stays = await policyNamed(own, 'stays');
  const grant = await policyNamed(own, 'grant');
  await account.call('DELETE', `/api/policies/${grant.id}`);
  await account.call('POST', '/api/policies', bodyOf(stays, 'grant') as never);
  return (await policyNamed(own, 'grant')).id;
}

const policyIds = async (own: EndedFolder) => (await policiesOf(own)).map(({ id }) => id).sort();

test.each(
  someOf(
    [...SERVERS.map(server => [['--base', 'auto'], server] as const), [[], SERVERS[0]] as const],
    1,
  ),
)('another policy with the name is listed, and not removed: %j, $1', (flags, server) =>
  recorded(async own => {
    const { run, at, folder } = own;
    const id = await replaced(own);
    at('2026-12-02T00:00:00Z');
    const { code, stderr } = await run(['expire', 'network', '--yes', '--write', ...flags]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('END_HELD')]);
    expect(await policyIds(own)).toContain(id);
    expect(await readdir(join(folder, 'network', 'grants'))).toEqual(['g.yaml']);
  }, server),
);

test.each([[['--base', 'auto']], [[]]])(
  'the id decides which policy is removed if policies swapped names: %j',
  flags =>
    recorded(async own => {
      const { run, at } = own;
      const grant = await policyNamed(own, 'grant');
      const stays = await policyNamed(own, 'stays');
      await rename(own, grant, 'between');
      await rename(own, stays, 'grant');
      await rename(own, grant, 'stays');
      at('2026-12-02T00:00:00Z');
      const { code } = await run(['expire', 'network', '--yes', ...flags]);
      expect(code).toBe(0);
      expect(await policyIds(own)).toEqual([stays.id]);
    }),
);

test(
  'an expired object that somebody created again is not in the base, and is not removed',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const { run, at, account } = own;
      at('2026-12-02T00:00:00Z');
      expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
      const stays = await policyNamed(own, 'stays');
      const body = bodyOf(stays, 'grant');
      const rules = body.rules.map(rule => ({ ...rule, name: 'by hand' }));
      await account.call('POST', '/api/policies', { ...body, rules } as never);
      const { code } = await run(['expire', 'network', '--yes', '--base', 'auto']);
      expect(code).toBe(4);
      expect(await namesOf(account, 'policies')).toContain('grant');
    }),
);

test('another group with the name of an expired group is not removed', { tags: 'variation' }, () =>
  recorded(async own => {
    const { run, at, write, account, folder } = own;
    await write({
      'grants/t.yaml': 'groups: [{ name: temps, lifecycle: { until: 2026-12-01 } }]\n',
    });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'temps');
    expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    const groups = (await account.call('GET', '/api/groups')) as unknown as readonly Policy[];
    const found = groups.find(({ name }) => name === 'temps');
    await account.call('DELETE', `/api/groups/${found?.id}`);
    await account.call('POST', '/api/groups', { name: 'temps' });
    at('2026-12-02T00:00:00Z');
    expect((await run(['expire', 'network', '--yes'])).code).toBe(4);
    expect(await namesOf(account, 'groups')).toContain('temps');
    expect(await namesOf(account, 'policies')).toEqual(['stays']);
  }),
);
