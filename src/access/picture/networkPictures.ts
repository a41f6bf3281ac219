// Networks and routes in a picture: their routers and their destinations.
import { accessName } from '../../model/access/accessName.ts';
import type {
  NetworkPicture,
  ResourcePicture,
  RouterPicture,
} from '../../model/access/accessPicture.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { and, countCommon } from '../sets/bits.ts';
import type { Route, Servers } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import { waysToRouted } from './addressPictures.ts';
import { membersOfGroup } from './policyPictures.ts';

/** All networks and routes, sorted by name or network id, because servers return them in any order. */
export function networkPictures(world: World): readonly NetworkPicture[] {
  const { networks, routes } = world.state;
  const around = waysToRouted(world);
  const byNetworkId = Map.groupBy(routes, ({ networkId }) => networkId);
  const pictures = [
    ...networks.map(
      ({ key, routers, resources }): NetworkPicture => ({
        name: accessName('network', key),
        routers: routers.flatMap(one => serversIn(world, one.servers, one.isEnabled)),
        resources: resources.map(one => ({
          name: accessName('network_resource', one.key),
          address: one.address,
          isEnabled: one.isEnabled,
          groups: one.groups.map(group => accessName('group', group)),
          ...around(({ resources }) => resources.some(({ resource }) => resource === one)),
        })),
      }),
    ),
    ...[...byNetworkId].map(
      ([name, same]): NetworkPicture => ({
        name: accessName('route', name),
        routers: distinct(same.flatMap(one => serversIn(world, one.servers, one.isEnabled))),
        resources: addressesOf(world, name, same).map(one => ({
          ...one,
          ...around(
            target =>
              target.address === one.address &&
              target.routes.some(({ networkId }) => networkId === name),
          ),
        })),
      }),
    ),
  ];
  return pictures.map(sorted).sort(byName);
}

function sorted({ routers, resources, ...network }: NetworkPicture): NetworkPicture {
  return {
    ...network,
    routers: routers.toSorted(byName),
    resources: resources.toSorted(
      (one, other) => byName(one, other) || compareTexts(one.address, other.address),
    ),
  };
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  compareTexts(one.name, other.name);

// The addresses of routes with one network id. Several of these routes may have the same address
// but different machines.
function addressesOf(
  world: World,
  networkId: string,
  routes: readonly Route[],
): readonly ResourcePicture[] {
  const found = new Map<string, ResourcePicture>();
  for (const { addresses, isEnabled, distribution, accessControl } of routes)
    for (const address of addresses) {
      const isOpen = accessControl.length === 0;
      const key = `${address} ${isEnabled} ${isOpen}`;
      const known = found.get(key);
      const name = accessName('route', networkId);
      const groups = withGroups(known?.groups, accessControl);
      const more = distribution.map(group => membersOfGroup(world, group));
      const all = new Map([...(known?.receivers ?? []), ...more].map(one => [one.name, one]));
      const receivers = [...all.values()].sort(byName);
      found.set(key, { name, address, isEnabled, groups, receivers });
    }
  return [...found.values()];
}

function withGroups(known: readonly string[] = [], groups: readonly string[]): readonly string[] {
  return [...new Set([...known, ...groups.map(group => accessName('group', group))])].sort();
}

function serversIn(
  world: World,
  { machine, groups }: Servers,
  isEnabled: boolean,
): readonly RouterPicture[] {
  const approved = and(world.today, world.approved);
  const single = machine === undefined ? [] : [machine];
  return [
    ...single.map(key => ({
      type: 'machine' as const,
      name: accessName('peer', key),
      isEnabled,
      machines: Number(isApproved(world, key)),
    })),
    ...groups.toSorted().map(key => ({
      type: 'members' as const,
      name: accessName('group', key),
      isEnabled,
      machines: countCommon(world.inGroups([key]), approved),
    })),
  ];
}

function isApproved(world: World, key: string): boolean {
  const index = world.machineOf(key);
  return index !== undefined && world.machineAt(index)?.awaitsApproval === false;
}

function distinct(routers: readonly RouterPicture[]): readonly RouterPicture[] {
  return [...new Map(routers.map(one => [`${one.name} ${one.isEnabled}`, one])).values()];
}
