// Objects of the recorded base that somebody renamed in the account, perhaps by exchanging the
// names of several objects. The base contains their ids, so their names still denote the same
// objects, even if the files no longer declare them.
import { hasLastingName } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf, keyOf, segmentsOf } from '../../model/key.ts';
import type { NameTaken } from '../../model/missingObjects.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import { emptyNaming } from '../pairing/naming.ts';
import type { Meant } from '../types/pairing.ts';

/** The declared objects, and the same objects in the recorded base. */
export interface RenameEvidence {
  readonly ids: readonly RecordedId[];
  readonly recorded: readonly Desired[];
  readonly desired: readonly Desired[];
  readonly others: readonly Pick<OtherFolder, 'files' | 'base' | 'ids'>[];
  /**
   * Whether an object that the base does not contain was created under the name later. If it was,
   * the name in the files denotes this object. If `isNew` is absent or the answer is unknown, the
   * name denotes the object of the base. Otherwise, a rename would give another object the access
   * of the renamed object.
   */
  readonly isNew?: ((taken: NameTaken) => boolean) | undefined;
}

/** The objects that somebody renamed, by their names in the base. */
export function renamedSince(
  names: RenameEvidence,
  live: readonly Live[],
  kinds: KindTable,
): Meant {
  const isNew = names.isNew ?? (() => false);
  const found = candidates(names, live, kinds).filter(({ takers }) => !takers.some(isNew));
  return new Map(found.map(({ address, id }) => [address, id]));
}

/**
 * The names of renamed objects that other objects have now. The base does not contain these other
 * objects.
 */
export const namesTaken = (
  names: RenameEvidence,
  live: readonly Live[],
  kinds: KindTable,
): readonly NameTaken[] => candidates(names, live, kinds).flatMap(({ takers }) => takers);

/** An object of the base that has another name now. */
interface Candidate {
  readonly address: Address;
  readonly id: RemoteId;
  readonly takers: readonly NameTaken[];
}

