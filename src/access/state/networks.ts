// Converts networks, with their resources and routers, and routes.
import type { Fields } from '../../model/value.ts';
import type { Network, Resource, Route, Router, Servers } from './accessState.ts';
import { flagIn, namedBy, optionalText, type StateObject, textIn, textsIn } from './stateObject.ts';

/** A network with its nested objects. */
export function networkOf(
  object: StateObject,
  resources: readonly StateObject[],
  routers: readonly StateObject[],
): Network {
  return {
    ...namedBy(object),
    resources: resources.map(resourceOf),
    routers: routers.map(routerOf),
  };
}

/** A route. The API also shows a network for a route of domains: a placeholder that nobody set. */
export function routeOf(object: StateObject): Route {
  const { fields } = object;
  const domains = textsIn(fields, 'domains');
  const range = optionalText(fields, 'network');
  return {
    ...namedBy(object),
    networkId: textIn(fields, 'network_id'),
    addresses: range && domains.length === 0 ? [range] : domains,
    isEnabled: flagIn(fields, 'enabled', true),
    servers: serversOf(fields),
    distribution: textsIn(fields, 'groups'),
    accessControl: textsIn(fields, 'access_control_groups'),
  };
}

function resourceOf(object: StateObject): Resource {
  return {
    ...namedBy(object),
    address: textIn(object.fields, 'address'),
    isEnabled: flagIn(object.fields, 'enabled', true),
    groups: textsIn(object.fields, 'groups'),
  };
}

function routerOf(object: StateObject): Router {
  return {
    ...namedBy(object),
    isEnabled: flagIn(object.fields, 'enabled', true),
    servers: serversOf(object.fields),
  };
}

function serversOf(fields: Fields): Servers {
  const machine = optionalText(fields, 'peer');
  return { ...(machine && { machine }), groups: textsIn(fields, 'peer_groups') };
}
