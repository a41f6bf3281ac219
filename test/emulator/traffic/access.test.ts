// Generated traffic keeps to the access of the account: what is admitted, the public server's own calculation allows, and what is
// refused it does not.
import { expect, it } from 'vitest';
import { BEHAVIOUR } from '../../../src/emulator/dialect.ts';
import { trafficOf } from '../../../src/emulator/traffic/made.ts';
import { USUAL_PLAN } from '../../../src/emulator/traffic/trafficSettings.ts';
import type { TrueFlow } from '../../../src/emulator/traffic/truth.ts';
import type { Json } from '../../../src/model/value.ts';
import { type Case, readCases } from '../../access/reach/cases.ts';
import { standingEnvironment, withStored } from '../reach/stored.ts';

const PLAN = { ...USUAL_PLAN, alive: 100, usage: 100, refused: 100, away: 0, starts: 1 };
const PROTOCOLS: Readonly<Record<number, string>> = { 1: 'icmp', 6: 'tcp', 17: 'udp' };

const flowsOf = (account: Json) =>
  withStored(account, stored => trafficOf(stored, PLAN, standingEnvironment()).truth.flows);

/** The names by which the rows of a case may know where a flow goes. */
function namesIn(account: Json, { destination }: TrueFlow): readonly string[] {
  if (destination.type === 'machine') return [destination.id];
  const { networks, routes } = Object(account);
  const resources = [networks].flat().flatMap(network => [Object(network).resources].flat());
  const all = [...resources, ...[routes].flat()].map(Object);
  const { address, network, domains = [] } = all.find(({ id }) => id === destination.id) ?? {};
  return [address, network, ...domains].filter(name => name !== undefined);
}

const isIn = (ports: string, port: number) =>
  ports.split(',').some(range => {
    const [start = '', end = start] = range.split('-');
    return Number(start) <= port && port <= Number(end);
  });

/** Whether a case allows a flow. */
function allows({ account, reach }: Case, flow: TrueFlow): boolean {
  const names = namesIn(account, flow);
  const protocol = PROTOCOLS[flow.protocol] ?? '';
  return [reach].flat().some(row => {
    const [source, destination, via, allowed] = [row].flat();
    const isRow = source === flow.source && names.includes(String(destination)) && via === flow.via;
    const ports = isRow ? Object(allowed)[protocol] : undefined;
    return ports === true || (typeof ports === 'string' && isIn(ports, flow.port));
  });
}

it('traffic is admitted where the public server allows it, and refused elsewhere', () => {
  const seen = { admitted: 0, refused: 0, routed: 0 };
  for (const [index, one] of readCases().entries())
    for (const flow of flowsOf(one.account)) {
      const label = `case ${index + 1}: ${JSON.stringify(flow)}`;
      expect(allows(one, flow), label).toBe(flow.isAdmitted);
      seen[flow.isAdmitted ? 'admitted' : 'refused'] += 1;
      if (flow.via !== null) seen.routed += 1;
    }
  expect(seen.admitted).toBeGreaterThan(5000);
  expect(seen.refused).toBeGreaterThan(300);
  expect(seen.routed).toBeGreaterThan(500);
});

it('uses every path if everything is used', () => {
  const ways = { used: 0, all: 0 };
  for (const { account, reach } of readCases().slice(0, 60)) {
    const flows = flowsOf(account).filter(({ isAdmitted }) => isAdmitted);
    const pairs = new Set(
      flows.flatMap(flow => namesIn(account, flow).map(name => `${flow.source} ${name}`)),
    );
    for (const row of [reach].flat()) {
      const [source, destination, via] = [row].flat();
      if (via === source) continue;
      ways.all += 1;
      if (pairs.has(`${source} ${destination}`)) ways.used += 1;
    }
  }
  // Some use is not daily, and of ranges within ranges only the longest is used.
  expect(ways.used / ways.all).toBeGreaterThan(0.75);
});

it('distinguishes the days of machines while the clock advances', () => {
  const [{ account } = { account: null }] = readCases();
  let now = Date.parse('2026-03-02T00:00:00Z');
  const clock = () => {
    now += 7;
    return new Date(now);
  };
  const { machines } = withStored(account, stored => {
    const plan = { ...PLAN, days: 2, off: 0 };
    // Its log is always on.
    const environment = { ...standingEnvironment(), clock, behaviour: BEHAVIOUR.spec };
    return trafficOf(stored, plan, environment).truth;
  });
  expect(machines.filter(({ isReporting }) => isReporting).length).toBeGreaterThan(0);
});
