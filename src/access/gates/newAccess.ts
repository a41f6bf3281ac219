// The access that a plan grants, for a run that allows no new access.
import { type PlanAccess, rightText } from '../../model/access/planAccess.ts';
import { visible } from '../../model/text/visible.ts';
import { type Namer, namerOf } from '../ask/party.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { targetRows } from '../diff/targetRows.ts';
import type { Comparison } from '../plan/comparison.ts';
import { and, isEmpty } from '../sets/bits.ts';
import { ALL_TRAFFIC, SPAN, without } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import { unreadNames, unreadWords } from './dependence.ts';
import { movedAt, type States, sidesText } from './movedAccess.ts';

/** All new access and rights, including those of future members, and a note on unread lists that may hide new access. */
export function newAccess(
  comparison: Comparison,
  { rights = [] }: Pick<PlanAccess, 'rights'>,
): readonly string[] {
  const unread = unreadNames(comparison.stateBefore);
  const namer = namerOf(comparison.after.world);
  const gains = comparison
    .changes()
    .changes.filter(change => isGain(comparison, change))
    .map(change => gainText(namer, change))
    .sort()
    .concat(rights.map(one => visible(rightText(one))));
  return unread.length > 0 ? [...gains, `there may be more: ${unreadWords(unread)}`] : gains;
}

// Another port, or the same port under fewer conditions, is also new access.
function isGain({ before, after }: States, change: AccessChange): boolean {
  const { kind, protocol, sources, targets } = change;
  if (kind === 'gained') return true;
  const traffic = protocol === 'all' ? ALL_TRAFFIC : [SPAN[protocol]];
  return targets.some(target => {
    const rows = targetRows(before, after, target);
    return !isEmpty(and(movedAt(rows, 'gained', traffic), sources));
  });
}

function gainText(namer: Namer, change: AccessChange): string {
  const { sources, targets, protocol, usable } = change;
  const sides = sidesText(namer, sources, targets);
  const added = usable ? without(usable.after, usable.before) : [];
  const ports = added.length > 0 ? trafficWords(added).join(' ') : conditionText(protocol);
  return visible(`${sides}  ${ports}`);
}

const conditionText = (protocol: AccessChange['protocol']): string =>
  protocol === 'all' ? 'under other conditions' : `${protocol} under other conditions`;
