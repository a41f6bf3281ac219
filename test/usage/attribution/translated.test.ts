// A flow to an address of IPv4 goes over a route of IPv6 only where a router translates. Nothing shows whether one does: the route may
// be in use, and the flow does not go on over it when its own route is gone.
import { expect, test } from 'vitest';
import { admissionsIn, isStopped } from '../../../src/access/admitted/admission.ts';
import { stateOf } from '../../access/names.ts';
import { account, address, flow, machine, policy, resource, route } from '../observations.ts';

const narrow = route('r4', { network: '172.16.0.0/24', peer: 'p5', groups: ['g1'] });
const exit = route('r6', { network: '::/0', peer: 'p5', groups: ['g1'] });
const toGateways = policy('q3', 'laptops to gateways', ['g1'], ['g3']);

const admitted = (routes: readonly (typeof exit)[], to = address('172.16.0.0/24')) =>
  admissionsIn(stateOf(account({ policies: [toGateways], routes }))).admissionsOf(
    flow(machine('p1'), to),
  );
const routesOf = ({ admissions }: ReturnType<typeof admitted>) =>
  admissions.flatMap(({ openRoute }) => openRoute?.id ?? []).toSorted();

test('both routes may be in use', () => {
  expect(routesOf(admitted([narrow, exit]))).toEqual(['r4', 'r6']);
  expect(routesOf(admitted([exit]))).toEqual(['r6']);
  expect(routesOf(admitted([exit], resource('r1')))).toEqual(['r6']);
});

test('only the route of its own address keeps the flow', () => {
  const both = admitted([narrow, exit]);
  expect(isStopped(both, admitted([exit]))).toBe(true);
  expect(isStopped(both, admitted([narrow]))).toBe(false);
  expect(isStopped(admitted([exit]), admitted([exit]))).toBe(false);
  expect(isStopped(admitted([exit]), admitted([]))).toBe(true);
  expect(isStopped(admitted([]), admitted([]))).toBe(false);
});
