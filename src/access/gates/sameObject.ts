// Finds the object of a selector before and after a plan. A renamed object has the same id, so it is the same object.

import type { Selector } from '../ask/selector.ts';
import type { Reaches } from '../flows/reaches.ts';
import { without } from '../sets/traffic.ts';
import type { AccessState, Named } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';

/** Two states of one account. */
interface BothStates {
  readonly before: Pick<Reaches, 'world'>;
  readonly after: Pick<Reaches, 'world'>;
  readonly meant?: (selector: Selector) => Selector;
}

/** The selector with its name, and with the ids of the objects that have this name in one of the states. */
export function namesOfOne({ before, after }: BothStates, selector: Selector): readonly Selector[] {
  const ids = [before, after].flatMap(({ world }) => idsNamed(world.state, selector));
  return [selector, ...[...new Set(ids)].map(id => ({ ...selector, name: `id:${id}` }))];
}

/** The ids of the objects that a selector names in a state. */
export function idsNamed(state: AccessState, { type, name }: Selector): readonly string[] {
  return objectsOf(state, type).flatMap(({ object, also = object.key }) =>
    object.id !== undefined && [...namesOf(object), also].includes(name) ? [object.id] : [],
  );
}

/** The ids of all objects of a type in a state. */
export const idsIn = (state: AccessState, type: Selector['type']): readonly string[] =>
  objectsOf(state, type).flatMap(({ object: { id } }) => id ?? []);

/**
 * Whether a selector in the files covers everything that another selector covered when it was
 * applied. The selector must have the same name, or another name of the same object, and at least
 * the same ports. Without states, only names are compared.
 */
export function standsFor(is: Selector, was: Selector, states: BothStates | undefined): boolean {
  if (without(was.traffic, is.traffic).length > 0) return false;
  if (is.type === 'all') return was.type !== 'internet';
  return isSameObject(is, was, states);
}

/** Whether one selector covers nothing but what the other selector covered. */
export function isWithin(is: Selector, was: Selector, states: BothStates | undefined): boolean {
  if (without(is.traffic, was.traffic).length > 0) return false;
  if (was.type === 'all') return is.type !== 'internet';
  return isSameObject(is, was, states);
}

function isSameObject(is: Selector, was: Selector, states: BothStates | undefined): boolean {
  if (is.type !== was.type) return false;
  if (is.name === was.name) return true;
  if (states === undefined) return false;
  const { before, after, meant = itself } = states;
  const now = new Set(idsNamed(after.world.state, meant(is)));
  const then = idsNamed(before.world.state, meant(was));
  return then.length > 0 && then.every(id => now.has(id)) && now.size === then.length;
}

const itself = (selector: Selector): Selector => selector;

/** An object that selectors name, and another name of the object. */
interface Called {
  readonly object: Named;
  readonly also?: string;
}

const called = (objects: readonly Named[]): readonly Called[] =>
  objects.map(object => ({ object }));

function objectsOf(state: AccessState, type: Selector['type']): readonly Called[] {
  switch (type) {
    case 'group':
      return called(state.groups);
    case 'peer':
      return called(state.machines);
    case 'user':
      return called(state.enrolments.filter(({ by }) => by === 'user'));
    case 'network':
      return called(state.networks);
    case 'network_resource':
      return called(state.networks.flatMap(({ resources }) => resources));
    case 'proxy_service':
      return called(state.services);
    case 'route':
      return state.routes.map(route => ({ object: route, also: route.networkId }));
    default:
      return [];
  }
}
