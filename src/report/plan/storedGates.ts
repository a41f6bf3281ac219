// Stores the results of gates in the plan's document, and reads them back.
import { hazardsIn, newAccessIn } from '../../model/access/accessFindings.ts';
import type {
  AccessFinding,
  AccessGates,
  AccessGuards,
  AccessHazard,
  GuardedAccess,
  PlannedTests,
} from '../../model/access/accessGates.ts';
import type {
  AccessTest,
  FailedLine,
  TestVerdict,
  WrittenSelector,
} from '../../model/access/accessTest.ts';
import type { Span } from '../../model/diagnostic.ts';
import { formerFindings } from './formerFindings.ts';
import { placeOf, withPlace } from './storedPlaces.ts';

/** A test in a document, with its verdict unless it was not run. */
interface StoredTest {
  readonly name: string;
  readonly at: Span;
  readonly from?: WrittenSelector;
  readonly to?: WrittenSelector;
  readonly allow: readonly WrittenSelector[];
  readonly deny: readonly WrittenSelector[];
  readonly only_from: readonly WrittenSelector[];
  readonly except?: readonly WrittenSelector[];
  readonly with?: NonNullable<AccessTest['facts']>;
  readonly posture?: 'pass';
  readonly former?: true;
  readonly folder?: string;
  readonly passed?: boolean;
  readonly failures?: TestVerdict['failures'];
  readonly notes?: TestVerdict['notes'];
  readonly assumed_routers?: TestVerdict['assumedRouters'];
}

/** The fields of a plan document that contain the results of gates. */
export interface StoredGates {
  readonly access_tests?: { readonly judged: boolean; readonly tests: readonly StoredTest[] };
  readonly access_guards?: {
    readonly thresholds?: AccessGuards['thresholds'];
    readonly guarded: readonly Omit<GuardedAccess, 'at'>[];
    readonly no_new_access: boolean;
  };
  readonly access_findings?: readonly AccessFinding[];
  readonly access_hazards?: readonly AccessHazard[];
  readonly new_access?: readonly string[];
}

/** The gates as fields of a document. */
export function storedGates(gates: AccessGates | undefined) {
  if (gates === undefined) return {};
  const { tests, guards, findings } = gates;
  return {
    ...(tests && { access_tests: storedTests(tests) }),
    ...(guards && {
      access_guards: {
        ...(guards.thresholds && { thresholds: guards.thresholds }),
        guarded: guards.guarded.map(({ at: _, ...entry }) => entry),
        no_new_access: guards.noNewAccess,
      },
    }),
    access_findings: findings,
    access_hazards: hazardsIn(findings),
    new_access: newAccessIn(findings),
  } satisfies StoredGates;
}

function storedTests({ tests, verdicts }: PlannedTests) {
  const judged = verdicts !== undefined;
  return {
    judged,
    ...(judged && { passed: verdicts.every(({ failures }) => failures.length === 0) }),
    tests: tests.map((test, i) => storedTest(test, verdicts?.[i])),
  };
}

function storedTest(
  { onlyFrom, except, facts, passesPosture, ...test }: AccessTest,
  verdict: TestVerdict | undefined,
): StoredTest {
  return {
    ...test,
    only_from: onlyFrom,
    ...(except.length > 0 && { except }),
    ...(facts && { with: facts }),
    ...(passesPosture && { posture: 'pass' as const }),
    ...(verdict && {
      passed: verdict.failures.length === 0,
      failures: verdict.failures,
      notes: verdict.notes,
      ...(verdict.assumedRouters && { assumed_routers: verdict.assumedRouters }),
    }),
  };
}

/** The gates in a document; undefined if it has none. */
export function restoredGates({
  access_tests: tests,
  access_guards: guards,
  access_findings: findings,
  access_hazards: hazards,
  new_access: newAccess = [],
}: StoredGates): AccessGates | undefined {
  if (hazards === undefined) return undefined;
  const results = {
    ...(tests && { tests: restoredTests(tests) }),
    ...(guards && { guards: restoredGuards(guards) }),
  };
  return { ...results, findings: findings ?? formerFindings({ ...results, hazards, newAccess }) };
}

function restoredGuards({
  thresholds,
  guarded,
  no_new_access: noNewAccess,
}: NonNullable<StoredGates['access_guards']>): AccessGuards {
  return { ...(thresholds && { thresholds }), guarded, noNewAccess };
}

function restoredTests({ judged, tests }: NonNullable<StoredGates['access_tests']>): PlannedTests {
  return {
    tests: tests.map(restoredTest),
    ...(judged && {
      verdicts: tests.map(({ name, at, failures = [], notes = [], assumed_routers: assumed }) => ({
        name,
        at: placeOf(at),
        failures: failures.map(restoredFailure),
        notes,
        ...(assumed && { assumedRouters: assumed }),
      })),
    }),
  };
}

function restoredTest({
  only_from: onlyFrom,
  except = [],
  with: facts,
  posture,
  ...test
}: StoredTest): AccessTest {
  const { name, at, from, to, allow, deny, former, folder } = test;
  return {
    name,
    at: placeOf(at),
    ...(former && { former }),
    ...(folder !== undefined && { folder }),
    ...(from && { from: placed(from) }),
    ...(to && { to: placed(to) }),
    allow: allow.map(placed),
    deny: deny.map(placed),
    onlyFrom: onlyFrom.map(placed),
    except: except.map(placed),
    ...(facts && { facts }),
    passesPosture: posture === 'pass',
  };
}

// The failed line without the places of deciding declarations, because no digest protects these
// places.
const restoredFailure = ({ flows, misses, ...failure }: FailedLine): FailedLine => ({
  ...placed(failure),
  flows: flows.map(flow => ({ ...flow, via: flow.via.map(withPlace) })),
  misses: misses.map(withPlace),
});

const placed = <T extends { readonly at: Span }>(part: T): T => ({ ...part, at: placeOf(part.at) });
