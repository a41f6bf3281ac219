// States with readable names: the names in the account before the plan, and the names after it.
import type { Live } from '../../model/object.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { AccessState, Named } from '../state/accessState.ts';
import type { StateObject } from '../state/stateObject.ts';
import type { Replayed } from './planStates.ts';

/** Returns the key of an object of a kind. */
type KeyOf = (kind: string, object: Named) => string;

/** The names of the account's objects, and their names after the plan. */
export function namesBeforeAndAfter({ kinds, live, plan }: Replayed): readonly [KeyOf, KeyOf] {
  return [keysAmong(live), keysAmong(accountAfter(kinds, live, plan).objects)];
}

/**
 * The names of objects while a plan is applied: their names after the plan or, for objects that the
 * plan deletes, their names before it.
 */
export function namesDuringApply({ kinds, live, plan }: Replayed): KeyOf {
  const before: readonly (Live | StateObject)[] = live;
  return keysAmong(before.concat(accountAfter(kinds, live, plan).objects));
}

function keysAmong(objects: readonly (Live | StateObject)[]): KeyOf {
  const known = new Map(
    objects.map(({ kind, key, id = `new ${key}` }) => [`${kind} ${id}`, String(key)]),
  );
  return (kind, { id, key }) => known.get(`${kind} ${id ?? ''}`) ?? key;
}

/** The state with other keys. Its references are ids, so they do not change. */
export function renamed(state: AccessState, keyIn: KeyOf): AccessState {
  const named = <T extends Named>(kind: string, list: readonly T[]): readonly T[] =>
    list.map(object => ({ ...object, key: keyIn(kind, object) }));
  return {
    ...state,
    machines: named('peer', state.machines),
    groups: named('group', state.groups),
    enrolments: state.enrolments.map(one => ({ ...one, key: keyIn(one.by, one) })),
    policies: named('policy', state.policies),
    checks: named('posture_check', state.checks),
    networks: named('network', state.networks).map(network => ({
      ...network,
      resources: named('network_resource', network.resources),
      routers: named('network_router', network.routers),
    })),
    routes: named('route', state.routes),
    zones: named('dns_zone', state.zones).map(zone => ({
      ...zone,
      records: named('dns_record', zone.records),
    })),
    internetPorts: state.internetPorts.map(port => ({
      ...port,
      key: keyIn(port.by[0]?.kind ?? '', port),
    })),
  };
}
