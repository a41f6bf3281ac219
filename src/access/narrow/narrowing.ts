// What a change of the files can take from a rule or a route, and never add.
import type { Desired } from '../../model/object.ts';
import type { LintContext, LintedRule } from '../lint/context.ts';
import type { PortRange, Protocol, Route } from '../state/accessState.ts';

/** A declared rule, in the form of the server and as the files declare it. */
export interface DeclaredRule {
  readonly linted: LintedRule;
  /** The policy as the files declare it. */
  readonly whole: Desired;
  /** The position of the rule in it. */
  readonly index: number;
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
  /** `to`: what is left of the range. */
  | { readonly takes: 'range'; readonly range: PortRange; readonly to: readonly PortRange[] }
  /** Everything but these ports of this protocol; without ports, but every port of it. */
  | { readonly takes: 'traffic'; readonly protocol: Protocol; readonly ports: readonly string[] }
  | { readonly takes: 'reverse' }
  /** All destinations but this network resource. */
  | { readonly takes: 'other-resources'; readonly resource: string }
);

/** One narrowing of a route. */
export type RouteNarrowing = { readonly route: DeclaredRoute } & (
  | { readonly takes: 'route' }
  | { readonly takes: 'access-control-group'; readonly group: string }
);

export type Narrowing = RuleNarrowing | RouteNarrowing;

/** The accept rules that are in effect, with the policies that the files declare. */
export function declaredRules({ rules, written }: LintContext): readonly DeclaredRule[] {
  const policies = new Map(
    written.filter(({ kind }) => kind === 'policy').map(object => [object.key, object]),
  );
  return rules.flatMap(linted => {
    const { object, rule, compiled } = linted;
    const whole = policies.get(object.part?.whole ?? object.key);
    if (!whole || rule.isDrop || !compiled.isActive) return [];
    const index = whole === object ? linted.index : positionIn(whole, rule.name);
    return index < 0 ? [] : { linted, whole, index };
  });
}

/** The routes that are in effect. */
export function declaredRoutes({ state, declared }: LintContext): readonly DeclaredRoute[] {
  return state.routes.flatMap(route => {
    const object = declared('route', route.key);
    return object && route.isEnabled ? { object, route } : [];
  });
}

// Names are unique in a policy.
function positionIn({ fields }: Desired, name: string): number {
  const rules = Array.isArray(fields.rules) ? fields.rules : [];
  return rules.findIndex(rule => (rule?.name ?? '') === name);
}
