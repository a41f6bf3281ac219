// Finds the current keys of objects in the base, because the account or the files may have renamed them.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import { isPart } from '../scope/parts.ts';
import type { Naming } from '../types/naming.ts';
import type { Meant, RecordedIds } from '../types/pairing.ts';
import { exactKey, type Named } from './namedObjects.ts';

/** An object of the base, with current names in its references and for its parent. */
export interface BaseObject {
  /** The object, with its name in the base. */
  readonly object: Desired;
  /** The key of the object in the references of the base. */
  readonly written: Key;
  /**
   * The fields of the object, with references to the objects that had these ids in the base.
   * Present if other objects have the names of the base now.
   */
  readonly byIds?: Fields;
}

/** The objects of one kind, after they are paired and the live objects have their names. */
export interface PairedKind {
  readonly kind: Kind;
  readonly desired: readonly Desired[];
  readonly named: readonly Named[];
  readonly naming: Naming;
}

/** What is known about the ids of names. */
interface KnownIds {
  readonly meant: Meant;
  readonly recordedIds: RecordedIds;
}

/** Returns a function that returns the current key of an object in the base. */
export function currentKeys(paired: PairedKind, ids: KnownIds): (former: BaseObject) => Key {
  const { kind, naming } = paired;
  const declarations = declarationsOf(paired);
  const bearers = Map.groupBy(paired.named, ({ exact }) => exact);
  return former => {
    const { object, written } = former;
    const exact = exactKey(kind, object);
    const [bearer, ...others] = bearers.get(exact) ?? [];
    // If several live objects have the name, it is not certain that any of them is the object.
    const bearerId = others.length === 0 ? bearer?.live.id : undefined;
    const recordedId = ids.recordedIds.get(addressOf(kind.name, written));
    const meantId = ids.meant.get(addressOf(kind.name, object.key));
    const candidate: Candidate = {
      object,
      recordedId,
      ownId: recordedId ?? bearerId,
      namesake: declarations.withExact.get(exact),
      remembered: meantId ? naming.keyOfId(kind.name, meantId) : undefined,
      borne: bearerId && naming.keyOfId(kind.name, bearerId),
    };
    return (
      keyById(candidate, declarations, paired) ??
      keyByName(candidate) ??
      keyOfRenamed(candidate, declarations, kind)
    );
  };
}

/** An object of the base, and what the account and the files contain under its id and its name. */
interface Candidate {
  readonly object: Desired;
  /** The id of the object in the base. */
  readonly recordedId: RemoteId | undefined;
  /** The id of the object: the id in the base, or the id of the only live object with its name. */
  readonly ownId: RemoteId | undefined;
  /** The declaration that has the name of the object. */
  readonly namesake: Desired | undefined;
  /** The current name of the object that the name in the base denotes. */
  readonly remembered: Key | undefined;
  /** The current name of the only live object with this name in its own fields. */
  readonly borne: Key | undefined;
}

/** The declarations of one kind, by everything that may identify an object of the base. */
interface Declarations {
  readonly keys: ReadonlySet<Key>;
  readonly withExact: ReadonlyMap<Key, Desired>;
  readonly withId: ReadonlyMap<string | undefined, Desired>;
  /** Declarations, by the former name in `was`. */
  readonly renamedFrom: ReadonlyMap<Key, Desired>;
  /** The keys of parts; see `partKey`. */
  readonly partKeys: ReadonlyMap<string, Key>;
}

function declarationsOf({ kind, desired }: PairedKind): Declarations {
  return {
    keys: new Set(desired.map(({ key }) => key)),
    withExact: new Map(desired.map(one => [exactKey(kind, one), one])),
    withId: new Map(desired.map(one => [one.lifecycle.id, one])),
    renamedFrom: new Map(
      desired.flatMap(one => {
        const { parent, lifecycle } = one;
        const formers = lifecycle.was === undefined ? [] : formerKeys(kind, parent, lifecycle.was);
        return formers.map(former => [former, one] as const);
      }),
    ),
    partKeys: new Map(
      desired.flatMap(({ key, part }) =>
        part === undefined
          ? []
          : [part.whole, part.formerWhole].map(whole => [partKey(whole, part.item), key] as const),
      ),
    ),
  };
}

function keyById(
  { object, recordedId, ownId }: Candidate,
  { keys, withId }: Declarations,
  { kind, naming }: PairedKind,
): Key | undefined {
  const { id } = object.lifecycle;
  const bound = id && naming.keyOfId(kind.name, id as RemoteId);
  if (bound) return bound;
  // The files may bind the object by its id and give it another name, even if a different object
  // has the name of the base.
  const holder = ownId && withId.get(ownId);
  if (holder) return holder.key;
  // The files declare the object under another name, whichever object has the name of the base now.
  const followed = recordedId && naming.keyOfId(kind.name, recordedId);
  return followed !== undefined && keys.has(followed) ? followed : undefined;
}

function keyByName(candidate: Candidate): Key | undefined {
  const { namesake, remembered } = candidate;
  // An object that the files mark for deletion keeps its name in the account.
  if (namesake?.lifecycle.delete && remembered !== undefined) return remembered;
  if (namesake !== undefined && !isNamesakeOnly(candidate)) return namesake.key;
  // Somebody renamed the object in the account.
  return remembered;
}

function keyOfRenamed(
  candidate: Candidate,
  { keys, renamedFrom, partKeys }: Declarations,
  kind: Kind,
): Key {
  const { object, borne } = candidate;
  const { key, part } = object;
  const later = renamedFrom.get(key);
  const newName = later === undefined || holdsOther(later, object) ? undefined : later.key;
  const samePart = part && partKeys.get(partKey(part.whole, part.item));
  // If objects share names, a different object may have this name now.
  const isOther = isNamesakeOnly(candidate) || (sharesNames(kind) && keys.has(key));
  return newName ?? borne ?? samePart ?? (isOther ? (`${key}#former` as Key) : key);
}

// Whether the declaration with the name of the object declares another object.
const isNamesakeOnly = ({ object, ownId, namesake }: Candidate): boolean =>
  namesake !== undefined && (holdsOther(namesake, object) || isBoundToOther(namesake, ownId));

const isBoundToOther = ({ lifecycle: { id } }: Desired, own: RemoteId | undefined): boolean =>
  id !== undefined && own !== undefined && id !== own;

// Whether two declarations contain different items. Two parts can have the same name: `p` with the rule `a / b`, and `p / a` with
// the rule `b`.
const holdsOther = (desired: Desired, former: Desired): boolean =>
  isPart(desired) && former.part !== undefined && former.part.item !== desired.part?.item;

const partKey = (whole: string | undefined, item: string): string => JSON.stringify([whole, item]);
