// What posture checks do to the lines of an access diff: whoever fails a check gains by its removal and loses by its addition, and
// ports that a machine could not reach are never said to be lost.
import { expect, test } from 'vitest';
import { evaluatedPlan } from '../../../src/access/gates/evaluation.ts';
import { newAccessFindings } from '../../../src/access/gates/newAccess.ts';
import { newAccessIn } from '../../../src/model/access/accessFindings.ts';
import { accessPart } from '../../../src/report/access/planAccessText.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { KINDS } from '../../support/files.ts';
import type { Account, Checks, Policy } from '../slow/account.ts';
import { accountOf, planBetween } from './wayOf.ts';

const peer = (id: string, version?: string) => ({
  id,
  name: id,
  ip: '100.64.0.1',
  approval_required: false,
  login_expired: false,
  ...(version !== undefined && { version }),
});

const PEERS = [peer('new', '0.70.0'), peer('old', '0.40.0'), peer('db', '0.70.0')];

const ssh = (ports: readonly string[], ...checks: readonly string[]): Policy => ({
  id: `ssh ${ports}`,
  name: `ssh ${ports}`,
  enabled: true,
  source_posture_checks: checks,
  rules: [
    {
      id: 'ssh rule',
      name: 'ssh',
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports,
      sources: [{ id: 'dev' }],
      destinationResource: { id: 'db', type: 'peer' },
    },
  ],
});

const CHECKS: Readonly<Record<string, Checks>> = {
  recent: { nb_version_check: { min_version: '0.60.0' } },
  newest: { nb_version_check: { min_version: '9.0.0' } },
};

const account = (members: readonly string[], ...policies: readonly Policy[]): Account => ({
  peers: PEERS,
  groups: [
    { id: 'gAll', name: 'All', peers: PEERS.map(({ id }) => ({ id })) },
    { id: 'dev', name: 'dev', peers: members.map(id => ({ id })) },
  ],
  policies,
  posture_checks: Object.entries(CHECKS).map(([id, checks]) => ({ id, name: id, checks })),
  routes: [],
  networks: [],
});

const SHOWN = { kinds: KINDS, style: PLAIN, limit: { most: Number.POSITIVE_INFINITY } };

function linesBetween(before: Account, after: Account) {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const evaluation = evaluatedPlan(accountOf(made), undefined);
  const { access } = evaluation;
  const [headline = '', ...lines] = accessPart({ ...made.plan, access }, SHOWN)
    .split('\n')
    .map(line => line.trim());
  return {
    access,
    counts: headline.replace(/ \(.*/, ''),
    lines: lines.filter(line => !/^(because of|policy) | has no effect: /.test(line)),
    refused: newAccessIn(newAccessFindings(evaluation)),
  };
}

test('the checks of a bidirectional rule apply to the destination in the reverse direction', () => {
  const both = (...checks: readonly string[]): Policy => {
    const { rules, ...policy } = ssh(['22'], ...checks);
    return { ...policy, rules: rules.map(rule => ({ ...rule, bidirectional: true })) };
  };
  const { access } = linesBetween(account(['old'], both('recent')), account(['old'], both()));
  expect(
    access.changes.map(one => [`${one.from} → ${one.to}`, one.posture, one.posture_before?.fail]),
  ).toEqual([
    ['group/dev → peer/db', undefined, ['peer/old']],
    ['peer/db → group/dev', undefined, ['peer/old']],
  ]);
});

test('removing a check is a gain for machines that fail it, or may fail it', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['old'], ssh(['22'], 'recent')),
    account(['old'], ssh(['22'])),
  );
  expect(counts).toBe('Access: +1 −0 ~0');
  expect(lines).toEqual([
    '+ group/dev (1 and future members) → peer/db  tcp/22',
    'until now only with "recent": 1 fail (old), 1 unknown (group/dev)',
  ]);
  expect(access.changes[0]).toMatchObject({ ports_before: [], ports_after: ['22'] });
  expect(access.pairs).toEqual({ gained: 1, lost: 0 });
  expect(refused).toEqual(['group/dev → peer/db  tcp/22']);
});