function candidates(
  { ids, recorded, desired, others }: RenameEvidence,
  live: readonly Live[],
  kinds: KindTable,
): readonly Candidate[] {
  const lasting = ids.filter(({ kind }) => hasLastingName(kinds.get(kind)));
  if (lasting.length === 0) return [];
  const account = new Account(live, kinds);
  const idOf = new Map(lasting.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const idsOf = (address: Address) => [idOf.get(address) ?? [], account.called(address)].flat();
  const known = new Set(lasting.map(({ kind, id }) => `${kind} ${id}`));
  const before = new Map(recorded.map(one => [addressOf(one.kind, one.key), one]));
  const isUsed = usedNames(desired, kinds);
  const ofOthers = idsOfOthers(others, kinds);
  const { isBoundByFiles, isTakenOver } = claims({ desired, others, before, ofOthers, account });
  return lasting.flatMap(({ kind: name, key, id }): Candidate[] => {
    const address = addressOf(name, key);
    const found = account.withId(name, id);
    if (!found || !before.has(address)) return [];
    const bearers = account.called(address);
    if (bearers.length === 1 && bearers[0] === id) return [];
    if (isBoundByFiles(address) || !isInParent(found, kinds.get(name), key, idsOf)) return [];
    const others = bearers.filter(other => other !== id);
    if (others.length < bearers.length) return [{ address, id, takers: [] }];
    if (isTakenOver(addressOf(name, account.keyOf(found)), found, address)) return [];
    // If the base of another folder has the object under another name, the object was not created
    // under this name.
    const isRenamed = (other: RemoteId) =>
      known.has(`${name} ${other}`) || ofOthers.isUnderOtherName(name, other, address);
    // If the files no longer use the name, the run only removes the object that they declared.
    const unknown = isUsed(address) ? others.filter(other => !isRenamed(other)) : [];
    return [{ address, id, takers: unknown.map(by => ({ kind: name, key, id, by })) }];
  });
}

interface Declarations extends Pick<RenameEvidence, 'desired' | 'others'> {
  /** The declarations of the base. */
  readonly before: ReadonlyMap<Address, Desired>;
  readonly ofOthers: ReturnType<typeof idsOfOthers>;
  readonly account: Account;
}

/** The objects of the base that the files claim. */
interface Claims {
  /** Whether the files identify the former object themselves, by `id` or a new `was`. */
  readonly isBoundByFiles: (address: Address) => boolean;
  /** Whether a declaration takes over the object whose current address is `address`. */
  readonly isTakenOver: (address: Address, found: Live, by: Address) => boolean;
}

function claims({ desired, others, before, ofOthers, account }: Declarations): Claims {
  const declared = new Map(desired.map(one => [addressOf(one.kind, one.key), one]));
  const elsewhere = new Set(
    others.flatMap(({ files, base }) =>
      [...files, ...base].map(({ kind, key }) => addressOf(kind, key)),
    ),
  );
  // Whether another folder takes over an object by declaring its name. It does not if the base of
  // that folder has another object under the name, and that object still exists. In that case,
  // somebody exchanged the names of two folders.
  const isDeclaredElsewhere = (address: Address, { kind, id }: Live): boolean => {
    const meant = ofOthers.byAddress.get(address);
    const isOther = meant !== undefined && meant !== id && account.withId(kind, meant);
    return elsewhere.has(address) && !isOther;
  };
  return {
    isBoundByFiles: address => {
      const { id, was } = declared.get(address)?.lifecycle ?? {};
      return id !== undefined || (was !== undefined && was !== before.get(address)?.lifecycle.was);
    },
    isTakenOver: (address, found, by) =>
      isDeclaredElsewhere(address, found) ||
      (declared.has(address) && !(before.has(address) && declared.has(by))),
  };
}

// The ids in the bases of other folders. These bases may be unsigned, so they have only one effect:
// a name keeps the object that the base of this folder has for it.
function idsOfOthers(others: RenameEvidence['others'], kinds: KindTable) {
  const ids = others.flatMap(other => other.ids ?? []);
  const lasting = ids.filter(({ kind }) => hasLastingName(kinds.get(kind)));
  const byAddress = new Map(lasting.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const byId = new Map(lasting.map(({ kind, key, id }) => [`${kind} ${id}`, addressOf(kind, key)]));
  return {
    byAddress,
    isUnderOtherName: (kind: KindName, id: RemoteId, address: Address): boolean => {
      const own = byId.get(`${kind} ${id}`);
      return own !== undefined && own !== address;
    },
  };
}

// Whether files refer to a name, or declare it without deleting its object.
function usedNames(desired: readonly Desired[], kinds: KindTable): (address: Address) => boolean {
  let used: ReadonlySet<Address> | undefined;
  const names = ({ kind: name, key, fields, lifecycle }: Desired): readonly Address[] => {
    const kind = kinds.get(name);
    const refs = kind ? refsIn(kind.shape, fields) : [];
    const referred = refs.map(ref => addressOf(ref.kind, ref.key as Key));
    return lifecycle.delete === true ? referred : [addressOf(name, key), ...referred];
  };
  return address => {
    used ??= new Set(desired.flatMap(names));
    return used.has(address);
  };
}

// Whether an object is still under its parent. An object that moved to another parent was not renamed. `idsOf` returns the ids of
// an address in the base and in the account.
function isInParent(
  { parentId }: Live,
  kind: Kind | undefined,
  key: Key,
  idsOf: (address: Address) => readonly RemoteId[],
): boolean {
  if (kind?.parent === undefined) return true;
  const home = keyOf(segmentsOf(key, kind.depth)?.slice(0, -1) ?? []);
  return idsOf(addressOf(kind.parent, home)).some(id => id === parentId);
}

/** The live objects by id and by name. */
class Account {
  readonly #byId: ReadonlyMap<string, Live>;
  readonly #keys = new Map<Live, Key>();
  readonly #called = new Map<Address, RemoteId[]>();

  constructor(live: readonly Live[], kinds: KindTable) {
    const own = live.filter(({ reserved }) => reserved === undefined);
    this.#byId = new Map(own.map(one => [`${one.kind} ${one.id}`, one]));
    const naming = emptyNaming();
    for (const one of live) naming.name(one, one.key);
    for (const one of live) {
      const kind = kinds.get(one.kind);
      const key = kind && nameLive(kind, one, naming).key;
      if (!key) continue;
      this.#keys.set(one, key);
      const address = addressOf(one.kind, key);
      this.#called.set(address, [...(this.#called.get(address) ?? []), one.id]);
    }
  }

  withId(kind: KindName, id: RemoteId): Live | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  keyOf(live: Live): Key {
    return this.#keys.get(live) ?? live.key;
  }

  called(address: Address): readonly RemoteId[] {
    return this.#called.get(address) ?? [];
  }
}
