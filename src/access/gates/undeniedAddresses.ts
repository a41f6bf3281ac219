// Addresses to which a rule denies access only before a plan, because the object with these
// addresses is deleted. The model keeps overlapping ranges apart, but a routing machine drops what
// any of its rules denies, and the narrowest range determines the routing machine. So after the
// plan, access to other ranges with the same addresses leads there.
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { targetsBeside } from '../ask/destinations.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { type RoutedTarget, routedTargets } from '../flows/targets.ts';
import type { Comparison } from '../plan/comparison.ts';
import { and, type Bits, isEmpty, minus, noBits, orInto } from '../sets/bits.ts';
import type { Entry } from '../sets/row.ts';
import { overlap, without } from '../sets/traffic.ts';
import { sidesOf } from './movedAccess.ts';

/**
 * Access to addresses to which a rule denies access only before the plan. There is one entry for
 * each deleted object. `causes`: the changes that may be the reason.
 */
export function undeniedAddresses(
  { before, after }: Pick<Comparison, 'before' | 'after'>,
  causes: readonly string[],
): readonly AccessFinding[] {
  const now = after.under('possible');
  const namer = memberSetNamer(before.world);
  return routedTargets(before.world).flatMap((target): readonly AccessFinding[] => {
    const undenied = undeniedIn({ before, after }, target);
    if (undenied.length === 0) return [];
    return targetsBeside(after.world, target).flatMap(beside => {
      const sources = noBits();
      for (const { traffic, sources: denied } of undenied)
        for (const segment of now.routedRow(beside.id))
          if (overlap(traffic, [segment])) orInto(sources, and(denied, segment.sources));
      if (isEmpty(sources)) return [];
      const detail = `through ${beside.address}`;
      const sides = sidesOf(namer, sources, [target]);
      return [{ gate: 'no_new_access', what: 'gained', ...sides, detail, causes } as const];
    });
  });
}

type Denied = Pick<Entry, 'traffic' | 'sources'>;

// The traffic that rules deny at a target before, but not after.
function undeniedIn(
  { before, after }: Pick<Comparison, 'before' | 'after'>,
  { id }: RoutedTarget,
): readonly Denied[] {
  // Unknown posture counts as passed, so that no traffic that may be denied is missed.
  const then = dropsAt(before.under('certain').deliveriesOf(id));
  if (then.length === 0) return [];
  const still = dropsAt(after.under('possible').deliveriesOf(id));
  return then
    .map(({ traffic, sources }) => ({ traffic, sources: minus(sources, deniedTo(still, traffic)) }))
    .filter(({ sources }) => !isEmpty(sources));
}

type Deliveries = ReturnType<ReturnType<Comparison['before']['under']>['deliveriesOf']>;

const dropsAt = (deliveries: Deliveries): readonly Entry[] =>
  deliveries.flatMap(({ entries }) =>
    entries.map(({ entry }) => entry).filter(({ isDrop }) => isDrop),
  );

function deniedTo(drops: readonly Entry[], traffic: Entry['traffic']): Bits {
  const all = noBits();
  for (const drop of drops)
    if (without(traffic, drop.traffic).length === 0) orInto(all, drop.sources);
  return all;
}
