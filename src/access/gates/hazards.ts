// The access changes that a person must accept: changes that exceed the thresholds, and changes of guarded access.
import { flowText } from '../../model/access/accessFindings.ts';
import type {
  AccessFinding,
  AccessGuards,
  AccessHazardCode,
  FindingMembers,
  GuardedAccess,
} from '../../model/access/accessGates.ts';
import { givesAccess, takesAccess } from '../../model/access/planAccess.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { checkedSelector, type Selector } from '../ask/selector.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { Comparison } from '../plan/comparison.ts';
import { type ConditionOf, withGainsWhenReady } from './accessWhenReady.ts';
import { unreadFor, unreadNames, unreadWords } from './dependence.ts';
import type { Evaluation, StatesWhenReady } from './evaluation.ts';
import { guardRemovals, withoutRepairs } from './guardRemovals.ts';
import { internetPortChanges } from './internetPortChanges.ts';
import { membersIn, membersOnBothSides, movedAccess, sidesOf } from './movedAccess.ts';
import { movedPairs } from './movedPairs.ts';

/**
 * The findings of the thresholds and of the guarded targets. Access that ends because an object
 * expires is not a finding, unless a guard protects the access of certain sources. `afterEnds`: the
 * evaluation in an account without expired objects.
 */
export function hazardFindings(
  evaluation: Evaluation,
  { thresholds = {}, guarded }: AccessGuards,
  afterEnds: Evaluation = evaluation,
): readonly AccessFinding[] {
  // In a new account, a change of access affects nobody.
  if (evaluation.access.status === 'new-account') return [];
  const sides = [
    ['gained', 'WIDENS_ACCESS', thresholds.gained],
    ['lost', 'NARROWS_ACCESS', thresholds.lost],
  ] as const;
  return [
    ...sides.flatMap(([what, code, limit]) =>
      limit === undefined
        ? []
        : overThreshold(what === 'lost' ? afterEnds : evaluation, { what, code, limit }),
    ),
    ...guarded.flatMap(one => atGuarded(evaluation, one, afterEnds)),
    ...guardRemovals(
      ({ from }) => withoutRepairs((from === undefined ? afterEnds : evaluation).states),
      { guarded },
    ),
  ];
}

interface Threshold {
  readonly what: 'gained' | 'lost';
  readonly code: AccessHazardCode;
  readonly limit: number;
}

function overThreshold(
  evaluation: Evaluation,
  { what, code, limit }: Threshold,
): readonly AccessFinding[] {
  const { states, access } = evaluation;
  const gate = { gate: 'thresholds', code } as const;
  const unread = unreadNames(states.stateBefore);
  if (unread.length > 0)
    return [{ ...gate, what: 'unread', detail: unreadWords(unread), pairs: 0, causes: [] }];
  const pairs = access.pairs[what];
  const counted = access.changes.filter(what === 'gained' ? givesAccess : takesAccess);
  const [first] = counted;
  const example = first && { who: first.from, where: first.to };
  const causes = [...new Set(counted.flatMap(one => one.causes))].sort();
  const members = membersMoved(states, what);
  const over: AccessFinding = { ...gate, what, ...example, pairs, ...members, limit, causes };
  // Nobody knows how many clients use a port that is open to the internet, so the port exceeds
  // every limit.
  const internetOf = (judged: StatesWhenReady): readonly AccessFinding[] =>
    internetPortChanges(judged, what).map(port => ({ ...gate, what, ...port, pairs: 0 }));
  if (what === 'lost') return [...(pairs > limit ? [over] : []), ...internetOf(evaluation)];
  return withGainsWhenReady(evaluation, (judged, conditionOf) => {
    if (judged === evaluation) return [...(pairs > limit ? [over] : []), ...internetOf(evaluation)];
    const later = pairs > limit ? [] : overOnceReady(judged, conditionOf, { ...over, limit });
    return [...later, ...internetOf(judged)];
  });
}

// Pairs that gain access immediately count too. Otherwise, the pairs now and the pairs later could
// each stay below the limit.
function overOnceReady(
  { states, causesOf }: StatesWhenReady,
  conditionOf: ConditionOf,
  over: AccessFinding & { readonly limit: number },
): readonly AccessFinding[] {
  const { changes, gained } = states.changes();
  const given = changes.filter(({ gains }) => gains);
  if (gained <= over.limit) return [];
  const [first] = given;
  if (first === undefined) return [];
  const sides = sidesOf(memberSetNamer(states.after.world), first.sources, first.targets);
  const causes = [...new Set(given.flatMap(one => causesOf(one, 'gained')))].sort();
  const condition = conditionOf(first);
  const members = membersMoved(states, 'gained');
  const detail = condition && { detail: condition };
  return [{ ...over, ...sides, ...detail, pairs: gained, ...members, causes }];
}

