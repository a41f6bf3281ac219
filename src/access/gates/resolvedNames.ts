// The places to which names resolve, for the machines of each group. The zones that a group gets
// decide this; otherwise, the nameservers that its machines ask.
import { accessName } from '../../model/access/accessName.ts';
import { nameText } from '../../model/text/visible.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import { isName } from '../state/zones.ts';
import {
  groupNames,
  groupsByMachine,
  type PlacesFor,
  placesForGroups,
  receiversIn,
} from '../world/groupPlaces.ts';
import { missesOf } from '../world/missedNames.ts';
import { EVERYBODY, isGivenTo } from '../world/replies.ts';
import {
  type Asking,
  askingGroups,
  askingIn,
  coversName,
  isWithoutDns,
  nameserversFor,
} from './nameservers.ts';

/** Words for the machines of the group `All`. */
export const ALL_MACHINES = 'all machines';

/**
 * The places to which a name resolves for the machines of some groups, before and after a plan, in
 * words.
 */
export interface ResolvedChange {
  readonly was: string;
  readonly is: string;
  /** The machines, in words. */
  readonly whom: string;
  /**
   * The machines, listed individually: groups and machines, or an empty string for all machines.
   */
  readonly of: readonly string[];
  /** The machines in words, with only the first groups. */
  readonly whomBriefly: string;
  /**
   * Whether anything resolved the name before for at least some of the machines: a zone, a machine,
   * or nameservers for one of its parent domains.
   */
  readonly wasKnown: boolean;
}

/**
 * Returns how a plan changes where names resolve, for machines of the groups that zones and
 * nameservers name, and for machines that the plan moves from one group to another.
 */
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
  const moved = movedMembers(stateBefore, stateAfter, new Set(groups));
  return name => {
    // Machines that move together get the same answers.
    const answers = new Map<string, readonly [Resolved, Resolved]>();
    const answered = ({ from, to }: MovedMember): readonly [Resolved, Resolved] => {
      const id = [from.join('\n'), to.join('\n')].join('\n\n');
      const known = answers.get(id) ?? [before(name, from), after(name, to)];
      answers.set(id, known);
      return known;
    };
    const found = groups.flatMap(group => {
      const was = before(name, [group]);
      const is = after(name, [group]);
      const whom = group === EVERYBODY ? '' : accessName('group', names.get(group) ?? group);
      return areSame(was, is) ? [] : [{ group, whom, ...changeOf(was, is) }];
    });
    const machines = moved.flatMap(one => {
      const { key, from, to } = one;
      const [was, is] = answered(one);
      const change = { whom: accessName('peer', key), ...changeOf(was, is) };
      // If the answers for the groups of a machine change, the answers for the machine change too.
      // Changes for other groups are reported without the name of the machine.
      const own = new Set([...from, ...to]);
      const isKnown = found.some(one => own.has(one.group) && textOf(one) === textOf(change));
      return areSame(was, is) || isKnown ? [] : [change];
    });
    const alike = Map.groupBy([...found, ...machines], textOf);
    return [...alike.values()].flatMap(same => {
      const [first] = same;
      if (first === undefined) return [];
      const names = same.map(one => one.whom);
      const wasKnown = same.some(one => one.wasKnown);
      const of = names.includes('') ? [''] : names.toSorted();
      const whom = { whom: whomOf(names), of, whomBriefly: whomOf(names, true) };
      return [{ was: first.was, is: first.is, ...whom, wasKnown }];
    });
  };
}

const changeOf = (was: Resolved, is: Resolved) => ({
  was: wordsOf(was),
  is: wordsOf(is),
  wasKnown: was.isKnown,
});

const textOf = ({ was, is }: Pick<ResolvedChange, 'was' | 'is'>): string => `${was}\n${is}`;

// The maximum number of machines that are listed by name. If there are more, they are counted.
const NAMED = 5;

function whomOf(names: readonly string[], isBrief = false): string {
  if (names.includes('')) return ALL_MACHINES;
  const sorted = names.toSorted();
  const more = sorted.length - NAMED;
  const isMany = more > 0 && (isBrief || sorted.every(name => name.startsWith('peer')));
  return isMany ? `${sorted.slice(0, NAMED).join(', ')} and ${more} more` : sorted.join(', ');
}

