// Grants: the file that is written, the access that it gives until it ends, and the limits of the project.
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { guardsInBase, recordedGuards } from '../../../src/base/guards/recordedGuards.ts';
import { guardsOf } from '../../../src/source/project/guardsOf.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { SERVERS } from '../../support/servers/servers.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `
groups: [{ name: contractors, peers: [ada] }, { name: servers, peers: [db] }, { name: gateways, peers: [gw] }, { name: databases }]
networks:
  - name: prod
    resources: [{ name: orders, address: 10.20.0.5, groups: [databases] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
`;

const begun = (use: (folder: EndedFolder) => Promise<void>, server = {}) =>
  withEndedFolder(async folder => {
    for (const name of ['ada', 'db', 'gw']) await folder.account.enrol(name);
    await folder.write({ 'a.yaml': FILES });
    expect((await folder.run(['apply', 'network', '--yes'])).code).toBe(0);
    await use(folder);
  }, server);

const grantsIn = (folder: string) =>
  readdir(join(folder, 'network', 'grants')).catch((): string[] => []);

const grant = (from: string, to: string, ...more: string[]) => [
  'grant',
  'from',
  from,
  'to',
  to,
  'network',
  '--for',
  '4h',
  '--reason',
  'ticket 7',
  ...more,
];

const GRANTS = SERVERS.flatMap(server => [
  { server, from: 'group/contractors', to: 'network_resource/prod/orders:tcp/5432' },
  { server, from: 'peer/ada', to: 'network_resource/prod/orders:tcp/5432' },
  { server, from: 'peer/ada', to: 'peer/db:tcp/22' },
  { server, from: 'group/contractors', to: 'group/servers:tcp/8000-8100' },
  { server, from: 'group/contractors', to: 'group/servers:icmp' },
  { server, from: 'group/contractors', to: 'group/servers' },
]);

