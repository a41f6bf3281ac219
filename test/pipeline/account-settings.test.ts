// The settings of an account, which a PUT replaces as a whole: what is not declared stays as it is, whatever it is.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { randomSources } from '../properties/generators/randomSource.ts';
import { drawFields } from '../properties/generators/values.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { desiredOf, KINDS, loadFiles } from '../support/files.ts';
import { apply, plan, reconcile } from '../support/reconcile.ts';
import { fc } from '../support/seeded.ts';
import { newerServer } from '../support/servers/newerServer.ts';

const SETTINGS = present(KINDS.get(kindName('account_settings')), 'account settings');

async function accountOf(options: Parameters<typeof startAccount>[0] = {}): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted', ...options });
  onTestFinished(() => account.close());
  return account;
}

// Not by `call`, which asks the server behind a newer one.
async function settingsOf({ transport }: TestAccount): Promise<JsonObject> {
  const [found] = (await readTransport(transport).get('/api/accounts')) as JsonObject[];
  return present(found, 'an account');
}

const files = (settings: Json) => desiredOf(JSON.stringify({ account_settings: settings }));

/** All values of an account, by their paths. */
function valuesIn(value: Json, path = ''): Map<string, string> {
  if (!isObject(value)) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [...valuesIn(item, `${path}/${name}`)]),
  );
}

function pathsThatDiffer(one: Json, other: Json): string[] {
  const before = valuesIn(one);
  const after = valuesIn(other);
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter(path => before.get(path) !== after.get(path)).sort();
}

/** What a newer server has besides, in every place. */
const UNKNOWN: JsonObject = {
  quota: { machines: 7 },
  settings: {
    quantum: true,
    regions: ['eu', 'us'],
    limits: { mbit: 5, burst: { kb: 1 } },
    extra: { watched: true, more: { a: 1 } },
  },
  onboarding: { tour: 3 },
};

describe('one declared setting', () => {
  const names = [...SETTINGS.shape.fields.values()]
    .filter(({ readOnly }) => !readOnly)
    .map(({ name }) => name)
    // It needs another one to be on, and has a test of its own.
    .filter(name => !['agent_network_only', 'peer_expose_enabled'].includes(name))
    .filter(name => !name.startsWith('network_traffic') && name !== 'peer_approval_enabled');

  test.each(names)('%s leaves every other value of the account as it is', async name => {
    const behind = await accountOf();
    await behind.enrol('ada');
    const { account, more, close } = await newerServer(behind, ['onboarding', 'extra']);
    onTestFinished(close);
    const { id } = await settingsOf(behind);
    more.set(String(id), UNKNOWN);
    for (const random of fc.sample(randomSources, { numRuns: 3, seed: 5 })) {
      const drawn = drawFields(SETTINGS, {}, { random, dialect: 'netbird', keys: () => ['All'] });
      const value = drawn?.[name];
      if (value === undefined) continue;
      const before = await settingsOf(account);
      const { result } = await reconcile(account, files({ [name]: value }));
      expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      const moved = pathsThatDiffer(before, await settingsOf(account));
      expect(moved.filter(path => path.split('/').at(-1) !== name)).toEqual([]);
      expect((await plan(account, files({ [name]: value }))).changes).toEqual([]);
    }
  });

  test('is not sent with the ranges, and undeclared values are sent back as read', async () => {
    const account = await accountOf();
    await reconcile(account, files({ peer_login_expiration: 7200 }));
    const events = (await account.call('GET', '/api/events/audit')) as JsonObject[];
    const codes = events.map(({ activity_code: code }) => code);
    expect(codes).toContain('account.setting.peer.login.expiration.update');
    expect(codes).not.toContain('account.network.range.update');
  });
});

