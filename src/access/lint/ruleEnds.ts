// The expiry times that files give a rule: of the rule itself, and of its parts.
import { endTime } from '../../model/ending.ts';
import type { Desired } from '../../model/object.ts';
import { isList, isObject } from '../../model/value.ts';
import type { Rule, Side } from '../state/accessState.ts';

/**
 * The expiry times of the parts of a rule, in milliseconds. The key of a part is the same in every
 * rule.
 */
export type RuleEnds = ReadonlyMap<string, number>;

const WHOLE = 'rule';

/**
 * Whether a rule lasts at least as long as another rule. If it does, the shared effect remains when
 * a part of the other rule expires.
 */
export function lastsAsLong(rule: RuleEnds, other: RuleEnds): boolean {
  const end = other.get(WHOLE) ?? Infinity;
  return rule
    .entries()
    .every(([part, until]) => until >= Math.min(end, other.get(part) ?? Infinity));
}

/**
 * Returns the expiry times of each rule, by the key of the policy that files declare. `keyOf`: the key of a group by any of its
 * names.
 */
export function ruleEndsIn(
  written: readonly Desired[],
  keyOf: (name: string) => string,
): (policy: string, rule: Rule) => RuleEnds {
  const ending = written.filter(({ lifecycle, ends }) => lifecycle.until !== undefined || ends);
  const policies = ofKind(ending, 'policy');
  const groups = ofKind(ending, 'group');
  return (policy, rule) => {
    const whole = policies.get(policy);
    const own = whole ? ownEnds(whole, rule, keyOf) : [];
    const sides = [rule.source, rule.destination].flatMap(groupNames).map(keyOf);
    const ofGroups = sides.flatMap(key => {
      const group = groups.get(key);
      return group ? groupEnds(group) : [];
    });
    return new Map([...own, ...ofGroups]);
  };
}

const ofKind = (objects: readonly Desired[], name: string): ReadonlyMap<string, Desired> =>
  new Map(objects.filter(({ kind }) => kind === name).map(object => [object.key, object]));

type NamedEnd = readonly [string, number];

const groupNames = (side: Side): readonly string[] => (side.type === 'groups' ? side.groups : []);

// Names of rules are unique in a policy, so the rule can be found by its name.
function ownEnds(
  { lifecycle, ends = [], fields, ended }: Desired,
  rule: Rule,
  keyOf: (name: string) => string,
): readonly NamedEnd[] {
  // Expiry times refer to the positions of rules before anything expired.
  const { rules } = ended?.fields ?? fields;
  const index = isList(rules)
    ? rules.findIndex(one => isObject(one) && (one.name ?? '') === rule.name)
    : -1;
  const sides = new Set([rule.source, rule.destination].flatMap(groupNames).map(keyOf));
  const members = ends.filter(
    ({ list: [first, at], member }) =>
      first === 'rules' && at === String(index) && sides.has(keyOf(member)),
  );
  return [
    ...timed(WHOLE, lifecycle.until),
    ...members.flatMap(({ list, member, until }) =>
      timed(`${list.at(-1)} ${keyOf(member)}`, until),
    ),
  ];
}

const groupEnds = ({ key, lifecycle, ends = [] }: Desired): readonly NamedEnd[] => [
  ...timed(`group ${key}`, lifecycle.until),
  ...ends.flatMap(({ member, until }) => timed(`group ${key} ${member}`, until)),
];

function timed(part: string, until: string | undefined): readonly NamedEnd[] {
  const time = endTime(until);
  return time === undefined ? [] : [[part, time]];
}
