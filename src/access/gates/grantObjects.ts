// A grant as desired state: one policy with a single rule and an expiry time.
import { segmentsOf } from '../../model/key.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Selector } from '../ask/selector.ts';
import { ofProtocol, PROTOCOLS, SPAN } from '../sets/traffic.ts';

/** The requested access. */
export interface AskedGrant {
  readonly from: Selector;
  readonly to: Selector;
  /** The time at which the grant expires, in RFC 3339. */
  readonly until: string;
  readonly reason: string;
  readonly name: string;
}

/** The types of objects that a grant may have as source and as destination. */
export const GRANT_SOURCES: ReadonlySet<string> = new Set(['group', 'peer']);
export const GRANT_DESTINATIONS: ReadonlySet<string> = new Set([
  'group',
  'peer',
  'network_resource',
]);

/** The name of the object of a grant, as flags write it. */
export const grantedObject = (name: string): string => `policy/${name}`;

/** The content of the file. `name` is the name of the policy. */
export function grantObjects({ from, to, until, reason, name }: AskedGrant): JsonObject {
  const rule = {
    name: 'grant',
    ...(from.type === 'group'
      ? { sources: [from.name] }
      : { sourceResource: { [from.type]: from.name } }),
    ...(to.type === 'group'
      ? { destinations: [to.name] }
      : { destinationResource: { [to.type]: referenceOf(to) } }),
    ...ports(to),
  };
  const policy = { name, description: reason, lifecycle: { until }, rules: [rule] };
  return { policies: [policy] };
}

// A name may contain slashes.
function referenceOf({ type, name }: Selector): string | readonly string[] {
  return type === 'network_resource' ? (segmentsOf(name, 2) ?? name) : name;
}

function ports({ traffic, hasPorts }: Selector): JsonObject {
  const protocols = PROTOCOLS.filter(protocol => ofProtocol(traffic, protocol).length > 0);
  const [protocol, ...others] = protocols;
  if (!hasPorts || protocol === undefined || others.length > 0) return { protocol: 'all' };
  const { from: offset, to: end } = SPAN[protocol];
  const [only] = ofProtocol(traffic, protocol);
  const isWhole = only === undefined || (only.from === offset && only.to === end);
  if (protocol === 'icmp' || isWhole) return { protocol };
  const start = only.from - offset;
  const last = only.to - offset;
  return start === last
    ? { protocol, ports: [String(start)] }
    : { protocol, port_ranges: [{ start, end: last }] };
}
