// Which action should come before which, so that on the way access stays between the old and the new (design law 5).
import type { KindTable } from '../kinds/kind.ts';
import type { Address } from '../model/names.ts';
import { byEach, type Edge, edge } from './demands.ts';
import type { Draft } from './draft.ts';
import { PHASES, type Phase, phaseOf } from './phase.ts';

/** Wishes by strength. A wish that a demand or a stronger wish contradicts is given up by `order`. */
export interface Wishes {
  /** A rule is narrowed before what it names grows, and what it names shrinks before it is widened. */
  readonly strong: readonly Edge[];
  /** Of actions that have to do with each other, additions come first and removals last. */
  readonly weak: readonly Edge[];
}

export function wishedEdges(drafts: readonly Draft[], kinds: KindTable): Wishes {
  const phases = new Map(drafts.map(draft => [draft, phaseOf(draft, kinds)]));
  const phase = (draft: Draft): Phase => phases.get(draft) ?? 'changes';
  const strong = crossings(drafts, phase);
  const crossed = new Set(strong.flatMap(both));
  const weak = phased(drafts, phase).filter(wish => !crossed.has(pairOf(wish)));
  return { strong, weak };
}

const pairOf = ({ earlier, later }: Edge): string => `${earlier} ${later}`;
const both = ({ earlier, later }: Edge): string[] => [`${earlier} ${later}`, `${later} ${earlier}`];

// `holder` changes what is in an object; whoever points at that object says what its members may do.
function crossings(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const referrers = byEach(drafts.filter(isReferrer), ({ touches }) => touches);
  const pointingAt = (address: Address) => referrers.get(address) ?? [];
  return drafts.flatMap(holder => {
    const { grown, shrunk } = containersOf(holder);
    const narrowed = grown.flatMap(pointingAt).filter(draft => phase(draft) !== 'adds');
    const widened = shrunk.flatMap(pointingAt).filter(draft => phase(draft) !== 'removes');
    const isOther = (draft: Draft) => draft !== holder;
    return [
      ...narrowed.filter(isOther).map(referrer => edge(referrer, holder)),
      ...widened.filter(isOther).map(referrer => edge(holder, referrer)),
    ];
  });
}

// What writes other objects along is itself in them, not a rule about them.
const isReferrer = ({ action }: Draft): boolean => action.writes.length === 1;

/** The objects that have more, and that have fewer, members once this is done. */
function containersOf({
  action,
  change,
  gains,
  loses,
}: Draft): Record<'grown' | 'shrunk', Address[]> {
  const through = action.writes.filter(address => address !== action.address);
  const sets = change.fields.filter(field => field.type === 'members' && field.path.length === 1);
  const isOwn = (side: 'added' | 'removed') =>
    action.verb === 'update' && sets.some(set => set.type === 'members' && set[side].length > 0);
  return {
    grown: [
      ...through.filter(address => gains.has(address)),
      ...(isOwn('added') ? [action.address] : []),
    ],
    shrunk: [
      ...through.filter(address => loses.has(address)),
      ...(isOwn('removed') ? [action.address] : []),
    ],
  };
}

/** So many actions may touch one object before having it in common says little about two of them. */
const CROWD = 40;

// Without the crowd rule, a group of everybody would tie every addition of a run to every removal.
function phased(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const ranks = new Map(drafts.map(draft => [draft, PHASES.indexOf(phase(draft))]));
  const rank = (draft: Draft) => ranks.get(draft) ?? 0;
  const touching = byEach(drafts, ({ touches }) => touches);
  return drafts
    .filter(later => rank(later) > 0)
    .flatMap(later => {
      const shared = new Map<Draft, number>();
      for (const address of later.touches) {
        const group = touching.get(address) ?? [];
        const weight = group.length > CROWD ? 1 : 2;
        for (const draft of group) {
          if (rank(draft) < rank(later)) shared.set(draft, (shared.get(draft) ?? 0) + weight);
        }
      }
      return [...shared]
        .filter(([, weight]) => weight >= 2)
        .map(([earlier]) => edge(earlier, later));
    });
}
