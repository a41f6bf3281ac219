// Stretches of steps that only replace policies. All states of a stretch lie between two states.
// One of them has every version of these policies, and allows at least what any state of the
// stretch allows. The other has what the versions have in common, and allows at most that. So a
// plan that changes 4,000 policies can be judged by a few states.
import equal from 'fast-deep-equal';
import { nameOf } from '../diff/stateChanges.ts';
import type { AccessState, Policy, Rule } from '../state/accessState.ts';
import type { Violations } from './bounds.ts';
import { runsOf, type StateSequence } from './stateSequence.ts';

type Side = 'opening' | 'gap';

/** Judges a state; undefined if too many states have been judged already. */
type Evaluate = (state: AccessState) => Violations | undefined;

/**
 * A stretch with fewer changes of direction is judged state by state, because that requires hardly
 * more states.
 */
const LEAST = 4;

/** States `from` to `to` of a sequence. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The stretches of a sequence that lie between two states that are within bounds. All states of
 * such a stretch are within bounds, whatever the order of the steps.
 */
export function enclosedStretches(way: StateSequence, evaluate: Evaluate): readonly Stretch[] {
  const enclosed: Stretch[] = [];
  const search = (from: number, to: number, sides: readonly Side[]): void => {
    if (runsOf(way.directions.slice(from, to)).length < LEAST) return;
    const state = way.states[from];
    if (state === undefined) return;
    const left: Side[] = [];
    for (const side of sides) {
      const found = evaluate(enclosing(state, versionsIn(way, from, to), side));
      if (found === undefined) return;
      if (violates(found, side)) left.push(side);
    }
    if (left.length === 0) {
      enclosed.push({ from, to });
      return;
    }
    const middle = (from + to) >> 1;
    search(from, middle, left);
    search(middle, to, left);
  };
  for (const { from, to } of stretchesOf(way)) search(from, to, ['opening', 'gap']);
  return enclosed;
}

/** Whether a state exceeds its bounds on one side. */
export function violates(violations: Violations, side: Side): boolean {
  for (const one of violations.values()) if (one[side].length > 0) return true;
  return false;
}

// The longest stretches of steps that only replace policies. Drop rules are excluded, because they
// may both grant and remove access; see direction.ts.
function stretchesOf({ changes }: StateSequence): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, step] of changes.entries()) {
    const isEnclosable = step.every(
      one => one.type === 'policy' && ![one.was, one.is].some(policy => policy && drops(policy)),
    );
    if (!isEnclosable) continue;
    const last = stretches.at(-1);
    if (last?.to === at) stretches[stretches.length - 1] = { from: last.from, to: at + 1 };
    else stretches.push({ from: at, to: at + 1 });
  }
  return stretches;
}

const drops = ({ rules }: Policy): boolean => rules.some(({ isDrop }) => isDrop);

/** The versions of each policy that a stretch changes, by name; undefined for states without the policy. */
type PolicyVersions = ReadonlyMap<string, ReadonlySet<Policy | undefined>>;

function versionsIn({ changes }: StateSequence, from: number, to: number): PolicyVersions {
  const versions = new Map<string, Set<Policy | undefined>>();
  for (const change of changes.slice(from, to).flat()) {
    if (change.type !== 'policy') continue;
    const { was, is } = change;
    const policy = is ?? was;
    if (policy === undefined) continue;
    const known = versions.get(nameOf(policy)) ?? new Set();
    versions.set(nameOf(policy), known.add(was).add(is));
  }
  return versions;
}

function enclosing(state: AccessState, versions: PolicyVersions, side: Side): AccessState {
  const kept = state.policies.filter(policy => !versions.has(nameOf(policy)));
  const changed = [...versions.values()].flatMap(list =>
    side === 'opening' ? allOf([...list]) : commonOf([...list]),
  );
  return { ...state, policies: [...kept, ...changed] };
}

// Every version is a separate policy with a unique name.
const allOf = (versions: readonly (Policy | undefined)[]): readonly Policy[] =>
  versions.flatMap((policy, at) => {
    if (policy === undefined) return [];
    const { id: _, ...rest } = policy;
    return { ...rest, key: `${nameOf(policy)} ${at}` };
  });

// The policies with only what every version allows. If a policy is missing in any state, it is left
// out.
function commonOf(versions: readonly (Policy | undefined)[]): readonly Policy[] {
  const policies = versions.filter(policy => policy !== undefined);
  const [first, ...others] = policies;
  if (first === undefined || policies.length < versions.length) return [];
  return [others.reduce(commonPolicy, first)];
}

function commonPolicy(one: Policy, other: Policy): Policy {
  return {
    ...one,
    isEnabled: one.isEnabled && other.isEnabled,
    checks: [...new Set([...one.checks, ...other.checks])],
    rules: one.rules.flatMap((rule, at) => {
      const same = other.rules[at];
      return same === undefined ? [] : commonRule(rule, same);
    }),
  };
}

function commonRule(one: Rule, other: Rule): readonly Rule[] {
  const source = commonSide(one.source, other.source);
  const destination = commonSide(one.destination, other.destination);
  const traffic = commonTraffic(one, other);
  if (!source || !destination || !traffic) return [];
  return [
    {
      ...one,
      isEnabled: one.isEnabled && other.isEnabled,
      isBidirectional: one.isBidirectional && other.isBidirectional,
      source,
      destination,
      ports: traffic.ports,
      ranges: traffic.ranges,
    },
  ];
}

function commonSide(one: Rule['source'], other: Rule['source']): Rule['source'] | undefined {
  if (one.type === 'groups' && other.type === 'groups') {
    const known = new Set(other.groups);
    return { type: 'groups', groups: one.groups.filter(group => known.has(group)) };
  }
  return equal(one, other) ? one : undefined;
}

// A rule without ports and ranges would allow every port. So if the intersection is empty, there is
// no rule.
function commonTraffic(one: Rule, other: Rule): Pick<Rule, 'ports' | 'ranges'> | undefined {
  if (one.protocol !== other.protocol) return undefined;
  if (equal(one.ports, other.ports) && equal(one.ranges, other.ranges)) return one;
  const known = new Set(other.ports);
  const ports = one.ports.filter(port => known.has(port));
  return ports.length > 0 ? { ports, ranges: [] } : undefined;
}