function membersMoved(states: Comparison, what: 'gained' | 'lost'): FindingMembers {
  const { world } = what === 'gained' ? states.after : states.before;
  const isMoved = ({ gains, loses }: AccessChange) => (what === 'gained' ? gains : loses);
  return membersOnBothSides(world, states.changes().changes.filter(isMoved));
}

const CHANGES = [
  ['gained', 'WIDENS_GUARDED_ACCESS'],
  ['lost', 'NARROWS_GUARDED_ACCESS'],
] as const;

const CUT = ['lost', 'CUTS_GUARDED_ACCESS'] as const;

/** A type of change of guarded access, between the sources and the destination that the guard names. */
interface GuardedChange {
  readonly what: 'gained' | 'lost';
  readonly sides: { readonly from: Selector | undefined; readonly to: Selector };
  /** The fields that all findings share. */
  readonly gate: Pick<AccessFinding, 'gate' | 'code' | 'target' | 'from'>;
}

function atGuarded(
  evaluation: Evaluation,
  { from, to }: GuardedAccess,
  afterEnds: Evaluation,
): readonly AccessFinding[] {
  const sides = {
    from: from === undefined ? undefined : checkedSelector(from),
    to: checkedSelector(to),
  };
  const unread = unreadFor(evaluation.states.stateBefore, [sides.to]);
  const wanted = from === undefined ? CHANGES : [CUT];
  return wanted.flatMap(([what, code]): readonly AccessFinding[] => {
    const gate = {
      gate: 'guarded',
      code,
      target: to,
      ...(from !== undefined && { from }),
    } as const;
    if (unread.length > 0)
      return [{ ...gate, what: 'unread', detail: unreadWords(unread), pairs: 0, causes: [] }];
    const change = { what, sides, gate };
    if (what === 'gained') return gainedAtGuarded(evaluation, change);
    return lostAtGuarded(from === undefined ? afterEnds : evaluation, change);
  });
}

function gainedAtGuarded(evaluation: Evaluation, change: GuardedChange): readonly AccessFinding[] {
  const { what, sides, gate } = change;
  const isInLines = areLinesExact(evaluation);
  const found = withGainsWhenReady(evaluation, (judged, conditionOf) =>
    movedAtGuarded(judged, change, {
      conditionOf,
      isInLines: isInLines && judged === evaluation,
    }),
  );
  const known = new Set(found.map(flowText));
  const reset = evaluation.resetLocks().flatMap(({ cause, detail, states: locks }) =>
    movedAccess(locks, what, sides).map(
      (moved): AccessFinding => ({
        ...gate,
        what,
        who: moved.who,
        where: moved.where,
        detail,
        pairs: moved.pairs,
        ...membersIn(moved),
        causes: [cause],
      }),
    ),
  );
  return [...found, ...reset.filter(one => !known.has(flowText(one)))];
}

const lostAtGuarded = (evaluation: Evaluation, change: GuardedChange): readonly AccessFinding[] =>
  movedAtGuarded(evaluation, change, {
    conditionOf: () => undefined,
    isInLines: areLinesExact(evaluation),
  });

// Whether each line shows the ports of each of its pairs.
const areLinesExact = ({ access }: Evaluation): boolean =>
  access.changes.every(({ summed }) => summed === undefined);

/** How findings describe what the lines of the plan do not show. */
interface Shown {
  readonly conditionOf: ConditionOf;
  /** Whether the lines show the ports of each pair. */
  readonly isInLines: boolean;
}

function movedAtGuarded(
  { states, causesOf }: StatesWhenReady,
  { what, sides, gate }: GuardedChange,
  { conditionOf, isInLines }: Shown,
): readonly AccessFinding[] {
  return movedAccess(states, what, sides).map(moved => {
    const { who, where, pairs, detours } = moved;
    const detail = [...detours, conditionOf(moved) ?? []].flat().join('; ');
    return {
      ...gate,
      what,
      who,
      where,
      ...(detail !== '' && { detail }),
      pairs,
      ...membersIn(moved),
      ...(!isInLines && movedPairs(states, what, moved)),
      causes: causesOf(moved, what, part =>
        movedAccess(part, what, sides).some(one => flowText(one) === flowText(moved)),
      ),
    };
  });
}
