// New objects that differ from a live object only in names, however many objects were renamed at
// once. For example, a new group in a new policy is recognised by the old group in the old policy.
// If several objects have the same mark, they are distinguished by finer marks and by the pairs
// that are already known.
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { type Created, candidatesOf } from './candidates.ts';
import { type Candidate, type Marked, type Marks, type Precision, withMarks } from './marks.ts';
import type { OldObject } from './similarity.ts';

/**
 * Objects with the same content. If there is one object on each side, the object was renamed; if
 * there are more, they are ambiguous.
 */
export interface SameContent {
  readonly created: readonly Created[];
  readonly oldObjects: readonly OldObject[];
}

/** The renames, and the groups of objects that cannot be distinguished. */
export function sameContent(
  objects: readonly ObjectChange[],
  olds: readonly OldObject[],
  context: PlanContext,
): readonly SameContent[] {
  const sides = candidatesOf(objects, olds, context);
  if (sides.after.length === 0 || sides.before.length === 0) return [];
  return toldApart(alikeOf(sides), sides).map(({ before, after }) => ({
    created: after.map(({ object }) => object),
    oldObjects: before.map(({ object }) => object),
  }));
}

/** Objects of both sides with the same mark. */
interface Alike {
  readonly before: readonly Candidate<OldObject>[];
  readonly after: readonly Candidate<Created>[];
}

function alikeOf(sides: Alike): readonly Alike[] {
  const { before, after } = withMarks(sides, 'field');
  const holders = Map.groupBy(before, ({ mark }) => mark);
  return [...Map.groupBy(after, ({ mark }) => mark)].flatMap(([mark, news]) => {
    const found = holders.get(mark) ?? [];
    if (found.length === 0 || !isTelling(news, found)) return [];
    return { before: found.map(candidateOf), after: news.map(candidateOf) };
  });
}

// Whether equal content indicates a rename. A single object on each side that has nothing but a
// name does not. Several such objects may, and a person decides.
const isTelling = (news: readonly Marked<Created>[], found: readonly unknown[]): boolean =>
  news.some(({ isRecognisable }) => isRecognisable) || news.length + found.length > 2;

const candidateOf = <T>({ candidate }: { readonly candidate: T }): T => candidate;

// The finer marks, in their order. A finer mark prevents recognition after more kinds of changes,
// so each mark is used only if coarser marks do not distinguish the objects.
const FINER: readonly Precision[] = ['role', 'surroundings', 'names'];

// Splits groups until no new pair is found. Each pair can distinguish other objects that refer to
// it.
function toldApart(alike: readonly Alike[], sides: Alike): readonly Alike[] {
  let found = alike;
  for (let pairs = -1; pairs < found.filter(isPair).length; ) {
    pairs = found.filter(isPair).length;
    for (const precision of FINER) {
      if (found.every(isPair)) return found;
      found = split(found, sides, precision);
    }
  }
  return found;
}

const isPair = ({ before, after }: Alike): boolean => before.length === 1 && after.length === 1;

function split(alike: readonly Alike[], sides: Alike, precision: Precision): readonly Alike[] {
  const pairs = alike.filter(isPair);
  const found = withMarks(sides, precision, {
    before: knownMarks(pairs, 'before'),
    after: knownMarks(pairs, 'after'),
  });
  const marks = { before: marksOf(found.before), after: marksOf(found.after) };
  return alike.flatMap(one => (isPair(one) ? [one] : parts(one, marks)));
}

// The marks of known pairs. Both objects of a pair get the same mark.
const knownMarks = (pairs: readonly Alike[], side: 'before' | 'after'): Marks =>
  new Map(pairs.flatMap((pair, i) => pair[side].map(({ address }) => [address, `pair ${i}`])));

const marksOf = (side: readonly Marked<unknown>[]): Marks =>
  new Map(side.map(({ candidate, mark }) => [candidate.address, mark]));

// Groups of objects with the same mark, if the mark is on both sides. All other objects form one group.
function parts(
  { before, after }: Alike,
  marks: { readonly before: Marks; readonly after: Marks },
): readonly Alike[] {
  const olds = Map.groupBy(before, ({ address }) => marks.before.get(address));
  const news = Map.groupBy(after, ({ address }) => marks.after.get(address));
  const shared = [...news].flatMap(([mark, some]): Alike[] => {
    const found = olds.get(mark);
    return found ? [{ before: found, after: some }] : [];
  });
  const rest = {
    before: before.filter(({ address }) => !news.has(marks.before.get(address))),
    after: after.filter(({ address }) => !olds.has(marks.after.get(address))),
  };
  return rest.before.length > 0 && rest.after.length > 0 ? [...shared, rest] : shared;
}