/** A machine and its groups in `asking`, before and after a plan, all by their ids. */
interface MovedMember {
  readonly key: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

// The machines that join or leave groups in `asking`. Only these groups decide which servers a
// machine asks. A machine that exists in only one state asks nothing in the other.
function movedMembers(
  before: AccessState,
  after: AccessState,
  asking: ReadonlySet<string>,
): readonly MovedMember[] {
  const [was, is] = [before, after].map(groupsByMachine);
  const idOf = ({ id, key }: Machine) => id ?? key;
  const former = new Map(before.machines.map(machine => [idOf(machine), machine.key]));
  return after.machines.flatMap((machine): MovedMember[] => {
    const known = former.get(idOf(machine));
    if (known === undefined) return [];
    const groupsIn = (groups: readonly string[] = [EVERYBODY]) =>
      groups.filter(group => asking.has(group));
    const from = groupsIn(was?.get(known));
    const to = groupsIn(is?.get(machine.key));
    return from.join('\n') === to.join('\n') ? [] : [{ key: machine.key, from, to }];
  });
}

/** The places to which a name finally resolves, or the servers that are asked for it. */
export interface Resolved {
  readonly texts: ReadonlyMap<string, string>;
  /** Whether anything resolves the name: a zone, a machine, or nameservers for one of its parent domains. */
  readonly isKnown: boolean;
}

const NOTHING = 'nothing';
const OTHERS: Resolved = {
  texts: new Map([['others', 'what other DNS servers answer']]),
  isKnown: false,
};

/** Returns where a name resolves in a state, for machines that are in all of the given groups. */
export function resolvedIn(
  state: AccessState,
  asking: Asking,
): (name: string, groups: readonly string[]) => Resolved {
  const placesFor = placesForGroups(state);
  const machineNames = new Set(state.machines.flatMap(({ dnsNames = [] }) => dnsNames));
  const misses = new Map<string, ReadonlySet<string>>();
  const missingFor = (name: string) => {
    const found = misses.get(name) ?? new Set(missesOf(state, name).keys());
    misses.set(name, found);
    return found;
  };
  return (name, groups) => {
    if (isWithoutDns(asking, groups)) return OTHERS;
    const missing = missingFor(name);
    // If the machine gets zones through several groups, one zone may have a record that another zone lacks.
    const isMissed =
      groups.some(group => isGivenTo(missing, group)) &&
      (groups.length === 1 || placesFor(name, groups).size === 0);
    const isOfMachine = machineNames.has(name);
    const found = isMissed ? new Map<string, readonly string[]>() : placesFor(name, groups);
    const places = [...endsOf(found, other => placesFor(other, groups))].map(
      ([id, all]) => [`place ${id}`, all.map(nameText).join(' and ')] as const,
    );
    if (places.length > 0 && !isOfMachine) return { texts: new Map(places), isKnown: true };
    const asked = nameserversFor(asking, name, groups, isOfMachine);
    const servers = asked.flatMap(({ address, servers: all }) =>
      all.map(
        server => [`server ${server}`, `what ${nameText(address)} answers (${server})`] as const,
      ),
    );
    // If the zone does not contain the name, a client may ask nameservers for it.
    const nothing = isMissed ? [[NOTHING, NOTHING] as const] : [];
    const texts = new Map([...nothing, ...places, ...servers]);
    if (texts.size === 0) return OTHERS;
    const isKnown =
      places.length > 0 || asked.some(({ domains }) => domains.some(one => coversName(one, name)));
    return { texts, isKnown };
  };
}

// The final places. A name that an alias points to is not a final place.
function endsOf(
  places: ReturnType<PlacesFor>,
  beyond: (name: string) => ReturnType<PlacesFor>,
): ReturnType<PlacesFor> {
  const ends = [...places].filter(([id]) => !isName(id) || beyond(id).size === 0);
  return ends.length === 0 ? places : new Map(ends);
}

/** Whether two names resolve to the same places. */
export const areSame = (one: Resolved, other: Resolved): boolean =>
  one.texts.size === other.texts.size && [...one.texts.keys()].every(key => other.texts.has(key));

/** The places to which a name resolves, in words. */
export function wordsOf({ texts }: Resolved): string {
  const places = [...texts].flatMap(([id, text]) => (id === NOTHING ? [] : text));
  const some = places.toSorted().join(' and ');
  if (!texts.has(NOTHING)) return some;
  return places.length === 0 ? NOTHING : `${NOTHING} or ${some}`;
}
