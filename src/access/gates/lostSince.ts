// The access that a saved plan takes away in the current account, but did not take away when it was
// approved. For example, another rule that allowed the same access may have been deleted since.
import { type AccessChangeEntry, takesAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { lostTraffic, portsIn } from '../plan/gainedOrLost.ts';
import { ALL_TRAFFIC, joinedIntervals, type Traffic, without } from '../sets/traffic.ts';
import type { JoinedSince } from './joinedSince.ts';
import { asShown, type ShownName } from './renamedSince.ts';
import { isShownOfEach, pairsOf, type ShownOfPair } from './shownPairs.ts';
import { sinceText } from './sinceText.ts';

/**
 * The losses that the approved losses do not cover, as strings:
 * `group/laptops → group/servers  tcp/3389`. A machine that joined a group since the approval may
 * lose what the approved losses list for future members of the group.
 */
export function lostSince(
  approved: readonly AccessChangeEntry[],
  now: readonly AccessChangeEntry[],
  joined: JoinedSince = () => [],
  shownName: ShownName = asShown,
): readonly string[] {
  const known = approved.filter(takesAccess).map(line => ({ line, ...pairsOf(line, asShown) }));
  const more = now.filter(takesAccess).flatMap(loss => {
    const same = known.filter(
      ({ line }) => line.protocol === loss.protocol || line.protocol === 'all',
    );
    const pairs = pairsOf(loss, shownName);
    const isKnown = isShownOfEach(pairs, same, joined, some => isShown(loss, some));
    return isKnown ? [] : [sinceText(loss, lostTraffic(loss))];
  });
  return [...new Set(more)].sort(compareTexts);
}

function isShown(
  loss: AccessChangeEntry,
  shown: readonly ShownOfPair<AccessChangeEntry>[],
): boolean {
  const lost = lostTraffic(loss);
  // No traffic is lost: only the conditions are different.
  if (lost.length === 0) return shown.length > 0;
  return without(lost, joinedIntervals(shown.flatMap(shownTraffic))).length === 0;
}

// The posture of future members is unknown. If posture checks matter, these members may lose every
// port that they had.
function shownTraffic({ line, isJoined }: ShownOfPair<AccessChangeEntry>): Traffic {
  const { protocol, ports_before: before, posture, posture_before, posture_after } = line;
  if (protocol === 'all') return ALL_TRAFFIC;
  const isConditional = [posture, posture_before, posture_after].some(one => one !== undefined);
  const areAllShown = isJoined && isConditional && line.summed === undefined;
  return areAllShown ? portsIn(line, before) : lostTraffic(line);
}
