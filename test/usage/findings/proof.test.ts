// The proof of `tighten`: drawn accounts whose machines use some of their access, and report some of that.
import { expect, test } from 'vitest';
import { admissionsIn } from '../../../src/access/admitted/admission.ts';
import type { TrueFlow } from '../../../src/emulator/traffic/truth.ts';
import { findingsOf } from '../../../src/model/tightening.ts';
import { patience, proof } from '../../support/proof.ts';
import { type DrawnAccount, type DrawnPolicy, drawnAccount, endpointOf } from './drawnAccount.ts';
import { tighten } from './tightenedFiles.ts';

const EXTENT = { slice: 3, full: 300 };
const EACH = 10_000;

test('nothing used is lost, what is unused and covered is found, and nothing uncovered is certain', {
  timeout: patience(EXTENT, EACH),
}, async () => {
  const { count, seed, found } = proof('unused access of drawn accounts', EXTENT);
  const sum = { certain: 0, flows: 0, due: 0, found: 0 };
  for (let run = 0; run < count; run++) {
    const account = await drawnAccount(seed * 100_000 + run);
    const result = judgedAccount(account);
    expect(result, `seed ${seed}, run ${run}\n${account.text}`).toMatchObject({
      lost: [],
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
    `${sum.certain} certain findings lose none of ${sum.flows} flows; ${sum.found} of ${sum.due} unused and covered policies found`,
  );
  expect(sum.found).toBeGreaterThanOrEqual(sum.due * 0.95);
});

function judgedAccount(account: DrawnAccount) {
  const { text, observed, truth, policies } = account;
  const first = tighten({ 'network.yaml': text }, { observed });
  const after = first.after['network.yaml'] ?? '';
  const again = tighten({ 'network.yaml': after }, { observed });
  const certain = findingsOf(first).filter(({ state }) => state === 'certain');
  const removed = new Set<string>(
    certain.flatMap(({ type, object }) =>
      type === 'unused-policy' || type === 'duplicate-rule' ? object.key : [],
    ),
  );
  const unused = policies.filter(
    policy => isUnused(policy, truth.flows) && isCovered(policy, account),
  );
  const uncovered = certain.filter(({ type, object }) => {
    const policy = policies.find(({ name }) => name === object.key);
    return type === 'unused-policy' && policy && !isCovered(policy, account);
  });
  return {
    lost: lostFlows(account, first.accountAfter),
    uncovered: uncovered.map(({ object }) => object.key),
    again: findingsOf(again)
      .filter(({ state }) => state === 'certain')
      .map(({ what, object }) => `${object.key} ${what}`),
    unwritten: first.unwritten,
    certain: certain.length,
    due: unused.length,
    found: unused.filter(({ name }) => removed.has(name)).length,
  };
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

const isUnused = ({ id }: DrawnPolicy, flows: readonly TrueFlow[]): boolean =>
  !flows.some(({ isAdmitted, policies }) => isAdmitted && policies.includes(id));

// Every machine that would admit the access reported something on each day on which it was connected.
function isCovered(
  { sources, destinations, isBidirectional }: DrawnPolicy,
  { members, routers, resourceGroups, truth }: DrawnAccount,
): boolean {
  const sides = [...destinations, ...(isBidirectional ? sources : [])];
  const machines = new Set([
    ...sides.flatMap(group => members.get(group) ?? []),
    ...(destinations.some(group => resourceGroups.has(group)) ? routers : []),
  ]);
  return truth.machines.every(
    ({ id, isConnected, isReporting }) => !machines.has(id) || !isConnected || isReporting,
  );
}
