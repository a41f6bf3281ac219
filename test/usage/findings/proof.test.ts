// The proof of `tighten`: drawn accounts whose machines use some of their access, and report some of that.
import equal from 'fast-deep-equal';
import { expect, test } from 'vitest';
import { admissionsIn } from '../../../src/access/admitted/admission.ts';
import type { AccessState, Named } from '../../../src/access/state/accessState.ts';
import type { TrueFlow } from '../../../src/emulator/traffic/truth.ts';
import { findingsOf, type TightenFinding } from '../../../src/model/tightening.ts';
import { DAY_MS, type Observed } from '../../../src/usage/observed.ts';
import { desiredOf } from '../../support/files.ts';
import { patience, proof } from '../../support/proof.ts';
import { appliedFiles } from './appliedFiles.ts';
import { changesBetween } from './changesBetween.ts';
import {
  type DrawnAccount,
  type DrawnPolicy,
  type DrawnRoute,
  type DrawnRule,
  endpointOf,
  SHORT_LIVED,
  withDrawnAccount,
} from './drawnAccount.ts';
import { saidFiles } from './saidFiles.ts';
import { testFailures } from './testFailures.ts';
import { tighten } from './tightenedFiles.ts';

const EXTENT = { slice: 1, full: 300 };
const EACH = 10_000;

/** Runs in which the edits of one look leave needless what was needed before, and a removed policy is still live. */
const NEED_ROUNDS = [122, 170, 188];

test('no used access is lost, unused and covered access is found, and nothing uncovered is certain', {
  timeout: patience(EXTENT, EACH),
}, async () => {
  const { count, seed, found } = proof('unused access of drawn accounts', EXTENT);
  const sum = { certain: 0, flows: 0, due: 0, found: 0, tests: 0, kept: 0, repeated: 0, plans: 0 };
  const runs = new Set([...Array(count).keys(), ...(seed === 1 ? NEED_ROUNDS : [])]);
  for (const run of runs)
    await withDrawnAccount(seed * 100_000 + run, async account => {
      const result = await judgedAccount(account);
      expect(result, `seed ${seed}, run ${run}\n${account.textOf()}`).toMatchObject({
        lost: [],
        gained: [],
        unlike: [],
        uncovered: [],
        again: [],
        unwritten: [],
        missedDuplicates: [],
        declaredUnlikeSaid: [],
        failing: [],
        plan: { before: NO_CHANGE, after: { code: 0, gained: 0 }, applied: [], unlikeSaid: [] },
      });
      sum.certain += result.certain;
      sum.flows += account.truth.flows.length;
      sum.due += result.due;
      sum.found += result.found;
      sum.tests += account.tests.length;
      sum.kept += result.kept;
      sum.repeated += account.repeated.length / 2;
      sum.plans += result.plan.after.lost > 0 ? 1 : 0;
    });
  found(
    `${sum.certain} certain findings lose none of ${sum.flows} flows; ${sum.found} of ${sum.due} unused and covered policies and routes found; ${sum.plans} plans narrow exactly what was said; ${sum.kept} findings kept by ${sum.tests} access tests; ${sum.repeated} pairs of duplicates of one \`for_each\``,
  );
  expect(sum.found).toBeGreaterThanOrEqual(sum.due * 0.95);
});

const NO_CHANGE = { code: 0, gained: 0, lost: 0 };