describe('settings that the server refuses together', () => {
  async function planned(before: string, after: string) {
    const account = await accountOf();
    await reconcile(account, desiredOf('groups: [{ name: a }]'));
    if (before !== '') await reconcile(account, desiredOf(`account_settings:\n  ${before}`));
    return (await plan(account, desiredOf(`account_settings:\n  ${after}`))).diagnostics;
  }

  test.each([
    {
      on: 'peer_expose_enabled: true',
      lists: 'peer_expose_groups: [a]',
      lacks: 'peer_expose_groups: []',
      message:
        '`peer_expose_enabled` of account_settings.account is true in the account, and the server accepts that only with entries in `peer_expose_groups`',
      hint: 'declare entries in `peer_expose_groups`, or declare `peer_expose_enabled: false` too',
    },
    {
      on: 'agent_network_only: true',
      lists: 'agent_network: true',
      lacks: 'agent_network: false',
      message:
        '`agent_network_only` of account_settings.account is true in the account, and the server accepts that only with `agent_network: true`',
      hint: 'declare `agent_network: true`, or declare `agent_network_only: false` too',
    },
  ])('are an error of the plan if the account has one of them: $lacks', async one => {
    const off = one.on.replace('true', 'false');
    expect(await planned(`${one.lists}\n  ${one.on}`, one.lacks)).toMatchObject([
      {
        code: 'SCHEMA_COMBINATION',
        severity: 'error',
        message: one.message,
        hint: one.hint,
        at: { line: 2 },
      },
    ]);
    expect(await planned(`${one.lists}\n  ${one.on}`, `${off}\n  ${one.lacks}`)).toEqual([]);
    expect(await planned('', one.lacks)).toEqual([]);
    // The other one of the account is enough.
    expect(await planned(one.lists, one.on)).toEqual([]);
    expect(await planned('', one.on)).toMatchObject([{ code: 'SCHEMA_COMBINATION' }]);
    expect(await planned(`${one.lists}\n  ${one.on}`, 'dns_domain: corp.internal')).toEqual([]);
  });
});

test('a range that is too small for the peers of the account is an error of the plan', async () => {
  const account = await accountOf();
  for (let at = 0; at < 9; at++) await account.enrol(`m${at}`);
  const tight = files({ network_range: '10.99.0.0/28' });
  expect((await plan(account, tight)).diagnostics).toEqual([]);
  expect((await reconcile(account, tight)).result.outcomes).toMatchObject([{ status: 'done' }]);
  await account.enrol('m9');
  await reconcile(account, files({ network_range: '10.98.0.0/24' }));
  expect((await plan(account, tight)).diagnostics).toMatchObject([
    {
      code: 'SCHEMA_COMBINATION',
      severity: 'error',
      message:
        '`network_range` of account_settings.account has 14 addresses for peers, and the server requires 15 for the 10 peers of the account',
      hint: 'declare a larger range, such as `10.99.0.0/27`',
    },
  ]);
});

test.each([
  { network_range: '127.0.0.0/8' },
  { network_range: '169.254.0.0/16' },
  { network_range: '230.1.0.0/16' },
  { network_range_v6: 'fe80::/64' },
  { network_range_v6: 'ff02::/64' },
  { network_range_v6: '::ffff:10.0.0.0/104' },
])('%j is a range that no server accepts', async range => {
  const text = JSON.stringify({ account_settings: range });
  expect(loadFiles({ 'a.yaml': text }).diagnostics).toMatchObject([
    { code: 'SCHEMA_FORMAT', severity: 'error' },
  ]);
});

test('settings that are no longer declared stay, whatever --prune is', async () => {
  const account = await accountOf();
  const before = files({ dns_domain: 'corp.internal', local_mfa_enabled: true });
  await reconcile(account, before);
  const fewer = files({ local_mfa_enabled: true });
  for (const prune of ['none', 'removed', 'unmanaged'] as const)
    for (const desired of [fewer, desiredOf('groups: [{ name: a }]')]) {
      const { changes } = await plan(account, desired, { base: before, prune });
      expect(changes.filter(({ kind }) => kind === SETTINGS.name)).toEqual([]);
    }
  expect((await settingsOf(account)).settings).toMatchObject({ dns_domain: 'corp.internal' });
});

test('the settings cannot be deleted', () => {
  const text = JSON.stringify({ account_settings: { lifecycle: { delete: true } } });
  expect(loadFiles({ 'a.yaml': text }).diagnostics).toMatchObject([
    {
      severity: 'error',
      message: 'every account has its account settings, which cannot be deleted',
    },
  ]);
});

test('a setting that the server does not store is an error of the apply', async () => {
  const account = await accountOf();
  const { result } = await reconcile(account, files({ network_traffic_logs_enabled: true }));
  expect(result.outcomes).toMatchObject([{ status: 'failed', fault: { code: 'NOT_KEPT' } }]);
});

