// The parts that a change of the files can remove from a rule or a route. A narrowing never adds anything.
import type { Span } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { LintContext, LintedRule } from '../lint/lintContext.ts';
import { positionOf } from '../lint/positions.ts';
import { ruleAt } from '../lint/ruleNames.ts';
import type { PortRange, Protocol, Route, Rule, Side } from '../state/accessState.ts';

/** A declared rule, in the form of the server and in the form of the files. */
export interface DeclaredRule {
  readonly linted: LintedRule;
  /** The policy in the form of the files. */
  readonly whole: Desired;
  /** The position of the rule in the policy. */
  readonly index: number;
  /** Whether it is the only rule of the policy. */
  readonly isOnly: boolean;
}

/** A declared route. */
export interface DeclaredRoute {
  readonly object: Desired;
  readonly route: Route;
}

/** One narrowing of a rule. */
export type RuleNarrowing = { readonly rule: DeclaredRule } & (
  | { readonly takes: 'rule' }
  | { readonly takes: 'source-group'; readonly group: string }
  | { readonly takes: 'destination-group'; readonly group: string }
  | { readonly takes: 'port'; readonly port: string }
  /** `to`: the remaining parts of the range. */
  | { readonly takes: 'range'; readonly range: PortRange; readonly to: readonly PortRange[] }
  /**
   * Keeps only these ports of this protocol. If there are no ports, keeps every port of the
   * protocol.
   */
  | { readonly takes: 'traffic'; readonly protocol: Protocol; readonly ports: readonly string[] }
  | { readonly takes: 'reverse' }
  /** Removes all destinations except this network resource. */
  | { readonly takes: 'other-resources'; readonly resource: string }
);

/** One narrowing of a route. */
export type RouteNarrowing = { readonly route: DeclaredRoute } & (
  | { readonly takes: 'whole-route' }
  | { readonly takes: 'access-control-group'; readonly group: string }
);

export type Narrowing = RuleNarrowing | RouteNarrowing;

/** The accept rules that are in effect, each with the policy as the files declare it. */
export function declaredRules({ rules, written }: LintContext): readonly DeclaredRule[] {
  const policies = new Map(
    written.filter(({ kind }) => kind === 'policy').map(object => [object.key, object]),
  );
  return rules.flatMap(linted => {
    const { object, rule, compiled } = linted;
    const whole = policies.get(object.part?.whole ?? object.key);
    if (!whole || rule.isDrop || !compiled.isActive) return [];
    const index = whole === object ? linted.index : positionIn(whole, rule.name);
    return index < 0 ? [] : { linted, whole, index, isOnly: rulesIn(whole).length === 1 };
  });
}

/**
 * A string that identifies a rule by its own name and the name of its policy, to find the rule in
 * the edited files.
 */
export const nameOfRule = ({ policy, rule }: Pick<LintedRule, 'policy' | 'rule'>): string =>
  ruleName(policy.key, rule.name);

/** A string for the names of a policy and of a rule. */
export const ruleName = (policy: string, rule: string): string => JSON.stringify([policy, rule]);

/** The routes that are in effect. */
export function declaredRoutes({ state, declared }: LintContext): readonly DeclaredRoute[] {
  return state.routes.flatMap(route => {
    const object = declared('route', route.key);
    return object && route.isEnabled ? { object, route } : [];
  });
}

// Names are unique in a policy.
function positionIn(policy: Desired, name: string): number {
  return rulesIn(policy).findIndex(rule => isObject(rule) && (rule.name ?? '') === name);
}

const rulesIn = ({ fields: { rules } }: Desired): readonly Json[] => (isList(rules) ? rules : []);

/** The groups of a side; undefined if it is one machine or network resource. */
export const groupsOf = (side: Side): readonly string[] | undefined =>
  side.type === 'groups' ? side.groups : undefined;

/** The rule of a narrowing; undefined for a narrowing of a route. */
export const ruleOf = (narrowing: Narrowing): DeclaredRule | undefined =>
  'rule' in narrowing ? narrowing.rule : undefined;

/** The route of a narrowing; undefined for a narrowing of a rule. */
export const routeOf = (narrowing: Narrowing): DeclaredRoute | undefined =>
  'route' in narrowing ? narrowing.route : undefined;

/** The position in the files of the part that a narrowing removes. */
export function spanOf(narrowing: Narrowing): Span {
  if ('route' in narrowing) {
    const { object, route } = narrowing.route;
    if (narrowing.takes === 'whole-route') return object.at;
    const at = route.accessControl.indexOf(narrowing.group);
    return positionOf({ object, path: ['access_control_groups', String(at)] });
  }
  const { linted } = narrowing.rule;
  return positionOf(ruleAt(linted, ...pathIn(linted.rule, narrowing)));
}

function pathIn(rule: Rule, narrowing: RuleNarrowing): readonly string[] {
  const groupAt = (side: Side, group: string): string =>
    String(side.type === 'groups' ? side.groups.indexOf(group) : 0);
  switch (narrowing.takes) {
    case 'rule':
      return [];
    case 'source-group':
      return ['sources', groupAt(rule.source, narrowing.group)];
    case 'destination-group':
      return ['destinations', groupAt(rule.destination, narrowing.group)];
    case 'port':
      return ['ports', String(rule.ports.indexOf(narrowing.port))];
    case 'range':
      return ['port_ranges', String(rule.ranges.indexOf(narrowing.range))];
    case 'traffic':
      return ['protocol'];
    case 'reverse':
      return ['bidirectional'];
    case 'other-resources':
      return ['destinations'];
  }
}
