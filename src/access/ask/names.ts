// The names that selectors can use in a state, for suggestions.
import type { AccessState } from '../state/accessState.ts';

/** Every selector that names one object of a state. */
export function selectorNames(state: AccessState): readonly string[] {
  const { machines, groups, enrolments, networks, routes } = state;
  const named = (type: string, list: readonly { readonly key: string }[]) =>
    list.map(({ key }) => `${type}/${key}`);
  return [
    ...named('group', groups),
    ...named('peer', machines),
    ...named(
      'user',
      enrolments.filter(({ by }) => by === 'user'),
    ),
    ...named('network', networks),
    ...named(
      'network_resource',
      networks.flatMap(({ resources }) => resources),
    ),
    ...named('route', routes),
  ];
}
