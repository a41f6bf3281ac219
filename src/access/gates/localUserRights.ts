// Logins as any local user of a machine with SSH enabled. If a rule opens the SSH port with `tcp`
// or `all`, its sources may log in as any local user, even if a rule with `netbird-ssh` limits them
// to certain users. No port is gained, so the change is a right.
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Live } from '../../model/object.ts';
import { nameText } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { SSH } from '../ask/answeredSsh.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import type { Comparison } from '../plan/comparison.ts';
import { and, has, indexesIn, isEmpty, minusInto, noBits, orInto } from '../sets/bits.ts';
import { overlap } from '../sets/traffic.ts';
import { objectsIn, textIn, textsIn } from '../state/stateObject.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/**
 * The rights of sources to log in as any local user. A plan gives this right to sources that may
 * log in only as certain users.
 */
export function localUserRights(
  { before, after }: Comparison,
  live: readonly Live[],
  changes: readonly ShownChange[],
): readonly RightEntry[] {
  const [some] = changes;
  if (some === undefined) return [];
  const named = rulesWithUsers(live);
  const isNamed = (rule: CompiledRule) => named.has(nameOf(rule.policy.key, rule.rule.name));
  const former = accepting(before.world);
  const limited = former.filter(isNamed);
  if (limited.length === 0) return [];
  const open = former.filter(one => !isNamed(one) && (isSsh(one) || opensSsh(one)));
  const enabled = machinesWithSsh(live);
  const namer = memberSetNamer(after.world);
  return accepting(after.world)
    .filter(one => !isSsh(one) && opensSsh(one))
    .flatMap((rule): RightEntry[] => {
      const gaining = noBits();
      for (const one of limited)
        for (const machine of indexesIn(and(rule.destinations, one.destinations))) {
          if (!enabled.has(after.world.members[machine]?.key ?? '')) continue;
          const sources = and(rule.sources, one.sources);
          for (const { sources: known, destinations } of open)
            if (has(destinations, machine)) minusInto(sources, known);
          orInto(gaining, sources);
        }
      if (isEmpty(gaining)) return [];
      const own = changes.find(({ kind, key }) => kind === 'policy' && key === rule.policy.key);
      const who = nameText(namer.party(gaining).name);
      const message = `${who} may log in as ${ANY_USER} by rule ${nameText(rule.rule.name)}`;
      return [{ object: (own ?? some).address, right: 'ssh', message }];
    });
}

const ANY_USER = 'any user';

const accepting = ({ policies }: World): readonly CompiledRule[] =>
  policies.flatMap(({ rules }) => rules.filter(one => one.isActive && !one.rule.isDrop));

const isSsh = ({ rule }: CompiledRule): boolean => rule.protocol === 'netbird-ssh';

const opensSsh = ({ traffic }: CompiledRule): boolean => overlap(traffic, SSH);

const nameOf = (policy: string, rule: string): string => JSON.stringify([policy, rule]);

// The rules that limit their groups to certain local users, by the names of policy and rule.
function rulesWithUsers(live: readonly Live[]): ReadonlySet<string> {
  return new Set(
    live
      .filter(({ kind }) => kind === 'policy')
      .flatMap(({ fields }) =>
        objectsIn(fields, 'rules').flatMap(rule => {
          const users = rule.authorized_groups;
          const limits = isObject(users) ? Object.keys(users) : [];
          const isLimited =
            isObject(users) &&
            limits.length > 0 &&
            limits.every(group => textsIn(users, group).length > 0);
          return isLimited && textIn(rule, 'protocol') === 'netbird-ssh'
            ? [nameOf(textIn(fields, 'name'), textIn(rule, 'name'))]
            : [];
        }),
      ),
  );
}

function machinesWithSsh(live: readonly Live[]): ReadonlySet<string> {
  return new Set(
    live
      .filter(({ kind, fields }) => kind === 'peer' && fields.ssh_enabled === true)
      .flatMap(({ id, fields }) => [textIn(fields, 'name'), `id:${id}`]),
  );
}
