// What names lead to for the machines of each group: by the zones that the group gets, and otherwise by the nameservers that it asks.
import { accessName } from '../../model/access/accessName.ts';
import { nameText } from '../../model/text/visible.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import type { AccessState } from '../state/accessState.ts';
import { groupNames, placesForGroups, receiversIn } from '../world/groupPlaces.ts';
import { missesOf } from '../world/missedNames.ts';
import { EVERYBODY, isGivenTo } from '../world/replies.ts';
import {
  type Asking,
  askingGroups,
  askingIn,
  isWithoutDns,
  nameserversFor,
} from './nameservers.ts';

/** What a name leads to for the machines of some groups before and after a plan, in words. */
interface ResolvedChange {
  readonly was: string;
  readonly is: string;
  /** Who these machines are. */
  readonly whom: string;
}

/** What a plan changes about what names lead to, for the machines of the groups that zones and nameservers name. */
export function resolvedChanges(
  { stateBefore, stateAfter }: Comparison,
  account: Pick<PlannedAccount, 'kinds' | 'live' | 'plan'>,
): (name: string) => readonly ResolvedChange[] {
  const asking = askingIn(account, stateBefore.groups, stateAfter.groups);
  const before = resolvedIn(stateBefore, asking[0]);
  const after = resolvedIn(stateAfter, asking[1]);
  const groups = [
    ...new Set([...receiversIn(stateBefore), ...receiversIn(stateAfter), ...askingGroups(asking)]),
  ];
  const names = new Map([...groupNames(stateBefore), ...groupNames(stateAfter)]);
  return name => {
    const found = groups.flatMap(group => {
      const was = before(name, group);
      const is = after(name, group);
      return areSame(was, is) ? [] : [{ group, was: wordsOf(was), is: wordsOf(is) }];
    });
    const alike = Map.groupBy(found, ({ was, is }) => `${was}\n${is}`);
    return [...alike.values()].flatMap(same => {
      const [first] = same;
      const whom = whomOf(
        same.map(({ group }) => group),
        names,
      );
      return first === undefined ? [] : [{ was: first.was, is: first.is, whom }];
    });
  };
}

function whomOf(groups: readonly string[], names: ReadonlyMap<string, string>): string {
  if (groups.includes(EVERYBODY)) return 'all machines';
  return groups
    .map(group => accessName('group', names.get(group) ?? group))
    .toSorted()
    .join(', ');
}

/** Each place that a name leads to, or each server that is asked for it, in words. */
type Resolved = ReadonlyMap<string, string>;

const NOTHING: Resolved = new Map([['nothing', 'nothing']]);
const OTHERS: Resolved = new Map([['others', 'what other DNS servers answer']]);

function resolvedIn(state: AccessState, asking: Asking): (name: string, group: string) => Resolved {
  const placesFor = placesForGroups(state);
  const machineNames = new Set(state.machines.flatMap(({ dnsNames = [] }) => dnsNames));
  return (name, group) => {
    if (isWithoutDns(asking, group)) return OTHERS;
    if (isGivenTo(new Set(missesOf(state, name).keys()), group)) return NOTHING;
    const isOfMachine = machineNames.has(name);
    const places = [...placesFor(name, group)].map(
      ([id, place]) => [`place ${id}`, nameText(place)] as const,
    );
    if (places.length > 0 && !isOfMachine) return new Map(places);
    const servers = nameserversFor(asking, name, group, isOfMachine).flatMap(
      ({ address, servers: all }) =>
        all.map(
          server => [`server ${server}`, `what ${nameText(address)} answers (${server})`] as const,
        ),
    );
    const found = [...places, ...servers];
    return found.length === 0 ? OTHERS : new Map(found);
  };
}

const areSame = (one: Resolved, other: Resolved): boolean =>
  one.size === other.size && [...one.keys()].every(key => other.has(key));

const wordsOf = (resolved: Resolved): string => [...resolved.values()].toSorted().join(' and ');
