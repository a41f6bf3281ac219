// Whether one machine reaches another.
import { INTERNET, type Someone } from './everyone.ts';
import { isOpened } from './opened.ts';
import { atLeast } from './posture.ts';
import { isAbout, isDestination, isSource, isThe, type Protocol, type World } from './world.ts';

export function reaches(
  world: World,
  source: Someone,
  target: Someone,
  [protocol, port]: readonly [Protocol, number],
): boolean {
  if (source.name === target.name || !target.isApproved) return false;
  if (!source.isLoggedIn || !target.isLoggedIn) return false;
  if (source.name === INTERNET)
    return target.peer !== null && isOpened(world.account, target.peer.id, [protocol, port]);
  if (!source.isApproved && !knows(world, target, source)) return false;
  const version = target.peer?.version;
  const takesRanges = version === undefined || atLeast(version, '0.48.0');
  const matching = world.enabledRules.filter(one => {
    const { rule } = one;
    const isForward = isSource(world, source, one) && isDestination(target, rule);
    const isBackward =
      rule.bidirectional && isSource(world, target, one) && isDestination(source, rule);
    return (isForward || isBackward) && isAbout(rule, protocol, port, takesRanges);
  });
  return (
    matching.some(({ rule }) => rule.action === 'accept') &&
    !matching.some(({ rule }) => rule.action === 'drop')
  );
}

/** Whether a machine knows one that awaits approval. */
function knows(world: World, one: Someone, waiting: Someone): boolean {
  return world.enabledRules.some(both => {
    const { sourceResource: from, destinationResource: to } = both.rule;
    if (from && isThe(waiting, from) && isDestination(one, both.rule)) return true;
    return to !== undefined && isThe(waiting, to) && isSource(world, one, both, 'accept');
  });
}

/** Whether a source has a routing machine on the other side of any enabled rule. */
export function hasEdge(world: World, source: Someone, via: Someone): boolean {
  return world.enabledRules.some(
    one =>
      (isSource(world, source, one, 'accept') && isDestination(via, one.rule)) ||
      (isSource(world, via, one, 'accept') && isDestination(source, one.rule)),
  );
}
