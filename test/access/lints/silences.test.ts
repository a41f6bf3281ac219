// Lints silenced in place: by object or by rule, with a reason, and only where there is something to silence.
import { expect, test } from 'vitest';
import { lint, lintTexts } from './linted.ts';

const policy = (lifecycle: string) => `policies:
  - name: p
${lifecycle}    rules:
      - { name: a, sources: [All], destinations: [All], protocol: netbird-ssh }
      - { name: b, sources: [All], destinations: [All], protocol: netbird-ssh, authorized_groups: { All: [root] } }
`;
const ignoring = (entry: string) => policy(`    lifecycle: { lint_ignore: { ${entry} } }\n`);

test.each(['netbird', 'spec'] as const)(
  'silencing a lint on an object covers all its rules (%s)',
  dialect => {
    expect(lint(policy(''), dialect).findings.map(({ code }) => code)).toEqual([
      'SSH_ALL_TCP',
      'SSH_ALL_TCP',
    ]);
    const { findings, silenced } = lint(ignoring('SSH_ALL_TCP: a lab'), dialect);
    expect(findings).toEqual([]);
    expect(silenced.map(({ reason, reasonAt }) => [reason, reasonAt.line])).toEqual([
      ['a lab', 3],
      ['a lab', 3],
    ]);
  },
);

test.each(['netbird', 'spec'] as const)(
  'silencing a lint on a rule covers that rule only (%s)',
  dialect => {
    const { findings, silenced } = lint(ignoring('SSH_ALL_TCP: { a: a lab }'), dialect);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('rule `b` of policy `p`'),
    ]);
    expect(silenced.map(({ finding }) => finding.message)).toEqual([
      expect.stringContaining('rule `a` of policy `p`'),
    ]);
  },
);

test('an unused silence is reported: on an object, on a rule and on a deleted object', () => {
  const texts = {
    'a.yaml': ignoring('SSH_ALL_TCP: a lab, UNROUTED: no reason'),
    'b.yaml':
      'groups: [{ name: g, lifecycle: { delete: true, lint_ignore: { GROUP_UNUSED: x } } }]\n',
    'c.yaml': `policies:
  - name: q
    lifecycle: { lint_ignore: { SSH_ALL_TCP: { gone: why } } }
    rules: [{ name: r, sources: [All], destinations: [All], protocol: icmp }]
`,
  };
  const { findings } = lintTexts(texts);
  expect(
    findings.map(({ code, message, at }) => [code, message, `${at?.file}:${at?.line}`]),
  ).toEqual([
    [
      'LINT_IGNORE_UNUSED',
      'UNROUTED has no finding in policy.p, but it is silenced there',
      'a.yaml:3',
    ],
    [
      'LINT_IGNORE_UNUSED',
      'GROUP_UNUSED has no finding in group.g, but it is silenced there',
      'b.yaml:1',
    ],
    [
      'LINT_IGNORE_UNUSED',
      'SSH_ALL_TCP has no finding in rule `gone` of policy.q, but it is silenced there',
      'c.yaml:3',
    ],
  ]);
});

test('findings do not depend on the order of files', () => {
  const texts = {
    'a.yaml': policy(''),
    'b.yaml': policy('').replace('name: p', 'name: q'),
    'c.yaml': 'groups: [{ name: ops }, { name: OPS }]\n',
  };
  const turned = Object.fromEntries(Object.entries(texts).reverse());
  expect(lintTexts(turned)).toEqual(lintTexts(texts));
  expect(lintTexts(texts).findings.length).toBeGreaterThan(5);
});
