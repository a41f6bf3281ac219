// Duplicate rules: the later one is proposed, and nobody gains or loses anything.
import { describe, expect, test } from 'vitest';
import type { Policy, Rule } from '../../../src/access/state/accessState.ts';
import { withEdits } from '../../../src/export/narrowedFiles.ts';
import type { Json } from '../../../src/model/value.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { accountOf, observedIn } from './observedUse.ts';
import { proposed, tighten } from './tightenedFiles.ts';

const GROUPS = 'groups: [{ name: a, peers: [m] }, { name: b, peers: [n] }]';
const rule = (name: string, more = '') =>
  `{ name: ${name}, protocol: tcp, ports: ["22"], sources: [a], destinations: [b]${more} }`;
const policies = (...rules: readonly (readonly string[])[]) =>
  `${GROUPS}\npolicies:\n${rules.map((own, i) => `  - { name: p${i}, rules: [${own.join(', ')}] }`).join('\n')}\n`;
const found = (text: string) => tighten({ 'network.yaml': text });

describe('of two rules with the same effect', () => {
  test('the later is proposed, and its policy is deleted with its last rule', () => {
    const result = found(policies([rule('x')], [rule('y')]));
    expect(proposed(result)).toEqual(['p1/y: remove rule: certain']);
    expect(result.after['network.yaml']).toBe(policies([rule('x')]));
    expect(found(result.after['network.yaml'] ?? '').objects).toEqual([]);
  });

  test('one of several rules is removed alone', () => {
    const other = rule('z').replace('"22"', '"23"');
    const { after } = found(policies([rule('x')], [rule('y'), other]));
    expect(after['network.yaml']).toBe(policies([rule('x')], [other]));
  });

  test('none is proposed because a wider rule covers it', () => {
    const all = rule('all').replace('tcp, ports: ["22"]', 'all');
    expect(proposed(found(policies([all], [rule('x')])))).toEqual([]);
  });

  test('the later of two that a wider rule covers is still proposed', () => {
    const all = rule('all').replace('tcp, ports: ["22"]', 'all');
    expect(proposed(found(policies([all], [rule('x')], [rule('y')])))).toEqual([
      'p2/y: remove rule: certain',
    ]);
  });

  test('a drop rule is not proposed', () => {
    const drop = ', action: drop';
    expect(proposed(found(policies([rule('x', drop)], [rule('y', drop)])))).toEqual([]);
  });

  test('the later rules of three equal rules are proposed once each', () => {
    const { after, objects } = found(policies([rule('x')], [rule('y')], [rule('z')]));
    expect(proposed({ objects })).toHaveLength(2);
    expect(after['network.yaml']).toBe(policies([rule('x')]));
  });
});

describe('a rule that expires', () => {
  const ending = (first: string, own = rule('x')) => `${GROUPS}
policies:
  - { name: first,${first} rules: [${own}] }
  - { name: later, rules: [${rule('y')}] }
`;
  const until = ' lifecycle: { until: 2036-01-01 },';

  test.each([
    ['a policy', ending(until)],
    [
      'a source',
      ending('', rule('x').replace('sources: [a]', 'sources: [{ name: a, until: 2036-01-01 }]')),
    ],
    [
      'a destination',
      ending(
        '',
        rule('x').replace('destinations: [b]', 'destinations: [{ name: b, until: 2036-01-01 }]'),
      ),
    ],
  ])('an expiry of %s does not make a lasting rule redundant', (_, text) => {
    expect(proposed(found(text))).toEqual([]);
  });

  test('makes a rule redundant that does not expire later', () => {
    const text = ending(until).replace(
      'name: later,',
      'name: later, lifecycle: { until: 2035-01-01 },',
    );
    expect(proposed(found(text))).toEqual(['later/y: remove rule: certain']);
    const longer = text.replace('2035', '2037');
    expect(proposed(found(longer))).toEqual([]);
  });

  test('the expiry of the group of both rules does not matter: both expire with the group', () => {
    const text = ending('').replace(
      '{ name: a, peers: [m] }',
      '{ name: a, peers: [{ name: m, until: 2036-01-01 }] }',
    );
    expect(proposed(found(text))).toEqual(['later/y: remove rule: certain']);
  });
});

describe('exceptions', () => {
  const kept = (lifecycle: string) =>
    tighten({
      'network.yaml': policies([rule('x')]).concat(
        `  - { name: later, lifecycle: ${lifecycle}, rules: [${rule('y')}] }\n`,
      ),
    }).kept.map(({ by, reason }) => [by, reason]);

  test('a reason silences the findings of an object, and is listed', () => {
    expect(kept('{ keep_access: audited every year }')).toEqual([
      ['lifecycle', 'audited every year'],
    ]);
  });

  test('break-glass objects are never proposed', () => {
    expect(kept('{ break_glass: true }')).toEqual([['break-glass', 'break-glass object']]);
  });

  test('a break-glass object makes no other rule redundant: the first other rule with the same effect does', () => {
    const first = (lifecycle: string, ...more: readonly string[]) => `${GROUPS}
policies:
  - { name: first, lifecycle: { ${lifecycle} }, rules: [${rule('x')}] }
${['later', ...more].map(name => `  - { name: ${name}, rules: [${rule('y')}] }\n`).join('')}`;
    expect(proposed(found(first('protect: true')))).toEqual(['later/y: remove rule: certain']);
    expect(proposed(found(first('break_glass: true')))).toEqual([]);
    expect(proposed(found(first('break_glass: true', 'last')))).toEqual([
      'last/y: remove rule: certain',
    ]);
  });

  test('protected objects are never proposed', () => {
    expect(kept('{ protect: true }')).toEqual([['protect', 'protected']]);
    const texts = { 'network.yaml': policies([rule('x')], [rule('y')]) };
    const listed = tighten(texts, { protect: ['policy/p1'] });
    expect([listed.objects, listed.kept.map(({ by }) => by)]).toEqual([[], ['protect']]);
  });

  test('a rule whose twin has a variable is not certain', () => {
    const texts = { 'network.yaml': policies([rule('x')], [rule('y')]) };
    const one = tighten(texts, { withVariables: new Set(['policy p0']) });
    expect(proposed(one)).toEqual(['p1/y: remove rule: unknown']);
  });
});

