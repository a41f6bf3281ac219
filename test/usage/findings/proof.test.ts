// The proof of `tighten`: drawn accounts whose machines use some of their access, and report some of that.
import { expect, test } from 'vitest';
import { admissionsIn } from '../../../src/access/admitted/admission.ts';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState, Named } from '../../../src/access/state/accessState.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { TrueFlow } from '../../../src/emulator/traffic/truth.ts';
import { findingsOf } from '../../../src/model/tightening.ts';
import { DAY_MS, type Observed } from '../../../src/usage/observed.ts';
import { patience, proof } from '../../support/proof.ts';
import {
  type DrawnAccount,
  type DrawnPolicy,
  type DrawnRoute,
  drawnAccount,
  endpointOf,
} from './drawnAccount.ts';
import { tighten } from './tightenedFiles.ts';

const EXTENT = { slice: 3, full: 300 };
const EACH = 10_000;

/** Runs in which the edits of one look leave needless what was needed before, and a removed policy is still live. */
const NEED_ROUNDS = [122, 170, 188];

test('nothing used is lost, what is unused and covered is found, and nothing uncovered is certain', {
  timeout: patience(EXTENT, EACH),
}, async () => {
  const { count, seed, found } = proof('unused access of drawn accounts', EXTENT);
  const sum = { certain: 0, flows: 0, due: 0, found: 0 };
  const runs = new Set([...Array(count).keys(), ...(seed === 1 ? NEED_ROUNDS : [])]);
  for (const run of runs) {
    const account = await drawnAccount(seed * 100_000 + run);
    const result = judgedAccount(account);
    expect(result, `seed ${seed}, run ${run}\n${account.text}`).toMatchObject({
      lost: [],
      gained: [],
      unlike: [],
      uncovered: [],
      again: [],
      unwritten: [],
    });
    sum.certain += result.certain;
    sum.flows += account.truth.flows.length;
    sum.due += result.due;
    sum.found += result.found;
  }
  found(
    `${sum.certain} certain findings lose none of ${sum.flows} flows; ${sum.found} of ${sum.due} unused and covered policies and routes found`,
  );
  expect(sum.found).toBeGreaterThanOrEqual(sum.due * 0.95);
});

function judgedAccount(account: DrawnAccount) {
  const { text, observed, truth, policies, routes } = account;
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
      isUnused(one, truth.flows) && isCovered(one, account) ? [one.ids] : [],
    ),
    ...routes.flatMap(one =>
      isUnusedRoute(one, truth.flows) && areReporting(account.routers, truth) ? [[one.id]] : [],
    ),
  ];
  const dueTo = unused.filter(ids => stopsNothing(observed, ids));
  const uncovered = certain.filter(({ type, object }) => {
    const policy = policies.find(({ name }) => name === object.key);
    return type === 'unused-policy' && policy && !isCovered(policy, account);
  });
  const before = observed.states[0]?.state ?? first.accountAfter;
  return {
    lost: lostFlows(account, first.accountAfter),
    gained: changesBetween(before, first.accountAfter).filter(({ gains }) => gains),
    // What is written is what was proposed.
    unlike: changesBetween(first.accountAfter, applied.accountAfter),
    uncovered: uncovered.map(({ object }) => object.key),
    again: [...findingsOf(again), ...findingsOf(applied)]
      .filter(({ state }) => state === 'certain')
      .map(({ what, object }) => `${object.key} ${what}`),
    unwritten: first.unwritten,
    certain: certain.length,
    due: dueTo.length,
    found: dueTo.filter(ids => left.every(({ id = '' }) => !ids.includes(id))).length,
  };
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
    flow => before.of(flow).admissions.length === 0 || after.of(flow).admissions.length > 0,
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

function changesBetween(one: AccessState, other: AccessState) {
  const pool = rowPool();
  const [before, after] = worldsOf([one, other]).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('there are two states');
  return accessChanges(before, after).changes;
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
      (before.of(asked).admissions.length > 0 && admissions.of(asked).admissions.length === 0);
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

const areReporting = (machines: readonly string[], truth: DrawnAccount['truth']): boolean =>
  truth.machines.every(
    ({ id, isConnected, isReporting }) => !machines.includes(id) || !isConnected || isReporting,
  );