test('a refused update that still stored a part says so', async () => {
  const account = await accountOf();
  const refused = { dns_domain: 'corp.internal', onboarding_flow_pending: false };
  const made = await plan(account, files(refused));
  // Somebody makes a zone of that domain after the plan.
  await reconcile(
    account,
    desiredOf(
      'groups: [{ name: a }]\ndns: { zones: [{ domain: corp.internal, name: x, distribution_groups: [a] }] }',
    ),
  );
  const result = await apply(account, made);
  expect(result.outcomes).toMatchObject([
    {
      status: 'failed',
      fault: {
        code: 'API_INVALID',
        message: expect.stringMatching(/the account has `onboarding` as it was sent$/),
      },
    },
  ]);
  expect(await settingsOf(account)).toMatchObject({
    settings: { dns_domain: '' },
    onboarding: { onboarding_flow_pending: false, signup_form_pending: true },
  });
});

test('a group of the list that somebody deleted is removed from the update, and named', async () => {
  const account = await accountOf();
  const both = desiredOf(
    'groups: [{ name: a }, { name: b }]\naccount_settings: { ipv6_enabled_groups: [a, b] }',
  );
  await reconcile(account, both);
  const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
  const [a, b] = ['a', 'b'].map(name => String(groups.find(one => one.name === name)?.id));
  await account.call('DELETE', `/api/groups/${b}`);
  const { result } = await reconcile(account, files({ lazy_connection_enabled: false }));
  expect(result.outcomes).toMatchObject([
    {
      status: 'done',
      notes: [`left out of \`ipv6_enabled_groups\`, because it no longer exists: ${b}`],
    },
  ]);
  expect((await settingsOf(account)).settings).toMatchObject({
    ipv6_enabled_groups: [a],
    lazy_connection_enabled: false,
  });
});