test('adding a check is a loss for machines that fail it, or may fail it, and for no others', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['new', 'old'], ssh(['22'])),
    account(['new', 'old'], ssh(['22'], 'recent')),
  );
  expect(counts).toBe('Access: +0 −1 ~1');
  expect(lines).toEqual([
    '− peer/old (1 and future members) → peer/db  tcp/22',
    'from now on only with "recent": 1 fail (old), 1 unknown (group/dev)',
    '~ peer/new (1) → peer/db  tcp/22',
    'only with "recent": 1 pass',
  ]);
  expect(access.pairs).toEqual({ gained: 0, lost: 1 });
  expect(refused).toEqual([]);
});

test('a machine that fails a new check loses its port, although it would get a different port by passing the check', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['old'], ssh(['22'])),
    account(['old'], ssh(['22', '80'], 'recent')),
  );
  expect(counts).toBe('Access: +0 −1 ~0');
  expect(lines).toEqual([
    '− group/dev (1 and future members) → peer/db  tcp/22 (new if posture checks pass: 80)',
    'from now on only with "recent": 1 fail (old), 1 unknown (group/dev)',
  ]);
  expect(access.changes[0]).toMatchObject({
    ports_before: ['22'],
    ports_after: [],
    ports_if_passed: ['80'],
    gains: true,
  });
  // A threshold counts what passing the check would give, and so does a run with --no-new-access.
  expect(access.pairs).toEqual({ gained: 1, lost: 1 });
  expect(refused).toEqual(['group/dev → peer/db  tcp/80']);
});

test('machines that pass the check of a removed port lose it, and machines that fail the check never had it', () => {
  const { counts, lines, access } = linesBetween(
    account(['new', 'old'], ssh(['22', '2222'], 'recent')),
    account(['new', 'old'], ssh(['22'], 'recent')),
  );
  expect(counts).toBe('Access: +0 −1 ~1');
  expect(lines).toEqual([
    '− peer/new (1 and future members) → peer/db  tcp/22 (was 22, 2222)',
    'only with "recent": 1 pass, 1 unknown (group/dev)',
    '~ peer/old (1) → peer/db  if posture checks pass: tcp/22 (before: 22, 2222)',
    'only with "recent": 1 fail (old)',
  ]);
  expect(access.changes[1]).toMatchObject({ machines: ['old'], only_if_passed: true });
  expect(access.pairs).toEqual({ gained: 0, lost: 1 });
});

test('a port that is added behind a check shows only this port to a machine that fails the check', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['new', 'old'], ssh(['22'], 'recent')),
    account(['new', 'old'], ssh(['22', '80'], 'recent')),
  );
  expect(counts).toBe('Access: +2 −0 ~0');
  expect(lines).toEqual([
    '+ peer/new (1 and future members) → peer/db  tcp/22, 80 (was 22)',
    'only with "recent": 1 pass, 1 unknown (group/dev)',
    '+ peer/old (1) → peer/db  tcp/80',
    'only with "recent": 1 fail (old)',
  ]);
  expect(access.pairs).toEqual({ gained: 2, lost: 0 });
  expect(refused).toEqual(['peer/new → peer/db  tcp/80', 'peer/old → peer/db  tcp/80']);
});

test('removing a rule with a check is a loss for machines that pass the check', () => {
  const { counts, lines } = linesBetween(
    account(['new', 'old'], ssh(['22'], 'recent'), ssh(['80'])),
    account(['new', 'old'], ssh(['80'])),
  );
  expect(counts).toBe('Access: +0 −1 ~1');
  expect(lines).toEqual([
    '− peer/new (1 and future members) → peer/db  tcp/80 (was 22, 80)',
    'only with "recent": 1 pass, 1 unknown (group/dev)',
    '~ peer/old (1) → peer/db  if posture checks pass: tcp/80 (before: 22, 80)',
    'until now only with "recent": 1 fail (old)',
  ]);
});

test('adding a rule with a check is one gain, including the machines that fail the check', () => {
  const { counts, lines, access } = linesBetween(
    account(['new', 'old']),
    account(['new', 'old'], ssh(['22'], 'recent')),
  );
  expect(counts).toBe('Access: +1 −0 ~0');
  expect(lines).toEqual([
    '+ group/dev (2 and future members) → peer/db  tcp/22',
    'only with "recent": 1 pass, 1 fail (old), 1 unknown (group/dev)',
  ]);
  // The line has both machines, and so has the number that thresholds limit.
  expect(access.pairs).toEqual({ gained: 2, lost: 0 });
});

