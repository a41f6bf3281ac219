// Strings that identify destinations behind routing machines in all compared states.
import type { AccessState, Route, Router } from '../state/accessState.ts';
import type { SiteOf } from './sites.ts';

/** The string for the destination of a resource in the network with this number. */
export function resourceDestination(site: number | undefined, address: string): string {
  return `resource ${site} ${address}`;
}

/** The string for the destination of a route. */
export function routeDestination(networkId: string, address: string): string {
  return `route ${networkId} ${address}`;
}

/** The string for a place to which a destination leads, as a separate destination. */
export function destinationBehind(destination: string, place: string): string {
  return `${destination} → ${place}`;
}

/**
 * Returns the routers and routes that serve a destination in a state. Computed on demand, because
 * few questions concern names.
 */
export function servingIn(
  { networks, routes }: AccessState,
  siteOf: SiteOf,
): (destination: string) => readonly (Router | Route)[] {
  let found: Map<string, (Router | Route)[]> | undefined;
  const all = () => {
    const serving = new Map<string, (Router | Route)[]>();
    const add = (destination: string, some: readonly (Router | Route)[]) =>
      serving.set(destination, [...(serving.get(destination) ?? []), ...some]);
    for (const network of networks)
      for (const { address } of network.resources)
        add(resourceDestination(siteOf(network, address), address), network.routers);
    for (const route of routes)
      for (const address of route.addresses)
        add(routeDestination(route.networkId, address), [route]);
    return serving;
  };
  return destination => {
    found ??= all();
    return found.get(destination) ?? [];
  };
}
