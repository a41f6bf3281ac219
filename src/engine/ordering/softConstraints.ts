// Which action should come before which, so that nobody loses access that they have both before and after the run
// (docs/design.md#order).
import type { KindTable } from '../../kinds/kind.ts';
import type { Address } from '../../model/names.ts';
import type { Draft } from '../types/draft.ts';
import { byEach, type Edge, edge } from './hardConstraints.ts';
import { type Phase, phaseOf } from './phase.ts';

/** Soft constraints by strength. `order` gives up those that a hard or a stronger constraint contradicts. */
export interface SoftConstraints {
  /** A rule is narrowed before what it names grows, and what it names shrinks before it is widened. */
  readonly strong: readonly Edge[];
  /** Of actions that have to do with each other, additions come first and removals last. */
  readonly weak: readonly Edge[];
}

/** The soft constraints of drafts that are given in the order in which people read them. */
export function softEdges(drafts: readonly Draft[], kinds: KindTable): SoftConstraints {
  const phases = new Map(drafts.map(draft => [draft, phaseOf(draft, kinds)]));
  const phase = (draft: Draft): Phase => phases.get(draft) ?? 'changes';
  const strong = crossings(drafts, phase);
  const crossed = new Set(strong.flatMap(both));
  const weak = phased(drafts, phase).filter(constraint => !crossed.has(pairOf(constraint)));
  return { strong, weak };
}

const pairOf = ({ earlier, later }: Edge): string => `${earlier} ${later}`;
const both = ({ earlier, later }: Edge): string[] => [`${earlier} ${later}`, `${later} ${earlier}`];

// Some change what is in an object; whoever points at that object says what its members may do.
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

/** So many pairs are told one by one. */
const MANY = 1000;

// All of `later` come after all of `earlier`. Of many, the last one stands for the others: pairs of each with each would be
// the product of their numbers, and it costs no more than that the last one waits for the others too.
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
  const touching = byEach(drafts, ({ touches }) => touches);
  const isCrowd = (address: Address) => (touching.get(address)?.length ?? 0) > CROWD;
  const close = [...touching].flatMap(([address, group]) => (isCrowd(address) ? [] : [group]));
  const inTwoCrowds = byEach(drafts, ({ touches }) => pairsOf([...touches].filter(isCrowd)));
  return [...close, ...inTwoCrowds.values()].flatMap(group => {
    const inPhase = (one: Phase) => group.filter(draft => phase(draft) === one);
    const [adds, changes, removes] = [inPhase('adds'), inPhase('changes'), inPhase('removes')];
    return [...tie(adds, changes), ...tie([...adds, ...changes], removes)];
  });
}

function pairsOf(addresses: readonly Address[]): string[] {
  const sorted = [...addresses].sort();
  return sorted.flatMap((one, i) => sorted.slice(i + 1).map(other => `${one} ${other}`));
}
