// Joins parts according to the files: an export updates the one declaration, not its parts.
import { inParts, isInSeveral } from '../engine/scope/parts.ts';
import { addressOf, keyOf } from '../model/key.ts';
import type { Address } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { Comparison } from './adoption/compare.ts';
import { agree, type Joining, join, Parted, partsOf, withPartsJoined } from './joinParts.ts';
import type { Exported } from './model.ts';
import type { UnchangedObject } from './sharedTexts.ts';

/** Objects as the files will declare them, and declarations that cannot express the account. */
export interface JoinedAsDeclared {
  readonly objects: readonly Exported[];
  readonly unchanged: readonly UnchangedObject[];
}

const BY_HAND = 'edit the file at this place';

/** Joins parts to the declarations of files, and undeclared parts with each other. */
export function joinedAsDeclared(
  objects: readonly Exported[],
  comparison: Pick<Comparison, 'declared' | 'pairs' | 'gone'>,
  joining: Joining,
  deleted: ReadonlySet<Address> = new Set(),
): JoinedAsDeclared {
  const declared = [...comparison.pairs.map(({ desired }) => desired), ...comparison.gone];
  const taken = new Set(declared.map(({ kind, key, part }) => addressOf(kind, part?.whole ?? key)));
  const declaredOf = (object: Exported): Desired | undefined =>
    object.kind.parts && comparison.declared({ kind: object.kind.name, id: object.id });
  const owned = Map.groupBy(objects.flatMap(partsOf), declaredOf);
  const loose = new Set(owned.get(undefined) ?? []);
  const parted = new Parted(joining);
  const looseOf = Map.groupBy(loose, object => nameAmong(object.kind, parted.nameOfWhole(object)));
  const settling = { parted, taken, loose, looseOf };
  const settled = [...owned].flatMap(([whole, own]) => {
    if (whole === undefined) return [];
    const parts = withNew(whole, own, settling);
    const isAllThere = missingParts(whole, comparison, joining).every(address =>
      deleted.has(address),
    );
    return { whole, ...declaredBy(whole, parts, isAllThere) };
  });
  const kept = settled.flatMap(({ object }) => object ?? []);
  return {
    objects: inOrder([...kept, ...withPartsJoined([...loose], { ...joining, declared })], objects),
    unchanged: settled.flatMap(({ whole, because }) =>
      because
        ? {
            address: addressOf(whole.kind, whole.part?.whole ?? whole.key),
            at: whole.at,
            because,
            keep: BY_HAND,
          }
        : [],
    ),
  };
}

// The declared parts that the account does not have.
function missingParts(
  whole: Desired,
  { pairs }: Pick<Comparison, 'pairs'>,
  { kinds, dialect }: Joining,
): readonly Address[] {
  if (!isInSeveral(whole, kinds, dialect)) return [];
  const found = new Set(pairs.map(({ desired }) => addressOf(desired.kind, desired.key)));
  return inParts([whole], kinds, dialect)
    .map(({ kind, key }) => addressOf(kind, key))
    .filter(address => !found.has(address));
}

interface Settling {
  readonly parted: Parted;
  /** The addresses of all declarations. */
  readonly taken: ReadonlySet<Address>;
  /** Undeclared objects that were not joined yet. */
  readonly loose: Set<Exported>;
  /** The parts, including those already joined, by the object that they could be a part of. */
  readonly looseOf: ReadonlyMap<string, readonly Exported[]>;
}

const nameAmong = ({ name: kind }: Exported['kind'], whole: string | undefined): string =>
  `${kind} ${whole}`;

/** The parts of one declaration, and the name that they give it. */
interface FoundParts {
  readonly parts: readonly Exported[];
  readonly name: string;
  /** Whether the names of all parts in the account are derived from `name`, so that no plan renames a part. */
  readonly areNamed: boolean;
}

// The parts of a declaration, and undeclared objects that are named like its parts.
function withNew(
  whole: Desired,
  own: readonly Exported[],
  { parted, taken, loose, looseOf }: Settling,
): FoundParts {
  const [name, ...others] = new Set(own.map(object => parted.nameOfWhole(object)));
  const isOurs = (text: string): boolean =>
    text === whole.key || !taken.has(addressOf(whole.kind, keyOf([text])));
  if (name === undefined || others.length > 0 || !isOurs(name))
    return { parts: own, name: whole.key, areNamed: false };
  const alike = own[0] && looseOf.get(nameAmong(own[0].kind, name));
  const more = (alike ?? []).filter(object => loose.has(object) && agree([...own, object]));
  for (const object of more) loose.delete(object);
  return { parts: [...own, ...more], name, areNamed: true };
}

// The new content of a declaration, or why it cannot express the account. If only one part is left, it keeps its own name.
function declaredBy(
  whole: Desired,
  { parts, name, areNamed }: FoundParts,
  isAllThere: boolean,
): { readonly object?: Exported | undefined; readonly because?: string } {
  const [first, ...others] = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (first && others.length > 0) {
    if (!agree(parts)) return { because: 'its parts differ in more than their items' };
    if (!areNamed) return { because: 'the account does not name all of its parts after it' };
    return { object: join([first, ...others], name) };
  }
  return isAllThere || first?.name === whole.key
    ? { object: first }
    : { because: 'only one of its parts exists' };
}

// The objects in the order of the export, each at the position of its first part.
function inOrder(objects: readonly Exported[], model: readonly Exported[]): readonly Exported[] {
  const places = new Map(
    model.flatMap(partsOf).map(({ kind, id }, i) => [`${kind.name} ${id}`, i]),
  );
  const placeOf = ({ kind, id }: Exported): number => places.get(`${kind.name} ${id}`) ?? 0;
  return [...objects].sort((a, b) => placeOf(a) - placeOf(b));
}
