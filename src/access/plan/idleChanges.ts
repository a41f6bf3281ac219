// The changes of a plan that do not change access, each with the reason.
import { AS_BEFORE, type IdleEntry, NOT_ABOUT_ACCESS } from '../../model/access/planAccess.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { AccessState, Named, Network, Servers, Side } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import { reasonsOfGrants, type States } from './withoutEffect.ts';

type PlanChange = Plan['changes'][number];

/** What is needed to find the reasons. */
interface Judged {
  readonly states: States;
  /** The changes that may affect access, by the names of their objects. */
  readonly effective: ReadonlyMap<string, readonly Address[]>;
}

/** The changes of policies and routes that do not change access, by reason. Changes without a reason are left out. */
export function idleGrants(
  idle: readonly PlanChange[],
  { states, effective }: Judged,
): readonly IdleEntry[] {
  return byReason(reasonsOfGrants(states, effective, addressesOf(idle)));
}

/** Every change that does not change access, by reason. */
export function idleChanges(
  idle: readonly PlanChange[],
  { states, effective }: Judged,
): readonly IdleEntry[] {
  const ofGrants = reasonsOfGrants(states, effective, addressesOf(idle));
  const involved = new Set([...effective.values()].flat());
  const all = [states.after.world.state, states.before.world.state];
  const reasonOf = reasonsIn(all);
  const reasons = idle.map(change => {
    const { address } = change;
    const reason = involved.has(address)
      ? (ofGrants.get(address) ?? reasonOf(change))
      : NOT_ABOUT_ACCESS;
    return [address, reason] as const;
  });
  return byReason(new Map(reasons));
}

const addressesOf = (changes: readonly PlanChange[]): ReadonlySet<string> =>
  new Set(changes.map(({ address }) => address));

const byReason = (reasons: ReadonlyMap<Address, string>): readonly IdleEntry[] =>
  [...Map.groupBy(reasons, ([, reason]) => reason)]
    .map(([reason, list]) => ({
      changes: list.map(([address]) => address).sort(compareTexts),
      reason,
    }))
    .sort((one, other) => compareTexts(one.changes.join(), other.changes.join()));

/**
 * Returns a function that explains why a change has no effect, for an object that is involved in
 * access but grants none.
 */
function reasonsIn(all: readonly AccessState[]): (change: PlanChange) => string {
  const used = {
    groups: new Set(all.flatMap(groupsInUse)),
    checks: new Set(all.flatMap(({ policies }) => policies.flatMap(({ checks }) => checks))),
  };
  return change => {
    const names = namesIn(change);
    const isNamed = (object: Named) => namesOf(object).some(name => names.has(name));
    switch (String(change.kind)) {
      case 'group':
        if (names.isDisjointFrom(used.groups)) return 'no policy, network or route uses the group';
        return all.some(state => hasMembers(state, names)) ? AS_BEFORE : 'the group has no members';
      case 'posture_check':
        return names.isDisjointFrom(used.checks) ? 'no policy uses the posture check' : AS_BEFORE;
      case 'network':
        return hasResources(all.flatMap(({ networks }) => networks.filter(isNamed)))
          ? AS_BEFORE
          : NO_RESOURCES;
      case 'network_resource':
        return resourceReason(all, isNamed);
      case 'network_router':
        return routerReason(all, isNamed);
      default:
        return AS_BEFORE;
    }
  };
}

const NO_RESOURCES = 'the network has no resources';

const hasResources = (networks: readonly Network[]): boolean =>
  networks.some(({ resources }) => resources.length > 0);

const namesIn = ({ key, was, id }: PlanChange): ReadonlySet<string> =>
  new Set([key, ...(was === undefined ? [] : [was]), ...(id === undefined ? [] : [`id:${id}`])]);

const groupsOf = (side: Side): readonly string[] => (side.type === 'groups' ? side.groups : []);

const serversIn = (list: readonly { readonly servers: Servers }[]): readonly string[] =>
  list.flatMap(({ servers }) => servers.groups);

/** The groups of a state on which access depends. Groups that only have members are left out. */
const groupsInUse = ({ policies, networks, routes, internetPorts }: AccessState): string[] => [
  ...policies.flatMap(({ rules }) =>
    rules.flatMap(({ source, destination }) => [source, destination].flatMap(groupsOf)),
  ),
  ...networks.flatMap(({ routers }) => serversIn(routers)),
  ...serversIn(routes),
  ...routes.flatMap(({ distribution, accessControl }) => [...distribution, ...accessControl]),
  ...internetPorts.flatMap(({ to }) => to.groups ?? []),
];

/** Whether a group has machines or network resources in a state. */
function hasMembers({ groups, networks }: AccessState, names: ReadonlySet<string>): boolean {
  const own = groups.filter(one => namesOf(one).some(name => names.has(name)));
  return (
    own.some(({ machines, isAll }) => isAll || machines.length > 0) ||
    networks.some(({ resources }) => resources.some(one => one.groups.some(at => names.has(at))))
  );
}

function resourceReason(all: readonly AccessState[], isNamed: (object: Named) => boolean): string {
  const found = all.flatMap(state =>
    state.networks.flatMap(network =>
      network.resources.filter(isNamed).map(resource => ({ state, network, resource })),
    ),
  );
  if (found.every(({ resource }) => !resource.isEnabled)) return 'the network resource is disabled';
  const isReached = found.some(({ state, resource }) => {
    const names = new Set([...resource.groups, ...namesOf(resource)]);
    return state.policies.some(({ rules }) =>
      rules.some(({ destination }) =>
        destination.type === 'resource'
          ? names.has(destination.resource)
          : groupsOf(destination).some(group => names.has(group)),
      ),
    );
  });
  if (!isReached) return 'no policy leads to the network resource';
  const isServed = found.some(({ network }) => network.routers.some(({ isEnabled }) => isEnabled));
  return isServed ? AS_BEFORE : 'the network has no enabled router';
}

function routerReason(all: readonly AccessState[], isNamed: (object: Named) => boolean): string {
  const own = all.flatMap(({ networks }) =>
    networks.filter(({ routers }) => routers.some(isNamed)),
  );
  if (!hasResources(own)) return NO_RESOURCES;
  const routers = own.flatMap(one => one.routers.filter(isNamed));
  return routers.every(({ isEnabled }) => !isEnabled) ? 'the router is disabled' : AS_BEFORE;
}
