// Names that zones and nameservers answer otherwise than before, or with nothing: of what is guarded, and of domains whose routing machines
// reach it.
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { gatesFor } from '../support/gates.ts';
import { plan, reconcile } from '../support/reconcile.ts';

const FILES = `
groups:
  - { name: staff }
  - { name: gateways, peers: [gate] }
  - { name: far, peers: [distant] }
  - { name: vaults, peers: [vault] }
  - { name: databases }
networks:
  - name: production
    resources:
      - { name: db, address: 10.20.0.5, groups: [databases] }
      - { name: wiki, address: wiki.example.com, groups: [databases] }
      - { name: docs, address: docs.corp.internal, groups: [databases] }
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
  - name: distant
    resources: [{ name: shop, address: shop.example.org, groups: [databases] }]
    routers: [{ peer_groups: [far], metric: 100, masquerade: true }]
policies:
  - name: web
    rules: [{ name: web, sources: [staff], destinations: [databases], protocol: tcp, ports: ["443"] }]
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
`;
const NAME = 'vault.netbird.selfhosted';

const zone = (domain: string, records: string, groups = 'staff, gateways', more = '') =>
  `\ndns: { zones: [{ domain: ${domain}, name: z, distribution_groups: [${groups}], records: [${records}]${more} }] }\n`;
const record = (name: string, content = '10.9.9.9') =>
  `{ name: ${name}, type: A, content: ${content} }`;
const nameservers = (asked: string) =>
  `\ndns: { nameserver_groups: [{ name: corp, nameservers: [{ ip: 203.0.113.66 }], groups: [gateways, staff], ${asked} }] }\n`;

/** The plan from one set of files to another. */
async function planOf(guarded: readonly string[], after: string, before = '', files = FILES) {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  for (const name of ['gate', 'distant', 'vault']) await account.enrol(name);
  const first = desiredOf(FILES + before);
  await reconcile(account, first);
  return plan(account, desiredOf(files + after), {
    base: first,
    prune: 'removed',
    access: gatesFor({ guarded: guarded.map(to => ({ to })) }, [], []),
  });
}

/** What such a plan says of names, and the rights that it gives. */
async function saidOf(...from: Parameters<typeof planOf>) {
  const { diagnostics, access } = await planOf(...from);
  return {
    notes: diagnostics.filter(({ code }) => code === 'NAME_MOVES').map(({ message }) => message),
    rights: (access?.rights ?? []).map(({ object, message }) => `${object}: ${message}`),
  };
}

describe('a zone without a record of the name', () => {
  const nothing = (of: string, domain: string) =>
    `${of} leads to nothing, or where other DNS servers say, for the machines that get the zone \`${domain}\`, which has no record of it`;

  test.each([
    ['a guarded network resource', ['network_resource/production/wiki']],
    ['a guarded group', ['group/databases']],
    ['a guarded name', ['wiki.example.com']],
  ])('removes the name of %s', async (_, guarded) => {
    for (const domain of ['wiki.example.com', 'example.com']) {
      const { notes } = await saidOf(guarded, zone(domain, record(`x.${domain}`)));
      expect(notes).toEqual([nothing('the guarded name `wiki.example.com`', domain)]);
    }
  });

  test('removes the name of another network resource', async () => {
    const { notes } = await saidOf([], zone('corp.internal', record('x.corp.internal')));
    expect(notes).toEqual([nothing('`docs.corp.internal`', 'corp.internal')]);
  });

  test('removes the name for more machines', async () => {
    const [before = '', after = ''] = ['staff', 'staff, gateways'].map(groups =>
      zone('example.com', record('x.example.com'), groups),
    );
    const { notes } = await saidOf(['wiki.example.com'], after, before);
    expect(notes).toEqual([nothing('the guarded name `wiki.example.com`', 'example.com')]);
  });

  test('removes the name, and nameservers for the name may answer it', async () => {
    const before = zone('example.com', record('x.example.com'));
    const beside = before.replace(
      / \}\n$/,
      ', nameserver_groups: [{ name: corp, nameservers: [{ ip: 203.0.113.66 }], groups: [gateways], domains: [wiki.example.com] }] }\n',
    );
    const { notes } = await saidOf(['wiki.example.com'], beside, before);
    expect(notes).toEqual([
      'the guarded name `wiki.example.com` leads to nothing or what nameserver_group.corp answers (203.0.113.66) instead of nothing, for group/gateways',
    ]);
  });

  test('returns the name to other servers once it is deleted', async () => {
    const { notes } = await saidOf(
      ['wiki.example.com'],
      '',
      zone('example.com', record('x.example.com')),
    );
    expect(notes).toEqual([
      'the guarded name `wiki.example.com` leads where other DNS servers say, and no longer to nothing, for the machines that got the zone `example.com`',
      '`x.example.com` leads to what other DNS servers answer instead of 10.9.9.9, for group/gateways, group/staff',
    ]);
  });

  test.each([
    ['if it is empty, because it reaches no machine', zone('wiki.example.com', '')],
    [
      'if it is disabled',
      zone('example.com', record('x.example.com'), 'staff', ', enabled: false'),
    ],
    ['of another domain', zone('example.net', record('x.example.net'))],
  ])('removes no name %s', async (_, after) => {
    expect((await saidOf(['wiki.example.com'], after)).notes).toEqual([]);
  });

  test('removes no name where a zone within the new zone answers', async () => {
    const both = `
dns:
  zones:
    - { domain: example.com, name: z, distribution_groups: [staff], records: [${record('x.example.com')}] }
    - { domain: wiki.example.com, name: w, distribution_groups: [All], records: [${record('wiki.example.com')}] }
`;
    const { notes } = await saidOf(['wiki.example.com'], both);
    expect(notes).toEqual(['the guarded name `wiki.example.com` leads to 10.9.9.9']);
  });
});