test('a stricter check is a loss for machines that no longer pass it', () => {
  const { counts, lines } = linesBetween(
    account(['new', 'old'], ssh(['22'], 'recent')),
    account(['new', 'old'], ssh(['22'], 'newest')),
  );
  expect(counts).toBe('Access: +0 −1 ~0');
  expect(lines).toEqual([
    '− peer/new (1 and future members) → peer/db  tcp/22',
    'only with "recent": 1 pass, 1 unknown (group/dev)',
    'from now on only with "newest": 1 fail (new), 1 unknown (group/dev)',
  ]);
});

test('a machine that loses a port and gets a different port behind a check that it fails has lost the port', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['old'], ssh(['22'])),
    account(['old'], ssh(['80'], 'recent')),
  );
  expect(counts).toBe('Access: +0 −1 ~0');
  expect(lines).toEqual([
    '− group/dev (1 and future members) → peer/db  tcp/22 (new if posture checks pass: 80)',
  ]);
  expect(access.pairs).toEqual({ gained: 1, lost: 1 });
  expect(refused).toEqual(['group/dev → peer/db  tcp/80']);
});

test('a machine that passes the check of a rule and loses a port has a loss, also if it keeps a different port without the check', () => {
  const { counts, lines, access, refused } = linesBetween(
    account(['new'], ssh(['22', '80'], 'recent')),
    account(['new'], ssh(['22'])),
  );
  expect(counts).toBe('Access: +0 −1 ~0');
  expect(lines).toEqual([
    '− group/dev (1 and future members) → peer/db  tcp/22 (was 22, 80)',
    'only with "recent": 1 pass, 1 unknown (group/dev)',
  ]);
  expect(access.changes).toMatchObject([{ gains: true }]);
  expect(refused).toEqual(['group/dev → peer/db  tcp under other conditions']);
});

test('a line that is neither a gain nor a loss says whether it gives access, and a run with --no-new-access refuses it', () => {
  const added = linesBetween(
    account(['new'], ssh(['22'])),
    account(['new'], ssh(['22'], 'recent')),
  );
  expect(added.access.changes.filter(({ change }) => change === 'changed')).toMatchObject([
    { machines: ['new'], loses: true },
  ]);
  expect(added.access.changes.some(one => one.gains)).toBe(false);
  expect(added.refused).toEqual([]);
  const removed = linesBetween(
    account(['new'], ssh(['22'], 'recent')),
    account(['new'], ssh(['22'])),
  );
  expect(removed.access.changes.filter(({ change }) => change === 'changed')).toMatchObject([
    { machines: ['new'], gains: true },
  ]);
  expect(removed.refused).toHaveLength(2);
});

// What a `~` line gives and takes counts on both sides. Of a check that is added, only the machine that fails it loses.
test.each([
  ['another number', ['new'], ssh(['22']), ssh(['80']), { gained: 1, lost: 1 }],
  ['fewer conditions', ['new'], ssh(['22'], 'recent'), ssh(['22']), { gained: 1, lost: 0 }],
  ['more conditions', ['new', 'old'], ssh(['22']), ssh(['22'], 'recent'), { gained: 0, lost: 1 }],
] as const)(
  'a machine that has a port under %s counts for the thresholds as its line says',
  (...given) => {
    const [, members, was, is, pairs] = given;
    const { access } = linesBetween(account(members, was), account(members, is));
    const own = access.changes.filter(({ machines }) => machines.includes('new'));
    expect(own.map(({ change }) => change)).toEqual(['changed']);
    expect(access.pairs).toEqual(pairs);
  },
);

test.each([
  [
    'the port and another one behind a check',
    ['22'],
    ['22', '80'],
    'tcp/22 (new if posture checks pass: 80)',
  ],
  ['another port behind a check', ['22'], ['80'], 'tcp/22 (new if posture checks pass: 80)'],
  ['the port behind a check', ['22'], ['22'], 'tcp/22'],
] as const)('a group without machines loses its port if it gets %s', (_, was, is, ports) => {
  const { counts, lines, access } = linesBetween(
    account([], ssh(was)),
    account([], ssh(is, 'recent')),
  );
  expect([counts, access.pairs.lost]).toEqual(['Access: +0 −1 ~0', 1]);
  expect(lines[0]).toBe(`− group/dev (future members) → peer/db  ${ports}`);
});
