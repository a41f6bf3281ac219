// Ports through which services are called, compared with each other and with the ports of a selector.
import { overlap, portsOf, type Traffic } from '../sets/traffic.ts';
import type { InternetPort } from '../state/accessState.ts';

/** Whether a port is open for some of the traffic. */
export const isOpenedFor = ({ openings }: InternetPort, traffic: Traffic): boolean =>
  openings.some(
    ({ protocol, range }) =>
      range === undefined ||
      overlap(portsOf(protocol, [{ from: range.start, to: range.end }]), traffic),
  );

/** Whether the same callers call the same service through two ports. */
export const isSameCall = (one: InternetPort, other: InternetPort): boolean =>
  one.to.name === other.to.name &&
  (one.service === other.service ||
    (one.serviceId !== undefined && one.serviceId === other.serviceId));
