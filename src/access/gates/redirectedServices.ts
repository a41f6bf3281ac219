// Services open to everybody that reach other addresses after a plan that does not change them: a
// service calls a name, and the name resolves differently after the plan. The changes of the name
// have the same hazard as a change of the service's `host`.
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Comparison } from '../plan/comparison.ts';
import { SERVICE } from '../state/services.ts';
import { callsByName } from '../state/zones.ts';
import { portsCalledBefore } from '../world/callers.ts';
import { leadsIn } from '../world/nameTargets.ts';
import { changesOfNames, placesBeyondMachines } from './requestRights.ts';

/** Descriptions of what changes of names open, by the address of each change. */
export type Redirected = ReadonlyMap<Address, readonly string[]>;

/**
 * The services open to everybody that reach other addresses because a name resolves differently.
 */
export function redirectedServices(
  states: Comparison,
  { changes }: Pick<Plan, 'changes'>,
): Redirected {
  const { stateBefore, stateAfter, parts } = states;
  const written = new Set(parts.addresses);
  const naming = changesOfNames(changes).flatMap(({ address }) =>
    written.has(address) ? address : [],
  );
  if (naming.length === 0 || !stateAfter.internetPorts.some(callsByName)) return new Map();
  const found = portsCalledBefore(stateBefore, stateAfter).flatMap(({ port, otherHost }) => {
    if (otherHost?.isLedElsewhere !== true || port.to.are !== 'anybody') return [];
    const { host } = otherHost;
    const places = placesBeyondMachines(states, otherHost.places);
    if (places.length === 0) return [];
    const service = addressOf(kindName(SERVICE), (port.service ?? '') as Key);
    const where = places.map(quoted).join(', ');
    const says = `leads ${quoted(host)} to ${where}, and ${service}, which is open to everybody on the internet, calls this name`;
    return causesOf(states, naming, { host, places }).map(address => ({ address, says }));
  });
  return new Map(
    [...Map.groupBy(found, ({ address }) => address)].map(([address, all]) => [
      address,
      [...new Set(all.map(({ says }) => says))],
    ]),
  );
}

/**
 * The maximum number of changes that are left out one by one to find the changes that lead a name
 * elsewhere.
 */
const MOST = 50;

// The changes without which the name would not lead there. If none of them is necessary alone, all
// changes of names are causes.
function causesOf(
  { parts }: Comparison,
  naming: readonly Address[],
  { host, places }: { readonly host: string; readonly places: readonly string[] },
): readonly Address[] {
  if (naming.length === 1 || naming.length > MOST) return naming;
  const needed = naming.filter(one => {
    const { state } = parts.without(new Set([one])).reaches.world;
    const there = leadsIn(state)(host).places;
    return !places.every(place => there.has(place));
  });
  return needed.length === 0 ? naming : needed;
}
