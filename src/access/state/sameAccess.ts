// Compares the access in two states without evaluating it.
import equal from 'fast-deep-equal/es6/index.js';
import type { AccessState, Named, Zone } from './accessState.ts';
import { asksForNames } from './zones.ts';

/**
 * True only if the same machines reach each target in both states. False proves nothing, because
 * different states can allow the same access.
 */
export function areSameForAccess(one: AccessState, other: AccessState): boolean {
  return equal(withoutIdleNames(one), withoutIdleNames(other));
}

// The state without the names of policies, routes and routers. No other object refers to these by
// name.
function withoutIdleNames(state: AccessState): AccessState {
  return {
    ...state,
    policies: unnamed(state.policies),
    routes: unnamed(state.routes),
    networks: state.networks.map(network => ({ ...network, routers: unnamed(network.routers) })),
    // If nothing uses domain names, the names of zones and records do not affect access.
    services: [],
    zones: asksForNames(state) ? unnamedZones(state.zones) : [],
  };
}

const unnamed = <T extends Named>(list: readonly T[]): readonly T[] =>
  list.map(object => ({ ...object, key: '' }));

const unnamedZones = (zones: readonly Zone[]): readonly Zone[] =>
  unnamed(zones).map(zone => ({ ...zone, records: unnamed(zone.records) }));
