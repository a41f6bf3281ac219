// Marks of objects: digests of their content without names. In each round, the marks of
// neighbouring objects are added to the mark of an object, until a round distinguishes no more
// objects (colour refinement).
import { createHash } from 'node:crypto';
import type { Kind } from '../../kinds/kind.ts';
import { mapFieldRefs, refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { stableText } from '../../model/text/stableText.ts';
import { type Fields, isList, isObject, type Json, type Path, valueAt } from '../../model/value.ts';

/** An object that refers to other objects. */
export interface Referrer {
  readonly kind: Kind;
  readonly address: Address;
  /** The fields of the referrer without its name and the names of its items. */
  readonly fields: Fields;
}

/** A candidate of one side. */
export interface Candidate<T> extends Referrer {
  readonly object: T;
  readonly parent: Address | undefined;
  /**
   * The names of its items, such as the rules of a policy. The name of an item that equals the name of the object is left out.
   */
  readonly itemNames: readonly string[];
  /** The references to the candidate. */
  readonly pointers: readonly Pointer[];
}

/** A reference to an object. */
export interface Pointer {
  readonly from: Referrer;
  readonly path: Path;
}

/**
 * How much of a reference is included in the mark of its target. `field`: the field of the referring object. `role`: the whole
 * path, such as the side of a rule. `surroundings`: also the item that contains the reference, such as the rule. `names`: also
 * the names of the target's items, such as its rules.
 */
export type Precision = 'field' | 'role' | 'surroundings' | 'names';

/** The references to each object. */
export function pointersOf(
  referrers: readonly Referrer[],
): ReadonlyMap<Address, readonly Pointer[]> {
  const found = new Map<Address, Pointer[]>();
  for (const from of referrers) {
    for (const { kind, key, path } of refsIn(from.kind.shape, from.fields)) {
      const target = addressOf(kind, key as Key);
      const known = found.get(target);
      if (known) known.push({ from, path });
      else found.set(target, [{ from, path }]);
    }
  }
  return found;
}

/** A candidate and its mark. */
export interface Marked<T> {
  readonly candidate: Candidate<T>;
  readonly mark: string;
  /** Whether the object can be recognised by anything other than its kind. */
  readonly isRecognisable: boolean;
}

/** The two sides of a comparison. */
interface Sides<Before, After> {
  readonly before: Before;
  readonly after: After;
}

/** The marks of one side, by address. */
export type Marks = ReadonlyMap<Address, string>;

/**
 * Returns the candidates of both sides with their marks. A candidate in `known` keeps the mark from there. Both sides go through
 * the same number of rounds, because each round changes the marks, and one side may need more rounds than the other.
 */
export function withMarks<Before, After>(
  { before, after }: Sides<readonly Candidate<Before>[], readonly Candidate<After>[]>,
  precision: Precision,
  known: Sides<Marks, Marks> = { before: new Map(), after: new Map() },
): Sides<readonly Marked<Before>[], readonly Marked<After>[]> {
  const sides = [
    refined(before, precision, known.before),
    refined(after, precision, known.after),
  ] as const;
  for (let isFiner = true; isFiner; ) {
    const splits = sides.map(side => side.next());
    isFiner = splits.includes(true);
  }
  return { before: marked(before, sides[0].marks()), after: marked(after, sides[1].marks()) };
}

/** Marks that become finer with each round. */
interface Refined {
  /** Runs a round. Returns whether it distinguishes more candidates than the previous round. */
  readonly next: () => boolean;
  readonly marks: () => Marks;
}

function refined<T>(
  candidates: readonly Candidate<T>[],
  precision: Precision,
  known: Marks,
): Refined {
  const children = childrenIn(candidates);
  let marks: Marks = new Map(
    candidates.map(({ address, kind }) => [address, known.get(address) ?? String(kind.name)]),
  );
  let classes = 0;
  const round = (): Marks => {
    const around = surroundings(precision, marks);
    return new Map(
      candidates.map(one => {
        const below = (children.get(one.address) ?? []).map(({ address }) => marks.get(address));
        const near = [...one.pointers.map(around), ...below.map(child => `child ${child}`)];
        return [one.address, known.get(one.address) ?? markOf(one, { marks, near, precision })];
      }),
    );
  };
  return {
    next: () => {
      marks = round();
      const found = new Set(marks.values()).size;
      const hasSplit = found > classes;
      classes = found;
      return hasSplit;
    },
    marks: () => marks,
  };
}

const childrenIn = <T>(candidates: readonly Candidate<T>[]) =>
  Map.groupBy(candidates, ({ parent }) => parent);

function marked<T>(candidates: readonly Candidate<T>[], marks: Marks): readonly Marked<T>[] {
  const children = childrenIn(candidates);
  return candidates.map(candidate => ({
    candidate,
    mark: marks.get(candidate.address) ?? '',
    isRecognisable:
      Object.keys(candidate.fields).length +
        candidate.pointers.length +
        (children.get(candidate.address) ?? []).length >
      0,
  }));
}

interface Round {
  readonly marks: Marks;
  /** The marks of the objects that refer to the candidate, and of its children. */
  readonly near: readonly string[];
  readonly precision: Precision;
}

function markOf<T>(candidate: Candidate<T>, { marks, near, precision }: Round): string {
  const { kind, parent, itemNames } = candidate;
  const above = parent === undefined ? '' : (marks.get(parent) ?? parent);
  const items = precision === 'names' ? inOrder(itemNames) : [];
  return digest([kind.name, inOrder(nameless(candidate, marks)), above, [...near].sort(), items]);
}

const digest = (value: Json): string =>
  createHash('sha256').update(stableText(value)).digest('base64');

const nameless = ({ kind, fields }: Referrer, marks: Marks): Fields =>
  mapFieldRefs(kind, fields, (to, key) => {
    const mark = marks.get(addressOf(to, key as Key));
    return mark === undefined ? key : `\u0000${mark}`;
  });

// Returns the string that a reference adds to the mark of its target in a round.
function surroundings(precision: Precision, marks: Marks): (pointer: Pointer) => string {
  const namelessOf = memo((from: Referrer) => nameless(from, marks));
  const digestOf = memo((part: Json & object) => digest(inOrder(part)));
  return ({ from, path }) => {
    const by = marks.get(from.address) ?? from.address;
    if (precision === 'field') return `${path[0]} ${by}`;
    const role = path.filter(step => !isIndex(step)).join('.');
    if (precision === 'role') return `${role} ${by}`;
    return `${role} ${by} ${digestOf(itemAt(namelessOf(from), path))}`;
  };
}

const isIndex = (step: string): boolean => /^\d+$/.test(step);

// The item of a list that contains the reference; all fields if no list contains it.
function itemAt(fields: Fields, path: Path): Json & object {
  const item = valueAt(fields, path.slice(0, path.findIndex(isIndex) + 1));
  return isObject(item) ? item : fields;
}

function memo<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new Map<K, V>();
  return of => {
    const found = known.get(of) ?? compute(of);
    known.set(of, found);
    return found;
  };
}

// The value with sorted lists, because renaming members changes the order of a set.
function inOrder(value: Json): Json {
  if (isList(value)) {
    const items = value.map(inOrder).map(item => [stableText(item), item] as const);
    return items.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inOrder(item)]));
}
