// The pairs of a source and a destination that lines of a plan are about. For whoever joined a group since the plan
// was shown, on either side, the lines about future members of the group count.
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import type { JoinedSince } from './joinedSince.ts';
import type { ShownName } from './renamedSince.ts';

/** One side of a line. Sides with the same name are the same, whoever is in them. */
interface Side {
  readonly name?: string;
  /** The machines and the future members; undefined for everybody. */
  readonly members: ReadonlySet<string> | undefined;
}

/** Both sides of a line. */
export interface Pairs {
  readonly source: Side;
  readonly destination: Side;
}

/** A line that a plan showed, and the pairs that it is about. */
export interface ShownLine<T> extends Pairs {
  readonly line: T;
}

/** A shown line about a pair. `isJoined`: it is about the future members of a group that the source or the destination joined since. */
export interface ShownOfPair<T> {
  readonly line: T;
  readonly isJoined: boolean;
}

/** The sides of a line. */
type Sides = Pick<
  AccessChangeEntry,
  'from' | 'to' | 'address' | 'machines' | 'members_to_come' | 'to_machines' | 'to_members_to_come'
>;

/** The pairs of a line. Callers of services, network resources and routes are known only by their names. */
export function pairsOf(entry: Sides, shownName: ShownName): Pairs {
  const { from, machines, members_to_come: toCome, to_machines, to_members_to_come } = entry;
  const there = [...(to_machines ?? []), ...(to_members_to_come ?? [])];
  const name = destinationName(entry, shownName);
  return {
    source: { name: from, members: membersOr(from, [...machines, ...toCome]) },
    destination: { name, members: membersOr(name, there) },
  };
}

/** A text that is equal for the same destination. */
export const destinationName = (
  { to, address }: Pick<AccessChangeEntry, 'to' | 'address'>,
  shownName: ShownName,
): string => JSON.stringify([shownName(to), address ?? null]);

const membersOr = (name: string, members: readonly string[]): ReadonlySet<string> =>
  new Set(members.length === 0 ? [name] : members);

/** Whether the plan showed enough of each pair. */
export function isShownOfEach<T>(
  { source, destination }: Pairs,
  shown: readonly ShownLine<T>[],
  joined: JoinedSince,
  isEnough: (some: readonly ShownOfPair<T>[]) => boolean,
): boolean {
  const from = waysOf(
    source,
    shown.map(one => one.source),
    joined,
  );
  const to = waysOf(
    destination,
    shown.map(one => one.destination),
    joined,
  );
  return from.every(ways =>
    to.every(others =>
      isEnough(
        shown.flatMap(({ line }, at): ShownOfPair<T>[] => {
          const both = [ways[at], others[at]];
          if (both.some(way => way === undefined)) return [];
          return [{ line, isJoined: both.includes('joined') }];
        }),
      ),
    ),
  );
}

/** How a shown side is about a member: it has the member, or only the future members of a group that the member joined. */
type Way = 'itself' | 'joined' | undefined;

// The ways of each member to the shown sides; members with the same ways are alike.
function waysOf(
  { name, members }: Side,
  shown: readonly Side[],
  joined: JoinedSince,
): readonly (readonly Way[])[] {
  const found = new Map<string, readonly Way[]>();
  for (const member of members ?? [name ?? '']) {
    const groups = joined(member);
    const ways = shown.map((side): Way => {
      if (side.members === undefined || (name !== undefined && side.name === name)) return 'itself';
      if (side.members.has(member)) return 'itself';
      return groups.some(group => side.members?.has(group)) ? 'joined' : undefined;
    });
    found.set(ways.join(), ways);
  }
  return [...found.values()];
}
