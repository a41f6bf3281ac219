// Routes and network resources whose owner keeps their access. The rules that make them work are
// kept too: the rules of their groups, and the rules along which a route is distributed.
import type { Desired } from '../../model/object.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { KeptFinding } from '../../model/tightening.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { Target } from '../flows/targets.ts';

/** Why the owner of an object keeps its access. */
export type KeptByOwner = Pick<KeptFinding, 'by' | 'reason'>;

/** Why the owner of an object keeps its access; undefined if the owner does not keep it. */
export function keptByOwner({ lifecycle }: Pick<Desired, 'lifecycle'>): KeptByOwner | undefined {
  const { keep_access: reason, break_glass: isBreakGlass, protect: isProtected } = lifecycle;
  if (reason !== undefined) return { by: 'lifecycle', reason };
  if (isBreakGlass) return { by: 'break-glass', reason: 'break-glass object' };
  return isProtected ? { by: 'protect', reason: 'protected' } : undefined;
}

/** Returns a kept destination among some objects that loses access by one of these changes. */
export function keptDestinationsAmong(
  objects: readonly Desired[],
): (changes: readonly AccessChange[]) => KeptByOwner | undefined {
  const kept = new Map<string, KeptByOwner>();
  for (const object of objects) {
    const { kind, key } = object;
    const by = kind === 'route' || kind === 'network_resource' ? keptByOwner(object) : undefined;
    if (by === undefined) continue;
    const noun = kind === 'route' ? 'route' : 'network resource';
    const reason = `${noun} ${jsonString(key)} needs it: ${by.reason}`;
    kept.set(`${kind} ${key}`, { by: by.by, reason });
  }
  if (kept.size === 0) return () => undefined;
  return changes => {
    const lost = changes.filter(({ loses }) => loses).flatMap(({ targets }) => targets);
    return lost.flatMap(namesOfTarget).flatMap(name => kept.get(name) ?? [])[0];
  };
}

function namesOfTarget(target: Target): readonly string[] {
  if (target.type === 'machine') return [];
  const routes = target.routes.map(({ key }) => `route ${key}`);
  return routes.concat(target.resources.map(({ resource }) => `network_resource ${resource.key}`));
}
