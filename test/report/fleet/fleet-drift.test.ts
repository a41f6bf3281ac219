// Accounts with the same drift are one group, and what may be a security hole in one of them is never left out.
import { describe, expect, test } from 'vitest';
import { accessKinds, driftReport } from '../../../src/report/drift/drift.ts';
import {
  driftFactsOf,
  driftGroups,
  type FleetDriftReport,
  fleetDriftCode,
  fleetDriftJson,
  fleetDriftJunit,
  fleetDriftLine,
  fleetDriftText,
} from '../../../src/report/fleet/fleetDrift.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { group, planFor, policy, type Read } from '../../engine/planning.ts';
import { faultsOf } from '../../hostile/verdict.ts';
import { expectDescribed } from '../../support/described.ts';
import { KINDS } from '../../support/files.ts';
import { hostileText } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';
import { accountOf } from './planned.ts';

const FILES = `
groups: [{ name: staff }]
networks: [{ name: office, description: as declared }]`;

const network = (id: string, description: string): Read => [
  'network',
  { id, name: 'office', description },
];

/** An account in which the network has this description, and that has these objects besides. */
const compared = (name: string, description: string, more: (id: string) => Read[] = () => []) => {
  const reads = [group(`${name}1`, 'staff'), network(`${name}2`, description), ...more(name)];
  const rules = { kinds: KINDS, entries: [], now: 0, declaredTwice: [], nameTaken: [] };
  return {
    account: accountOf(name),
    report: driftReport(planFor(FILES, reads, { watch: accessKinds(KINDS) }), rules),
  };
};

const fleet = (more: Partial<FleetDriftReport> = {}): FleetDriftReport => ({
  compared: [
    compared('acme', 'by hand'),
    compared('beta', 'as declared'),
    compared('gamma', 'by hand'),
    compared('delta', 'other'),
  ],
  failed: [{ account: accountOf('zeta'), code: 5, text: 'error: no route\n' }],
  ...more,
});

test('each drift is shown once, with its accounts', () => {
  const text = fleetDriftText(fleet(), PLAIN);
  const line = '5 accounts: 1 without drift, 3 with drift in 2 groups, 1 could not be compared';
  expect(text.split('\n')[0]).toBe(line);
  expect(text.endsWith(`\n${line}\n`)).toBe(true);
  expect(text).toContain('2 accounts, 1 object in each:\n  acme, gamma\n');
  expect(text).toContain('1 account, 1 object in each:\n  delta\n');
  expect(text.match(/"by hand"/g)).toHaveLength(1);
  expect(text).toContain(
    'Could not be compared:\n  zeta\n      Exit code 5.\n      error: no route\n',
  );
});

describe('undeclared objects', () => {
  const open = (id: string) => [
    group(`${id}7`, 'all'),
    policy(`${id}8`, `open-${id}`, [`${id}7`], [`${id}7`]),
  ];

  test('undeclared objects that grant access form a separate group', () => {
    const report = fleet({ compared: [compared('acme', 'x'), compared('gamma', 'x', open)] });
    expect(driftGroups(report)).toHaveLength(2);
    expect(fleetDriftText(report, PLAIN)).toContain('open-gamma');
  });

  test('undeclared objects that grant nothing form no group, and are not listed as if all accounts had them', () => {
    const extra = (id: string) => [group(`${id}9`, `extra-${id}`)];
    const report = fleet({ compared: [compared('acme', 'x', extra), compared('gamma', 'x')] });
    expect(driftGroups(report)).toHaveLength(1);
    expect(fleetDriftText(report, PLAIN)).not.toContain('extra-acme');
  });
});

