// The pairs of a source and a destination that the lines of a plan cover. The lines about future members of a group cover members
// that joined the group after the plan was shown, on either side.
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import type { JoinedSince } from './joinedSince.ts';
import type { ShownName } from './renamedSince.ts';

/**
 * One side of a line. Sides with the same name count as equal, even if they have different members.
 */
interface Side {
  readonly name?: string;
  /** The machines and the future members; undefined if the side covers everybody. */
  readonly members: ReadonlySet<string> | undefined;
}

/** Both sides of a line. */
export interface Pairs {
  readonly source: Side;
  readonly destination: Side;
}

/** A line that a plan showed, and the pairs that it covers. */
export interface ShownLine<T> extends Pairs {
  readonly line: T;
}

/**
 * A shown line that covers a pair. `isJoined`: the line is about the future members of a group that the source or the destination
 * joined later.
 */
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

/** A string that identifies a destination. */
export const destinationName = (
  { to, address }: Pick<AccessChangeEntry, 'to' | 'address'>,
  shownName: ShownName,
): string => JSON.stringify([shownName(to), address ?? null]);

const membersOr = (name: string, members: readonly string[]): ReadonlySet<string> =>
  new Set(members.length === 0 ? [name] : members);

/** Whether the plan showed enough about each pair. */
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

/**
 * How a shown side covers a member: it contains the member itself, or only the future members of a group that the member joined.
 */
type Way = 'itself' | 'joined' | undefined;

// Returns how the shown sides cover each member. Members that are covered in the same way are
// interchangeable.
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
