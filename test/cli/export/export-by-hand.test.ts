// Somebody renames, exchanges, copies and deletes objects in the dashboard; `export --out` follows, and the next plan changes nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';
import { ByHand } from './byHand.ts';

const MAIN = `groups:
  - { name: eng, peers: [lap1, lap2] }
  - { name: ops, peers: [lap3] }
  - { name: db, peers: [db1] }
  - { name: gw, peers: [gw1] }
  - { name: ci }
posture_checks:
  - { name: agent, checks: { nb_version_check: { min_version: "0.60.0" } } }
  - { name: agent2, checks: { nb_version_check: { min_version: "0.50.0" } } }
setup_keys:
  - { name: build, type: reusable, expires_in: 2592000, auto_groups: [ci] }
networks:
  - name: office
    resources:
      - { name: share, address: 192.168.10.20/32, groups: [db] }
      - { name: wiki, address: wiki.office.internal, groups: [db] }
    routers:
      - { peer_groups: [gw], metric: 100, masquerade: true }
policies:
  - name: eng db
    source_posture_checks: [agent]
    rules: [{ name: pg, sources: [eng], destinations: [db], protocol: tcp, ports: ["5432"] }]
  - name: ops ssh
    rules: [{ name: ssh, sources: [ops], destinations: [gw], protocol: tcp, ports: ["22"] }]
  - name: multi
    rules:
      - { name: a, sources: [ops], destinations: [db], protocol: tcp, ports: ["80"] }
      - { name: b, sources: [ci], destinations: [db], protocol: tcp, ports: ["443"] }
`;

const MORE = `dns:
  zones:
    - domain: corp.example.com
      name: Internal
      distribution_groups: [eng]
      records:
        - { name: git.corp.example.com, type: A, content: 10.0.0.5, ttl: 300 }
  nameserver_groups:
    - { name: ns1, nameservers: [{ ip: 10.1.1.1 }], groups: [eng], domains: [a.example.com] }
    - { name: ns2, nameservers: [{ ip: 10.1.1.2 }], groups: [ops], domains: [b.example.com] }
routes:
  - { network_id: r1, network: 10.50.0.0/24, peer: gw1, masquerade: true, groups: [eng], access_control_groups: [db] }
  - { network_id: r2, network: 10.60.0.0/24, peer_groups: [gw], masquerade: true, groups: [ops], access_control_groups: [db] }
`;

interface Story extends Teams {
  readonly hand: ByHand;
  readonly text: () => Promise<string>;
}

/** Tells of an account that was applied, and recorded unless it is `without a base`. */
async function applied(
  tell: (story: Story) => Promise<void>,
  how: 'with a base' | 'without a base' = 'with a base',
) {
  await teams(async story => {
    const { account, apply, commit, cwd, id, run } = story;
    for (const name of ['lap1', 'lap2', 'lap3', 'db1', 'gw1', 'other']) await account.enrol(name);
    const [policy] = (await account.call('GET', '/api/policies')) as { id: string }[];
    await account.call('DELETE', `/api/policies/${policy?.id}`);
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/main.yaml': MAIN,
      'net/more.yaml': MORE,
    });
    const secrets = ['--secrets-to', 'file:secrets.jsonl'];
    expectCode(
      await (how === 'with a base'
        ? apply('net', secrets)
        : run(['apply', 'net', '--yes', ...secrets])),
      0,
    );
    const texts = ['main.yaml', 'more.yaml'].map(
      name => () => readFile(join(cwd, 'net', name), 'utf8'),
    );
    const text = async () => (await Promise.all(texts.map(read => read()))).join('');
    // What the account has beside the files, such as its settings.
    expectCode(await run(['export', '--out', 'net']), 0);
    await commit({});
    expectCode(
      await (how === 'with a base'
        ? apply('net', secrets)
        : run(['apply', 'net', '--yes', ...secrets])),
      0,
    );
    await tell({ ...story, hand: new ByHand(account), text });
  }, 'netbird');
}

/** Exports, commits, and expects that the next plan and the next drift have nothing to say. */
async function expectSettled({ commit, run, apply }: Story): Promise<string> {
  const exported = await run(['export', '--out', 'net']);
  expectCode(exported, 0);
  await commit({});
  const prune = ['--prune', 'removed', '--base', 'auto'];
  expectCode(await run(['plan', 'net', ...prune, '--detailed-exitcode']), 0);
  expectCode(await apply('net'), 0);
  expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
  expectCode(await run(['export', '--check', 'net']), 0);
  return exported.stderr;
}