async function judgedAccount(account: DrawnAccount) {
  const { textOf, observed, truth, policies, routes, repeated } = account;
  const text = textOf();
  const first = tighten({ 'network.yaml': text }, { observed });
  const after = first.after['network.yaml'] ?? '';
  const again = tighten({ 'network.yaml': after }, { observed });
  const applied = tighten(
    { 'network.yaml': after },
    { observed: afterApply(observed, first.accountAfter) },
  );
  const certain = findingsOf(first).filter(({ state }) => state === 'certain');
  const left = [...first.accountAfter.policies, ...first.accountAfter.routes];
  const unused = [
    ...policies.flatMap(one =>
      isUnused(one, truth.flows) && isCovered(one, account) && isUsable(one, account)
        ? [one.ids]
        : [],
    ),
    ...routes.flatMap(one =>
      isUnusedRoute(one, truth.flows) && areReporting(account.routers, truth) ? [[one.id]] : [],
    ),
  ];
  const before = observed.states[0]?.state ?? first.accountAfter;
  const touched = touchedByShortLived(account);
  const dueTo = unused.filter(
    ids =>
      stopsNothing(observed, ids) && isForNoTest(account, ids) && !ids.some(id => touched.has(id)),
  );
  const uncovered = certain.filter(({ type, object }) => {
    if (type === 'duplicate-rule') return false;
    const policy = [...policies, ...repeated].find(({ name }) => name === object.key);
    const at = policy?.rules.findIndex(({ name }) => name === object.rule) ?? -1;
    if (touched.has(policy?.ids[at] ?? '')) return true;
    return type === 'unused-policy' && policy && !isCovered(policy, account);
  });
  const isRepeated = (key: string) => repeated.some(({ name }) => name === key);
  const written = certain.filter(({ object }) => !isRepeated(object.key));
  const said = textOf(saidFiles(account, written));
  const [, later] = repeated;
  return {
    lost: lostFlows(account, first.accountAfter),
    gained: changesBetween(before, first.accountAfter).filter(({ gains }) => gains),
    // What is written is what was proposed.
    unlike: changesBetween(first.accountAfter, applied.accountAfter),
    uncovered: uncovered.map(({ object }) => object.key),
    again: [...findingsOf(again), ...findingsOf(applied)]
      .filter(({ state, object }) => state === 'certain' && !isRepeated(object.key))
      .map(({ what, object }) => `${object.key} ${what}`),
    // One text makes both: it is not written, and each of the two is found.
    unwritten: first.unwritten.filter(
      ({ edit, because }) => !isRepeated(edit.object.key) || because !== 'it is made by `for_each`',
    ),
    missedDuplicates: later
      ? [later.name].filter(name => !isFoundDuplicate(findingsOf(first), name))
      : [],
    declaredUnlikeSaid: declaredUnlike(said, after),
    failing: testFailures(after, first.accountAfter),
    plan: await appliedFiles(account, { before: text, after, said }),
    kept: first.kept.filter(({ by }) => by === 'test').length,
    certain: certain.length,
    due: dueTo.length,
    found: dueTo.filter(ids => left.every(({ id = '' }) => !ids.includes(id))).length,
  };
}

// The ids of the policies, one for each rule, by which the short-lived machine may have reached what it reached.
function touchedByShortLived({ policies, observed, members }: DrawnAccount): ReadonlySet<string> {
  const flow = observed.flows.find(({ source }) => 'id' in source && source.id === SHORT_LIVED);
  if (flow === undefined) return new Set();
  const { destination, protocol, port } = flow;
  const to = destination.type === 'machine' ? destination.id : '';
  const isTo = (names: readonly string[]) => names.some(name => members.get(name)?.includes(to));
  const isTouched = (rule: DrawnRule): boolean => {
    const { ports, ranges } = rule;
    const isOfProtocol = rule.protocol === 'all' || (rule.protocol === 'udp') === (protocol === 17);
    const isForPort =
      ports.length + ranges.length === 0 ||
      ports.includes(String(port)) ||
      ranges.some(({ start, end }) => start <= Number(port) && Number(port) <= end);
    const isAtEnd = isTo(rule.destinations) || (rule.isBidirectional && isTo(rule.sources));
    return isOfProtocol && isForPort && isAtEnd;
  };
  return new Set(
    policies.flatMap(({ ids, rules }) =>
      ids.filter((_, at) => rules.slice(at, at + 1).some(isTouched)),
    ),
  );
}

// A policy that nobody used may still lead to a routing machine, and an attempt that was refused looks like use if only its source reported it.
function stopsNothing({ flows, states }: Observed, ids: readonly string[]): boolean {
  const [first] = states;
  if (first === undefined) return false;
  const isLeft = ({ id = '' }: Named) => !ids.includes(id);
  const policies = first.state.policies.filter(isLeft);
  const routes = first.state.routes.filter(isLeft);
  const before = admissionsIn(first.state);
  const after = admissionsIn({ ...first.state, policies, routes });
  return flows.every(
    flow =>
      before.admissionsOf(flow).admissions.length === 0 ||
      after.admissionsOf(flow).admissions.length > 0,
  );
}

// What is observed after an apply: in the last state, what the files no longer declare is gone.
function afterApply({ states, window, ...observed }: Observed, left: AccessState): Observed {
  const ids = new Set([...left.policies, ...left.routes].map(({ id }) => id));
  const isLeft = ({ id }: Named) => ids.has(id);
  const last = states.at(-1)?.state ?? left;
  const policies = last.policies.filter(isLeft);
  const routes = last.routes.filter(isLeft);
  const from = window.to - DAY_MS;
  const state = { ...last, policies, routes };
  return { ...observed, window, states: [...states, { from, state }] };
}

