// Compares two states without evaluating either.
import equal from 'fast-deep-equal/es6/index.js';
import type { AccessState, Named } from './accessState.ts';

/**
 * True only if everything is reached by the same machines in both states. False says nothing: states that differ may
 * allow the same.
 */
export function areSameForAccess(one: AccessState, other: AccessState): boolean {
  return equal(withoutIdleNames(one), withoutIdleNames(other));
}

// No object refers to a policy, a route or a router by its name.
function withoutIdleNames(state: AccessState): AccessState {
  return {
    ...state,
    policies: unnamed(state.policies),
    routes: unnamed(state.routes),
    networks: state.networks.map(network => ({ ...network, routers: unnamed(network.routers) })),
  };
}

const unnamed = <T extends Named>(list: readonly T[]): readonly T[] =>
  list.map(object => ({ ...object, key: '' }));