describe('the name of a guarded machine', () => {
  const guards = [['peer/vault'], ['group/vaults']];

  test.each(guards)('a zone gives the name of %s a different target', async guarded => {
    const { notes } = await saidOf([guarded], zone(NAME, record(NAME)));
    expect(notes).toEqual([
      expect.stringMatching(
        /^the guarded name `vault.netbird.selfhosted` leads to 10.9.9.9 instead of 100\.[\d.]+ and fd[\da-f:]+/,
      ),
    ]);
  });

  test.each(guards)('a zone leaves the name of %s without a target', async guarded => {
    const { notes } = await saidOf([guarded], zone(NAME, record(`x.${NAME}`)));
    expect(notes).toEqual([
      expect.stringMatching(/^the guarded name `vault.netbird.selfhosted` no longer leads to /),
    ]);
  });

  test.each(guards)('nameservers answer for the name of %s', async guarded => {
    for (const domain of [NAME, NAME.toUpperCase(), 'netbird.selfhosted']) {
      const { rights } = await saidOf([guarded], nameservers(`domains: [${domain}]`));
      expect(rights).toEqual([
        `nameserver_group.corp: its nameservers answer for the names of ${guarded}`,
      ]);
    }
  });

  test('is not answered by nameservers of every other name, nor of other domains', async () => {
    for (const asked of ['primary: true', 'domains: [selfhosted, gate.netbird.selfhosted]'])
      expect((await saidOf(['peer/vault'], nameservers(asked))).rights).toEqual([]);
  });
});

