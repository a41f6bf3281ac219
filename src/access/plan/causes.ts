// Finds the changes of a plan that may cause an access change. The objects of such a change are
// involved in the access before or after it.
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { ReasonsOf } from '../diff/groupedByReason.ts';
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, type Target } from '../flows/targets.ts';
import { type Bits, has, intersect, isEmpty } from '../sets/bits.ts';
import type { AccessState, Named, Rule, Side } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { type Member, namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import type { MovedSet } from './draft.ts';

const nameOf = (kind: string, key: string): string => `${kind} ${key}`;

/**
 * The addresses of a plan's changes, by the names of the objects whose role in access they affect.
 * A change affects an object directly, or because the server moves members.
 */
export function effectiveChanges(
  before: AccessState,
  after: AccessState,
  { changes, moved }: Pick<Plan, 'changes'> & { readonly moved: readonly MovedSet[] },
): ReadonlyMap<string, readonly Address[]> {
  const [was, is] = [before, after].map(objectsOf);
  const [textBefore, textAfter] = [before, after].map(textsIn);
  const isChanged = (former: readonly string[], latter: readonly string[]) => {
    const one = firstOf(was, former);
    const other = firstOf(is, latter);
    return (one && textBefore?.(one)) !== (other && textAfter?.(other));
  };
  const found = changes.flatMap(({ kind, key, was: former, id, address }) => {
    // A renamed object is found by its id, because another object may have its former name.
    const ids = id === undefined ? [] : [`${kind} id:${id}`];
    const names = [key, former, id && `id:${id}`].filter(name => name !== undefined);
    const isSame = !isChanged(
      [...ids, ...(former === undefined ? [] : [`${kind} ${former}`]), `${kind} ${key}`],
      [...ids, `${kind} ${key}`],
    );
    return isSame ? [] : names.map(name => [`${kind} ${name}`, address] as const);
  });
  const along = moved.flatMap(({ names, mover }) => names.map(name => [name, mover] as const));
  const effective = [...found, ...along.filter(([name]) => isChanged([name], [name]))];
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
      // For an object that serves ports, only its existence is compared. For the first object,
      // which names the ports, the content is compared.
      const object = at === 0 && port.service === undefined ? port : { key };
      for (const name of namesOf(object)) objects.set(`${kind} ${name}`, object);
    }
  return objects;
}

const firstOf = (objects: ReadonlyMap<string, Named> | undefined, names: readonly string[]) =>
  names.map(name => objects?.get(name)).find(object => object !== undefined);

/** For each field, the list of the state that contains the referenced objects. */
const REFERENCES: Readonly<Record<string, 'groups' | 'machines' | 'checks'>> = {
  groups: 'groups',
  distribution: 'groups',
  accessControl: 'groups',
  machines: 'machines',
  machine: 'machines',
  checks: 'checks',
};

