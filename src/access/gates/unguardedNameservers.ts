// Nameservers for domains that are not guarded. Their answers are unknown, so they give no access. But routing machines that
// reach a guarded object forward traffic to any address in an answer.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { ShownChange } from '../../model/change.ts';
import { nameText } from '../../model/text/visible.ts';
import { ownTargetsOf, targetsOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import { routedTargets, rowAt } from '../flows/targets.ts';
import type { Comparison } from '../plan/comparison.ts';
import { everyServer } from '../routed/servers.ts';
import { add, type Bits, intersect, noBits, or, orInto } from '../sets/bits.ts';
import { domainsIn } from '../state/zones.ts';
import type { World } from '../world/world.ts';
import { asksOthers, guardedNames } from './answeringRights.ts';
import { firstNames } from './firstNames.ts';
import { forwardersTo } from './forwardingRights.ts';
import type { MovingNote } from './movingNotes.ts';
import { NAMESERVERS } from './nameservers.ts';
import { namesOfOne } from './sameObject.ts';

/**
 * A note for nameservers that may direct clients of a domain to a guarded object, through routing
 * machines that reach the object.
 */
export function unguardedNameservers(
  states: Comparison,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
): readonly MovingNote[] {
  const concerned = changes.filter(({ kind }) => kind === NAMESERVERS);
  if (concerned.length === 0 || guarded.length === 0) return [];
  const { world } = states.after;
  const targets = new Set(guarded.map(({ to }) => to)).values().flatMap(to => {
    const selector = selectorOf(to);
    if ('fault' in selector || selector.type === 'all' || selector.type === 'internet') return [];
    return [{ selector, names: guardedNames(states, selector), by: reachedBy(states, selector) }];
  });
  const all = [...targets];
  const domains = domainsIn(states.stateAfter);
  return concerned.flatMap(({ address, before, after }): MovingNote[] =>
    all.flatMap(({ selector, names, by }): MovingNote[] => {
      const steered = domains.filter(
        domain =>
          !names.own.has(domain) &&
          asksOthers(before, after, domain) &&
          intersect(serversOfDomain(world, domain), by),
      );
      if (steered.length === 0) return [];
      const its = steered.length === 1 ? 'its' : 'their';
      const textOf = (some: readonly string[], whose: string) =>
        `the nameservers of ${nameText(address)} answer for ${firstNames(some)}, and may lead ${whose} callers to ${nameText(selector.text)}, which ${whose} routing machines reach`;
      const says = steered.map(domain => textOf([domain], 'its'));
      return [{ message: textOf(steered, its), moves: [{ says, of: [''] }] }];
    }),
  );
}

// The machines that may reach the selector's objects, the machines that forward traffic to them, and the objects themselves.
function reachedBy(states: Comparison, selector: Selector): Bits {
  const { after } = states;
  const names = namesOfOne(states, selector);
  const found = noBits();
  orInto(found, forwardersTo(after.world, names));
  const reach = after.withRouters().under('granted');
  for (const name of names) {
    for (const target of ownTargetsOf(after.world, name) ?? [])
      if (target.type === 'machine') add(found, target.index);
    for (const target of targetsOf(after.world, name) ?? [])
      for (const { sources } of rowAt(reach, target)) orInto(found, sources);
  }
  return found;
}

function serversOfDomain(world: World, domain: string): Bits {
  const offering = routedTargets(world).filter(
    ({ address, leadingTarget }) => address === domain && leadingTarget === undefined,
  );
  const serving = offering.flatMap(({ resources, routes }) => [
    ...resources.flatMap(({ network }) => network.routers),
    ...routes,
  ]);
  return serving
    .filter(({ isEnabled }) => isEnabled)
    .map(({ servers }) => everyServer(world, servers))
    .reduce(or, noBits());
}
