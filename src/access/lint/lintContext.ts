// The input of every lint: the declared objects in the form of the server, the state that they
// describe, and their rules.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Desired } from '../../model/object.ts';
import { type Fields, isList, isObject } from '../../model/value.ts';
import type { AccessState, Policy, Resource, Route, Rule } from '../state/accessState.ts';
import { isRoutingIgnored, withoutIgnoredMembers } from '../state/ignoredFields.ts';
import { type AsServerStores, stateOfFiles } from '../state/stateOfFiles.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { leadsTo } from '../world/resourcePolicies.ts';
import { namesOf } from '../world/roster.ts';
import { type World, worldOf } from '../world/world.ts';
import { listsBy } from './listsBy.ts';
import { type RuleEnds, ruleEndsIn } from './ruleEnds.ts';

/**
 * The declared objects of valid files, as written, and a function that converts them to the form of
 * the server.
 */
export interface LintInput {
  readonly desired: readonly Desired[];
  readonly accessTests: readonly AccessTest[];
  readonly kinds: KindTable;
  readonly asKept: AsServerStores;
}

export interface LintContext {
  readonly kinds: KindTable;
  readonly accessTests: readonly AccessTest[];
  /** The declared objects as written in the files, without the objects that the files delete. */
  readonly written: readonly Desired[];
  /** The same objects in the form in which the server stores them. */
  readonly objects: readonly Desired[];
  /** The keys of the objects of a kind that the files delete. */
  readonly isDeleted: (kind: string, key: string) => boolean;
  readonly state: AccessState;
  readonly world: World;
  /** The declared object of a kind; undefined for an object to which the files only refer. */
  readonly declared: (kind: string, key: string) => Desired | undefined;
  /** The rules of all policies, including disabled ones. */
  readonly rules: readonly LintedRule[];
  readonly groups: DeclaredGroups;
}

/** A rule, with the facts in the files about its policy and its sides. */
export interface LintedRule {
  readonly compiled: CompiledRule;
  readonly policy: Policy;
  /** All rules of its policy, as the server stores it. */
  readonly siblings: CompiledPolicy;
  readonly rule: Rule;
  /** Its position in the policy. */
  readonly index: number;
  /** The policy that contains the rule. */
  readonly object: Desired;
  /** The fields of the rule as written. The reported position is that of the nearest declared value. */
  readonly fields: Fields;
  /** The declared network resources among its destinations. */
  readonly resources: readonly Resource[];
  /** The expiry times of the rule and its parts. */
  readonly ends: RuleEnds;
  /** Whether machines may be among its destinations. */
  readonly leadsToMachines: boolean;
}

/** Facts about groups in the files. */
export interface DeclaredGroups {
  /** Returns the key of a group, given any of its names. */
  readonly keyOf: (name: string) => string;
  /** Whether machines may be in the group. A group that contains only network resources is a group of addresses. */
  readonly mayHoldMachines: (name: string) => boolean;
  readonly resourcesIn: (name: string) => readonly Resource[];
  readonly isAll: (name: string) => boolean;
  /**
   * Returns the keys of the declared groups that have a machine among their members, unless the
   * account decides this membership.
   */
  readonly holding: (machine: string) => readonly string[];
  /** Whether a group contains a network resource through a field that the account does not decide. */
  readonly hasResource: (name: string, resource: string) => boolean;
  /** Whether the account decides which network resources are in groups, or which groups control routes. */
  readonly isRoutingIgnored: boolean;
  /** Whether the group is an access-control group of a route. */
  readonly controlsRoute: (name: string) => boolean;
}

