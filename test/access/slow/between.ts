// Whether one machine reaches another.
import type { Someone } from './everyone.ts';
import { atLeast } from './posture.ts';
import { isAbout, isDestination, isSource, isThe, type Protocol, type Scene } from './scene.ts';

export function reaches(
  scene: Scene,
  source: Someone,
  target: Someone,
  [protocol, port]: readonly [Protocol, number],
): boolean {
  if (source.name === target.name || !target.isApproved) return false;
  if (!source.isApproved && !knows(scene, target, source)) return false;
  const version = target.peer?.version;
  const takesRanges = version === undefined || atLeast(version, '0.48.0');
  const matching = scene.enabledRules.filter(one => {
    const { rule } = one;
    const isForward = isSource(scene, source, one) && isDestination(target, rule);
    const isBackward =
      rule.bidirectional && isSource(scene, target, one) && isDestination(source, rule);
    return (isForward || isBackward) && isAbout(rule, protocol, port, takesRanges);
  });
  return (
    matching.some(({ rule }) => rule.action === 'accept') &&
    !matching.some(({ rule }) => rule.action === 'drop')
  );
}

/** Whether a machine knows one that awaits approval. */
function knows(scene: Scene, one: Someone, waiting: Someone): boolean {
  return scene.enabledRules.some(both => {
    const { sourceResource: from, destinationResource: to } = both.rule;
    if (from && isThe(waiting, from) && isDestination(one, both.rule)) return true;
    return to !== undefined && isThe(waiting, to) && isSource(scene, one, both, 'accept');
  });
}

/** Whether a source has a routing machine on the other side of any enabled rule. */
export function hasEdge(scene: Scene, source: Someone, via: Someone): boolean {
  return scene.enabledRules.some(
    one =>
      (isSource(scene, source, one, 'accept') && isDestination(via, one.rule)) ||
      (isSource(scene, via, one, 'accept') && isDestination(source, one.rule)),
  );
}