// Another number than that of the destinations, so that each of them is among the rows.
test.each(someOf(GRANTS, 7))(
  'grant gives exactly the requested access until its expiry: $server.dialect, $server.edition, $from to $to',
  ({ server, from, to }) =>
    begun(async ({ run, folder, at, account }) => {
      const granted = await run(grant(from, to));
      expect([granted.code, granted.stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(granted.stdout).toMatch(/^Access: \+\d/m);
      expect(granted.stdout).toContain('  + ');
      expect(granted.stdout).toContain('git add network/grants/2026-11-30-120000-');
      const [file = ''] = await grantsIn(folder);
      const text = parse(await readFile(join(folder, 'network', 'grants', file), 'utf8'));
      expect(text.policies).toMatchObject([
        { description: 'ticket 7', lifecycle: { until: '2026-11-30T16:00:00Z' } },
      ]);
      const applied = await run(['apply', 'network', '--yes']);
      expect(applied.code).toBe(0);
      const asked = ['access', 'from', from, 'to', to.split(':')[0] ?? to, '--live'];
      const open = await run(asked);
      expect(open.stdout).toContain('policy "grant ');
      at('2026-11-30T16:00:00Z');
      expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
      expect(await namesOf(account, 'policies')).toEqual([]);
      expect((await run(asked)).stdout).not.toContain('policy');
      expect((await run(['plan', 'network', '--detailed-exitcode'])).code).toBe(0);
    }, server),
);

test('a reason is text, even if it looks like another type', () =>
  begun(async ({ run, folder }) => {
    const reason = '${env:HOME} "quoted": # no comment\n- nor a list';
    const { code } = await run([
      ...grant('group/contractors', 'group/servers'),
      '--reason',
      reason,
    ]);
    expect(code).toBe(0);
    expect((await run(['validate', 'network'])).code).toBe(0);
    const { stdout } = await run(['plan', 'network', '--format', 'json']);
    const [change] = JSON.parse(stdout).resource_changes;
    expect(change.change.after.description).toBe(reason);
    expect(await grantsIn(folder)).toHaveLength(1);
  }));

test.each([
  ['an unknown source', 'group/nobody', 'group/servers:tcp/22', [], 3],
  ['an address as a destination', 'group/contractors', '10.0.0.0/8', [], 64],
  ['a source that has no machines', 'network_resource/prod/orders', 'group/servers', [], 64],
  ['a source with ports', 'group/contractors:tcp/22', 'group/servers', [], 64],
  ['a time that is none', 'group/contractors', 'group/servers', ['--for', 'soon'], 64],
] as const)('no file is left after a refused grant with %s', (_, from, to, more, code) =>
  begun(async ({ run, folder }) => {
    expect((await run([...grant(from, to), ...more])).code).toBe(code);
    expect(await readdir(join(folder, 'network'))).toEqual(['a.yaml']);
  }),
);

test('a grant into a folder that does not exist is refused, and makes no folder', () =>
  begun(async ({ run, folder }) => {
    const argv = grant('group/contractors', 'group/servers').with(5, 'netwrok');
    const { code, stderr } = await run(argv);
    expect([code, stderr]).toEqual([64, expect.stringContaining('no folder `netwrok`')]);
    expect(await readdir(folder)).toEqual(['network']);
  }));

test('two grants of the same second do not overwrite each other', () =>
  begun(async ({ run, folder }) => {
    expect((await run(grant('group/contractors', 'group/servers:tcp/22'))).code).toBe(0);
    const again = await run(grant('group/contractors', 'group/servers:tcp/80'));
    expect([again.code, again.stderr]).toEqual([64, expect.stringContaining('run it again')]);
    expect(await grantsIn(folder)).toHaveLength(1);
  }));

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('no file is left after a grant that was interrupted: %s', (signal, exit) =>
  begun(async ({ account, folder }) => {
    let interrupt: ((signal: 'SIGINT' | 'SIGTERM') => void) | undefined;
    account.onAnswer(({ path }) => {
      if (path === '/api/policies') interrupt?.(signal);
    });
    const { code } = await meshform(grant('group/contractors', 'group/servers'), {
      env: environmentOf(account),
      cwd: folder,
      now: Date.parse('2026-11-30T12:00:00Z'),
      onStart: how => {
        interrupt = how;
      },
    });
    expect(code).toBe(exit);
    expect(await readdir(join(folder, 'network'))).toEqual(['a.yaml']);
  }),
);

test('a grant is refused on a machine with another clock than the server, and leaves no file', () =>
  begun(async ({ run, folder }) => {
    for (const [clock, told] of [
      ['2026-11-30T12:05:01Z', '5 minutes ahead of'],
      ['2026-11-29T12:00:00Z', '24 hours behind'],
      ['2027-11-30T12:00:00Z', '365 days ahead of'],
    ] as const) {
      const { code, stderr } = await run(grant('group/contractors', 'group/servers'), clock);
      expect([clock, code, stderr]).toEqual([clock, 6, expect.stringContaining(told)]);
      expect(stderr).toContain('CLOCK_DIFFERS');
    }
    expect(await grantsIn(folder)).toEqual([]);
  }));

test('a grant is not written through a link in place of its folder', () =>
  begun(async ({ run, folder }) => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'network', 'grants'));
    const { code, stderr } = await run(grant('group/contractors', 'group/servers'));
    expect([code, stderr]).toEqual([3, expect.stringContaining('`network/grants` is a link')]);
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  }));

test('a file in place of the folder of grants is an error that names it', () =>
  begun(async ({ run, folder }) => {
    await writeFile(join(folder, 'network', 'grants'), '');
    const { code, stderr } = await run(grant('group/contractors', 'group/servers'));
    expect([code, stderr]).toEqual([3, expect.stringContaining('`network/grants` is no folder')]);
  }));

test('no file is left after a grant that an access test forbids', () =>
  begun(async ({ run, folder, write }) => {
    await write({
      'tests.yaml':
        'access_tests: [{ name: t, from: group/contractors, deny: ["group/servers:tcp/22"] }]\n',
    });
    expect((await run(grant('group/contractors', 'group/servers:tcp/22'))).code).toBe(6);
    expect(await grantsIn(folder)).toEqual([]);
  }));

const LIMITS =
  'grants: { max: 8h, from: [group/contractors, "peer/a*"], to: ["group/servers:tcp/22", "group/servers:tcp/8000-8100"] }\n';

