// A change of a policy that changes nobody's access says why.
import { describe, expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { pictureOf } from '../../../src/access/picture/picture.ts';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { type Address, type Key, kindName } from '../../../src/model/names.ts';
import {
  accessMarkdownPart,
  accessPart,
  idleTexts,
} from '../../../src/report/access/planAccessText.ts';
import { element } from '../../../src/report/graph/markup.ts';
import { changeSection } from '../../../src/report/page/change.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { KINDS } from '../../support/files.ts';
import { stateOf } from '../names.ts';
import type { Account, Network, Policy, Route, Rule } from '../slow/account.ts';
import { accountOf, planBetween } from './wayOf.ts';

const PEERS = ['mia', 'db'].map(id => ({
  id,
  name: id,
  ip: '100.64.0.1',
  approval_required: false,
  login_expired: false,
}));

const policy = (name: string, rule: Partial<Rule>, rest: Partial<Policy> = {}): Policy => ({
  id: name,
  name,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${name} rule`,
      name,
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports: ['22'],
      sources: [{ id: 'dev' }],
      destinations: [{ id: 'servers' }],
      ...rule,
    },
  ],
  ...rest,
});

const DEFAULT = policy('Default', {
  protocol: 'all',
  bidirectional: true,
  ports: [],
  sources: [{ id: 'gAll' }],
  destinations: [{ id: 'gAll' }],
});
const OTHER = policy('other', { ports: ['80'] });

const PRODUCTION: Network = {
  id: 'production',
  name: 'production',
  resources: [
    {
      id: 'r1',
      name: 'orders-db',
      address: '10.20.0.5',
      enabled: true,
      groups: [{ id: 'databases' }],
    },
  ],
  routers: [],
};

const account = (...policies: readonly Policy[]): Account => ({
  peers: PEERS,
  groups: [
    { id: 'gAll', name: 'All', peers: PEERS.map(({ id }) => ({ id })) },
    { id: 'dev', name: 'dev', peers: [{ id: 'mia' }] },
    { id: 'servers', name: 'servers', peers: [{ id: 'db' }] },
    { id: 'databases', name: 'databases', peers: [] },
  ],
  policies,
  posture_checks: [],
  routes: [],
  networks: [PRODUCTION],
});

const SHOWN = { kinds: KINDS, style: PLAIN, limit: { most: Number.POSITIVE_INFINITY } };

function textBetween(before: Account, after: Account): string {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const access = planAccess(made.plan, comparison(accountOf(made)));
  return accessPart({ ...made.plan, access }, SHOWN);
}

/** What a plan says of its changes without effect, in each of its forms. */
function formsBetween(before: Account, after: Account) {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const access = planAccess(made.plan, comparison(accountOf(made)));
  const plan = { ...made.plan, access };
  const page = element('div', {}, changeSection(plan, { kinds: KINDS, steps: [] }).content);
  const sentences = page.markup
    .replaceAll('<wbr>', '')
    .match(/<li>[^<]* ha(?:s|ve) no effect: [^<]*/g);
  const names = new Set(access.no_effect?.flatMap(({ changes }) => changes));
  return {
    access,
    sentences: sentences?.map(text => text.slice('<li>'.length).trim()) ?? [],
    named: names.size,
    text: accessPart(plan, SHOWN).replaceAll(/\s+/g, ' '),
    markdown: accessMarkdownPart(plan, KINDS, SHOWN.limit).join('\n'),
  };
}

const ssh = (rule: Partial<Rule> = {}, rest: Partial<Policy> = {}) => policy('ssh', rule, rest);

test.each([
  [
    'a new rule that Default covers',
    [DEFAULT],
    [DEFAULT, ssh()],
    'policy.ssh has no effect: policy "Default", rule "Default" already allows it',
  ],
  [
    'another port of a rule that Default covers',
    [DEFAULT, ssh()],
    [DEFAULT, ssh({ ports: ['22', '443'] })],
    'policy.ssh has no effect: policy "Default", rule "Default" also allows it',
  ],
  [
    'a rule that is deleted while Default covers it',
    [DEFAULT, ssh()],
    [DEFAULT],
    'policy.ssh has no effect: policy "Default", rule "Default" still allows it',
  ],
  [
    'a new policy that is disabled',
    [OTHER],
    [OTHER, ssh({}, { enabled: false })],
    'policy.ssh has no effect: it is disabled',
  ],
  [
    'a new policy whose rule is disabled',
    [OTHER],
    [OTHER, ssh({ enabled: false })],
    'policy.ssh has no effect: its rules are disabled',
  ],
  [
    'a rule for a network without a router',
    [OTHER],
    [OTHER, ssh({ destinations: null, destinationResource: { id: 'r1', type: 'host' } })],
    'policy.ssh has no effect: network "production" has no enabled router',
  ],
  [
    'a drop rule for what nothing allows',
    [OTHER],
    [OTHER, ssh({ action: 'drop' })],
    'policy.ssh has no effect: no rule allows what it drops',
  ],
  [
    'several rules with one reason, once',
    [DEFAULT],
    [DEFAULT, ssh(), policy('web', { ports: ['443'] })],
    'policy.ssh, policy.web have no effect: policy "Default", rule "Default" already allows it',
  ],
] as const)('%s', (_, before, after, reason) => {
  expect(textBetween(account(...before), account(...after))).toBe(`Access: unchanged\n  ${reason}`);
});

test('each change without effect that is counted has its sentence in text, Markdown, JSON and on the page', () => {
  const before = account(OTHER);
  const [resource] = PRODUCTION.resources;
  if (resource === undefined) throw new Error('a resource');
  const lab: Network = { id: 'lab', name: 'lab', resources: [], routers: [] };
  const after: Account = {
    ...account(
      OTHER,
      ssh(),
      policy('web', { ports: ['80'] }),
      policy('idle', { sources: [{ id: 'nobody' }] }),
    ),
    groups: [
      ...before.groups,
      { id: 'nobody', name: 'nobody', peers: [] },
      { id: 'unused', name: 'unused', peers: [{ id: 'mia' }] },
    ],
    posture_checks: [
      { id: 'c1', name: 'recent', checks: { nb_version_check: { min_version: '0.60.0' } } },
    ],
    networks: [
      {
        ...PRODUCTION,
        resources: [resource, { ...resource, id: 'r2', name: 'wiki', address: '10.20.0.6' }],
      },
      lab,
    ],
  };
  const { access, sentences, named, text, markdown } = formsBetween(before, after);
  const reasons = {
    'group.unused': 'no policy, network or route uses the group',
    'network.lab': 'the network has no resources',
    'network_resource.production/wiki': 'no policy leads to the network resource',
    'policy.web': 'policy "other", rule "other" already allows it',
    'posture_check.recent': 'no policy uses the posture check',
  };
  const expected = Object.entries(reasons).map(
    ([change, why]) => `${change} has no effect: ${why}`,
  );
  expect(text).toContain(`${expected.length} changes have no effect on access)`);
  expect([access.without_effect, named]).toEqual([expected.length, expected.length]);
  expect(sentences.map(one => one.replaceAll('&quot;', '"')).toSorted()).toEqual(expected);
  for (const one of expected) expect(text).toContain(one);
  for (const one of expected) expect(markdown.replaceAll('\\', '')).toContain(one);
});

test('changes that have no effect only together share their sentence in text and on the page', () => {
  const swapped = (one: string, other: string) =>
    account(
      policy('one', { ports: [one] }),
      policy('other', { ports: [other] }),
      policy('new', { sources: [{ id: 'servers' }], destinations: [{ id: 'dev' }] }),
    );
  const { text, sentences } = formsBetween(
    account(policy('one', { ports: ['22'] }), policy('other', { ports: ['443'] })),
    swapped('443', '22'),
  );
  const sentence = 'policy.one, policy.other have no effect: everybody reaches the same as before';
  expect(text).toContain(sentence);
  expect(sentences).toEqual([sentence]);
});

test('changes that access does not depend on are named last, and not at all if access is unchanged', () => {
  const before = account(OTHER);
  const groups = [...before.groups, { id: 'zoo', name: 'zoo', peers: [] }];
  const made = planBetween(before, { ...account(OTHER, ssh()), groups });
  const [first] = made?.plan.changes ?? [];
  if (made === undefined || first === undefined)
    throw new Error('a plan with changes was expected');
  const other = {
    ...first,
    kind: kindName('dns_settings'),
    key: 'dns' as Key,
    address: 'dns' as Address,
  };
  const changes = [other, ...made.plan.changes];
  const access = planAccess({ changes }, comparison(accountOf(made)));
  expect(access.without_effect).toBe(2);
  const texts = [
    'group.zoo has no effect: no policy, network or route uses the group',
    'dns has no effect: access does not depend on what changes there',
  ];
  expect(idleTexts(access, SHOWN.limit)).toEqual(texts);
  expect(idleTexts({ ...access, status: 'unchanged' }, SHOWN.limit)).toEqual(texts.slice(0, 1));
});

test('a shortened plan counts the changes that it does not name', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const more = names.map(name => ({ id: name, name, peers: [] }));
  const made = account(OTHER, ssh());
  const { access } = formsBetween(account(OTHER), { ...made, groups: [...made.groups, ...more] });
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  expect(idleTexts(access, { most: 20, onCut })).toEqual([
    'group.a, group.b, group.c, group.d, group.e … 2 more have no effect: no policy, network or route uses the group',
  ]);
  expect(isCut).toBe(true);
});

describe('a route that no machine reaches', () => {
  const route = (rest: Partial<Route> = {}): Route => ({
    id: 'w1',
    network_id: 'lab',
    enabled: true,
    domains: ['*.lab.example.com'],
    peer: 'db',
    groups: ['dev'],
    access_control_groups: [],
    ...rest,
  });
  const withRoutes = (policies: readonly Policy[], ...routes: readonly Route[]): Account => ({
    ...account(...policies),
    routes,
  });
  const NAME = 'route["lab *.lab.example.com peer=db"]';

  test.each<[string, readonly Policy[], Partial<Route>, string]>([
    [
      'because no policy connects its machines with the routing peer',
      [],
      {},
      'no policy connects the source with the routing peer of route "lab"',
    ],
    [
      'because no policy has its access-control groups as destinations',
      [OTHER],
      { access_control_groups: ['databases'] },
      'no policy has the source and an access-control group of route "lab" on its sides',
    ],
    ['because it is disabled', [OTHER], { enabled: false }, 'it is disabled'],
  ])('%s', (_, policies, rest, reason) => {
    const text = textBetween(withRoutes(policies), withRoutes(policies, route(rest)));
    expect(text.replaceAll(/\s+/g, ' ')).toBe(`Access: unchanged ${NAME} has no effect: ${reason}`);
  });

  test('a route that a machine reaches as before has an effect', () => {
    const [before, after] = [100, 200].map(metric =>
      withRoutes([OTHER], { ...route(), metric } as Route),
    );
    if (!before || !after) throw new Error('two accounts');
    expect(textBetween(before, after)).toBe('Access: unchanged');
  });
});

test('Default is named once, in a new account, as the reason for every policy that it covers', () => {
  const fresh = (...policies: readonly Policy[]): Account => {
    const { groups, ...rest } = account(...policies);
    return { ...rest, peers: [], networks: [], groups: groups.map(one => ({ ...one, peers: [] })) };
  };
  const [all] = fresh().groups;
  const before = { ...fresh(DEFAULT), groups: all ? [all] : [] };
  expect(textBetween(before, fresh(DEFAULT, ssh(), policy('web', { ports: ['443'] })))).toBe(
    'Access: new account, 1 flow\n  policy.ssh, policy.web have no effect: policy "Default", rule "Default" already allows it',
  );
});

describe('a rule that other rules allow in part', () => {
  const of = (name: string, rule: Partial<Rule>) => policy(name, rule);
  const withAdmins = (...policies: readonly Policy[]): Account => {
    const { groups, ...rest } = account(...policies);
    const peers = [...PEERS, { ...PEERS[0], id: 'zoe', name: 'zoe' } as (typeof PEERS)[number]];
    const members = ['mia', 'zoe'].map(id => ({ id }));
    const more = [
      { id: 'staff', name: 'staff', peers: members },
      { id: 'late', name: 'late', peers: members.slice(1) },
    ];
    return { ...rest, peers, groups: [...groups, ...more] };
  };
  const staff = { sources: [{ id: 'staff' }] };
  const late = of('a late', { sources: [{ id: 'late' }] });
  const whole = of('b staff', staff);
  const again = of('c again', staff);
  const reason = (before: readonly Policy[], changed: Policy) =>
    textBetween(withAdmins(...before), withAdmins(...before, changed)).replaceAll(/\s+/g, ' ');

  test('is not said to be allowed by a rule about one of its members', () => {
    expect(reason([late, whole], again)).toContain(
      'has no effect: policy "b staff", rule "b staff" already allows it',
    );
  });

  test('names the rules that allow it together', () => {
    expect(
      reason([late, of('d dev', {})], of('c both', { sources: [{ id: 'late' }, { id: 'dev' }] })),
    ).toContain(
      'has no effect: policy "a late", rule "a late" and policy "d dev", rule "d dev" together already allow it',
    );
  });

  test('names the rule of the port that is new', () => {
    const web = of('web', { ...staff, ports: ['443'] });
    const before = [late, web, again];
    const after = [late, web, of('c again', { ...staff, ports: ['22', '443'] })];
    expect(textBetween(withAdmins(...before), withAdmins(...after))).toContain(
      'has no effect: policy "web", rule "web" also allows it',
    );
  });
});

test('a deletion without effect names the policy that still grants the access', () => {
  const replaced = { ...ssh(), id: 'ssh2', name: 'secure shell' };
  expect(textBetween(account(OTHER, ssh()), account(OTHER, replaced))).toBe(
    'Access: unchanged\n  policy.ssh has no effect: policy "secure shell", rule "ssh" still allows it',
  );
});

test('a change without effect has its reason beside changes with effect', () => {
  const text = textBetween(account(OTHER), account(OTHER, ssh(), policy('web', { ports: ['80'] })));
  expect(text).toContain('Access: +1 −0 ~0');
  expect(text).toContain(
    '\n  policy.web has no effect: policy "other", rule "other" already allows it',
  );
});

describe('a rule whose posture check the machine fails', () => {
  const check = { id: 'c1', name: 'new', checks: { nb_version_check: { min_version: '0.60.0' } } };
  const withCheck = (...policies: readonly Policy[]): Account => ({
    ...account(...policies),
    peers: PEERS.map(peer => ({ ...peer, version: '0.50.0' })),
    posture_checks: [check],
  });
  const checked = policy('checked', {}, { source_posture_checks: ['c1'] });

  test('is not named as the rule that still grants access', () => {
    const text = textBetween(
      withCheck(checked, OTHER, ssh(), DEFAULT),
      withCheck(checked, OTHER, DEFAULT),
    );
    expect(text).toBe(
      'Access: unchanged\n  policy.ssh has no effect: policy "Default", rule "Default" still allows it',
    );
  });

  test('is not named among the rules that grant access', () => {
    const answer = answerQuestion(stateOf(withCheck(checked, DEFAULT)), {
      from: checkedSelector('peer/mia'),
      to: checkedSelector('peer/db:tcp/22'),
      why: false,
    });
    const flows = 'flows' in answer ? answer.flows : [];
    expect(flows.map(({ via }) => via.map(one => one.policy))).toEqual([['Default', 'Default']]);
    const picture = pictureOf(stateOf(withCheck(checked, DEFAULT)), {});
    const verdicts = 'matrix' in picture ? picture.matrix.verdicts : [];
    const certain = verdicts.flatMap(one => (one.status === 'reaches' ? [one.via] : []));
    expect(certain.length).toBeGreaterThan(0);
    expect(certain.flat().map(({ policy: name }) => name)).not.toContain('checked');
  });
});

/** Seconds of processor time for the access of a new policy with so many rules that Default covers. */
function secondsFor(count: number): number {
  const [rule] = ssh().rules;
  const rules = Array.from({ length: count }, (_, i) => ({
    ...rule,
    id: `rule ${i}`,
    name: `rule ${i}`,
    ports: [String(i + 1)],
  })) as Policy['rules'];
  const made = planBetween(account(DEFAULT), account(DEFAULT, ssh({}, { rules })));
  if (made === undefined) throw new Error('a plan was expected');
  const before = process.cpuUsage();
  const access = planAccess(made.plan, comparison(accountOf(made)));
  const { user } = process.cpuUsage(before);
  expect(accessPart({ ...made.plan, access }, SHOWN)).toContain('already allows it');
  return user / 1e6;
}

// With each rule looked at, it took ten seconds.
test('a policy of 4,000 rules without effect gives the reason from the first rule that has one', () => {
  expect(secondsFor(4_000)).toBeLessThan(4);
});
