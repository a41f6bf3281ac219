// The machines that forward traffic to guarded addresses. Each of these machines can read, change
// and answer the traffic. No source gains access, so a new forwarder is a right. A route or another
// network resource with the address also gives this right, because it takes the traffic from the
// previous forwarder, or from the machine with the address. Masquerade is a right too, because all
// traffic then arrives with the address of the routing machine.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import {
  addressesOf,
  overlayOf,
  ownTargetsOf,
  placesOf,
  targetsAround,
  targetsServing,
} from '../ask/destinations.ts';
import { memberName } from '../ask/memberSetNames.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import { type RoutedTarget, routedTargets } from '../flows/targets.ts';
import { effectiveChanges } from '../plan/causes.ts';
import type { Comparison } from '../plan/comparison.ts';
import { everyServer } from '../routed/servers.ts';
import { add, and, type Bits, count, has, indexesIn, minus, noBits, or } from '../sets/bits.ts';
import type { Named, Servers } from '../state/accessState.ts';
import { rangeOf } from '../world/address.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { namesOfOne } from './sameObject.ts';

/** The rights to forward guarded traffic that a plan gives. */
export function forwardingRights(
  states: Comparison,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const selectors = new Map(
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      return 'fault' in selector ? [] : [[selector.text, selector] as const];
    }),
  );
  if (selectors.size === 0 || changes.length === 0) return [];
  const effective = effectiveChanges(states.stateBefore, states.stateAfter, {
    changes,
    moved: states.moved,
  });
  const some = changes[0]?.address;
  return [...selectors.values()].flatMap(selector => {
    const names = namesOfOne(states, selector);
    const [former, latter] = [states.before, states.after].map(({ world }) => ({
      world,
      guarded: guardedIn(world, names),
    }));
    if (former === undefined || latter === undefined) return [];
    const was = forwardersOf(former.world, alsoBefore(former, latter.guarded));
    // If nobody reached the destination before, the plan opens it. The plan lists that as gained access, not as a right.
    if (was.length === 0 && former.guarded.overlay.length === 0) return [];
    const is = forwardersOf(latter.world, together(former.guarded, latter.guarded));
    return [
      ...newForwarders(states, { was, is, selector, effective, some }),
      ...masquerading(changes, is, selector),
    ];
  });
}

/** The machines that forward traffic to the objects of selectors in a state. */
export const forwardersTo = (world: World, names: readonly Selector[]): Bits =>
  forwardersOf(world, guardedIn(world, names))
    .map(({ machines }) => machines)
    .reduce(or, noBits());

/** A router or a route for a guarded address, with its machines, including future machines. */
interface Forwarder extends Named {
  readonly kind: 'network_router' | 'route';
  readonly servers: Servers;
  readonly machines: Bits;
  /** The networks and network resources that contain the router or route. */
  readonly above: readonly string[];
}

/** The guarded objects in a state. */
interface Guarded {
  readonly own: readonly RoutedTarget[];
  readonly addresses: readonly string[];
  /** The overlay addresses of guarded machines, at which sources reach them without a routing machine. */
  readonly overlay: readonly string[];
}

function guardedIn(world: World, names: readonly Selector[]): Guarded {
  const targets = names.flatMap(name => ownTargetsOf(world, name) ?? []);
  return {
    own: targets.filter(target => target.type !== 'machine'),
    addresses: names.flatMap(name => addressesOf(world, name) ?? []),
    overlay: overlayOf(world, targets),
  };
}

// The guarded objects before the plan. An object that is created again in another network has a
// different id, but is the same destination.
function alsoBefore(
  { world, guarded }: { readonly world: World; readonly guarded: Guarded },
  latter: Guarded,
): Guarded {
  const ids = new Set(latter.own.map(({ id }) => id));
  const same = routedTargets(world).filter(({ id }) => ids.has(id));
  return {
    ...guarded,
    own: [...guarded.own, ...same],
    addresses: [...guarded.addresses, ...same.flatMap(placesOf)],
  };
}

const together = (former: Guarded, latter: Guarded): Guarded => ({
  own: latter.own,
  addresses: [...former.addresses, ...latter.addresses],
  overlay: [...former.overlay, ...latter.overlay],
});

