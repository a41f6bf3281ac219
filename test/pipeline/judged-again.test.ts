// A saved plan that is judged again knows all that the plan knew when it was made: the rights that depend on records and on the URLs of
// channels, the names that it leads elsewhere, and what only the files say.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Policy } from '../../src/access/state/accessState.ts';
import { readTransport } from '../../src/api/transport/transport.ts';
import type { PlanSettings } from '../../src/engine/types/settings.ts';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import type { EndingRule } from '../../src/model/access/judgedWith.ts';
import type { Allowance } from '../../src/model/allowance.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { endingAmong } from '../../src/pipeline/access/endsOfPlan.ts';
import { gatesNow } from '../../src/pipeline/access/gatesNow.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { KINDS, load } from '../support/files.ts';
import { gatesFor } from '../support/gates.ts';
import { plan, reconcile } from '../support/reconcile.ts';

const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));

/** The overlay addresses of machines, which texts contain as `<old>`; `<free>` is one that no machine has. */
type Addresses = Readonly<Record<string, string>>;

const filled = (text: string, addresses: Addresses) =>
  text.replaceAll(/<(\w+)>/g, (_, name) => addresses[name] ?? name);

function desiredOf(
  text: string,
  addresses: Addresses,
  env: Readonly<Record<string, string>>,
): readonly Desired[] {
  const { desired, diagnostics } = load(filled(text, addresses), {
    env: name => env[name],
    file: () => undefined,
    vars: new Map(),
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return desired;
}

// The plan as its file has it.
function readBack(made: Plan): Plan {
  const { document } = savedPlan(made, KINDS, 0);
  const read = planOfText(JSON.stringify(document), 'plan.json', isDocument);
  if ('diagnostic' in read) throw new Error(read.diagnostic.message);
  return read.plan;
}

interface Planned {
  readonly account: TestAccount;
  readonly ips: Addresses;
  readonly saved: Plan;
  /** What a judgement of the saved plan finds now that the plan did not show. */
  readonly judge: (noNewAccess?: boolean) => ReturnType<typeof gatesNow>;
  readonly idOf: (path: string, name: string) => Promise<string>;
}

interface Case {
  readonly before?: string;
  readonly after: string;
  readonly guarded?: readonly string[];
  readonly allow?: readonly Allowance[];
  readonly isOtherSecret?: PlanSettings['isOtherSecret'];
  readonly hasBase?: boolean;
  /** The time of the plan. */
  readonly now?: number;
  /** What somebody changes before the plan is made. */
  readonly given?: (made: Pick<Planned, 'account' | 'ips' | 'idOf'>) => Promise<unknown>;
}

/** A saved plan from one set of files to another, in an account with three machines. */
async function planned({
  before = '',
  after,
  guarded = [],
  allow = [],
  isOtherSecret,
  hasBase = true,
  now,
  given,
}: Case): Promise<Planned> {
  // The transport reads its own clock as 0, and the server must agree with it for something to end.
  const clock = now === undefined ? {} : { clock: () => new Date(0) };
  const account = await startAccount({ dialect: 'netbird', ...clock });
  onTestFinished(() => account.close());
  const ips: Record<string, string> = {};
  for (const name of ['old', 'new', 'gate']) ips[name] = String((await account.enrol(name)).ip);
  ips.free = ips.gate?.replace(/\d+$/, last => String((Number(last) % 200) + 7)) ?? '';
  const env = { KEY: 'a-secret-of-the-files', HOOK: `https://${ips.old}/hook` };
  await account.control('POST', '/emulator/proxy-clusters', { address: 'eu.test', shared: true });
  const idOf = async (path: string, name: string) => {
    const all = (await account.call('GET', `/api/${path}`)) as readonly JsonObject[];
    return String(all.find(one => one.name === name)?.id);
  };
  const first = desiredOf(before, ips, env);
  const { result } = await reconcile(account, first, { env });
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  await given?.({ account, ips, idOf });
  const made = await plan(account, desiredOf(after, ips, env), {
    ...(hasBase && { base: first, prune: 'removed' }),
    ...(isOtherSecret && { isOtherSecret }),
    ...(now !== undefined && { now }),
    access: gatesFor({ guarded: guarded.map(to => ({ to: filled(to, ips) })) }, [], allow),
  });
  expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const saved = readBack(made);
  const judge = (noNewAccess = false) =>
    gatesNow(
      saved,
      { kinds: KINDS, transport: readTransport(account.transport) },
      {
        dialect: 'netbird',
        concurrency: 4,
        areTestsJudged: true,
        noNewAccess,
        allowances: { byFlag: [], byProject: [] },
        done: new Set(),
      },
    );
  return { account, ips, saved, judge, idOf };
}

const BEFORE = 'peers: [{ name: old }, { name: new }]\n';
const AFTER = 'peers: [{ name: old, ip: <free> }, { name: new, ip: <old> }]\n';
const GROUPS = 'groups: [{ name: ops, peers: [gate] }, { name: dev }]\n';
const zone = (records: string, more = '') =>
  `dns: { zones: [{ domain: corp.test, name: c, distribution_groups: [ops], ${more}records: [${records}] }] }\n`;
const record = (name: string, content: string) =>
  `{ name: ${name}.corp.test, type: A, content: ${content} }`;
const service = (header: string, others = '') => `
networks:
  - name: office
    resources: [{ name: git, address: git.corp.test, groups: [ops] }]
    routers: [{ peer: gate, metric: 100, masquerade: true }]
reverse_proxy:
  services:
    - domain: git.eu.test
      name: git
      targets:
        - target: { network_resource: office/git }
          protocol: http
          port: 80
          options: { custom_headers: { X-T: ${header} } }
${others}`;

const addRecord = async ({ account, idOf, ips }: Planned, name: string, to: string) => {
  const content = filled(to, ips);
  const id = await idOf('dns/zones', 'c');
  const written = { name: `${name}.corp.test`, type: 'A', content, ttl: 300 };
  await account.call('POST', `/api/dns/zones/${id}/records`, written);
};

const zoneFields = async (idOf: Planned['idOf']): Promise<JsonObject> => ({
  name: 'c',
  domain: 'corp.test',
  enabled: true,
  enable_search_domain: false,
  distribution_groups: [await idOf('groups', 'ops')],
});

const CHANNEL = { type: 'webhook', enabled: true, event_types: ['user.join'] };

const addChannel = (account: TestAccount, { old }: Addresses) =>
  account.call('POST', '/api/integrations/notifications/channels', {
    ...CHANNEL,
    target: { url: `https://${old}/hook`, headers: { A: 'b' } },
  });

describe('a saved plan that gives an overlay address to another machine', () => {
  const others = `${GROUPS}${zone(record('x', '10.0.0.1'))}`;

  test('gives access to the target of a record that was added since then', async () => {
    const files = others + service('"${env:KEY}"');
    const made = await planned({ before: BEFORE + files, after: AFTER + files });
    expect((await made.judge()).gained).toEqual([]);
    await addRecord(made, 'git', '<old>');
    const { gained, moved } = await made.judge();
    expect(gained).toContainEqual(
      expect.stringMatching(/^proxy_service.*X-T.* is sent to peer\/new instead of peer\/old/),
    );
    expect(moved).toContainEqual(
      expect.stringContaining(`${made.ips.old} is the address of peer/new`),
    );
  });

  test('gives no header that the files have in clear text', async () => {
    const files = others + service('plain');
    const made = await planned({ before: BEFORE + files, after: AFTER + files });
    await addRecord(made, 'git', '<old>');
    const { gained = [] } = await made.judge();
    expect(gained.filter(text => text.includes('is sent'))).toEqual([]);
    expect(gained).not.toEqual([]);
  });

  const unnamed = [
    expect.stringMatching(/id:.*headers.* is sent to another machine/),
    expect.stringMatching(/id:.*url.* leads to another machine/),
  ];

  test('gives the events of a channel that was made since, whose host may be a secret', async () => {
    const made = await planned({ before: BEFORE, after: AFTER });
    await addChannel(made.account, made.ips);
    expect(await made.judge()).toMatchObject({ gained: unnamed, moved: [] });
  });

  test('shows the host of a channel that it showed, but not the host that the channel got since', async () => {
    let id = '';
    const made = await planned({
      before: BEFORE,
      given: async ({ account, ips }) => {
        ({ id } = (await addChannel(account, ips)) as { id: string });
      },
      after: AFTER,
    });
    expect(made.saved.access?.rights?.map(({ message }) => message)).toEqual([
      expect.stringContaining('peer/new instead of peer/old'),
      expect.stringContaining('peer/new instead of peer/old'),
    ]);
    expect(await made.judge()).toMatchObject({ gained: [], moved: [] });
    await made.account.call('PUT', `/api/integrations/notifications/channels/${id}`, {
      ...CHANNEL,
      target: { url: `https://${made.ips.free}/hook`, headers: { A: 'b' } },
    });
    expect(await made.judge()).toMatchObject({ gained: unnamed, moved: [] });
  });

  test('names no machine at the host of a channel that may be a secret of the files', async () => {
    const secret =
      'notification_channels: [{ type: webhook, target: { url: "${env:HOOK}" }, event_types: [user.join], enabled: true }]\n';
    const made = await planned({
      before: BEFORE,
      given: ({ account, ips }) => addChannel(account, ips),
      after: AFTER + secret,
    });
    const says = 'another machine, which has its address now';
    const { rights = [], moved_names } = made.saved.access ?? {};
    expect(rights.filter(({ message }) => message.includes(says))).toHaveLength(2);
    expect([moved_names, rights.filter(one => one.message.includes('peer/new'))]).toEqual([
      undefined,
      [],
    ]);
    const now = await made.judge();
    expect(now).toMatchObject({ gained: [], moved: [] });
    expect(now.given?.rights).toHaveLength(2);
  });
});

describe('a saved plan that changes records', () => {
  const before = GROUPS + zone(`${record('mail', '10.0.0.8')}, ${record('x', '10.0.0.1')}`);
  const after = GROUPS + zone(record('x', '10.0.0.1'));

  test('gives names only the targets that the plan showed', async () => {
    const made = await planned({ before, after });
    expect(made.saved.access?.moved_names).toEqual([
      { says: ['`mail.corp.test` leads to nothing instead of 10.0.0.8'], of: ['group/ops'] },
    ]);
    expect(await made.judge()).toMatchObject({ gained: [], lost: [], moved: [] });
    await addRecord(made, '*', '10.66.6.6');
    expect((await made.judge()).moved).toEqual([
      '`mail.corp.test` leads to 10.66.6.6 instead of 10.0.0.8, for group/ops',
    ]);
  });

  test('gives names different targets for no other group than the plan showed', async () => {
    const made = await planned({
      before: before.replace('[ops]', '[ops, dev]'),
      after: after.replace('[ops]', '[ops, dev]'),
    });
    expect(made.saved.access?.moved_names?.map(({ of }) => of)).toEqual([
      ['group/dev', 'group/ops'],
    ]);
    const id = await made.idOf('dns/zones', 'c');
    await made.account.call('PUT', `/api/dns/zones/${id}`, await zoneFields(made.idOf));
    expect(await made.judge()).toMatchObject({ gained: [], lost: [], moved: [] });
  });

  test('answers only for the guarded names that the plan showed', async () => {
    const servers =
      'dns: { nameserver_groups: [{ name: n, nameservers: [{ ip: 10.0.0.53 }], groups: [ops], domains: [corp.test] }] }\n';
    const made = await planned({
      before: GROUPS,
      given: async ({ account, idOf }) =>
        account.call('POST', '/api/dns/zones', await zoneFields(idOf)),
      after: GROUPS + servers,
      guarded: ['<gate>'],
    });
    expect((await made.judge()).gained).toEqual([]);
    await addRecord(made, 'gate', '<gate>');
    const { gained } = await made.judge();
    expect(gained).toEqual([
      `nameserver_group.n: its nameservers answer for the names of ${made.ips.gate}`,
    ]);
  });
});

test('a saved plan gives a machine that awaits approval only the ports that the plan showed', async () => {
  const rule = (name: string, ports: string) =>
    `  - { name: ${name}, rules: [{ name: r, sources: [ops], destinationResource: { peer: new }, protocol: tcp, ports: [${ports}] }] }\n`;
  const before = `${GROUPS}policies:\n${rule('q', '"22"')}`;
  const made = await planned({
    before,
    given: async ({ account, idOf }) => {
      await account.call('PUT', `/api/peers/${await idOf('peers', 'new')}`, {
        name: 'new',
        ssh_enabled: false,
        login_expiration_enabled: false,
        inactivity_expiration_enabled: false,
        approval_required: true,
      });
      await account.call('DELETE', `/api/policies/${await idOf('policies', 'Default')}`);
    },
    after: `${before}${rule('p', '"22", "443"')}`,
    guarded: ['peer/new'],
    allow: [{ code: 'WIDENS_GUARDED_ACCESS', object: 'peer/new' }],
  });
  const found = made.saved.gates?.findings.flatMap(({ moved = [] }) => moved);
  expect(found?.map(({ ports }) => ports)).toContainEqual([{ start: 443, end: 443 }]);
  expect((await made.judge()).gained).toEqual([]);
  await made.account.call('DELETE', `/api/policies/${await made.idOf('policies', 'q')}`);
  expect((await made.judge()).gained).toContainEqual('group/ops → peer/new  tcp/22');
});

describe('a saved plan is evaluated with facts from the files', () => {
  const findingsOf = ({ gates }: { readonly gates?: Plan['gates'] }) =>
    (gates?.findings ?? []).map(({ code, target, who }) => [code, target, who]);

  test('the plan records whether every secret was compared', async () => {
    const files = (name: string) => `
reverse_proxy:
  services:
    - domain: git.eu.test
      name: ${name}
      auth: { password_auth: { enabled: true, password: "${'${env:KEY}'}" } }
      targets: [{ target: { peer: old }, port: 80, protocol: http }]
`;
    for (const areSecretsCompared of [true, false]) {
      const made = await planned({
        before: files('one'),
        after: files('two'),
        guarded: ['peer/old'],
        ...(areSecretsCompared && { isOtherSecret: () => false }),
        hasBase: false,
      });
      const found = findingsOf(made.saved);
      expect(found.length > 0).toBe(!areSecretsCompared);
      expect(findingsOf(await made.judge())).toEqual(found);
    }
  });

  test('the plan records whether its base was applied', async () => {
    const files = 'groups: [{ name: vaults, peers: [old], lifecycle: { exact: [peers] } }]\n';
    const made = await planned({
      before: files,
      given: async ({ account, idOf }) => {
        const all = ['old', 'new'].map(name => idOf('peers', name));
        const written = { name: 'vaults', peers: await Promise.all(all) };
        await account.call('PUT', `/api/groups/${await idOf('groups', 'vaults')}`, written);
      },
      after: files,
      guarded: ['group/vaults'],
      allow: [{ code: 'SHRINKS_GUARDED_TARGET', object: 'group/vaults' }],
    });
    const found = findingsOf(made.saved);
    expect(found).toEqual([['SHRINKS_GUARDED_TARGET', 'group/vaults', 'peer/new']]);
    expect(findingsOf(await made.judge())).toEqual(found);
  });

  test('the plan records that a guard named an object in the account', async () => {
    const made = await planned({
      before: GROUPS,
      after: `${GROUPS}policies: [{ name: p, rules: [{ name: r, sources: [ops], destinations: [ops], protocol: all }] }]\n`,
      guarded: ['group/dev'],
    });
    expect((await made.judge()).findings).toEqual([]);
    await made.account.call('DELETE', `/api/groups/${await made.idOf('groups', 'dev')}`);
    expect((await made.judge()).findings).toEqual([
      expect.objectContaining({ code: 'PROJECT_INVALID', severity: 'error' }),
    ]);
  });

  test('which rules end', async () => {
    const rule = (name: string, until = '') =>
      `{ name: ${name}${until}, rules: [{ name: r, sources: [ops], destinations: [dev], protocol: all }] }`;
    const until = ', lifecycle: { until: 2099-01-01T00:00:00Z }';
    const { saved } = await planned({
      before: `${GROUPS}policies: [${rule('p')}]\n`,
      after: `${GROUPS}policies: [${rule('p', until)}, ${rule('q', until)}, ${rule('s')}]\n`,
    });
    expect(saved.judgedWith?.ending_rules).toEqual([
      { policy: 'p', rule: 'r', id: expect.stringMatching(/./) },
      { policy: 'q', rule: 'r' },
    ]);
  });

  test('which rules end, by the ids of their policies if the account has these', () => {
    const policy = (key: string, id: string, ...rules: readonly string[]) =>
      ({ key, id, rules: rules.map(name => ({ name })) }) as unknown as Policy;
    const endingIn = (rules: readonly EndingRule[], of: Policy) =>
      of.rules.map(rule => endingAmong(rules)(of, rule));
    const created = [{ policy: 'p', rule: 'r' }];
    expect(endingIn(created, policy('p', '1', 'r', 'other'))).toEqual([true, false]);
    expect(endingIn(created, policy('p', '1', 'other'))).toEqual([false]);
    const known = [{ policy: 'p', rule: 'r', id: '1' }];
    expect(endingIn(known, policy('renamed', '1', 'r', 'other'))).toEqual([true, false]);
    expect(endingIn(known, policy('renamed', '1', 'renamed'))).toEqual([true]);
    // Another policy has the name.
    expect(endingIn(known, policy('p', '2', 'r'))).toEqual([false]);
  });

  test('the plan records the machines whose ports the files declare', async () => {
    const ports = (of: string) =>
      `peers: [{ name: old, ingress_ports: [{ name: ssh, enabled: ${of}, port_ranges: [{ start: 22, end: 22, protocol: tcp }] }] }, { name: new }]\ningress_peers: [{ peer_id: gate, enabled: true }]\n`;
    const made = await planned({
      before: `${GROUPS}${ports('false')}`,
      after: `groups: [{ name: ops, peers: [gate, new] }, { name: dev }]\n${ports('false')}`,
      guarded: ['peer/old'],
    });
    const asked = made.account.requests.length;
    await made.judge();
    const id = await made.idOf('peers', 'old');
    const paths = made.account.requests.slice(asked).map(({ path }) => path);
    expect(paths).toContain(`/api/peers/${id}/ingress/ports`);
  });
});

test('a saved plan is refused if its ends would give access through a rule that was made since', async () => {
  const files = (member: string) => `
groups: [{ name: staff, peers: [old] }, { name: leaving, peers: [${member}] }, { name: servers, peers: [new] }]
policies: [{ name: web, rules: [{ name: r, sources: [staff], destinations: [servers], protocol: tcp, ports: ["25"] }] }]
`;
  const made = await planned({
    before: files('old'),
    after: files('{ name: old, until: 2026-12-01 }'),
    now: Date.parse('2026-12-03T00:00:00Z'),
  });
  expect(made.saved.endings?.alone?.actions).toHaveLength(1);
  expect((await made.judge()).findings).toEqual([]);
  const leaving = await made.idOf('groups', 'leaving');
  const servers = await made.idOf('groups', 'servers');
  await made.account.call('POST', '/api/policies', {
    name: 'deny',
    enabled: true,
    rules: [
      {
        name: 'deny',
        enabled: true,
        action: 'drop',
        bidirectional: false,
        protocol: 'tcp',
        ports: ['25'],
        sources: [leaving],
        destinations: [servers],
      },
    ],
  });
  expect((await made.judge()).findings).toEqual([
    expect.objectContaining({ code: 'END_GIVES_ACCESS', severity: 'error' }),
  ]);
});