/** The context for files. */
export function lintContext({ desired, accessTests, kinds, asKept }: LintInput): LintContext {
  const isStaying = ({ lifecycle }: Desired) => lifecycle.delete !== true;
  const staying = desired.every(isStaying) ? desired : desired.filter(isStaying);
  const objects = asKept(staying);
  const byName = new Map(objects.map(object => [nameOf(object), object]));
  const deleted = new Set(desired.filter(object => !isStaying(object)).map(nameOf));
  const state = stateOfFiles(staying, asKept);
  const world = worldOf(state);
  const groups = declaredGroups(state, staying, asKept);
  const resources = state.networks.flatMap(network => network.resources);
  const declared = (kind: string, key: string) => byName.get(nameOf({ kind, key }));
  const endsOf = ruleEndsIn(staying, groups.keyOf);
  const rules = world.policies.flatMap(policy => {
    const object = declared('policy', policy.policy.key);
    return object ? rulesOf(policy, object, { resources, groups, endsOf }) : [];
  });
  const isDeleted = (kind: string, key: string) => deleted.has(nameOf({ kind, key }));
  return {
    kinds,
    accessTests,
    written: staying,
    objects,
    isDeleted,
    state,
    world,
    declared,
    rules,
    groups,
  };
}

const nameOf = ({ kind, key }: { readonly kind: string; readonly key: string }): string =>
  `${kind} ${key}`;

/** The facts about the files that rules are linted with. */
interface AroundRules {
  readonly resources: readonly Resource[];
  readonly groups: DeclaredGroups;
  readonly endsOf: ReturnType<typeof ruleEndsIn>;
}

function rulesOf(
  siblings: CompiledPolicy,
  object: Desired,
  { resources, groups, endsOf }: AroundRules,
): readonly LintedRule[] {
  const written = object.fields.rules;
  return siblings.rules.map((compiled, index) => {
    const { rule, policy } = compiled;
    const fields = isList(written) ? written[index] : undefined;
    const { destination } = rule;
    return {
      compiled,
      policy,
      siblings,
      rule,
      index,
      object,
      fields: isObject(fields) ? fields : {},
      resources: resources.filter(resource => leadsTo(compiled, resource)),
      ends: endsOf(object.part?.whole ?? object.key, rule),
      leadsToMachines:
        destination.type === 'machine' ||
        (destination.type === 'groups' && destination.groups.some(groups.mayHoldMachines)),
    };
  });
}

// The state without memberships that the account decides.
function decidedState(
  state: AccessState,
  staying: readonly Desired[],
  asKept: AsServerStores,
): AccessState {
  const decided = withoutIgnoredMembers(staying);
  return decided.every((object, at) => object === staying[at])
    ? state
    : stateOfFiles(decided, asKept);
}

function declaredGroups(
  state: AccessState,
  staying: readonly Desired[],
  asKept: AsServerStores,
): DeclaredGroups {
  const byName = new Map(state.groups.flatMap(group => namesOf(group).map(name => [name, group])));
  const keyOf = (name: string) => byName.get(name)?.key ?? name;
  const resources = listsBy(
    state.networks.flatMap(network => network.resources),
    resource => resource.groups.map(keyOf),
  );
  const joined = new Set(state.enrolments.flatMap(({ groups }) => groups.map(keyOf)));
  const resourcesIn = (name: string) => resources.get(keyOf(name)) ?? [];
  const isAll = (name: string) => byName.get(name)?.isAll === true;
  const controlling = new Set(
    state.routes.flatMap((route: Route) => route.accessControl.map(keyOf)),
  );
  const decided = decidedState(state, staying, asKept);
  const holding = listsBy(decided.groups, ({ machines }) => machines);
  const holdingResource = listsBy(
    decided.networks.flatMap(network => network.resources),
    resource => resource.groups.map(keyOf),
  );
  return {
    keyOf,
    resourcesIn,
    isAll,
    holding: machine => (holding.get(machine) ?? []).map(({ key }) => key),
    hasResource: (name, resource) =>
      (holdingResource.get(keyOf(name)) ?? []).some(one => namesOf(one).includes(resource)),
    isRoutingIgnored: isRoutingIgnored(staying),
    controlsRoute: name => controlling.has(keyOf(name)),
    mayHoldMachines: name =>
      isAll(name) ||
      (byName.get(name)?.machines.length ?? 0) > 0 ||
      joined.has(keyOf(name)) ||
      resourcesIn(name).length === 0,
  };
}