test('a group is removed from the settings before it is deleted', async () => {
  const account = await accountOf();
  const both = desiredOf(
    'groups: [{ name: a }, { name: b }]\naccount_settings: { ipv6_enabled_groups: [a, b] }',
  );
  await reconcile(account, both);
  const one = desiredOf('groups: [{ name: a }]\naccount_settings: { ipv6_enabled_groups: [a] }');
  const { plan: made, result } = await reconcile(account, one, { base: both, prune: 'removed' });
  expect(made.actions.map(({ id }) => id)).toEqual([
    'update account_settings.account',
    'delete group.b',
  ]);
  expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('an export leaves out a value that no file may have, and declares every other setting', () =>
  inFolder(async cwd => {
    const account = await accountOf();
    const { id = null, settings = null } = await settingsOf(account);
    await account.call('PUT', `/api/accounts/${id}`, {
      settings: {
        ...(settings as JsonObject),
        peer_inactivity_expiration: -10,
        jwt_allow_groups: [''],
      },
    });
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    const { stdout, stderr } = await run('export', '--kinds', 'account_settings');
    for (const name of ['peer_inactivity_expiration', 'jwt_allow_groups']) {
      expect(stdout).not.toMatch(new RegExp(`^ *${name}:`, 'm'));
      expect(stderr).toMatch(
        new RegExp(
          `Left out: \`${name}\` of account settings "account" \\(.*\\): .*\`${name}\` must`,
        ),
      );
    }
    expect(stdout).toMatch(/^ {2}peer_login_expiration_enabled: /m);
    await writeFile(join(cwd, 'n.yaml'), stdout);
    expect(await run('plan', '.', '--detailed-exitcode')).toMatchObject({ code: 0 });
  }));

test('an undo restores what a run changed except ranges, and an export has neither ranges nor the onboarding', async () => {
  const account = await accountOf();
  await inFolder(async cwd => {
    const run = (...words: readonly string[]) =>
      meshform(words, { cwd, env: environmentOf(account) });
    await writeFile(
      join(cwd, 'net.yaml'),
      'account_settings: { peer_login_expiration: 7200, network_range: 10.99.0.0/16 }\n',
    );
    const allowed = ['RENUMBERS_MACHINES', 'EXPIRES_MACHINES'].flatMap(code => ['--allow', code]);
    const applied = await run('apply', '.', '--yes', '--journal', 'run.jsonl', ...allowed);
    expect(applied.code, applied.stderr).toBe(0);
    // Somebody changes another setting since.
    await reconcile(account, files({ lazy_connection_enabled: false }));
    const undone = await run('apply', '--undo', 'run.jsonl', '--yes');
    expect(undone.code, undone.stdout + undone.stderr).toBe(0);
    expect(undone.stdout + undone.stderr).toContain('`network_range` stays as it is');
    expect((await settingsOf(account)).settings).toMatchObject({
      peer_login_expiration: 86_400,
      network_range: '10.99.0.0/16',
      lazy_connection_enabled: false,
    });
    const { stdout } = await run('export', '--kinds', 'account_settings');
    expect(stdout).toContain('peer_login_expiration: 86400');
    expect(stdout).not.toMatch(/network_range|onboarding|signup_form/);
  });
});

test('a machine whose address the same run changes is still deleted', async () => {
  const account = await accountOf();
  await account.enrol('ada');
  await reconcile(account, files({ ipv6_enabled_groups: ['All'] }));
  const leaving = desiredOf(
    'peers: [{ name: ada, lifecycle: { delete: true } }]\naccount_settings: { ipv6_enabled_groups: [] }',
  );
  const made = await plan(account, leaving);
  const settings = { ipv6_enabled_groups: [] };
  // The order of the two is free.
  const [{ id }] = (await account.call('GET', '/api/accounts')) as [{ id: string }];
  const before = await settingsOf(account);
  await account.call('PUT', `/api/accounts/${id}`, {
    settings: { ...(before.settings as JsonObject), ...settings },
  });
  const { outcomes } = await apply(account, made);
  expect(outcomes.map(({ action, status }) => [action, status])).toContainEqual([
    'delete peer.ada',
    'done',
  ]);
});

describe('hazards', () => {
  async function hazardsOf(settings: JsonObject, before: JsonObject = {}): Promise<string[]> {
    const account = await accountOf();
    for (const name of ['ada', 'bob']) await account.enrol(name);
    const [user] = (await account.call('GET', '/api/users')) as JsonObject[];
    await account.enrol('laptop', [], { user_id: String(user?.id) });
    if (Object.keys(before).length > 0) await reconcile(account, files(before));
    const { actions } = await plan(account, files(settings));
    return actions.flatMap(({ hazards }) =>
      hazards.map(({ code, message }) => `${code}: ${message}`),
    );
  }

  test('count the affected machines and users', async () => {
    expect(await hazardsOf({ network_range: '10.99.0.0/16', dns_domain: 'corp.internal' })).toEqual(
      [
        'RENUMBERS_MACHINES: `network_range` of account_settings.account changes: every peer gets a new IPv4 address, and no later change brings the old one back (3 peers)',
        'RENAMES_MACHINES: `dns_domain` of account_settings.account changes: every peer gets another DNS name at once (3 peers)',
      ],
    );
    expect(await hazardsOf({ ipv6_enabled_groups: [] })).toEqual([
      'LOSES_IPV6: `ipv6_enabled_groups` of account_settings.account changes: peers lose their IPv6 address, and get another one if they are let in again (3 peers)',
    ]);
    expect(await hazardsOf({ peer_login_expiration: 3600 })).toEqual([
      'EXPIRES_MACHINES: `peer_login_expiration` of account_settings.account changes: peers of people must sign in again sooner, at once if the shorter time is over (1 peer: laptop)',
    ]);
    expect(await hazardsOf({ peer_expose_enabled: true, peer_expose_groups: ['All'] })).toEqual([
      'EXPOSES_WITHOUT_FILES: `peer_expose_enabled` of account_settings.account changes: peers in `peer_expose_groups`, now and later, may publish ports to the internet that no file declares (3 peers)',
      'EXPOSES_WITHOUT_FILES: `peer_expose_groups` of account_settings.account changes: peers of more groups, now and later, may publish ports to the internet that no file declares (3 peers)',
    ]);
  });

  test('count the members of groups that the plan makes', async () => {
    const account = await accountOf();
    for (const name of ['ada', 'bob', 'cleo']) await account.enrol(name);
    const declared = desiredOf(`groups: [{ name: new, peers: [ada, bob] }]
account_settings: { peer_expose_enabled: true, peer_expose_groups: [new] }
`);
    const { actions } = await plan(account, declared);
    const messages = actions.flatMap(({ hazards }) => hazards.map(({ message }) => message));
    expect(messages).toEqual([
      expect.stringMatching(/^`peer_expose_enabled` .* \(2 peers\)$/),
      expect.stringMatching(/^`peer_expose_groups` .* \(2 peers\)$/),
    ]);
  });

  test('are about members of the groups that a setting names, too', async () => {
    const account = await accountOf();
    for (const name of ['ada', 'bob']) await account.enrol(name);
    const files = (members: string) =>
      desiredOf(`groups: [{ name: some, peers: [${members}], lifecycle: { exact: [peers] } }]
account_settings: { ipv6_enabled_groups: [some], peer_expose_enabled: true, peer_expose_groups: [some] }
`);
    await reconcile(account, files('ada'));
    const messagesOf = async (members: string) =>
      (await plan(account, files(members))).actions.flatMap(({ hazards }) =>
        hazards.map(({ code, message }) => `${code}: ${message}`),
      );
    expect(await messagesOf('ada, bob')).toEqual([
      'EXPOSES_WITHOUT_FILES: `peers` of group.some changes, which `peer_expose_groups` of account_settings.account names: peers of more groups, now and later, may publish ports to the internet that no file declares (1 peer)',
    ]);
    expect(await messagesOf('')).toEqual([
      'LOSES_IPV6: `peers` of group.some changes, which `ipv6_enabled_groups` of account_settings.account names: peers lose their IPv6 address, and get another one if they are let in again (1 peer)',
    ]);
  });

  async function peopleOf(settings: JsonObject, before: JsonObject = {}): Promise<string[]> {
    const account = await accountOf();
    const people = [
      ['local', 'lea', {}],
      ['sso-1', 'ada', {}],
      ['sso-2', 'bob', {}],
      ['sso-3', 'cleo', {}],
      ['sso-4', 'dan', { pending_approval: true }],
    ] as const;
    for (const [idp_id, id, more] of people) {
      const user = { id, name: id, email: `${id}@example.com`, idp_id, ...more };
      await account.control('POST', '/emulator/users', user);
    }
    await account.control('POST', '/emulator/users/bob/groups', { groups: ['staff'] });
    const blocked = { role: 'user', auto_groups: [], is_blocked: true };
    await account.call('PUT', '/api/users/cleo', blocked);
    if (Object.keys(before).length > 0) await reconcile(account, files(before));
    const { actions } = await plan(account, files(settings));
    return actions.flatMap(({ hazards }) =>
      hazards.map(({ code, message }) => `${code} ${/\(([^()]*)\)$/.exec(message)?.[1]}`),
    );
  }

  const JWT = { jwt_groups_enabled: true, jwt_groups_claim_name: 'groups' };

  test('name the users who may be locked out, the caller first', async () => {
    expect(await peopleOf({ local_mfa_enabled: true })).toEqual([
      'LOCKS_OUT 2 users: you as owner@example.com, lea@example.com',
    ]);
    expect(await peopleOf({ ...JWT, jwt_allow_groups: ['staff'] })).toEqual([
      'LOCKS_OUT 2 users: ada@example.com, dan@example.com',
      'LOCKS_OUT 2 users: ada@example.com, dan@example.com',
    ]);
    expect(await peopleOf({ jwt_allow_groups: ['guests'] }, JWT)).toEqual([
      'LOCKS_OUT 3 users: ada@example.com, bob@example.com, dan@example.com',
    ]);
  });

  test('name all people of a provider if the claim with the groups is a different claim', async () => {
    const staff = { ...JWT, jwt_allow_groups: ['staff'] };
    const other = { jwt_groups_claim_name: 'roles' };
    expect(await peopleOf(other, staff)).toEqual([
      'LOCKS_OUT 3 users: ada@example.com, bob@example.com, dan@example.com',
    ]);
    expect(await peopleOf(other, { ...staff, jwt_groups_enabled: false })).toEqual([]);
    expect(await peopleOf(other, JWT)).toEqual([]);
  });

  test('say that no present user is locked out, and nothing if the setting has no effect', async () => {
    const off = { user_approval_required: false };
    expect(await peopleOf({ user_approval_required: true }, off)).toEqual([
      'LOCKS_OUT 1 user: dan@example.com',
    ]);
    expect(await hazardsOf({ user_approval_required: true }, off)).toEqual([
      expect.stringContaining('(none of the users that the account has now)'),
    ]);
    expect(await peopleOf({ jwt_allow_groups: ['staff'] })).toEqual([]);
    expect(await peopleOf(JWT)).toEqual([]);
    expect(
      await hazardsOf(
        { peer_login_expiration: 3600 },
        { peer_login_expiration_enabled: false, peer_login_expiration: 7200 },
      ),
    ).toEqual([]);
  });

  test('are not reported for the opposite change', async () => {
    const longer = { peer_login_expiration: 604_800, local_mfa_enabled: false };
    expect(
      await hazardsOf(longer, { peer_login_expiration: 7200, local_mfa_enabled: true }),
    ).toEqual([]);
    expect(
      await hazardsOf({ network_range: '10.99.0.0/16' }, { network_range: '10.99.0.0/16' }),
    ).toEqual([]);
  });
});