describe('if `lifecycle.ignore` leaves a field of the earlier rule to the account', () => {
  const MACHINES = 'peers: [{ name: m }, { name: n }]\n';
  const textWith = (field: string, more = '') =>
    `${MACHINES}${GROUPS}
policies:
  - { name: first, lifecycle: { ignore: [${field}] }, rules: [${rule('x', more)}] }
  - { name: later, rules: [${rule('y')}] }
`;
  // What is proposed if the account has this policy in the place of the first.
  const seen = (field: string, live: (policy: Policy) => Policy, text = textWith(field)) => {
    const account = accountOf(text);
    const policies = account.policies.map(one => (one.key === 'first' ? live(one) : one));
    const checks = [{ key: 'strict', checks: { nb_version_check: { min_version: '0.90.0' } } }];
    const observed = observedIn({ ...account, policies, checks }, { flows: ['m > n tcp/22'] });
    return proposed(tighten({ 'network.yaml': text }, { observed }));
  };
  const changed = (change: Partial<Rule>) => (policy: Policy) => ({
    ...policy,
    rules: policy.rules.map(one => ({ ...one, ...change })),
  });

  test.each(['enabled', 'rules', 'source_posture_checks'])(
    '`%s`, the later is unknown without the account',
    field => {
      const { objects } = found(textWith(field));
      expect(proposed({ objects })).toEqual(['later/y: remove rule: unknown']);
      expect(objects[0]?.findings[0]?.reason).toContain(field);
    },
  );

  test('the later rule is certain if the field decides nothing about access', () => {
    expect(proposed(found(textWith('description')))).toEqual(['later/y: remove rule: certain']);
  });

  test.each<[string, (policy: Policy) => Policy]>([
    ['enabled', policy => ({ ...policy, isEnabled: false })],
    ['rules', changed({ ports: ['443'] })],
    ['source_posture_checks', policy => ({ ...policy, checks: ['strict'] })],
  ])('`%s`, the later stays if it alone gives the access in the account', (field, live) => {
    expect(seen(field, live).filter(line => line.startsWith('later'))).toEqual([]);
  });

  test('the later is certain if the account has the same value', () => {
    expect(seen('enabled', policy => policy)).toContain('later/y: remove rule: certain');
  });

  test('nothing in that field is proposed: an apply would not bring it into the account', () => {
    const text = textWith('rules')
      .replace('"22"', '"22", "80"')
      .replace(/ {2}- . name: later.*\n/, '');
    expect(seen('rules', policy => policy, text)).toEqual([]);
    const account = changed({ ports: ['22', '80', '443'] });
    expect(seen('rules', account, text)).toEqual([]);
  });
});

describe('edits', () => {
  const templated = (own: string) => `${GROUPS}
templates:
  - { name: t, rules: [${rule('x')}, ${rule('y')}] }
policies:
  - { name: p, extends: t }${own}
`;

  test('edits of a rule from a template are listed with their place', () => {
    const { after, unwritten } = found(templated(''));
    expect(after['network.yaml']).toBe(templated(''));
    expect(unwritten.map(({ because, at }) => [because, at.line])).toEqual([
      ['it comes from a template', 3],
    ]);
  });

  test.each([
    ['as a merge', 'rules: [{ <<: *x, name: z, ports: ["80"] }]'],
    [
      'in a list',
      'rules: [{ name: z, protocol: udp, ports: *ports, sources: [a], destinations: [b] }]',
    ],
  ])(
    'edits of objects that are used elsewhere %s are listed with their place, and the others are written',
    (_, own) => {
      const anchored = rule('y').replace('{', '&x {').replace('ports: [', 'ports: &ports [');
      const text = policies([rule('x')], [anchored], [], [rule('w')]).replace('rules: []', own);
      const { after, unwritten } = found(text);
      expect(after['network.yaml']).toBe(text.replace(/ {2}- . name: p3.*\n/, ''));
      expect(unwritten.map(({ because, at }) => [because, at.line])).toEqual([
        ['it is anchored, and used elsewhere', 4],
      ]);
    },
  );

  test('edits that fail are listed, and prevent no other edit', () => {
    const text = policies([rule('x')], [rule('y')], [rule('z')]);
    const desired = desiredOf(text);
    const [, one, other] = desired.filter(({ kind }) => kind === 'policy');
    if (!one || !other) throw new Error('there are three policies');
    const fields = {
      get ports(): Json {
        throw new Error('no such node');
      },
    };
    const failing = { object: other, path: ['rules', '0'], fields };
    const edits = [failing, { object: one, path: [] }];
    const files = [{ file: 'network.yaml', text }];
    const written = withEdits(edits, { files, desired, kinds: KINDS });
    expect(written.files).toEqual([
      { file: 'network.yaml', text: text.replace(/ +- . name: p1.*\n/, '') },
    ]);
    expect(written.unwritten.map(({ edit, because }) => [edit, because])).toEqual([
      [failing, 'the file cannot be edited there: no such node'],
    ]);
  });

  test('remove an object whose rules come from a template', () => {
    const { after } = found(templated('\n  - { name: q, extends: t }'));
    expect(after['network.yaml']).toBe(templated(''));
  });
});