// A direction that is written as off is the same as none.
const declaredIn = (text: string) =>
  new Map(
    desiredOf(text.replaceAll('bidirectional: false, ', '')).map(({ kind, key, fields }) => [
      `${kind} ${key}`,
      fields,
    ]),
  );

// The objects that one text declares and the other does not, or otherwise.
function declaredUnlike(one: string, other: string): readonly string[] {
  const first = declaredIn(one);
  const second = declaredIn(other);
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names].filter(name => !equal(first.get(name), second.get(name)));
}

const isFoundDuplicate = (findings: readonly TightenFinding[], name: string): boolean =>
  findings.some(({ type, object }) => type === 'duplicate-rule' && object.key === name);

// Whether no access test fails without these policies or routes.
function isForNoTest({ textOf, tests, observed }: DrawnAccount, ids: readonly string[]): boolean {
  const state = observed.states[0]?.state;
  if (tests.length === 0 || state === undefined) return true;
  const isLeft = ({ id = '' }: Named) => !ids.includes(id);
  const policies = state.policies.filter(isLeft);
  const routes = state.routes.filter(isLeft);
  return testFailures(textOf(), { ...state, policies, routes }).length === 0;
}

// Also flows that no machine reported.
function lostFlows(
  { truth, observed }: DrawnAccount,
  after: ReturnType<typeof tighten>['accountAfter'],
): readonly TrueFlow[] {
  const admissions = admissionsIn(after);
  const before = admissionsIn(observed.states[0]?.state ?? after);
  const known = new Map<string, boolean>();
  return truth.flows.filter(flow => {
    const { source, destination, protocol, port } = flow;
    if (!flow.isAdmitted) return false;
    const name = JSON.stringify([source, destination, protocol, port]);
    const asked = {
      source: { type: 'machine' as const, id: source },
      destination: endpointOf(destination),
      protocol,
      port: protocol === 1 ? null : port,
    };
    const isLost =
      known.get(name) ??
      (before.admissionsOf(asked).admissions.length > 0 &&
        admissions.admissionsOf(asked).admissions.length === 0);
    known.set(name, isLost);
    return isLost;
  });
}

const isUnused = ({ ids }: DrawnPolicy, flows: readonly TrueFlow[]): boolean =>
  !flows.some(({ isAdmitted, policies }) => isAdmitted && ids.some(id => policies.includes(id)));

const isUnusedRoute = ({ id }: DrawnRoute, flows: readonly TrueFlow[]): boolean =>
  !flows.some(
    ({ isAdmitted, destination }) => isAdmitted && 'id' in destination && destination.id === id,
  );

// Every machine that would admit the access reported something on each day on which it was connected.
function isCovered(
  { rules }: DrawnPolicy,
  { members, routers, routes, resourceGroups, truth }: DrawnAccount,
): boolean {
  const sides = rules.flatMap(({ sources, destinations, isBidirectional }) => [
    ...destinations,
    ...(isBidirectional ? sources : []),
  ]);
  const routed = new Set([...resourceGroups, ...routes.flatMap(one => one.accessControl)]);
  const isRouted = sides.some(group => routed.has(group));
  const machines = sides.flatMap(group => members.get(group) ?? []);
  return areReporting([...machines, ...(isRouted ? routers : [])], truth);
}

// Whether machines of every source group could use the policy, and it leads somewhere. If none could, that nobody did says nothing.
const isUsable = (
  { rules, isChecked }: DrawnPolicy,
  { members, recent, resourceGroups, routes }: DrawnAccount,
): boolean =>
  rules.every(({ sources, destinations }) => {
    const isAble = (id: string) => !isChecked || recent.has(id);
    const leads = (group: string) =>
      members.has(group) ||
      resourceGroups.has(group) ||
      routes.some(({ accessControl }) => accessControl.includes(group));
    return sources.every(group => members.get(group)?.some(isAble)) && destinations.some(leads);
  });

const areReporting = (machines: readonly string[], truth: DrawnAccount['truth']): boolean =>
  truth.machines.every(
    ({ id, isConnected, isReporting }) => !machines.includes(id) || !isConnected || isReporting,
  );
