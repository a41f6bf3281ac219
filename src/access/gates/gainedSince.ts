// The access that a saved plan gives in the current account, but did not give when it was approved. For example, another rule
// that allowed the same access may have been deleted since.
import type {
  AccessChangeEntry,
  AccessGain,
  PlanAccess,
  RightEntry,
} from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Worlds } from '../plan/shownMembers.ts';
import { joinedIntervals, type Traffic, without } from '../sets/traffic.ts';
import { trafficIn } from '../sets/trafficText.ts';
import type { JoinedSince } from './joinedSince.ts';
import { asShown, type ShownName } from './renamedSince.ts';
import {
  destinationName,
  isShownOfEach,
  type Pairs,
  pairsOf,
  type ShownLine,
} from './shownPairs.ts';
import { sinceText } from './sinceText.ts';

/** The gains of a plan, and its changes with the members of the sources. */
type Given = Pick<PlanAccess, 'gains' | 'changes'>;

/** The current members of the account, and the objects that were renamed. */
interface Since {
  readonly joined: JoinedSince;
  readonly shownName: ShownName;
  /** The names of the internet and of others who are not members of the account. */
  readonly outsiders: readonly string[];
}

/**
 * The gains that the approved gains do not cover, as strings:
 * `group/laptops → group/servers  tcp/3389`. A machine that joined a group since the approval, as a
 * source or a destination, may gain what the approved gains list for future members of the group.
 */
export function gainedSince(approved: Given, now: Given, since: Since): readonly string[] {
  const known = shownIn(approved);
  const pairsNow = pairsIn(now.changes, since.shownName);
  const more = now.gains.flatMap(gain => {
    // A gain that was approved only with a posture check does not cover a gain without one.
    const same = known.filter(
      ({ line }) =>
        line.protocol === gain.protocol &&
        (line.condition === 'none' || gain.condition === 'posture'),
    );
    const sides = sidesText(gain, since.shownName);
    const alike = same.filter(({ line }) => sidesText(line, asShown) === sides);
    const left = leftOf(gain, alike);
    if (left.length === 0) return [];
    const text = [sinceText(gain, left)];
    if (since.outsiders.some(name => gain.from.includes(name))) return text;
    const own = pairsNow(gain);
    const isShown = own.every(pairs =>
      isShownOfEach(
        pairs,
        same,
        since.joined,
        some => leftOf(gain, wholeOf(some, same)).length === 0,
      ),
    );
    return own.length > 0 && isShown ? [] : text;
  });
  return [...new Set(more)].sort(compareTexts);
}

/** The names of the internet and of others who are not members of the account, before and after a plan. */
export const outsidersIn = ({ before: { world } }: Worlds): readonly string[] =>
  world.members.filter(({ type }) => type === 'internet').map(({ key }) => key);

type Gains = readonly { readonly line: AccessGain }[];

// The traffic of a gain that other gains do not contain.
const leftOf = (gain: AccessGain, covering: Gains): Traffic =>
  without(trafficOf(gain), joinedIntervals(covering.flatMap(({ line }) => trafficOf(line))));

const trafficOf = ({ protocol, ports }: AccessGain): Traffic => trafficIn(ports, protocol);

// A gain contains only the names of its sides. Different sides may have the same name, such as
// `4 machines`. So a gain covers a pair only if every side with that name covers it.
const wholeOf = (some: Gains, all: Gains): Gains =>
  some.filter(({ line }) => {
    const parts = (gains: Gains) => gains.filter(one => one.line === line).length;
    return parts(some) === parts(all);
  });

function shownIn({ gains, changes }: Given): readonly ShownLine<AccessGain>[] {
  const pairsOfGain = pairsIn(changes, asShown);
  return gains.flatMap(line => {
    const all = pairsOfGain(line);
    if (all.length > 0) return all.map(pairs => ({ line, ...pairs }));
    // The plan was shown for a new account. Such a plan has no lines about changes.
    const destination = { name: destinationName(line, asShown), members: new Set<string>() };
    return [{ line, source: { members: undefined }, destination }];
  });
}

// The pairs of a gain: the pairs of the changes with the same sides, because the name of a source does not identify it.
function pairsIn(
  changes: readonly AccessChangeEntry[],
  shownName: ShownName,
): (gain: AccessGain) => readonly Pairs[] {
  const textOf = (line: Sides): string => sidesText(line, shownName);
  const known = Map.groupBy(changes, textOf);
  return gain =>
    (known.get(textOf(gain)) ?? [])
      .filter(({ protocol }) => protocol === gain.protocol || protocol === 'all')
      .map(change => {
        const { source, destination } = pairsOf(change, shownName);
        return { source: { members: source.members }, destination };
      });
}

/**
 * The rights that the plan did not show, as strings: `group.ops: peer/laptop may publish ports …`.
 */
export function rightsSince(
  approved: readonly RightEntry[],
  now: readonly RightEntry[],
): readonly string[] {
  const known = new Set(approved.map(textOfRight));
  return [...new Set(now.map(textOfRight).filter(text => !known.has(text)))].sort(compareTexts);
}

const textOfRight = ({ object, message }: RightEntry): string => `${object}: ${message}`;

type Sides = Pick<AccessChangeEntry, 'from' | 'to' | 'address'>;

const sidesText = (line: Sides, shownName: ShownName): string =>
  JSON.stringify([line.from, destinationName(line, shownName)]);