test('the document has each account with its count and its code', () => {
  expectDescribed(fleetDriftJson(fleet()), 'fleet-drift.schema.json');
  const document = JSON.parse(fleetDriftJson(fleet()));
  const [acme, beta, gamma] = document.accounts;
  expect(acme).toMatchObject({ name: 'acme', code: 2, objects: 1, acknowledged: 0 });
  expect(beta).toEqual({
    name: 'beta',
    code: 0,
    objects: 0,
    since: null,
    acknowledged: 0,
    group: null,
  });
  expect(acme.group).toBe(gamma.group);
  expect(document.groups.map(({ accounts }: { accounts: string[] }) => accounts)).toEqual([
    ['acme', 'gamma'],
    ['delta'],
  ]);
  expect(document.failed).toEqual([{ account: 'zeta', code: 5, messages: 'error: no route\n' }]);
});

describe('the rollout that applied an account last', () => {
  const applied = (name: string, rollout: string) => {
    const last = { rollout, startedAt: '2026-11-28T00:00:00Z', appliedAt: '2026-11-28T00:05:00Z' };
    return { one: compared(name, 'by hand'), last: [name, last] as const };
  };
  const reportOf = (...all: readonly ReturnType<typeof applied>[]) =>
    fleet({
      compared: all.map(({ one }) => one),
      rollouts: new Map(all.map(({ last }) => last)),
    });

  test('is named below the names of its accounts', () => {
    const same = fleetDriftText(reportOf(applied('acme', 'r1'), applied('gamma', 'r1')), PLAIN);
    expect(same).toContain(
      '  acme, gamma\nLast applied by the rollout r1, which began at 2026-11-28T00:00:00Z\n',
    );
    const two = fleetDriftText(reportOf(applied('acme', 'r1'), applied('gamma', 'r2')), PLAIN);
    expect(two).toContain('the rollout r1, which began at 2026-11-28T00:00:00Z: acme\n');
    expect(two).toContain('the rollout r2, which began at 2026-11-28T00:00:00Z: gamma\n');
    expect(fleetDriftText(fleet(), PLAIN)).not.toContain('Last applied');
  });

  test('is in the document', () => {
    const text = fleetDriftJson(reportOf(applied('acme', 'r1')));
    expectDescribed(text, 'fleet-drift.schema.json');
    expect(JSON.parse(text).accounts[0].rollout).toEqual({
      id: 'r1',
      started_at: '2026-11-28T00:00:00Z',
      applied_at: '2026-11-28T00:05:00Z',
    });
    expect(driftFactsOf(JSON.parse(text))?.get('acme')).toMatchObject({ objects: 1 });
  });
});

test('JUnit has a test for each account', () => {
  const xml = fleetDriftJunit(fleet(), PLAIN);
  expect(xml).toContain('tests="5" failures="4" errors="0" skipped="0"');
  expect(xml).toContain('<testcase classname="drift" name="beta"/>');
});

test('the exit code is that of accounts that could not be compared, then that of drift', () => {
  const failed = (code: number) => ({ account: accountOf(`f${code}`), code, text: '' });
  expect(fleetDriftCode(fleet())).toBe(5);
  expect(fleetDriftCode(fleet({ failed: [failed(3), failed(5)] }))).toBe(5);
  expect(fleetDriftCode(fleet({ failed: [] }))).toBe(2);
  expect(fleetDriftCode({ compared: [compared('beta', 'as declared')], failed: [] })).toBe(0);
});

test('account names are only ever printed as text', () => {
  const [one, two] = fleet().compared;
  if (one === undefined || two === undefined) throw new Error('no accounts');
  fc.assert(
    fc.property(hostileText, hostileText, (name, other) => {
      const report: FleetDriftReport = {
        compared: [
          { ...one, account: accountOf(name) },
          { ...two, account: accountOf(other) },
        ],
        failed: [{ account: accountOf(name), code: 5, text: other }],
      };
      const outputs = [
        fleetDriftText(report, PLAIN),
        fleetDriftJson(report),
        fleetDriftJunit(report, PLAIN),
        fleetDriftLine(report),
      ];
      for (const output of outputs) expect(faultsOf(output)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
