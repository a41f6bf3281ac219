// The access that a saved plan gives in the current account, but did not give when it was approved: another rule that allowed the
// same access may be gone.
import type {
  AccessChangeEntry,
  AccessGain,
  PlanAccess,
  RightEntry,
} from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Worlds } from '../plan/groupMachines.ts';
import type { JoinedSince } from './joinedSince.ts';

/** What a plan gives, with the members of the sources in its changes. */
type Given = Pick<PlanAccess, 'gains' | 'changes'>;

/** Who takes part in an account now. */
interface Since {
  readonly joined: JoinedSince;
  /** The names of the internet and of others who are no members of the account. */
  readonly outsiders: readonly string[];
}

/**
 * The gains that the approved gains do not cover, as texts: `group/laptops → group/servers  tcp/3389`. A machine that joined a group
 * since takes part in what the future members of the group were shown to gain.
 */
export function gainedSince(approved: Given, now: Given, since: Since): readonly string[] {
  const known = Map.groupBy(approved.gains, destinationOf);
  const approvedSources = sourcesIn(approved.changes);
  const sourcesNow = sourcesIn(now.changes);
  const more = now.gains.flatMap(gain => {
    // A gain that was approved only with a posture check does not cover a gain without one.
    const same = (known.get(destinationOf(gain)) ?? []).filter(
      one => one.condition === 'none' || gain.condition === 'posture',
    );
    const left = leftOf(
      gain,
      same.filter(({ from }) => from === gain.from),
    );
    if (left === undefined) return [];
    const text = [textOf(gain, left)];
    if (since.outsiders.some(name => gain.from.includes(name))) return text;
    const lists = sourcesNow(gain);
    const isShown = lists.flat().every(source => {
      const names = new Set([source, ...since.joined(source)]);
      const covering = same.filter(one =>
        approvedSources(one).every(list => list.some(name => names.has(name))),
      );
      return leftOf(gain, covering) === undefined;
    });
    return lists.length > 0 && isShown ? [] : text;
  });
  return [...new Set(more)].sort(compareTexts);
}

/** The names of the internet and of others who are no members of the account, before and after a plan. */
export const outsidersIn = ({ before: { world } }: Worlds): readonly string[] =>
  world.members.filter(({ type }) => type === 'internet').map(({ key }) => key);

// The ports of a gain that other gains do not have; undefined if they have them all.
function leftOf(
  { ports }: AccessGain,
  covering: readonly AccessGain[],
): readonly PortRange[] | undefined {
  if (ports.length === 0) return covering.length > 0 ? undefined : [];
  const ranges = covering.flatMap(one => one.ports);
  const left = ports.filter(range => !isCovered(range, ranges));
  return left.length === 0 ? undefined : left;
}

// The machines and future members among the sources of a gain. A gain has only the name of its sources: their members are in the
// changes with the same sides. Different sources may have the same name, such as `4 machines`; each of them has a list.
function sourcesIn(
  changes: readonly AccessChangeEntry[],
): (gain: AccessGain) => readonly (readonly string[])[] {
  const known = Map.groupBy(changes, ({ from, to, address }) => sidesText(from, to, address));
  return ({ from, to, address, protocol }) =>
    (known.get(sidesText(from, to, address)) ?? [])
      .filter(one => one.protocol === protocol || one.protocol === 'all')
      .map(({ machines, members_to_come: toCome }) => {
        const all = [...machines, ...toCome];
        return all.length === 0 ? [from] : all;
      });
}

/** The rights that the plan did not show, as texts: `group.ops: peer/laptop may publish ports …`. */
export function rightsSince(
  approved: readonly RightEntry[],
  now: readonly RightEntry[],
): readonly string[] {
  const known = new Set(approved.map(textOfRight));
  return [...new Set(now.map(textOfRight).filter(text => !known.has(text)))].sort(compareTexts);
}

const textOfRight = ({ object, message }: RightEntry): string => `${object}: ${message}`;

/** Ports from a first to a last one. */
export type PortRange = AccessGain['ports'][number];

const destinationOf = ({ to, address, protocol }: AccessGain): string =>
  JSON.stringify([to, address ?? null, protocol]);

const sidesText = (from: string, to: string, address: string | undefined): string =>
  JSON.stringify([from, to, address ?? null]);

/** Whether ranges together contain a range. */
export function isCovered({ start, end }: PortRange, ranges: readonly PortRange[]): boolean {
  const sorted = [...ranges].sort((one, other) => one.start - other.start);
  const reached = sorted.reduce(
    (next, range) => (range.start <= next ? Math.max(next, range.end + 1) : next),
    start,
  );
  return reached > end;
}

function textOf({ from, to, protocol }: AccessGain, ports: readonly PortRange[]): string {
  const shown = ports.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  return `${from} → ${to}  ${[protocol, shown.join(',')].filter(Boolean).join('/')}`;
}
