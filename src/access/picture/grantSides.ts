// Finds the groups, machines or resources that contain given sources and targets on the two sides of a grant, such as a rule or a
// route.
import type { PictureChange } from '../../model/access/accessPicture.ts';
import type { AccessGrant } from '../../model/access/planAccess.ts';
import { type Bits, intersect } from '../sets/bits.ts';
import type { Rule, Side } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import type { Column } from './column.ts';
import type { NameOf } from './commonNames.ts';

/** Sources and targets. A grant gives access to all pairs of them. */
interface GrantedPairs {
  readonly sources: readonly Bits[];
  readonly targets: readonly Column[];
}

/**
 * A grant, and the names on each of its sides that contain the pairs. If no single name of a side
 * contains them, all names of the side.
 */
export type GrantSides = Pick<PictureChange, 'by' | 'from' | 'to'>;

/** The names of the network resources and routes among some targets. */
export function offeredAmong(columns: readonly Column[], nameOf: NameOf): readonly string[] {
  const names = columns.flatMap(({ target }) => {
    if (target.type === 'machine') return [];
    const { resources, routes, address } = target;
    return [
      resources.map(({ resource }) => nameOf.selector('network_resource', resource.key)),
      routes.map(({ networkId }) => `${nameOf.selector('route', networkId)} ${address}`),
    ].flat();
  });
  return [...new Set(names)];
}

type Found = Pick<GrantSides, 'from' | 'to'>;

/** Returns a function that finds the sides of a grant that contain given pairs in a state. */
export function sidesOfGrants(
  world: World,
  nameOf: NameOf,
): (grant: AccessGrant, pairs: GrantedPairs) => GrantSides {
  return ({ policy, rule, reverse, open_route, ingress_port, service }, pairs) => {
    if (open_route !== undefined) {
      const by = { open_route: nameOf.key('route', open_route) };
      return { by, ...sidesOfRoute(world, open_route, pairs, nameOf) };
    }
    if (policy === undefined) {
      const by = service === undefined ? { ingress_port: ingress_port ?? '' } : { service };
      return { by, ...sidesOfOpening(world, by, nameOf) };
    }
    const rules = world.policies
      .filter(one => nameOf.key('policy', one.policy.key) === policy)
      .flatMap(one => one.policy.rules.filter(({ name }) => name === rule));
    const sides = rules.map(one => sidesOfRule(world, { rule: one, reverse, ...pairs }, nameOf));
    return { by: { policy, rule: rule ?? '' }, ...together(sides) };
  };
}

const together = (sides: readonly Found[]): Found => ({
  from: [...new Set(sides.flatMap(({ from }) => from))],
  to: [...new Set(sides.flatMap(({ to }) => to))],
});

interface RulePairs extends GrantedPairs {
  readonly rule: Rule;
  /** True if the sources of the pairs are among the destinations of the rule. */
  readonly reverse: true | undefined;
}

function sidesOfRule(
  world: World,
  { rule, reverse, sources, targets }: RulePairs,
  nameOf: NameOf,
): Found {
  const machines = { sources, targets };
  const own = (side: Side, has: (group: string) => boolean) => namesOn(side, has, nameOf);
  const isSource = (group: string) => isAmong(world, group, machines.sources);
  const isTarget = (group: string) =>
    machines.targets.some(column => isTargetOf(world, group, column));
  return reverse
    ? { from: own(rule.source, isTarget), to: own(rule.destination, isSource) }
    : { from: own(rule.source, isSource), to: own(rule.destination, isTarget) };
}

// The names on a side that contain the pairs. A rule may also grant access to a destination that it
// does not name, because a routing machine applies all its rules for an address.
function namesOn(side: Side, has: (group: string) => boolean, nameOf: NameOf): readonly string[] {
  if (side.type === 'machine') return [nameOf.selector('peer', side.machine)];
  if (side.type === 'resource') return [nameOf.selector('network_resource', side.resource)];
  const having = side.groups.filter(has);
  return (having.length > 0 ? having : side.groups).map(key => nameOf.selector('group', key));
}

const isAmong = (world: World, group: string, members: readonly Bits[]): boolean => {
  const bits = world.inGroups([group]);
  return members.some(one => intersect(one, bits));
};

function isTargetOf(world: World, group: string, { target, bits }: Column): boolean {
  if (bits !== undefined) return isAmong(world, group, [bits]);
  if (target.type === 'machine') return false;
  const groups = target.resources.flatMap(({ resource }) => resource.groups);
  const controls = target.routes.flatMap(({ accessControl }) => accessControl);
  return [...groups, ...controls].includes(group);
}

// The side of a route. A picture has a separate line for each address of a route.
function sidesOfRoute(
  world: World,
  networkId: string,
  { sources, targets }: GrantedPairs,
  nameOf: NameOf,
): Found {
  const routes = world.state.routes.filter(
    route =>
      route.networkId === networkId &&
      route.distribution.some(group => isAmong(world, group, sources)),
  );
  const wanted = new Set(
    targets.flatMap(({ target }) => (target.type === 'machine' ? [] : target.address)),
  );
  const leading = routes.filter(({ addresses }) => addresses.some(one => wanted.has(one)));
  const shown = leading.length > 0 ? leading : routes;
  const addresses = shown.flatMap(route => route.addresses);
  const meant = addresses.filter(address => wanted.has(address));
  const groups = [...new Set(shown.flatMap(({ distribution }) => distribution))];
  const side: Side = { type: 'groups', groups };
  const name = nameOf.selector('route', networkId);
  return {
    from: namesOn(side, group => isAmong(world, group, sources), nameOf),
    to: (meant.length > 0 ? meant : addresses).map(address => `${name} ${address}`),
  };
}

function sidesOfOpening(
  world: World,
  by: { readonly ingress_port?: string; readonly service?: string },
  nameOf: NameOf,
): Found {
  const ports = world.internetRules
    .flatMap(({ rules }) => rules.flatMap(({ internetPort }) => internetPort ?? []))
    .filter(({ of, key, service }) =>
      by.service === undefined ? (of?.key ?? key) === by.ingress_port : service === by.service,
    );
  return together(
    ports.map(({ to, machine, resource }) => ({
      from: [to.name],
      to: [
        resource === undefined
          ? nameOf.selector('peer', machine)
          : nameOf.selector('network_resource', resourceKey(world, resource)),
      ],
    })),
  );
}

// The key of a resource. A reference may contain the resource's id instead.
function resourceKey({ state }: World, name: string): string {
  const all = state.networks.flatMap(({ resources }) => resources);
  return all.find(one => namesOf(one).includes(name))?.key ?? name;
}
