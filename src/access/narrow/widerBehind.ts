// Wider destinations behind narrower ones. A machine sends traffic to the narrowest range that it
// receives. If it no longer receives this range, a wider range takes the traffic and may admit more
// of it.
import type { Reaches } from '../flows/reaches.ts';
import { type RoutedTarget, routedTargets, rowAt } from '../flows/targets.ts';
import { type Bits, isEmpty, minus, noBits, orInto } from '../sets/bits.ts';
import { among } from '../sets/row.ts';
import { onlyIn } from '../sets/rowSets.ts';
import { distanceWithin, rangeOf } from '../world/address.ts';

/**
 * Whether somebody who no longer receives a range may send more traffic to its addresses, through a
 * wider range.
 */
export function isWiderBehind(before: Reaches, after: Reaches): boolean {
  return routedTargets(before.world).some(narrow => {
    const losing = minus(receiversOf(before, narrow), receiversOf(after, narrow));
    if (isEmpty(losing)) return false;
    const had = rowAt(before.under('certain'), narrow);
    return routedTargets(after.world)
      .filter(wide => isWiderThan(wide, narrow))
      .some(wide => {
        const row = among(rowAt(after.under('possible'), wide), losing);
        return onlyIn(row, had).length > 0;
      });
  });
}

// An exit node leads to the internet, but not to what is behind other routing machines.
const isWiderThan = (wide: RoutedTarget, narrow: RoutedTarget): boolean =>
  rangeOf(wide.address)?.length !== 0 && (distanceWithin(narrow.address, wide.address) ?? 0) > 0;

function receiversOf(reaches: Reaches, { id }: RoutedTarget): Bits {
  const receivers = noBits();
  for (const delivery of reaches.under('possible').deliveriesOf(id))
    orInto(receivers, delivery.receivers);
  return receivers;
}
