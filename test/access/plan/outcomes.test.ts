// Access that depends on one posture check before a plan and on another one after it: what a machine of which nothing is known passes
// of the one says nothing about the other.
import { describe, expect, test } from 'vitest';
import { evaluatedPlan } from '../../../src/access/gates/evaluation.ts';
import { newAccessFindings } from '../../../src/access/gates/newAccess.ts';
import { comparedAccessIn } from '../../../src/access/plan/planAccess.ts';
import { planned } from '../../../src/engine/plan/plan.ts';
import { newAccessIn } from '../../../src/model/access/accessFindings.ts';
import { givesAccess } from '../../../src/model/access/planAccess.ts';
import { live } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import type { Account, Checks, Peer, Policy, Rule } from '../slow/account.ts';
import { fileOf, readsOf } from './planInputs.ts';

const peer = (id: string, more: Partial<Peer> = {}): Peer => ({
  id,
  name: id,
  approval_required: false,
  login_expired: false,
  version: '0.55.0',
  ...more,
});

const rule = (more: Partial<Rule> = {}): Rule => ({
  id: 'rule',
  name: 'rule',
  enabled: true,
  action: 'accept',
  protocol: 'tcp',
  bidirectional: false,
  ports: ['22'],
  sources: [{ id: 'dev' }],
  destinations: [{ id: 'db' }],
  ...more,
});

const policy = (id: string, checks: readonly string[], ...rules: readonly Rule[]): Policy => ({
  id,
  name: id,
  enabled: true,
  source_posture_checks: checks,
  rules,
});

const agent = (version: string): Checks => ({ nb_version_check: { min_version: version } });
const running = (path: string): Checks => ({
  process_check: { processes: [{ linux_path: path }] },
});

const account = (
  checks: Readonly<Record<string, Checks>>,
  policies: readonly Policy[],
  peers: readonly Peer[] = [peer('server')],
): Account => ({
  peers,
  groups: [
    { id: 'gAll', name: 'All', peers: peers.map(({ id }) => ({ id })) },
    { id: 'dev', name: 'dev', peers: peers.filter(({ id }) => id === 'waiting') },
    { id: 'db', name: 'db', peers: [{ id: 'server' }] },
  ],
  policies,
  posture_checks: Object.entries(checks).map(([id, one]) => ({ id, name: id, checks: one })),
  routes: [],
  networks: [],
});

function changesBetween(
  before: Account,
  after: Account,
  approved?: Readonly<Record<string, boolean>>,
) {
  const files = JSON.parse(fileOf(after));
  const peers = Object.entries(approved ?? {}).map(([name, is]) => ({
    name,
    approval_required: !is,
  }));
  const objects = live(readsOf(before));
  const { plan } = planned({
    kinds: KINDS,
    desired: desiredOf(JSON.stringify(approved ? { ...files, peers } : files)),
    base: [],
    snapshot: { objects, unavailable: new Map(), requests: 0 },
    settings: { dialect: 'spec', prune: 'unmanaged', allow: [], thresholds: {} },
    folder: 'test',
  });
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const account = { kinds: KINDS, live: objects, unavailable: new Map(), plan };
  const evaluation = evaluatedPlan(account, { guarded: [], noNewAccess: true });
  const { changes, pairs, gains } = evaluation.access;
  const compared = comparedAccessIn(plan, evaluation.states);
  const involved = evaluation.states
    .changes()
    .changes.map(({ sources, targets }) =>
      (compared?.involved ?? []).flatMap(parts => [...parts(sources, targets)]),
    );
  return {
    involved: involved.map(addresses => [...new Set(addresses)].sort()),
    lines: changes.map(({ change, from, to, causes }) => `${change} ${from} → ${to} (${causes})`),
    giving: changes.filter(givesAccess).map(({ from }) => from),
    pairs,
    gains: gains.map(({ from, to, condition }) => `${from} → ${to} ${condition}`),
    refused: newAccessIn(newAccessFindings(evaluation)),
  };
}