test.each([
  ['in its limits', 'group/contractors', 'group/servers:tcp/22', '8h', undefined],
  ['of a peer in its limits', 'peer/ada', 'group/servers:tcp/8080', '1h', undefined],
  [
    'that lasts too long',
    'group/contractors',
    'group/servers:tcp/22',
    '481m',
    '`grants.max` allows only 8h',
  ],
  ['from another source', 'peer/gw', 'group/servers:tcp/22', '1h', '`grants.from` does not allow'],
  [
    'to another destination',
    'peer/ada',
    'group/databases:tcp/22',
    '1h',
    '`grants.to` does not allow',
  ],
  ['to other ports', 'peer/ada', 'group/servers:tcp/20-23', '1h', 'for tcp/20-21, 23'],
  ['to every port', 'peer/ada', 'group/servers', '1h', '`grants.to` does not allow'],
] as const)(
  'the limits in meshform.yaml are checked for a grant %s',
  (_, from, to, length, fault) =>
    begun(async ({ run, folder, write }) => {
      await write({ 'meshform.yaml': LIMITS });
      const { code, stderr } = await run([...grant(from, to), '--for', length]);
      expect([code, stderr]).toEqual([
        fault === undefined ? 0 : 3,
        expect.stringContaining(fault ?? ''),
      ]);
      if (fault !== undefined) expect(stderr).toContain('GRANT_REFUSED');
      expect(await grantsIn(folder)).toHaveLength(fault === undefined ? 1 : 0);
    }),
);

test.each(['2026-11-30T12:00:00.001Z', '2026-11-30T12:00:00.999Z'])(
  'the maximum duration `max` can be granted at %s, and no longer one',
  time =>
    begun(async ({ run, write, at, folder }) => {
      at(time);
      await write({ 'meshform.yaml': LIMITS });
      const to = grant('group/contractors', 'group/servers:tcp/22');
      expect((await run([...to, '--for', '28801s'])).code).toBe(3);
      const { code, stdout, stderr } = await run([...to, '--for', '8h']);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(stdout).toContain('until 2026-11-30T20:00:00Z');
      expect(await grantsIn(folder)).toHaveLength(1);
    }),
);

const RULE = 'destinations: [servers], protocol: tcp, ports: ["22"]';
const until = (time: string) => `lifecycle: { until: ${time} }`;

test.each(
  someOf(
    [
      [
        'an object without an end',
        { 'grants/x.yaml': 'groups: [{ name: temps }]\n' },
        'group.temps is under `grants/`, but cannot expire',
      ],
      [
        'an end of a member only',
        {
          'grants/deep/x.yaml':
            'groups: [{ name: temps, peers: [{ name: ada, until: 2026-11-30 }] }]\n',
        },
        'group.temps is under `grants/`, but cannot expire',
      ],
      [
        'a date that ends after the limit',
        { 'grants/x.yaml': `groups: [{ name: temps, ${until('2026-11-30')} }]\n` },
        'ends at 2026-12-01T00:00:00Z',
      ],
      [
        'another kind of object',
        {
          'grants/x.yaml': `setup_keys: [{ name: k, type: one-off, expires_in: 86400, ${until('2026-11-30T13:00:00Z')} }]\n`,
        },
        'setup_key.k is neither a policy nor a group',
      ],
      [
        'a source behind a group of its own',
        {
          'grants/x.yaml': `groups: [{ name: temps, peers: [gw], ${until('2026-11-30T13:00:00Z')} }]\npolicies: [{ name: p, ${until('2026-11-30T13:00:00Z')}, rules: [{ name: a, sources: [temps], ${RULE} }] }]\n`,
        },
        'grants access from `peer/gw`',
      ],
      [
        'a rule in both directions',
        {
          'grants/x.yaml': `policies: [{ name: p, ${until('2026-11-30T13:00:00Z')}, rules: [{ name: a, bidirectional: true, sources: [contractors], ${RULE} }] }]\n`,
        },
        'grants access from `group/servers`',
      ],
      [
        'a group that a policy elsewhere names',
        {
          'grants/x.yaml': `groups: [{ name: temps, peers: [gw], ${until('2026-11-30T13:00:00Z')} }]\n`,
          'b.yaml': `policies: [{ name: p, rules: [{ name: a, sources: [temps], ${RULE} }] }]\n`,
        },
        'policy.p names the group `temps`, which is declared under `grants/`',
      ],
      [
        'a group that anything elsewhere names',
        {
          'grants/x.yaml': `groups: [{ name: temps, peers: [ada], ${until('2026-11-30T13:00:00Z')} }]\n`,
          'b.yaml': `setup_keys: [{ name: k, type: one-off, expires_in: 86400, auto_groups: [temps], ${until('2026-11-30T13:00:00Z')} }]\n`,
        },
        'setup_key.k names the group `temps`, which is declared under `grants/`',
      ],
      [
        'limits that name nothing',
        { 'meshform.yaml': 'grants: { to: [10.0.0.0/8] }\n' },
        '`10.0.0.0/8` under `grants` is not the name of an object',
      ],
      ['a limit that is no time', { 'meshform.yaml': 'grants: { max: long }\n' }, '`max`'],
    ],
    3,
  ),
)('validate rejects %s', (_, files: Record<string, string>, fault) =>
  begun(async ({ run, write }) => {
    await write({ 'meshform.yaml': LIMITS, ...files });
    const { code, stdout, stderr } = await run(['validate', 'network']);
    expect([code, `${stdout}${stderr}`]).toEqual([3, expect.stringContaining(fault)]);
  }),
);

