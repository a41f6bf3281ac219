// Which action should come before which other action, so that nobody temporarily loses access that they have both before and
// after the run (docs/design.md#order).
import type { KindTable } from '../../kinds/kind.ts';
import type { Address } from '../../model/names.ts';
import type { Draft } from '../types/draft.ts';
import { byEach, type Edge, edge } from './hardConstraints.ts';
import { type Phase, phaseOf } from './phase.ts';

/**
 * Soft constraints by strength. `order` drops a soft constraint that contradicts a hard or a
 * stronger constraint.
 */
export interface SoftConstraints {
  /** A rule is narrowed before its groups grow, and widened after its groups shrink. */
  readonly strong: readonly Edge[];
  /** Among related actions, additions come first and removals last. */
  readonly weak: readonly Edge[];
}

/** The soft constraints between drafts. The drafts are given in reading order. */
export function softEdges(drafts: readonly Draft[], kinds: KindTable): SoftConstraints {
  const phases = new Map(drafts.map(draft => [draft, phaseOf(draft, kinds)]));
  const phase = (draft: Draft): Phase => phases.get(draft) ?? 'changes';
  const strong = distinct(crossings(drafts, phase));
  const crossed = new Set(strong.flatMap(both));
  const weak = distinct(phased(drafts, phase)).filter(one => !crossed.has(pairOf(one)));
  return { strong, weak };
}

// The edges without duplicates, because two actions may have several objects in common.
const distinct = (edges: readonly Edge[]): readonly Edge[] => [
  ...new Map(edges.map(one => [pairOf(one), one])).values(),
];

const pairOf = ({ earlier, later }: Edge): string => `${earlier} ${later}`;
const both = ({ earlier, later }: Edge): string[] => [`${earlier} ${later}`, `${later} ${earlier}`];

// The strong constraints between actions that change the members of an object and actions that change the access of these
// members.
function crossings(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const referrers = byEach(drafts.filter(isReferrer), ({ allTargets }) => allTargets);
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

/** The maximum number of pairs that get separate constraints. */
const MANY = 1000;

// Constraints that place all drafts of `later` after all drafts of `earlier`. If there are too many
// pairs, the drafts are placed before and after the last draft of `earlier` instead, because one
// constraint for each pair would be too many.
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

// Whether an action writes only its own object. If it also writes another object, it does not count
// as a rule about that object.
const isReferrer = ({ action }: Draft): boolean => action.writes.length === 1;

/** The objects that gain members by this action, and the objects that lose members. */
function containersOf({
  action,
  change,
  newTargets,
  lostTargets,
}: Draft): Record<'grown' | 'shrunk', Address[]> {
  const through = action.writes.filter(address => address !== action.address);
  const sets = change.fields.filter(field => field.type === 'members' && field.path.length === 1);
  const isOwn = (side: 'added' | 'removed') =>
    action.verb === 'update' && sets.some(set => set.type === 'members' && set[side].length > 0);
  return {
    grown: [
      ...through.filter(address => newTargets.has(address)),
      ...(isOwn('added') ? [action.address] : []),
    ],
    shrunk: [
      ...through.filter(address => lostTargets.has(address)),
      ...(isOwn('removed') ? [action.address] : []),
    ],
  };
}

/** If more actions than this affect one object, that object is ignored when actions are ordered. */
const CROWD = 40;

// The weak constraints. Without `CROWD`, a group of all peers would connect every addition of a run
// with every removal.
function phased(drafts: readonly Draft[], phase: (draft: Draft) => Phase): Edge[] {
  const touching = byEach(drafts, ({ allTargets }) => allTargets);
  const isCrowd = (address: Address) => (touching.get(address)?.length ?? 0) > CROWD;
  const close = [...touching].flatMap(([address, group]) => (isCrowd(address) ? [] : [group]));
  const inTwoCrowds = byEach(drafts, ({ allTargets }) => pairsOf([...allTargets].filter(isCrowd)));
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
