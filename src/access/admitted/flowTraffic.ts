// The traffic of a flow, on the axis that the traffic of rules uses.
import { type Interval, SPAN } from '../sets/traffic.ts';

/** The traffic that a flow sends. */
export interface SentTraffic {
  /** The number of the protocol. */
  readonly protocol: number;
  /** The port of the destination; null if it is not known. */
  readonly port: number | null;
}

const ICMP: ReadonlySet<number> = new Set([1, 58]);
const TCP = 6;
const UDP = 17;

/**
 * The traffic of a flow: a single port of its protocol, or the whole protocol if the port is
 * unknown.
 */
export function trafficOf({ protocol, port }: SentTraffic): Interval {
  if (protocol !== TCP && protocol !== UDP) return SPAN.icmp;
  const span = protocol === TCP ? SPAN.tcp : SPAN.udp;
  return port === null ? span : { from: span.from + port, to: span.from + port };
}

/** Whether only rules for all protocols admit this protocol. */
export const isOtherProtocol = ({ protocol }: Pick<SentTraffic, 'protocol'>): boolean =>
  protocol !== TCP && protocol !== UDP && !ICMP.has(protocol);

/** The name of a protocol; its number if rules cannot name it. */
export function protocolName({ protocol }: Pick<SentTraffic, 'protocol'>): string {
  if (protocol === TCP) return 'tcp';
  if (protocol === UDP) return 'udp';
  return ICMP.has(protocol) ? 'icmp' : String(protocol);
}