test(
  'an export changes every rule of a policy with several rules if two groups swapped names',
  { tags: 'variation' },
  () =>
    applied(async story => {
      await story.hand.rotate('/api/groups', ['eng', 'ops']);
      await expectSettled(story);
      expect(await story.text()).toContain('{ name: a, sources: [eng], destinations: [db]');
    }),
);

test(
  'a renamed group has its new name in every rule of a policy with several rules',
  { tags: 'variation' },
  () =>
    applied(async story => {
      await story.hand.rename('/api/groups', 'ops', 'oper');
      await expectSettled(story);
      expect(await story.text()).not.toContain('[ops]');
    }),
);

test.each(
  someOf(
    [
      [
        'setup key',
        '/api/setup-keys',
        'build',
        { allow_extra_dns_labels: false, expires_in: 86400 },
      ],
      ['policy', '/api/policies', 'eng db', {}],
      ['network', '/api/networks', 'office', {}],
      ['posture check', '/api/posture-checks', 'agent', { name: 'agent copy' }],
      ['route', '/api/routes', 'r1', {}],
    ] as const,
    2,
  ),
)('a copy of a %s is declared beside it', (_, path, name, values) =>
  applied(async story => {
    await story.hand.copy(path, name, values);
    await expectSettled(story);
  }),
);

test.each(
  someOf(
    [
      ['policies', '/api/policies', ['eng db', 'ops ssh']],
      ['posture checks', '/api/posture-checks', ['agent', 'agent2']],
      ['nameserver groups', '/api/dns/nameservers', ['ns1', 'ns2']],
      ['groups', '/api/groups', ['eng', 'ops', 'db']],
      ['machines', '/api/peers', ['lap1', 'db1']],
      ['three machines', '/api/peers', ['lap1', 'db1', 'gw1']],
    ] as const,
    2,
  ),
)(
  'an export writes the new names of %s that swapped names, and the next plan swaps nothing',
  (_, path, names) =>
    applied(async story => {
      await story.hand.rotate(path, names);
      await expectSettled(story);
    }),
);

test(
  'two networks that swapped names and a copy are each declared by id, with its children',
  { tags: 'variation' },
  () =>
    applied(async story => {
      const { hand, commit, apply } = story;
      const lab = `  - name: lab
    resources: [{ name: bench, address: 192.168.10.21/32, groups: [db] }]
`;
      await commit({ 'net/main.yaml': MAIN.replace('policies:', `${lab}policies:`) });
      expectCode(await apply('net'), 0);
      await hand.rotate('/api/networks', ['office', 'lab']);
      await hand.copy('/api/networks', 'office');
      await expectSettled(story);
    }),
);

test(
  'a limited export writes its objects although another object of the files declares a deleted machine',
  { tags: 'variation' },
  () =>
    applied(async ({ hand, run, text }) => {
      await hand.remove('/api/peers', 'gw1');
      const exported = await run(['export', '--out', 'net', '--kinds', 'groups']);
      expectCode(exported, 0);
      expect(exported.stderr).toContain('peer.gw1 is taken out of group.gw');
      expect(await text()).toContain('- { name: gw }');
      expectCode(await run(['export', '--check', 'net', '--kinds', 'groups']), 0);
    }),
);

test('a machine that was deleted and enrolled again is recognised by its id', () =>
  applied(async story => {
    await story.hand.enrolAgain('db1');
    await expectSettled(story);
  }));

test(
  'a deleted machine is removed from the files, with a note for each place',
  { tags: 'variation' },
  () =>
    applied(async story => {
      await story.hand.remove('/api/peers', 'gw1');
      const said = await expectSettled(story);
      expect(said).toContain('peer.gw1 is taken out of group.gw');
      expect(said).toContain('route["r1 10.50.0.0/24 peer=gw1"] refers to peer.gw1 by its id');
    }),
);

test.each(
  someOf(
    [
      ['group', '/api/groups', 'ci'],
      ['policy', '/api/policies', 'eng db'],
      ['policy rule', '/api/policies', 'multi / a'],
      ['setup key', '/api/setup-keys', 'build'],
      ['network', '/api/networks', 'office'],
    ] as const,
    1,
  ),
)('a deleted %s is removed from the files, with a note', (_, path, name) =>
  applied(async story => {
    if (name === 'ci') await story.hand.remove('/api/setup-keys', 'build');
    if (name === 'ci') await story.hand.remove('/api/policies', 'multi / b');
    await story.hand.remove(path, name);
    const said = await expectSettled(story);
    expect(said).toContain('somebody deleted');
  }),
);
