// The names that selectors can use in a state, for suggestions.
import { type Key, kindName } from '../../model/names.ts';
import { objectName } from '../../model/objectName.ts';
import type { AccessState } from '../state/accessState.ts';
import { isSourceName } from './selector.ts';

/** Every selector that names an object of a state. */
export function selectorNames(state: AccessState): readonly string[] {
  const { machines, groups, enrolments, networks, routes } = state;
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
      2,
    ),
    ...named('route', routes),
  ];
}

/** The selector of every object in a state that can be a source. */
export const sourceNames = (state: AccessState): readonly string[] => [
  ...selectorNames(state).filter(isSourceName),
  ...named('proxy_service', state.services),
];

const named = (type: string, list: readonly { readonly key: string }[], depth = 1) =>
  list.map(({ key }) => objectName({ kind: kindName(type), key: key as Key }, depth));
