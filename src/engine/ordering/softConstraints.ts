// Which action should come before which, so that nobody loses access that they have both before and after the run
// (docs/design.md#order).
import type { KindTable } from '../../kinds/kind.ts';
import type { Address } from '../../model/names.ts';
import type { Draft } from '../types/draft.ts';
import { byEach, type Edge, edge } from './hardConstraints.ts';
import { type Phase, phaseOf } from './phase.ts';

/** Soft constraints by strength. `order` drops those that a hard or a stronger constraint contradicts. */
export interface SoftConstraints {
  /** A rule is narrowed before its groups grow, and its groups shrink before it is widened. */
  readonly strong: readonly Edge[];
  /** Of related actions, additions come first and removals last. */
  readonly weak: readonly Edge[];
}

/** The soft constraints of drafts, which are given in reading order. */
export function softEdges(drafts: readonly Draft[], kinds: KindTable): SoftConstraints {
  const phases = new Map(drafts.map(draft => [draft, phaseOf(draft, kinds)]));
  const phase = (draft: Draft): Phase => phases.get(draft) ?? 'changes';
  const strong = distinct(crossings(drafts, phase));
  const crossed = new Set(strong.flatMap(both));
  const weak = distinct(phased(drafts, phase)).filter(one => !crossed.has(pairOf(one)));
  return { strong, weak };
}

// Actions that have several objects in common are constrained once.
const distinct = (edges: readonly Edge[]): readonly Edge[] => [
  ...new Map(edges.map(one => [pairOf(one), one])).values(),
];

const pairOf = ({ earlier, later }: Edge): string => `${earlier} ${later}`;
const both = ({ earlier, later }: Edge): string[] => [`${earlier} ${later}`, `${later} ${earlier}`];

// Some actions change the members of an object; others change what these members may do.
function crossings(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const referrers = byEach(drafts.filter(isReferrer), ({ touches }) => touches);
  const growing = byEach(drafts, draft => containersOf(draft).grown);
  const shrinking = byEach(drafts, draft => containersOf(draft).shrunk);
  return [...referrers].flatMap(([address, pointing]) => {
    const narrowed = pointing.filter(draft => phase(draft) !== 'adds');
    const widened = pointing.filter(draft => phase(draft) !== 'removes');
    return [
      ...tie(narrowed, growing.get(address) ?? []),
      ...tie(shrinking.get(address) ?? [], widened),
    ];
  });
}

/** Up to this many pairs are constrained one by one. */
const MANY = 1000;

// All of `later` come after all of `earlier`. If there are many, the last of them represents the others: the number of constraints
// between all pairs would grow with the product of their numbers.
function tie(earlier: readonly Draft[], later: readonly Draft[]): Edge[] {
  const last = earlier.at(-1);
  const others = (drafts: readonly Draft[], but: Draft) => drafts.filter(draft => draft !== but);
  if (last === undefined || earlier.length * later.length <= MANY)
    return earlier.flatMap(one => others(later, one).map(other => edge(one, other)));
  return [
    ...others(earlier, last).map(one => edge(one, last)),
    ...others(later, last).map(other => edge(last, other)),
  ];
}

// An object that is written together with another is not a rule about it.
const isReferrer = ({ action }: Draft): boolean => action.writes.length === 1;

/** The objects that have more members, and those that have fewer, after this action. */
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

/** If more actions than this touch one object, sharing it says little about two of them. */
const CROWD = 40;

// Without this limit, a group of all peers would tie every addition of a run to every removal.
function phased(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const touching = byEach(drafts, ({ touches }) => touches);
  const isCrowd = (address: Address) => (touching.get(address)?.length ?? 0) > CROWD;
  const close = [...touching].flatMap(([address, group]) => (isCrowd(address) ? [] : [group]));
  const inTwoCrowds = byEach(drafts, ({ touches }) => pairsOf([...touches].filter(isCrowd)));
  return [...close, ...inTwoCrowds.values()].flatMap(group => {
    const inPhase = (one: Phase) => group.filter(draft => phase(draft) === one);
    const adds = inPhase('adds');
    const changes = inPhase('changes');
    const removes = inPhase('removes');
    return [...tie(adds, changes), ...tie([...adds, ...changes], removes)];
  });
}

function pairsOf(addresses: readonly Address[]): string[] {
  const sorted = [...addresses].sort();
  return sorted.flatMap((one, i) => sorted.slice(i + 1).map(other => `${one} ${other}`));
}
