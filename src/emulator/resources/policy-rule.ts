// A rule of a policy: what is refused in it, and what is silently dropped (docs/server-behaviour.md#policies-and-rules).

import type { RuleRecord } from '../records/topology.ts';
import { flag, list, map, object, optional, type Read, text, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { reference } from './shapes.ts';

export const RULE = object({
  id: text,
  name: text,
  description: text,
  enabled: flag,
  action: text,
  bidirectional: flag,
  protocol: text,
  ports: list(text),
  port_ranges: list(object({ start: whole, end: whole })),
  authorized_groups: map(list(text)),
  sources: optional(list(text)),
  sourceResource: optional(reference),
  destinations: optional(list(text)),
  destinationResource: optional(reference),
});

type RuleBody = Read<typeof RULE>;

const ACTIONS = ['accept', 'drop'];
const SSH = 'netbird-ssh';
const PROTOCOLS = ['all', 'tcp', 'udp', 'icmp', SSH];
const WITHOUT_PORTS = ['all', 'icmp'];
const MAX_PORT = 65_535;

/** Throws a 422 for an invalid rule. */
export function refuseRule(body: RuleBody): void {
  refuseSide('source', body.sources, body.sourceResource);
  refuseSide('destination', body.destinations, body.destinationResource);
  if (!ACTIONS.includes(body.action)) throw invalid(`unknown action: ${body.action}`);
  if (!PROTOCOLS.includes(body.protocol)) throw invalid(`unknown protocol: ${body.protocol}`);
  refusePorts(body);
  refuseUncoveredSources(body);
}

/** The rule to store, with the id from the request; empty if the request has none. */
export function writtenRule(account: Account, body: RuleBody): RuleRecord {
  return {
    ...body,
    port_ranges: body.port_ranges.map(({ start, end }) => ({
      start: wrapped(start),
      end: wrapped(end),
    })),
    authorized_groups: body.protocol === SSH ? body.authorized_groups : {},
    sources: knownGroups(account, body.sources),
    sourceResource: body.sourceResource ?? null,
    destinations: knownGroups(account, body.destinations),
    destinationResource: body.destinationResource ?? null,
  };
}

/** Refuses a side unless it is either groups or one resource. An empty list counts as given, but null does not. */
function refuseSide(side: string, groups: unknown, resource: unknown): void {
  if (groups !== undefined && resource !== undefined)
    throw invalid(`specify either ${side}s or ${side}Resource, not both`);
  if (groups === undefined && resource === undefined)
    throw invalid(`specify either ${side}s or ${side}Resource`);
}

function refusePorts({ protocol, ports, port_ranges }: RuleBody): void {
  if (ports.length > 0 && port_ranges.length > 0)
    throw invalid('specify either ports or port_ranges, not both');
  if (ports.length + port_ranges.length > 0 && WITHOUT_PORTS.includes(protocol))
    throw invalid(`ports are not allowed with protocol ${protocol}`);
  for (const port of ports) if (!isPort(port)) throw invalid(`invalid port: ${port}`);
  // A reversed range is not detected.
  for (const { start, end } of port_ranges)
    if (start < 1 || end > MAX_PORT) throw invalid(`invalid port range: ${start}-${end}`);
}

/** Whether a text is a port. A port may have a plus sign or leading zeros, and is stored with them. */
function isPort(port: string): boolean {
  if (!/^[+-]?\d+$/.test(port)) return false;
  const number = Number(port);
  return number >= 1 && number <= MAX_PORT;
}

/** A port in 16 bits, in which the server stores the ends of a range without a check. */
function wrapped(port: number): number {
  const ports = MAX_PORT + 1;
  return ((port % ports) + ports) % ports;
}

/** Refuses a rule about SSH that lists users who may sign in, unless it lists them for every source group. */
function refuseUncoveredSources({ protocol, authorized_groups, sources = [] }: RuleBody): void {
  if (protocol !== SSH || Object.keys(authorized_groups).length === 0) return;
  const uncovered = sources.find(group => !Object.hasOwn(authorized_groups, group));
  if (uncovered !== undefined)
    throw invalid(`authorized_groups has no entry for source group ${uncovered}`);
}

function knownGroups(account: Account, groups: readonly string[] = []): readonly string[] {
  return groups.filter(group => account.groups.get(group) !== undefined);
}
