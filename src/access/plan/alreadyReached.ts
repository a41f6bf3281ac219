// Gained access to an address that the sources already reached in another way, such as by an exit node.
import type { AccessChangeEntry, AlreadyReached } from '../../model/access/planAccess.ts';
import { targetsBeside } from '../ask/destinations.ts';
import { partsAt } from '../ask/flows.ts';
import type { MemberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { and, type Bits, isEmpty, isSubset, noBits, orInto } from '../sets/bits.ts';
import { type Traffic, without } from '../sets/traffic.ts';
import type { World } from '../world/world.ts';

/** The maximum number of ways that an entry names, because a range may contain any number of resources. */
const LISTED = 3;

/** The access before a plan, and the traffic that the plan gives. */
interface Before {
  readonly reaches: Reaches;
  readonly traffic: Traffic;
  readonly namers: { readonly before: MemberSetNamer; readonly after: MemberSetNamer };
}

/**
 * The other destinations by which sources of a gain already reached the address with all gained traffic, whatever the results of
 * posture checks.
 */
export function alreadyReached(
  { kind, sources, targets: [target] }: AccessChange,
  { traffic, reaches, namers }: Before,
): Pick<AccessChangeEntry, 'already_reached'> {
  if (kind !== 'gained' || target.type === 'machine') return {};
  const found = besideIn(reaches.world, target).flatMap((way): readonly AlreadyReached[] => {
    const some = reaching(reaches, way, { sources, traffic });
    if (isEmpty(some)) return [];
    const { name, address } = namers.before.destination([way]);
    const from = isSubset(sources, some) ? undefined : namers.after.party(some);
    return [
      {
        by: name,
        ...(address !== undefined && { address }),
        ...(from && { from: from.name, machines: from.machines }),
      },
    ];
  });
  return found.length === 0 ? {} : { already_reached: found.slice(0, LISTED) };
}

// The sources that reach a target with all of the traffic.
function reaching(
  reaches: Reaches,
  target: RoutedTarget,
  question: { readonly sources: Bits; readonly traffic: Traffic },
): Bits {
  const found = noBits();
  const isAll = (allowed: Traffic) => without(question.traffic, allowed).length === 0;
  const asked = { ...question, targets: [target] };
  for (const { sources, unconditional, granted, pass } of partsAt(reaches, asked, [target]))
    if (isAll(unconditional)) orInto(found, sources);
    else if (isAll(granted)) orInto(found, pass);
  return and(found, question.sources);
}

const known = new WeakMap<World, Map<string, readonly RoutedTarget[]>>();

// Many changes have the same destination.
function besideIn(world: World, target: RoutedTarget): readonly RoutedTarget[] {
  const ofWorld = known.get(world) ?? new Map<string, readonly RoutedTarget[]>();
  known.set(world, ofWorld);
  const found = ofWorld.get(target.id) ?? targetsBeside(world, target);
  ofWorld.set(target.id, found);
  return found;
}