describe('a guarded name resolves to a different target for some machines', () => {
  const said = (is: string, was: string, whom: string) => [
    `the guarded name \`wiki.example.com\` leads to ${is} instead of ${was}, for ${whom}`,
  ];
  const WIKI = ['network_resource/production/wiki'];
  const OTHERS = 'what other DNS servers answer';
  const GOOD = 'what nameserver_group.good answers (10.40.0.53)';
  const BAD = 'what nameserver_group.bad answers (203.0.113.66)';
  const recorded = (groups: string) =>
    zone('example.com', record('wiki.example.com', '10.20.0.9'), groups);
  const asked = (good: string, more = '', settings = '') => `
dns:
  nameserver_groups:
    - { name: good, nameservers: [{ ip: 10.40.0.53 }], ${good}${more} }
    - { name: bad, nameservers: [{ ip: 203.0.113.66 }], groups: [staff], primary: true }
${settings}`;
  const USUAL = 'groups: [staff, gateways], domains: [example.com]';
  const RIGHT = [
    'nameserver_group.bad: its nameservers answer for the names of network_resource/production/wiki',
  ];

  test('a zone is distributed to fewer or more groups', async () => {
    const few = recorded('staff');
    const more = recorded('staff, gateways');
    expect((await saidOf(WIKI, few, more)).notes).toEqual(
      said(OTHERS, '10.20.0.9', 'group/gateways'),
    );
    expect((await saidOf(WIKI, more, few)).notes).toEqual(
      said('10.20.0.9', OTHERS, 'group/gateways'),
    );
    expect((await saidOf(WIKI, recorded('All'), more)).notes).toEqual(
      said('10.20.0.9', OTHERS, 'all machines'),
    );
  });

  test.each([
    ['are disabled', asked(USUAL, ', enabled: false')],
    ['are for another domain', asked(USUAL.replace('[example.com]', '[example.net]'))],
    ['are gone', asked(USUAL).replace(/^.*name: good.*$/m, '')],
  ])(
    'nameservers %s, and the nameservers that answer in their place get the right',
    async (_, after) => {
      expect(await saidOf(WIKI, after, asked(USUAL))).toEqual({
        notes: [...said(BAD, GOOD, 'group/staff'), ...said(OTHERS, GOOD, 'group/gateways')],
        rights: RIGHT,
      });
    },
  );

  test('fewer groups ask the nameservers', async () => {
    const after = asked(USUAL.replace('staff, ', ''));
    expect(await saidOf(WIKI, after, asked(USUAL))).toEqual({
      notes: said(BAD, GOOD, 'group/staff'),
      rights: RIGHT,
    });
  });

  test('nameservers are enabled', async () => {
    const { notes } = await saidOf(WIKI, asked(USUAL), asked(USUAL, ', enabled: false'));
    expect(notes).toEqual([
      ...said(GOOD, BAD, 'group/staff'),
      ...said(GOOD, OTHERS, 'group/gateways'),
    ]);
  });

  test('a machine joins or leaves a group that gets a zone, or a group that nameservers answer', async () => {
    const joined = FILES.replace('{ name: staff }', '{ name: staff, peers: [distant] }');
    const given = recorded('staff');
    expect((await saidOf(WIKI, given, given, joined)).notes).toEqual(
      said('10.20.0.9', OTHERS, 'peer/distant'),
    );
    const left = FILES.replace(', peers: [gate]', ', peers: []');
    const both = recorded('staff, gateways');
    expect((await saidOf(WIKI, both, both, left)).notes).toEqual(
      said(OTHERS, '10.20.0.9', 'peer/gate'),
    );
    const servers = asked(USUAL);
    expect((await saidOf(WIKI, servers, servers, joined)).notes).toEqual(
      said(GOOD, OTHERS, 'peer/distant'),
    );
    expect((await saidOf(WIKI, servers, servers, FILES)).notes).toEqual([]);
  });

  test('a machine moves, even if a group without that machine gets other answers in the same way', async () => {
    const two = (good: string, bad: string) => `
dns:
  nameserver_groups:
    - { name: good, nameservers: [{ ip: 10.40.0.53 }], groups: [${good}], domains: [example.com] }
    - { name: bad, nameservers: [{ ip: 203.0.113.66 }], groups: [${bad}], domains: [example.com] }
`;
    const moved = FILES.replace(', peers: [gate]', ', peers: []').replace(
      'peers: [distant]',
      'peers: [distant, gate]',
    );
    const before = two('staff, gateways', 'far');
    const after = two('gateways', 'staff, far');
    expect((await saidOf(WIKI, after, before, moved)).notes).toEqual(
      said(BAD, GOOD, 'group/staff, peer/gate'),
    );
  });

  describe('the machines of a person', () => {
    const bob = (groups: string) =>
      `\nusers: [{ email: bob@example.com, name: Bob, role: user, auto_groups: [${groups}] }]\n`;
    const SMALL = 'groups: [{ name: staff }, { name: gateways }]\n';

    test.each([
      ['who joins a group that gets a zone', FILES, recorded('staff'), '10.20.0.9', OTHERS],
      ['who joins a group that nameservers answer', FILES, asked(USUAL), GOOD, OTHERS],
      ['where nothing has a domain', SMALL, recorded('staff'), '10.20.0.9', OTHERS],
    ])('%s', async (_, files, dns, is, was) => {
      const account = await startAccount({ dialect: 'netbird' });
      onTestFinished(() => account.close());
      await account.control('POST', '/emulator/load', {
        '/emulator/users': [{ id: 'bob', name: 'Bob', email: 'bob@example.com' }],
        '/emulator/peers': [{ id: 'phone-id', name: 'phone', user_id: 'bob' }],
      });
      await account.control('PUT', '/emulator/settings', { group_propagation: true });
      for (const name of ['gate', 'distant', 'vault']) await account.enrol(name);
      const before = desiredOf(files + dns + bob(''));
      await reconcile(account, before);
      const { diagnostics } = await plan(account, desiredOf(files + dns + bob('staff')), {
        base: before,
        access: gatesFor({ guarded: [{ to: 'wiki.example.com' }] }, [], []),
      });
      const notes = diagnostics.filter(({ code }) => code === 'NAME_MOVES');
      expect(notes.map(({ message }) => message)).toEqual(said(is, was, 'peer/phone'));
    });
  });

  test('the machines of some groups get no DNS configuration', async () => {
    const withheld = asked(USUAL, '', '  settings: { disabled_management_groups: [staff] }\n');
    const given = asked(USUAL, '', '  settings: { disabled_management_groups: [] }\n');
    expect((await saidOf(WIKI, withheld, given)).notes).toEqual(said(OTHERS, GOOD, 'group/staff'));
    expect(await saidOf(WIKI, given, withheld)).toEqual({
      notes: said(GOOD, OTHERS, 'group/staff'),
      rights: [
        'nameserver_group.good: its nameservers answer for the names of network_resource/production/wiki',
      ],
    });
  });

  test('the setting by which nameservers begin to answer is not said to be without effect', async () => {
    const withheld = asked(USUAL, '', '  settings: { disabled_management_groups: [staff] }\n');
    const given = asked(USUAL, '', '  settings: { disabled_management_groups: [] }\n');
    const { access } = await planOf(WIKI, given, withheld);
    expect([access?.rights?.length, access?.without_effect]).toEqual([1, 0]);
  });

  test('the order of nameservers, other nameservers of the same domain, and names that a zone answers change nothing', async () => {
    const twice = asked(USUAL).replaceAll('ip: 10.40.0.53', 'ip: 10.40.0.53 }, { ip: 10.40.0.54');
    const turned = asked(USUAL).replaceAll('ip: 10.40.0.53', 'ip: 10.40.0.54 }, { ip: 10.40.0.53');
    expect(await saidOf(WIKI, turned, twice)).toEqual({ notes: [], rights: [] });
    const zones = `  zones: [{ domain: wiki.example.com, name: z, distribution_groups: [staff, gateways], records: [${record('wiki.example.com')}] }]\n`;
    const [before = '', after = ''] = ['', ', enabled: false'].map(more =>
      asked(USUAL, more, zones),
    );
    expect((await saidOf(WIKI, after, before)).notes).toEqual([]);
  });
});

