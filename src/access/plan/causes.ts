// Which changes of a plan cause an access change: those of objects involved in the access before or after.
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { ReasonsOf } from '../diff/reasons.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, has, isEmpty } from '../sets/bits.ts';
import type { AccessState, Named, Side } from '../state/accessState.ts';
import type { CompiledRule } from '../world/policies.ts';
import { type Member, namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import type { MovedSet } from './draft.ts';

const nameOf = (kind: string, key: string): string => `${kind} ${key}`;

/** The addresses of a plan's changes, by the objects whose role in access they change, directly or through the server's moves. */
export function effectiveChanges(
  before: AccessState,
  after: AccessState,
  { changes, moved }: Pick<Plan, 'changes'> & { readonly moved: readonly MovedSet[] },
): ReadonlyMap<string, readonly Address[]> {
  const [was, is] = [before, after].map(objectsOf);
  const textIn = (objects: ReadonlyMap<string, Named> | undefined, name: string) => {
    const object = objects?.get(name);
    return object && textOf(object);
  };
  const isChanged = (name: string) => textIn(was, name) !== textIn(is, name);
  const found = changes.flatMap(({ kind, key, was: former, id, address }) => {
    const names = [key, former, id && `id:${id}`].filter(name => name !== undefined);
    return names.map(name => [`${kind} ${name}`, address] as const);
  });
  const along = moved.flatMap(({ names, mover }) => names.map(name => [name, mover] as const));
  const effective = [...found, ...along].filter(([name]) => isChanged(name));
  return new Map(
    [...Map.groupBy(effective, ([name]) => name)].map(([name, list]) => [
      name,
      list.map(([, address]) => address),
    ]),
  );
}

// Every object, by each of its names.
function objectsOf(state: AccessState): ReadonlyMap<string, Named> {
  const lists: readonly (readonly [kind: string, list: readonly Named[]])[] = [
    ['peer', state.machines],
    ['group', state.groups],
    ['setup_key', state.enrolments.filter(({ by }) => by === 'setup_key')],
    ['user', state.enrolments.filter(({ by }) => by === 'user')],
    ['user_invite', state.enrolments.filter(({ by }) => by === 'user')],
    ['policy', state.policies],
    ['posture_check', state.checks],
    ['network', state.networks.map(({ key, id }) => (id === undefined ? { key } : { key, id }))],
    ['network_resource', state.networks.flatMap(({ resources }) => resources)],
    ['network_router', state.networks.flatMap(({ routers }) => routers)],
    ['route', state.routes],
    ['dns_zone', state.zones.map(({ records: _, ...zone }) => zone)],
    ['dns_record', state.zones.flatMap(({ records }) => records)],
  ];
  const objects = new Map<string, Named>();
  for (const [kind, list] of lists)
    for (const object of list)
      for (const name of namesOf(object)) objects.set(`${kind} ${name}`, object);
  for (const port of state.internetPorts)
    for (const [at, { kind, key }] of port.by.entries()) {
      // An object that serves ports serves them or not; the first one says which ports.
      const object = at === 0 ? port : { key };
      for (const name of namesOf(object)) objects.set(`${kind} ${name}`, object);
    }
  return objects;
}

// Positions in lists of names do not matter.
function textOf(object: Named): string {
  return JSON.stringify(object, (_, value) =>
    Array.isArray(value) && value.every(item => typeof item === 'string')
      ? value.toSorted()
      : value,
  );
}

/** The changes that can affect the rules of a policy, as far as the policy names the object: machines are grouped by these. */
export function reasonsIn(
  states: readonly AccessState[],
  effective: ReadonlyMap<string, readonly Address[]>,
): ReasonsOf {
  const found = new Map<string, string[]>();
  for (const { key, checks, rules } of states.flatMap(({ policies }) => policies)) {
    const groups = rules.flatMap(({ source, destination }) =>
      [source, destination].flatMap(side => (side.type === 'groups' ? side.groups : [])),
    );
    const names = [
      nameOf('policy', key),
      ...checks.map(check => nameOf('posture_check', check)),
      ...groups.map(group => nameOf('group', group)),
    ];
    const reasons = names.flatMap(name => effective.get(name) ?? []);
    found.set(key, [...(found.get(key) ?? []), ...reasons]);
  }
  return rules => rules.flatMap(({ policy }) => found.get(policy) ?? []);
}

/** Finds the changes of a plan that are involved in the access of some sources to targets in a state. */
export function partsIn(
  reaches: Reaches,
  effective: ReadonlyMap<string, readonly Address[]>,
): (sources: Bits, targets: readonly Target[]) => ReadonlySet<Address> {
  const { world } = reaches;
  // Few machines and enrolments change, but many are sources.
  const changed = world.members.flatMap((member, index) => {
    const addresses = effective.get(memberName(member));
    return addresses === undefined ? [] : [{ index, addresses }];
  });
  const known = new Map<Target, readonly Address[]>();
  const partsAt = (target: Target) => {
    const found = known.get(target);
    if (found) return found;
    const parts = partakersAt(reaches, target).flatMap(name => effective.get(name) ?? []);
    known.set(target, parts);
    return parts;
  };
  return (sources, targets) =>
    new Set([
      ...changed.filter(({ index }) => has(sources, index)).flatMap(({ addresses }) => addresses),
      ...targets.flatMap(partsAt),
    ]);
}

const memberName = ({ type, key }: Member): string =>
  nameOf(type === 'machine' ? 'peer' : type, key);

function partakersAt(reaches: Reaches, target: Target): readonly string[] {
  const { world } = reaches;
  const rules = rulesAt(reaches, target);
  const member = target.type === 'machine' ? world.members[target.index] : undefined;
  const groups = rules.flatMap(({ rule }) =>
    [rule.source, rule.destination].flatMap(side => (side.type === 'groups' ? side.groups : [])),
  );
  return [
    ...(member ? [memberName(member)] : []),
    ...[...groups, ...groupsAround(target)].map(key => nameOf('group', key)),
    ...rules.flatMap(({ policy, internetPort }) =>
      internetPort
        ? internetPort.by.map(({ kind, key }) => nameOf(kind, key))
        : nameOf('policy', policy.key),
    ),
    ...rules.flatMap(({ policy }) => policy.checks.map(key => nameOf('posture_check', key))),
    ...(target.type === 'machine' ? [] : [...routedNames(target), ...recordNames(world, target)]),
  ];
}

function rulesAt(reaches: Reaches, target: Target): readonly CompiledRule[] {
  const reach = reaches.under('granted');
  if (target.type === 'machine') {
    const inbound = reach.machines.inboundAt(target.index).map(one => one.compiled);
    return [...inbound, ...rulesKnownBy(reaches.world, target.index)];
  }
  const rules = reach
    .deliveriesOf(target.id)
    .flatMap(({ entries }) => entries.map(one => one.compiled));
  // A policy that only delivers the target is involved as well.
  const policies = target.resources.flatMap(({ resource }) => reaches.world.concerning(resource));
  return [...new Set([...rules, ...policies.flatMap(policy => policy.rules)])];
}

// The rules through which a machine knows others that await approval.
function rulesKnownBy({ sides, awaiting, machineOf }: World, index: number) {
  if (isEmpty(awaiting)) return [];
  const isAwaiting = (side: Side): boolean => {
    const single = side.type === 'machine' ? machineOf(side.machine) : undefined;
    return single !== undefined && has(awaiting, single);
  };
  return [
    ...sides.asSource(index).filter(({ rule }) => isAwaiting(rule.destination)),
    ...sides.asDestination(index).filter(({ rule }) => isAwaiting(rule.source)),
  ];
}

function groupsAround(target: Target): readonly string[] {
  if (target.type === 'machine') return [];
  return [
    ...target.resources.flatMap(({ resource, network }) => [
      ...resource.groups,
      ...network.routers.flatMap(({ servers }) => servers.groups),
    ]),
    ...target.routes.flatMap(({ distribution, accessControl, servers }) => [
      ...distribution,
      ...accessControl,
      ...servers.groups,
    ]),
  ];
}

function routedNames({ resources, routes }: Exclude<Target, { type: 'machine' }>) {
  const routers = resources.flatMap(({ network }) => network.routers.flatMap(namesOf));
  return [
    ...resources.flatMap(({ resource }) =>
      namesOf(resource).map(key => nameOf('network_resource', key)),
    ),
    ...resources.flatMap(({ network }) => namesOf(network).map(key => nameOf('network', key))),
    ...routers.map(key => nameOf('network_router', key)),
    ...routes.flatMap(route => namesOf(route).map(key => nameOf('route', key))),
  ];
}

function recordNames({ names }: World, { served }: Exclude<Target, { type: 'machine' }>) {
  return names
    .recordsOf(served)
    .flatMap(({ zone, record }) => [
      ...namesOf(zone).map(key => nameOf('dns_zone', key)),
      ...namesOf(record).map(key => nameOf('dns_record', key)),
    ]);
}
