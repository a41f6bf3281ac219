// Plans between two generated accounts, and the accounts on the way.
import { expect } from 'vitest';
import { type Planned, planned } from '../../../src/engine/plan/plan.ts';
import type { Live } from '../../../src/model/object.ts';
import type { ShownAction } from '../../../src/model/plan.ts';
import { live } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import type { Account, DnsRecord, Network, Policy, Route, Zone } from '../slow/account.ts';
import { withRenewedLogins } from '../slow/everyone.ts';
import { fileOf, readsOf, routeName, serverName } from './planInputs.ts';

export interface Case extends Planned {
  readonly objects: readonly Live[];
}

/** A plan; undefined where the files cannot be applied to the account. */
export function planBetween(before: Account, after: Account): Case | undefined {
  const objects = live(readsOf(before));
  const desired = desiredOf(fileOf(after));
  const settings = { dialect: 'spec', prune: 'unmanaged', allow: [], thresholds: {} } as const;
  const snapshot = { objects, unavailable: new Map(), requests: 0 };
  const made = planned({ kinds: KINDS, desired, base: [], snapshot, settings, folder: 'test' });
  const errors = made.plan.diagnostics.filter(({ severity }) => severity === 'error');
  // Two routes to one range may exclude each other, whatever their names are.
  expect(errors.filter(({ code }) => code !== 'OBJECT_IN_THE_WAY')).toEqual([]);
  if (errors.length > 0) return undefined;
  return { ...made, objects };
}

/** What a plan is judged by. */
export const accountOf = ({ plan, objects }: Case) => ({
  kinds: KINDS,
  live: objects,
  plan,
  unavailable: new Map(),
});

/**
 * The accounts on the way: what an action concerns becomes what it is in the account after. Everybody who may log in has done so: a
 * plan is judged by what its changes do.
 */
export function wayOf(before: Account, after: Account, actions: readonly ShownAction[]): Account[] {
  const way = [before];
  for (const action of actions) way.push(withAction(way.at(-1) ?? before, after, action));
  return way.map(withRenewedLogins);
}

/** The account after an action. */
export function withAction(now: Account, after: Account, action: ShownAction): Account {
  const made = action.verb === 'create' ? action.fields.name : undefined;
  const isMade = ({ name = '' }: { readonly name?: string }) => name === made;
  switch (String(action.kind)) {
    case 'group':
      return { ...now, groups: acted(action, now.groups, after.groups, isMade) };
    case 'user':
      return { ...now, users: acted(action, now.users ?? [], after.users ?? [], isMade) };
    case 'policy':
      return { ...now, policies: acted(action, now.policies, after.policies.map(asSent), isMade) };
    case 'posture_check': {
      const checks = acted(action, now.posture_checks, after.posture_checks, isMade);
      return { ...now, posture_checks: checks };
    }
    case 'proxy_service': {
      const { services = [] } = now;
      return { ...now, services: acted(action, services, after.services ?? [], isMade) };
    }
    case 'dns_zone': {
      const empty = (after.zones ?? []).map(one => ({ ...one, records: [] }));
      const kept = acted(action, now.zones ?? [], empty, isMade);
      return { ...now, zones: kept.map(one => ({ ...one, records: recordsIn(now, one) })) };
    }
    case 'dns_record':
      return { ...now, zones: withRecords(action, now, after) };
    case 'route':
      return { ...now, routes: withRoute(action, now, after) };
    default:
      return { ...now, networks: withNetworks(action, now, after) };
  }
}

const recordsIn = ({ zones = [] }: Account, { id }: Zone) =>
  zones.find(one => one.id === id)?.records ?? [];

// Another content is another name, of the same record.
function withRecords(action: ShownAction, { zones = [] }: Account, after: Account): Zone[] {
  const id = action.verb === 'create' ? undefined : action.remoteId;
  return zones.map(zone => {
    const isMade = ({ name, type, content }: DnsRecord) =>
      `${zone.domain}/${name} ${type} ${content}` === action.key;
    if (!action.key.startsWith(`${zone.domain}/`)) return zone;
    const others = zone.records.filter(one => one.id !== id);
    const made = action.verb === 'delete' ? [] : recordsIn(after, zone).filter(isMade);
    return { ...zone, records: [...others, ...made.map(one => ({ ...one, id: id ?? one.id }))] };
  });
}

// Their order decides which check the server evaluates first: a plan writes them sorted.
const asSent = (policy: Policy): Policy => ({
  ...policy,
  source_posture_checks: policy.source_posture_checks.toSorted(),
});

function acted<T extends { readonly id: string }>(
  action: ShownAction,
  now: readonly T[],
  after: readonly T[],
  isMade: (one: T) => boolean,
): T[] {
  if (action.verb === 'create') return [...now, ...after.filter(isMade)];
  const others = now.filter(({ id }) => id !== action.remoteId);
  if (action.verb === 'delete') return others;
  return [...others, ...after.filter(({ id }) => id === action.remoteId)];
}

const nameIn = ({ peers, groups }: Account) => {
  const names = new Map([...peers, ...groups].map(({ id, name }) => [id, name]));
  return (id: string) => names.get(id) ?? id;
};

function withRoute(action: ShownAction, now: Account, after: Account): readonly Route[] {
  const made = action.verb === 'create' ? routeName(action.fields as never, name => name) : '';
  return acted(action, now.routes, after.routes, one => routeName(one, nameIn(after)) === made);
}

function withNetworks(action: ShownAction, now: Account, after: Account): readonly Network[] {
  const { kind, verb } = action;
  const fields = verb === 'delete' ? {} : action.fields;
  if (kind === 'network') {
    const empty = after.networks.map(one => ({ ...one, resources: [], routers: [] }));
    if (verb === 'update') return now.networks;
    return acted(action, now.networks, empty, ({ name }) => name === fields.name);
  }
  const [parent] = action.key.split('/');
  return now.networks.map(network => {
    if (network.name !== parent) return network;
    const then = after.networks.find(({ id }) => id === network.id);
    const { resources = [], routers = [] } = then ?? {};
    if (kind === 'network_resource') {
      const isMade = ({ name }: { readonly name: string }) => name === fields.name;
      return { ...network, resources: acted(action, network.resources, resources, isMade) };
    }
    const made = serverName(fields as never, name => name);
    const isMade = (one: Network['routers'][number]) => serverName(one, nameIn(after)) === made;
    return { ...network, routers: acted(action, network.routers, routers, isMade) };
  });
}