test('limits apply to grant files in any layer', () =>
  begun(async ({ run, write, folder }) => {
    git(folder, 'init', '--quiet');
    await write({ 'a.yaml': FILES, 'meshform.yaml': LIMITS });
    await write({ '../prod/meshform.yaml': 'layers: [../network, .]\n' });
    await write({ '../prod/b.yaml': 'groups: [{ name: others }]\n' });
    const adds = 'groups: [{ name: contractors, peers: [gw] }]\n';
    await write({ '../prod/grants/x.yaml': adds });
    const refused = await run(['plan', 'prod']);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining('`contractors` is declared elsewhere'),
    ]);
    await rename(join(folder, 'prod', 'grants'), join(folder, 'prod', 'others'));
    expect((await run(['validate', 'prod'])).code).toBe(0);
  }));

test.each(['group["on call"]', 'group/on call', 'group/on c*'])(
  'a group limit may be written as `%s`',
  entry =>
    begun(async ({ run, write }) => {
      await write({
        'meshform.yaml': JSON.stringify({
          grants: { from: [entry], to: ['group.servers:tcp/22'] },
        }),
      });
      const end = until('2026-11-30T13:00:00Z');
      const granted = (source: string) =>
        `policies: [{ name: p, ${end}, rules: [{ name: a, sources: [${source}], ${RULE} }] }]\n`;
      await write({ 'grants/x.yaml': granted('on call') });
      const within = await run(['validate', 'network']);
      expect([within.code, within.stdout]).toEqual([
        0,
        expect.not.stringContaining('GRANT_REFUSED'),
      ]);
      await write({ 'grants/x.yaml': granted('contractors') });
      expect((await run(['validate', 'network'])).code).toBe(3);
    }),
);

test('the error says "nothing" if the limits allow no grant', () =>
  begun(async ({ run, write }) => {
    await write({ 'meshform.yaml': 'grants: { from: [] }\n' });
    const end = until('2026-11-30T13:00:00Z');
    await write({
      'grants/x.yaml': `policies: [{ name: p, ${end}, rules: [{ name: a, sources: [contractors], ${RULE} }] }]\n`,
    });
    const { code, stdout } = await run(['validate', 'network']);
    expect([code, stdout]).toEqual([3, expect.stringContaining('it allows: nothing\n')]);
  }));

test.each(
  someOf(
    [
      ['another case of the folder', 'network', 'Grants/x.yaml'],
      ['the case of another letter', 'network', 'grantſ/x.yaml'],
      ['a dot after its name', 'network', 'grants./x.yaml'],
      ['a run inside of the folder', 'network/grants', 'grants/x.yaml'],
    ],
    2,
  ),
)('`%s` is recognised as a folder of grants', (_, place, file) =>
  begun(async ({ folder, write, account }) => {
    git(folder, 'init', '--quiet');
    await write({ [file]: 'groups: [{ name: temps }]\n' });
    const { code, stdout } = await meshform(['validate', '.'], {
      env: environmentOf(account),
      cwd: join(folder, place),
      now: Date.parse('2026-11-30T12:00:00Z'),
    });
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining('group.temps is under `grants/`, but cannot expire'),
    ]);
  }),
);

test('files in the repository are not grants if a folder above it is called `grants`', () =>
  begun(async ({ folder, write, account }) => {
    const inner = join(folder, 'network', 'grants', 'repository');
    await write({ 'grants/repository/a.yaml': 'groups: [{ name: temps }]\n' });
    git(inner, 'init', '--quiet');
    const { code } = await meshform(['validate', 'grants/repository'], {
      env: environmentOf(account),
      cwd: join(folder, 'network'),
      now: Date.parse('2026-11-30T12:00:00Z'),
    });
    expect(code).toBe(0);
  }));

