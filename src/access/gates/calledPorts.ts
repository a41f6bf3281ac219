// Ports through which services are called, compared with each other and with the ports of a selector.
import { overlap, portsOf, type Traffic } from '../sets/traffic.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { admittedBefore } from '../world/callers.ts';

type Opening = InternetPort['openings'][number];

const isAmong = ({ protocol, range }: Opening, traffic: Traffic): boolean =>
  range === undefined ||
  overlap(portsOf(protocol, [{ from: range.start, to: range.end }]), traffic);

/** Whether a port is open for some of the traffic. */
export const isOpenedFor = ({ openings }: InternetPort, traffic: Traffic): boolean =>
  openings.some(one => isAmong(one, traffic));

/**
 * Returns whether everybody who may call a port, and may use some of the traffic through it, did so
 * through another port of the same service in the earlier state.
 */
export function isCalledSince(
  was: AccessState,
  is: AccessState,
): (port: InternetPort, former: InternetPort, traffic: Traffic) => boolean {
  const areAdmitted = admittedBefore(was, is);
  return (port, former, traffic) =>
    isSameService(port, former) &&
    port.openings.every(
      one => !isAmong(one, traffic) || former.openings.some(other => isWithin(one, other)),
    ) &&
    areAdmitted(port, former);
}

const isSameService = (one: InternetPort, other: InternetPort): boolean =>
  one.service === other.service ||
  (one.serviceId !== undefined && one.serviceId === other.serviceId);

const isWithin = (one: Opening, other: Opening): boolean =>
  one.protocol === other.protocol &&
  (other.range === undefined ||
    (one.range !== undefined &&
      other.range.start <= one.range.start &&
      one.range.end <= other.range.end));