describe('without machines whose posture is known', () => {
  const behind = (checks: Readonly<Record<string, Checks>>, ...names: readonly string[]) =>
    account(checks, [policy('ssh', names, rule())]);

  test('a loosened check is a gain of access', () => {
    const made = changesBetween(
      behind({ agent: agent('0.60.0') }, 'agent'),
      behind({ agent: agent('0.50.0') }, 'agent'),
    );
    expect(made.lines).toEqual(['gained group/dev → group/db (posture_check.agent)']);
    expect(made.pairs).toEqual({ gained: 1, lost: 0 });
    expect(made.gains).toEqual(['group/dev → group/db posture']);
    expect(made.refused).toHaveLength(1);
  });

  test('a tightened check is only a loss of access', () => {
    const made = changesBetween(
      behind({ agent: agent('0.50.0') }, 'agent'),
      behind({ agent: agent('0.60.0') }, 'agent'),
    );
    expect(made.lines).toEqual(['lost group/dev → group/db (posture_check.agent)']);
    expect(made.pairs).toEqual({ gained: 0, lost: 1 });
    expect([made.gains, made.refused]).toEqual([[], []]);
  });

  test('replacing a check is a gain of some access and a loss of other access', () => {
    const checks = { one: running('/one'), other: running('/other') };
    const made = changesBetween(behind(checks, 'one'), behind(checks, 'other'));
    expect(made.lines).toEqual(['changed group/dev → group/db (policy.ssh)']);
    expect(made.pairs).toEqual({ gained: 1, lost: 1 });
    expect(made.refused).toHaveLength(1);
  });

  test('the same condition in another check changes nothing', () => {
    const checks = { one: running('/one'), same: running('/one') };
    const made = changesBetween(behind(checks, 'one'), behind(checks, 'same'));
    expect([made.lines, made.refused]).toEqual([[], []]);
  });
});

describe('sources that lose the same ports', () => {
  // Both lose port 80. Only the future members of one group may gain something: port 22, by another check than before.
  const toDb = (group: string, ports: readonly string[]) =>
    rule({ sources: [{ id: group }], ports });
  const groups = (one: Account): Account => ({
    ...one,
    groups: [...one.groups, { id: 'ops', name: 'ops', peers: [] }],
  });

  test.each([
    ['dev', 'ops'],
    ['ops', 'dev'],
  ])('have lines of their own if only %s may gain access', (gaining, losing) => {
    const checks = { one: running('/one'), other: running('/other') };
    const both = rule({ sources: [{ id: 'dev' }, { id: 'ops' }], ports: ['22', '80'] });
    const made = changesBetween(
      groups(account(checks, [policy('ssh', ['one'], both)])),
      groups(
        account(checks, [
          policy('ssh', ['one'], toDb(losing, ['22'])),
          policy('other', ['other'], toDb(gaining, ['22'])),
        ]),
      ),
    );
    expect(made.giving).toEqual([`group/${gaining}`]);
    expect(made.refused).toEqual([expect.stringContaining(`group/${gaining}`)]);
  });
});

describe('a machine that awaits approval', () => {
  const WAITING = [peer('server'), peer('waiting', { approval_required: true })];
  const checks = { one: running('/one'), recent: agent('0.50.0') };
  const accept = policy('ssh', ['recent'], rule());
  const { destinations: _, ...dropping } = rule({
    action: 'drop',
    sources: [{ id: 'db' }],
    ports: ['80'],
  });
  const telling = (...names: readonly string[]) =>
    policy('telling', names, {
      ...dropping,
      destinationResource: { id: 'waiting', type: 'peer' },
    });

  test('is known through a rule that gains a check while another rule is removed: machines that no longer know it are named, with the cause', () => {
    const others = policy('other', [], rule({ ports: ['443'] }));
    const made = changesBetween(
      account(checks, [accept, telling(), others], WAITING),
      account(checks, [accept, telling('one')], WAITING),
    );
    expect(made.lines).toContain('lost peer/waiting → group/db (policy.other,policy.telling)');
    expect(made.refused).toEqual([]);
  });

  test('is known through a rule with a different check: it opens for machines that pass the new check', () => {
    const two = { ...checks, other: running('/other') };
    const made = changesBetween(
      account(two, [accept, telling('one')], WAITING),
      account(two, [accept, telling('other')], WAITING),
    );
    expect(made.lines).toEqual(['changed peer/waiting → group/db (policy.telling)']);
    // In a large account causes are the changes of what is involved.
    expect(made.involved).toEqual([['policy.telling']]);
    expect(made.refused).toHaveLength(1);
  });

  test('a machine that now starts to await approval gains no access whose checks it already passes', () => {
    const before = [peer('server'), peer('waiting')];
    const made = changesBetween(
      account(checks, [accept, telling()], before),
      account(checks, [accept, telling()], WAITING),
      { waiting: false },
    );
    expect(made.refused).toEqual([]);
  });

  test('a machine that now starts to await approval gains access behind a check that it fails, because the check then counts as passed', () => {
    const before = [peer('server'), peer('waiting', { version: '0.40.0' })];
    const after = before.map(one => ({ ...one, approval_required: one.id === 'waiting' }));
    const made = changesBetween(
      account(checks, [accept, telling()], before),
      account(checks, [accept, telling()], after),
      { waiting: false },
    );
    expect(made.refused).toHaveLength(1);
  });
});
