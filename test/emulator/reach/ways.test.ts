// The ways of a peer, which generated traffic takes: to machines, network resources and routes, with protocols and ports, they are
// those of the public server's own calculation.
import { expect, it } from 'vitest';
import { PROTOCOLS, type Protocol, type Range } from '../../../src/emulator/reach/port-ranges.ts';
import type { Target, TrafficPath } from '../../../src/emulator/reach/traffic-path.ts';
import { newTrafficPaths } from '../../../src/emulator/reach/traffic-paths.ts';
import { readCases } from '../../access/reach/cases.ts';
import { standingEnvironment, withStored } from './stored.ts';

type Row = readonly unknown[];

const nameOf = (target: Target): readonly string[] => {
  if (target.type === 'machine') return [target.peer.id];
  if (target.type === 'resource') return [target.resource.address];
  const { network, domains } = target.route;
  return domains.length > 0 ? domains : [network];
};

/** What is left of ports without others, written as the cases have it. */
function portsLeft(accepted: readonly Range[], dropped: readonly Range[]): string {
  const edges = [...accepted, ...dropped].flatMap(({ start, end }) => [start, end + 1]);
  const starts = [...new Set(edges)].toSorted((a, b) => a - b);
  const has = (ranges: readonly Range[], port: number) =>
    ranges.some(({ start, end }) => start <= port && port <= end);
  const left: Range[] = [];
  for (const [index, start] of starts.entries()) {
    const end = (starts[index + 1] ?? start) - 1;
    if (end < start || !has(accepted, start) || has(dropped, start)) continue;
    const last = left.at(-1);
    if (last?.end === start - 1) left[left.length - 1] = { start: last.start, end };
    else left.push({ start, end });
  }
  return left.map(({ start, end }) => (start === end ? start : `${start}-${end}`)).join(',');
}

function allowed(ways: readonly TrafficPath[]): Readonly<Record<string, unknown>> {
  const left = (protocol: Protocol) =>
    portsLeft(
      ways.flatMap(({ grants }) => grants.flatMap(({ traffic }) => traffic[protocol])),
      ways.flatMap(({ drops }) => drops.flatMap(traffic => traffic[protocol])),
    );
  const entries = PROTOCOLS.toSorted()
    .map(protocol => [protocol, left(protocol)] as const)
    .filter(([, ports]) => ports !== '')
    .map(([protocol, ports]) => [protocol, protocol === 'icmp' ? true : ports]);
  return Object.fromEntries(entries);
}

/** The rows of an account in the form of the cases. */
function rowsOf(answers: unknown): readonly Row[] {
  return withStored(answers, account => {
    const ways = newTrafficPaths(account, standingEnvironment());
    return account.peers.all().flatMap(peer => {
      const named = ways(peer).flatMap(way =>
        nameOf(way.target).map(name => ({
          way,
          name,
          via: way.target.type === 'machine' ? null : way.at.id,
        })),
      );
      const rows = Map.groupBy(named, ({ name, via }) => JSON.stringify([name, via]));
      return [...rows.values()].map(some => [
        peer.id,
        some[0]?.name,
        some[0]?.via,
        allowed(some.map(({ way }) => way)),
      ]);
    });
  }).filter(([, , , traffic]) => Object.keys(Object(traffic)).length > 0);
}

const sorted = (rows: Iterable<unknown>) => [...rows].map(row => JSON.stringify(row)).toSorted();

it('paths between peers agree with every shared case, in protocols and ports too', () => {
  const cases = readCases();
  expect(cases).toHaveLength(400);
  for (const [index, { account, reach }] of cases.entries())
    expect(sorted(rowsOf(account)), `case ${index + 1}`).toEqual(sorted([reach].flat()));
});