function forwardersOf(world: World, { own, addresses, overlay }: Guarded): readonly Forwarder[] {
  // An exit node does not take traffic away from a narrower range.
  const around = targetsServing(world, addresses).filter(isNarrow);
  const routed = [...new Set([...own, ...around, ...targetsAround(world, overlay)])];
  const networks = new Set(
    routed.flatMap(({ resources }) =>
      resources.flatMap(({ network, resource }) => (resource.isEnabled ? network : [])),
    ),
  );
  const routes = new Set(routed.flatMap(one => one.routes));
  const above = [
    ...[...networks].flatMap(one => namesOf(one).map(name => `network ${name}`)),
    ...routed.flatMap(({ resources }) =>
      resources.flatMap(({ resource }) =>
        namesOf(resource).map(name => `network_resource ${name}`),
      ),
    ),
  ];
  const all = [
    ...[...networks].flatMap(network =>
      network.routers.map(router => ({ ...router, kind: 'network_router' as const, above })),
    ),
    ...[...routes].map(route => ({ ...route, kind: 'route' as const, above: [] })),
  ];
  return all
    .filter(({ isEnabled }) => isEnabled)
    .map(one => ({ ...one, machines: everyServer(world, one.servers) }));
}

const isNarrow = ({ address }: RoutedTarget): boolean => rangeOf(address)?.length !== 0;

interface Compared {
  readonly was: readonly Forwarder[];
  readonly is: readonly Forwarder[];
  readonly selector: Selector;
  readonly effective: ReadonlyMap<string, readonly Address[]>;
  /** Any change of the plan, for a right whose causing change cannot be found. */
  readonly some: Address | undefined;
}

// Rights of new forwarders. There is one right for each change that makes machines forward.
function newForwarders(
  { after: { world } }: Comparison,
  { was, is, selector, effective, some }: Compared,
): readonly RightEntry[] {
  const known = was.map(({ machines }) => machines).reduce(or, noBits());
  const found = new Map<Address, Bits>();
  for (const forwarder of is)
    for (const index of indexesIn(and(minus(forwarder.machines, known), world.present))) {
      const names = providersOf(world, forwarder, index);
      const cause = names.flatMap(name => effective.get(name) ?? [])[0] ?? some;
      if (cause === undefined) continue;
      const machines = found.get(cause) ?? noBits();
      add(machines, index);
      found.set(cause, machines);
    }
  return [...found].map(([object, machines]) => ({
    object,
    right: 'forwarding' as const,
    message: `${whoText(world, machines)} ${count(machines) === 1 ? 'forwards' : 'forward'} traffic to ${nameText(selector.text)}`,
  }));
}

// The objects that make a machine forward traffic, the most direct first.
function providersOf(world: World, forwarder: Forwarder, index: number): readonly string[] {
  const { type = 'machine', key = '' } = world.members[index] ?? {};
  const { kind, servers, above } = forwarder;
  const groups = servers.groups.filter(group => has(world.inGroups([group]), index));
  return [
    ...namesOf(forwarder).map(name => `${kind} ${name}`),
    ...groups.map(group => `group ${group}`),
    `${type === 'machine' ? 'peer' : type} ${key}`,
    ...above,
  ];
}

const SHOWN = 3;

function whoText(world: World, machines: Bits): string {
  const names = [...indexesIn(machines)].map(index => {
    const name = nameText(memberName(world, index));
    return has(world.today, index) ? name : `${name} (future members)`;
  });
  const left = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

// Rights of masquerade. Traffic then arrives from the address of the routing machine, so the target's rules for that machine
// decide.
function masquerading(
  changes: readonly ShownChange[],
  is: readonly Forwarder[],
  selector: Selector,
): readonly RightEntry[] {
  const names = new Set(is.flatMap(one => namesOf(one).map(name => `${one.kind} ${name}`)));
  return changes.flatMap(({ type, kind, key, id, address, before, after }): RightEntry[] => {
    if (type === 'delete' || after?.masquerade !== true || before?.masquerade !== false) return [];
    if (![key, `id:${id}`].some(name => names.has(`${kind} ${name}`))) return [];
    const to = nameText(selector.text);
    const message = `traffic reaches ${to} with the source address of the routing machine`;
    return [{ object: address, right: 'forwarding', message }];
  });
}
