// Names for which a zone returns no address, because it has no record for them. A client may still
// ask its nameservers for such a name. A zone without records is not sent to machines
// (docs/server-behaviour.md).
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState } from '../state/accessState.ts';
import {
  isBelow,
  isGivenTo,
  mayReach,
  repliesTo,
  type Source,
  sourceOfZone,
  sourcesOfMachines,
} from './replies.ts';

/**
 * The domain of the zone that has no record for the name, by the group whose machines get this
 * zone.
 */
export type Misses = ReadonlyMap<string, string>;

/** The groups whose machines get no address for a name, according to the zones of a state. */
export function missesOf({ zones, machines, groups }: AccessState, written: string): Misses {
  const name = domainText(written);
  const asked = name.replace(/^\*\./, '');
  const covering = zones
    .filter(({ isEnabled, records }) => isEnabled && records.length > 0)
    .map(zone => sourceOfZone(zone, groups))
    .filter(({ domain }) => asked === domain || isBelow(asked, domain));
  const isAnswering = (source: Source) => repliesTo(name, [source]).length > 0;
  if (covering.length === 0 || sourcesOfMachines(machines).some(isAnswering)) return new Map();
  const receivers = new Set(covering.flatMap(one => [...one.receivers.groups]));
  const misses = [...receivers].flatMap(group => {
    const nearest = covering
      .filter(one => mayReach(one, group))
      .toSorted((one, other) => other.domain.length - one.domain.length)[0];
    return nearest === undefined || isAnswering(nearest) ? [] : [[group, nearest.domain] as const];
  });
  return new Map(misses);
}

/**
 * The domains of the zones that prevent machines from resolving a name that they could resolve
 * before.
 */
export function newMisses(before: Misses, after: Misses): readonly string[] {
  const had = new Set(before.keys());
  const domains = [...after].flatMap(([group, domain]) => (isGivenTo(had, group) ? [] : domain));
  return [...new Set(domains)].sort();
}