// Returns a string for an object of a state. The string does not depend on names or on the order of
// references.
function textsIn(state: AccessState): (object: Named) => string {
  const idsOf = (list: readonly Named[]) => new Map(list.map(({ key, id = key }) => [key, id]));
  const ids = {
    groups: idsOf(state.groups),
    machines: idsOf(state.machines),
    checks: idsOf(state.checks),
  };
  const resources = idsOf(state.networks.flatMap(one => one.resources));
  const replaced = (name: string, value: unknown): unknown => {
    if (name === 'resource' && typeof value === 'string') return resources.get(value) ?? value;
    if (isRule(value)) return { ...value, name: '' };
    const list = REFERENCES[name];
    if (list === undefined) return isNames(value) ? value.toSorted() : value;
    const idOf = (key: string) => ids[list].get(key) ?? key;
    if (typeof value === 'string') return idOf(value);
    return isNames(value) ? value.map(idOf).sort() : value;
  };
  return object => JSON.stringify({ ...object, key: '' }, replaced);
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

const isRule = (value: unknown): value is Rule =>
  typeof value === 'object' && value !== null && 'isDrop' in value;

/**
 * Returns the changes that can affect the rules of a policy that names the changed object. They are
 * the reasons by which machines are grouped.
 */
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

/** Returns the changes of a plan that are involved in the access of some sources to targets in a state. */
export function partsIn(
  reaches: Reaches,
  effective: ReadonlyMap<string, readonly Address[]>,
): (sources: Bits, targets: readonly Target[]) => ReadonlySet<Address> {
  const { world } = reaches;
  // Changed members are looked up first, because few machines and enrolments change, while there may be many sources.
  const changed = world.members.flatMap((member, index) => {
    const addresses = effective.get(memberName(member));
    return addresses === undefined ? [] : [{ index, addresses }];
  });
  // The given target may belong to the other state. In this state, it may have other networks and
  // routes.
  const here = new Map(routedTargets(world).map(target => [target.id, target]));
  const known = new Map<Target, readonly Part[]>();
  const partsAt = (target: Target) => {
    const found = known.get(target);
    if (found) return found;
    const own = target.type === 'machine' ? target : (here.get(target.id) ?? target);
    const parts = partakersAt(reaches, own).flatMap(({ names, sources }): Part[] => {
      const addresses = names.flatMap(name => effective.get(name) ?? []);
      return addresses.length === 0 ? [] : [{ addresses, ...(sources && { sources }) }];
    });
    known.set(target, parts);
    return parts;
  };
  return (sources, targets) =>
    new Set([
      ...changed.filter(({ index }) => has(sources, index)).flatMap(({ addresses }) => addresses),
      ...targets
        .flatMap(partsAt)
        .filter(part => part.sources === undefined || intersect(part.sources, sources))
        .flatMap(({ addresses }) => addresses),
    ]);
}

/**
 * A change that is involved in access, and the sources to whose access it is relevant; `sources` is
 * absent for all sources.
 */
interface Part {
  readonly addresses: readonly Address[];
  readonly sources?: Bits;
}

/**
 * Finds the changes of a plan that affect where targets lead in a state. These are changes of DNS
 * records and zones, and of machines. A machine has addresses and, if SSH is enabled, a second
 * port.
 */
export function leadingIn(
  { world }: Reaches,
  effective: ReadonlyMap<string, readonly Address[]>,
): (targets: readonly Target[]) => readonly Address[] {
  const machines = world.members.flatMap(member =>
    member.type === 'machine' ? (effective.get(memberName(member)) ?? []) : [],
  );
  return targets => [
    ...machines,
    ...targets.flatMap(target =>
      target.type === 'machine'
        ? []
        : recordNames(world, target).flatMap(name => effective.get(name) ?? []),
    ),
  ];
}

const memberName = ({ type, key }: Member): string =>
  nameOf(type === 'machine' ? 'peer' : type, key);

const groupsOf = (side: Side): readonly string[] => (side.type === 'groups' ? side.groups : []);

/**
 * The names of objects that are involved in the access of some sources; `sources` is absent for all
 * sources.
 */
interface Partaking {
  readonly names: readonly string[];
  readonly sources?: Bits;
}

function partakersAt(reaches: Reaches, target: Target): readonly Partaking[] {
  const { world } = reaches;
  const member = target.type === 'machine' ? world.members[target.index] : undefined;
  const around = [
    ...(member ? [memberName(member)] : []),
    ...groupsAround(target).map(key => nameOf('group', key)),
    ...(target.type === 'machine' ? [] : [...routedNames(target), ...recordNames(world, target)]),
  ];
  const ofRules = rulesAt(reaches, target).map(
    ({ compiled, sources }): Partaking => ({
      names: namesInRule(compiled),
      ...(sources && { sources }),
    }),
  );
  return [{ names: around }, ...ofRules];
}

function namesInRule({ rule, policy, internetPort }: CompiledRule): readonly string[] {
  const groups = [
    ...groupsOf(rule.source),
    ...groupsOf(rule.destination),
    ...(internetPort?.to.groups ?? []),
  ];
  return [
    ...groups.map(key => nameOf('group', key)),
    ...(internetPort
      ? internetPort.by.map(({ kind, key }) => nameOf(kind, key))
      : [nameOf('policy', policy.key)]),
    ...policy.checks.map(key => nameOf('posture_check', key)),
  ];
}

/**
 * A rule that may affect a target, and the sources whose access to the target depends on the rule;
 * `sources` is absent for all sources.
 */
interface RuleAt {
  readonly compiled: CompiledRule;
  readonly sources?: Bits;
}

function rulesAt(reaches: Reaches, target: Target): readonly RuleAt[] {
  if (target.type === 'machine') {
    const { machines } = reaches.under('granted');
    const inbound = machines.inboundAt(target.index).map(
      ({ compiled, isReverse }): RuleAt => ({
        compiled,
        sources: isReverse ? compiled.destinations : compiled.sources,
      }),
    );
    const telling = rulesKnownBy(reaches.world, target.index);
    return [...inbound, ...telling.map(compiled => ({ compiled }))];
  }
  const rules = reaches
    .withRouters()
    .under('granted')
    .deliveriesOf(target.id)
    .flatMap(({ entries }) => entries.map(one => one.compiled));
  // A policy is involved even if it only delivers the target.
  const policies = target.resources.flatMap(({ resource }) =>
    reaches.world.resourcePolicies(resource),
  );
  const all = new Set([...rules, ...policies.flatMap(policy => policy.rules)]);
  return [...all].map(compiled => ({ compiled }));
}

// The rules that make machines awaiting approval known to a machine.
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
    .providersOf(served)
    .flatMap(({ kind, object }) => namesOf(object).map(key => nameOf(kind, key)));
}
