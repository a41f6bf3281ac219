// The machines and network resources on the sides of rules, by their ids. Successive states share
// their equal parts, so a result that was computed for a part serves all states that contain the
// part.
import { judgePosture } from '../../access/posture/judgePosture.ts';
import type {
  AccessState,
  Group,
  Machine,
  Named,
  Policy,
  Resource,
  Servers,
  Side,
} from '../../access/state/accessState.ts';
import { namesOf } from '../../access/world/roster.ts';

/** The members of groups and sides in one state. */
export interface Members {
  /** Whether the state has the machine. */
  readonly isThere: (machine: string) => boolean;
  /**
   * Whether the state has the machine, and the machine is approved. A machine that awaits approval
   * neither uses nor admits anything.
   */
  readonly isApproved: (machine: string) => boolean;
  readonly ofGroup: (group: string) => ReadonlySet<string>;
  /** The machines on a side. */
  readonly ofSide: (side: Side) => ReadonlySet<string>;
  readonly ofServers: (servers: Servers) => ReadonlySet<string>;
  /** Whether a machine passes the posture checks of a policy, or may pass them. */
  readonly passes: (policy: Policy, machine: string) => boolean;
  /** The enabled network resources that a policy names, and their routing machines. */
  readonly behindPolicy: (policy: Policy) => {
    readonly resources: readonly Resource[];
    readonly routers: readonly string[];
  };
  /** Whether a rule of the policy that is in effect names the group as a destination. */
  readonly isNamed: (policy: Policy, group: string) => boolean;
  /** Whether two sides have a group, a machine or a network resource in common. */
  readonly haveCommon: (one: Side, other: Side) => boolean;
}

/** The id of an object, or its key if it has none. */
export const idOf = ({ id, key }: Named): string => id ?? key;

const NOBODY: ReadonlySet<string> = new Set();

/** The members in a state. */
export function membersIn(state: AccessState): Members {
  const machines = machinesIn(state);
  const checks = byNames(state.checks);
  const sides = sidesIn(state, machines);
  return {
    ...sides,
    isThere: id => machines.byId.has(id),
    isApproved: id => machines.byId.get(id)?.awaitsApproval === false,
    passes: (policy, id) => {
      const facts = machines.byId.get(id)?.facts ?? {};
      return policy.checks
        .flatMap(key => checks.get(key) ?? [])
        .every(check => judgePosture(check, facts).verdict !== 'fail');
    },
    behindPolicy: policy => behind(policy, state, sides.ofServers),
    isNamed: (policy, group) => namedBy(policy).has(group),
    haveCommon: (one, other) =>
      intersects(namesOn(one, state), namesOn(other, state)) ||
      intersects(sides.ofSide(one), sides.ofSide(other)),
  };
}

function sidesIn(
  state: AccessState,
  machines: MachineIndex,
): Pick<Members, 'ofGroup' | 'ofSide' | 'ofServers'> {
  const groups = byNames(state.groups);
  const ofGroup = (name: string): ReadonlySet<string> => {
    const group = groups.get(name);
    return group === undefined ? NOBODY : idsOf(group, machines);
  };
  const ofGroups = (names: readonly string[]): ReadonlySet<string> => {
    const [only = '', ...others] = names;
    return others.length === 0 ? ofGroup(only) : new Set(names.flatMap(name => [...ofGroup(name)]));
  };
  const ofMachine = (name: string): ReadonlySet<string> => {
    const machine = machines.byName.get(name);
    return machine === undefined ? NOBODY : new Set([idOf(machine)]);
  };
  return {
    ofGroup,
    ofServers: ({ machine, groups: names }) =>
      machine === undefined ? ofGroups(names) : ofMachine(machine),
    ofSide: side => {
      if (side.type === 'machine') return ofMachine(side.machine);
      return side.type === 'resource' ? NOBODY : ofGroups(side.groups);
    },
  };
}

const byNames = <T extends Named>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.flatMap(one => namesOf(one).map(name => [name, one])));

interface MachineIndex {
  readonly byName: ReadonlyMap<string, Machine>;
  readonly byId: ReadonlyMap<string, Machine>;
  readonly all: ReadonlySet<string>;
  readonly ofGroup: Map<Group, ReadonlySet<string>>;
}

const indexes = new WeakMap<AccessState['machines'], MachineIndex>();

function machinesIn({ machines }: AccessState): MachineIndex {
  const found = indexes.get(machines) ?? {
    byName: byNames(machines),
    byId: new Map(machines.map(one => [idOf(one), one])),
    all: new Set(machines.map(idOf)),
    ofGroup: new Map(),
  };
  indexes.set(machines, found);
  return found;
}

function idsOf(group: Group, { all, byName, ofGroup }: MachineIndex): ReadonlySet<string> {
  if (group.isAll) return all;
  const found =
    ofGroup.get(group) ??
    new Set(
      group.machines.map(name => {
        const machine = byName.get(name);
        return machine === undefined ? name : idOf(machine);
      }),
    );
  ofGroup.set(group, found);
  return found;
}

const named = new WeakMap<Policy, ReadonlySet<string>>();

// The groups and network resources that are destinations of a policy.
function namedBy(policy: Policy): ReadonlySet<string> {
  const found =
    named.get(policy) ??
    new Set(
      policy.rules
        .filter(rule => policy.isEnabled && rule.isEnabled)
        .flatMap(({ destination }) => {
          if (destination.type === 'machine') return [];
          return destination.type === 'resource' ? [destination.resource] : destination.groups;
        }),
    );
  named.set(policy, found);
  return found;
}

function behind(
  policy: Policy,
  { networks }: AccessState,
  ofServers: Members['ofServers'],
): ReturnType<Members['behindPolicy']> {
  const names = namedBy(policy);
  const found = networks.map(network => ({
    network,
    resources: network.resources.filter(
      one =>
        one.isEnabled &&
        (one.groups.some(group => names.has(group)) || namesOf(one).some(name => names.has(name))),
    ),
  }));
  const used = found.filter(({ resources }) => resources.length > 0);
  return {
    resources: used.flatMap(({ resources }) => resources),
    routers: used.flatMap(({ network }) =>
      network.routers
        .filter(({ isEnabled }) => isEnabled)
        .flatMap(({ servers }) => [...ofServers(servers)]),
    ),
  };
}

// The groups of a side, and the network resources in them.
function namesOn(side: Side, { networks }: AccessState): ReadonlySet<string> {
  if (side.type === 'machine') return NOBODY;
  const names = new Set(side.type !== 'resource' ? side.groups : [side.resource]);
  const inside = networks
    .flatMap(({ resources }) => resources)
    .filter(one => one.groups.some(group => names.has(group)));
  return new Set([...names, ...inside.map(({ key }) => key)]);
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [less, more] = one.size < other.size ? [one, other] : [other, one];
  for (const item of less) if (more.has(item)) return true;
  return false;
}