test('an expired grant may stay in its file, even if the limits have changed', () =>
  begun(async ({ run, write, at }) => {
    await write({
      'grants/x.yaml': `policies: [{ name: p, ${until('2026-11-30T13:00:00Z')}, rules: [{ name: a, sources: [gateways], ${RULE} }] }]\n`,
    });
    at('2026-11-30T13:00:00Z');
    await write({ 'meshform.yaml': LIMITS });
    expect((await run(['validate', 'network'])).code).toBe(0);
  }));

describe('grant limits that the same change loosens', () => {
  const grantOf = (sides: string, end: string) =>
    `policies: [{ name: p, ${until(end)}, rules: [{ name: a, ${sides}, protocol: tcp, ports: ["22"] }] }]\n`;
  const within = grantOf('sources: [contractors], destinations: [servers]', '2026-11-30T13:00:00Z');
  const plan = ['plan', 'network', '--base', './before'];

  test.each(
    someOf(
      [
        [
          'longer',
          'grants: { max: 24h, from: [group/contractors], to: ["group/servers:tcp/22"] }\n',
          grantOf('sources: [contractors], destinations: [servers]', '2026-12-01T11:00:00Z'),
          'grants.max',
          'was 8h, is 24h',
        ],
        [
          'of anybody',
          'grants: { max: 8h, to: ["group/servers:tcp/22"] }\n',
          grantOf('sources: [databases], destinations: [servers]', '2026-11-30T13:00:00Z'),
          'grants.from',
          'was group/contractors, peer/a*, is unlimited',
        ],
        [
          'without any limit',
          '{}\n',
          grantOf('sources: [contractors], destinations: [databases]', '2026-11-30T13:00:00Z'),
          'grants.to',
          'is unlimited',
        ],
      ],
      1,
    ),
  )('still apply to its grant: %s', (_, project, granted, name, change) =>
    begun(async ({ run, write }) => {
      await write({ 'meshform.yaml': LIMITS, '../before/meshform.yaml': LIMITS });
      await write({ '../before/a.yaml': FILES, 'meshform.yaml': project });
      const loosened = await run([...plan, '--format', 'json']);
      expect(JSON.parse(loosened.stdout).meshform.loosened_guards).toContainEqual(
        expect.objectContaining({ guard: 'grants', name, change: expect.stringContaining(change) }),
      );
      await write({ 'grants/x.yaml': within });
      expect((await run(plan)).code).toBe(0);
      await write({ 'grants/x.yaml': granted });
      expect((await run(['validate', 'network'])).code).toBe(0);
      const refused = await run(plan);
      expect(refused.code, refused.stderr).toBe(3);
      expect(refused.stderr).toContain('GRANT_REFUSED');
      expect(refused.stderr).toContain(`--allow LOOSENS_GUARDS=${name}`);
      expect((await run([...plan, '--allow', `LOOSENS_GUARDS=${name}`])).code).toBe(0);
    }),
  );

  test('are recorded in a base', () => {
    const limits = [{ max: '8h' }, { from: ['peer/b', 'peer/a'], to: ['group/x'] }];
    const guards = { ...guardsOf({ grants: limits }, []), places: new Map() };
    const read = guardsInBase(recordedGuards(guards), { file: 'base', line: 1, column: 1 });
    expect(read.grants.map(({ at: _, ...limit }) => limit)).toEqual([
      { from: ['peer/a', 'peer/b'], to: ['group/x'] },
      { max: '8h' },
    ]);
  });
});

describe('a link does not bypass the rule that everything under `grants/` needs an expiry', () => {
  const lasting =
    'policies: [{ name: lasting, rules: [{ name: a, sources: [contractors], destinations: [servers], protocol: tcp, ports: ["22"] }] }]\n';
  test.each([
    [
      'a link to a file under grants',
      { 'grants/.text.yaml': lasting },
      'more.yaml',
      'grants/.text.yaml',
    ],
    [
      'a link under grants to a file elsewhere',
      { '.text.yaml': lasting },
      'grants/a.yaml',
      '../.text.yaml',
    ],
    [
      'the folder itself, a link',
      { 'deep/grants/a.yaml': lasting },
      '../linked',
      'network/deep/grants',
    ],
  ])('%s', (_, texts, link, target) =>
    begun(async ({ run, write, folder }) => {
      await write({ 'grants/x.txt': '' });
      await write(texts);
      await symlink(target, join(folder, 'network', link));
      const { code, stdout } = await run(['validate', link === '../linked' ? 'linked' : 'network']);
      expect([code, stdout]).toEqual([
        3,
        expect.stringContaining('policy.lasting is under `grants/`, but cannot expire'),
      ]);
    }),
  );
});
