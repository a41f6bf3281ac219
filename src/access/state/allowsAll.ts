// Policies that let every machine reach every other machine, such as the default policy of a new
// account. While such a policy is enabled, other policies between machines have no effect.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { AccessState, Policy, Rule, Side } from './accessState.ts';
import { ALL } from './groups.ts';

/**
 * A note for an adopted account that has such a policy and other policies that it makes
 * ineffective; otherwise empty.
 */
export function allowsAllNotes(state: AccessState): readonly Diagnostic[] {
  const [policy] = state.policies.filter(one => allowsAll(one, state));
  if (policy === undefined) return [];
  const others = state.policies.filter(one => one.isEnabled && one !== policy && opens(one));
  if (others.length === 0) return [];
  const [first, ...more] = others.map(({ key }) => quoted(key));
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  return [
    {
      code: 'POLICY_ALLOWS_ALL',
      severity: 'note',
      message: `policy ${quoted(policy.key)} lets every machine reach every other machine, regardless of what ${first}${rest} allow${more.length === 0 ? 's' : ''}`,
      hint: 'disable it when the others allow all that is needed: `enabled: false`',
    },
  ];
}

const opens = ({ rules }: Policy): boolean => rules.some(one => one.isEnabled && !one.isDrop);

function allowsAll({ isEnabled, checks, rules }: Policy, state: AccessState): boolean {
  const isAll = (side: Side) =>
    side.type === 'groups' && side.groups.some(group => isEveryone(group, state));
  const isWhole = ({ protocol, ports, ranges }: Rule) =>
    protocol === 'all' && ports.length === 0 && ranges.length === 0;
  return (
    isEnabled &&
    checks.length === 0 &&
    rules.some(
      rule =>
        rule.isEnabled &&
        !rule.isDrop &&
        isWhole(rule) &&
        isAll(rule.source) &&
        isAll(rule.destination),
    )
  );
}

function isEveryone(key: string, { groups }: AccessState): boolean {
  const found = groups.find(one => one.key === key || `id:${one.id}` === key);
  return found === undefined ? key === ALL : found.isAll;
}
