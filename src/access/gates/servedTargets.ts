// The guarded targets to which services lead.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import { checkedSelector, selectorOf } from '../ask/selector.ts';
import { reachesOf } from '../flows/reaches.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { worldsOf } from '../world/world.ts';
import { movedAccess } from './movedAccess.ts';

/** The guarded targets to which some ports of a state lead. */
export function guardedAt(
  state: AccessState,
  internetPorts: readonly InternetPort[],
  guarded: AccessGuards['guarded'],
): readonly string[] {
  if (internetPorts.length === 0) return [];
  const pool = rowPool();
  const [before, after] = worldsOf([
    { ...state, internetPorts: [] },
    { ...state, internetPorts },
  ]).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) return [];
  const targets = new Set(guarded.map(({ to }) => to));
  return [...targets].filter(to => {
    if ('fault' in selectorOf(to)) return false;
    return movedAccess({ before, after }, 'gained', { to: checkedSelector(to) }).length > 0;
  });
}

/** Whether a port belongs to the service that a change modifies. */
export const isOfService =
  (change: { readonly key: string; readonly id?: string | undefined }) =>
  ({ service, serviceId }: Pick<InternetPort, 'service' | 'serviceId'>): boolean =>
    service === change.key || (serviceId !== undefined && serviceId === change.id);
