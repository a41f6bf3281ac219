// The references of the objects of a state, even if the referenced objects do not exist.
import type { AccessState, Servers, Side } from './accessState.ts';

/** Keys by the type of the referenced object. */
export interface References {
  readonly machines: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly checks: ReadonlySet<string>;
}

/** Every reference of a state. */
export function referencesOf(state: AccessState): References {
  const sides = state.policies.flatMap(({ rules }) =>
    rules.flatMap(({ source, destination }) => [source, destination]),
  );
  const resources = state.networks.flatMap(network => network.resources);
  const servers = [
    ...state.networks.flatMap(({ routers }) => routers.map(router => router.servers)),
    ...state.routes.map(route => route.servers),
  ];
  return {
    machines: new Set([
      ...state.groups.flatMap(({ machines }) => machines),
      ...sides.flatMap(machinesIn),
      ...servers.flatMap(({ machine }) => machine ?? []),
    ]),
    groups: new Set([
      ...sides.flatMap(side => (side.type === 'groups' ? side.groups : [])),
      ...resources.flatMap(({ groups }) => groups),
      ...servers.flatMap(({ groups }: Servers) => groups),
      ...state.routes.flatMap(route => [...route.distribution, ...route.accessControl]),
      ...state.enrolments.flatMap(({ groups }) => groups),
      ...state.internetPorts.flatMap(({ to }) => to.groups ?? []),
    ]),
    checks: new Set(state.policies.flatMap(({ checks }) => checks)),
  };
}

const machinesIn = (side: Side): string[] => (side.type === 'machine' ? [side.machine] : []);