describe('nameservers of a domain that is not guarded', () => {
  const said = (names: string, to: string) =>
    `the nameservers of nameserver_group.corp answer for ${names}, and may lead its callers to ${to}, which its routing machines reach`;

  test('may lead to what the routing machines of the domain reach', async () => {
    const guarded = ['network_resource/production/db'];
    expect(await saidOf(guarded, nameservers('domains: [corp.internal]'))).toEqual({
      notes: [said('`docs.corp.internal`', 'network_resource/production/db')],
      rights: [],
    });
  });

  test('may not where the routing machines reach nothing guarded, or where nothing changes', async () => {
    const guarded = ['network_resource/production/db'];
    const others = nameservers('domains: [example.org]');
    expect((await saidOf(guarded, others)).notes).toEqual([]);
    expect((await saidOf([], nameservers('domains: [corp.internal]'))).notes).toEqual([]);
    const before = nameservers('domains: [corp.internal]');
    expect(
      (await saidOf(guarded, nameservers('domains: [corp.internal, example.org]'), before)).notes,
    ).toEqual([]);
  });

  test('may lead to a machine that a policy lets the routing machines reach', async () => {
    const policy = `
  - name: far
    rules: [{ name: far, sources: [far], destinations: [vaults], protocol: tcp, ports: ["22"] }]
`;
    const asked = nameservers('domains: [example.org]');
    const account = await startAccount({ dialect: 'netbird' });
    onTestFinished(() => account.close());
    for (const name of ['gate', 'distant', 'vault']) await account.enrol(name);
    const files = FILES + policy;
    const first = desiredOf(files);
    await reconcile(account, first);
    const made = await plan(account, desiredOf(files + asked), {
      base: first,
      prune: 'removed',
      access: gatesFor({ guarded: [{ to: 'peer/vault' }] }, [], []),
    });
    const notes = made.diagnostics.filter(({ code }) => code === 'NAME_MOVES');
    expect(notes.map(({ message }) => message)).toEqual([said('`shop.example.org`', 'peer/vault')]);
  });
});
