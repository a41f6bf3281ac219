// Text for access that a saved plan did not show.
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import type { Traffic } from '../sets/traffic.ts';
import { portsText } from '../sets/trafficText.ts';

/**
 * `group/laptops → group/servers tcp/22,8000-8100`; without ports if only the conditions changed.
 */
export function sinceText(
  { from, to, protocol }: Pick<AccessChangeEntry, 'from' | 'to' | 'protocol'>,
  traffic: Traffic,
): string {
  const ports = protocol === 'tcp' || protocol === 'udp' ? portsText(traffic, protocol) : '';
  const shown = ports === ALL_PORTS ? '*' : ports;
  return `${from} → ${to}  ${[protocol, shown].filter(Boolean).join('/')}`;
}

const ALL_PORTS = '0-65535';
