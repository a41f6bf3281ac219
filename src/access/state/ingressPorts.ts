// Ports that ingress peers open to the internet.
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { IngressPort, PortRange } from './accessState.ts';
import { flagIn, namedBy, type StateObject, textIn } from './stateObject.ts';

/**
 * The open ports of these allocations. Without an enabled ingress peer none is open; if no ingress peer is known, there is one,
 * because an allocation needs it.
 */
export function ingressPortsOf(
  allocations: readonly StateObject[],
  ingressPeers: readonly StateObject[],
): readonly IngressPort[] {
  const enabled = ingressPeers.filter(({ fields }) => flagIn(fields, 'enabled', true));
  if (ingressPeers.length > 0 && enabled.length === 0) return [];
  const through = enabled.map(({ key }) => key);
  return allocations.flatMap(allocation => {
    const { parent, fields } = allocation;
    if (parent === undefined || !flagIn(fields, 'enabled', true)) return [];
    return { ...namedBy(allocation), machine: parent, through, openings: openingsOf(fields) };
  });
}

function openingsOf({ port_ranges: ranges, direct_port: direct }: Fields): IngressPort['openings'] {
  const written = (isList(ranges) ? ranges : []).filter(isObject).flatMap(range => {
    const ports = portsOf(range);
    return ports ? protocolsOf(range).map(protocol => ({ protocol, range: ports })) : [];
  });
  // What a live allocation maps reads as ranges and as direct ports alike, and the ranges say which ports these are.
  if (written.length > 0 || !isObject(direct)) return written;
  return protocolsOf(direct).map(protocol => ({ protocol }));
}

function protocolsOf(fields: Fields): readonly ('tcp' | 'udp')[] {
  const protocol = textIn(fields, 'protocol');
  return protocol === 'tcp' || protocol === 'udp' ? [protocol] : ['tcp', 'udp'];
}

function portsOf({ start, end }: Readonly<Record<string, Json>>): PortRange | undefined {
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined;
}
