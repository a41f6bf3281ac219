// Sets to which several folders add members. Each folder adds and removes its own members, and keeps those that another folder
// declares.
import { formerKeys } from '../kinds/identity/formerKeys.ts';
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { memberKind, sharedSets } from '../kinds/values/sharedSets.ts';
import { addressOf } from '../model/key.ts';
import type { Address, Key, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { stableText } from '../model/text/stableText.ts';
import { type Fields, isList, type Json } from '../model/value.ts';

/** The declarations of a folder, and of the folders that share sets with it. */
export interface Sharing {
  readonly desired: readonly Desired[];
  readonly base: readonly Desired[];
  readonly others: readonly OtherFolder[];
  /** The ids that the base of this folder has. */
  readonly ids?: readonly RecordedId[];
  readonly kinds: KindTable;
}

/**
 * The declarations of a folder, adjusted for shared sets: a member that the folder no longer declares stays if another folder
 * declares it, and the folder's former members leave a set that only another folder still declares.
 */
export function withSharedMembers({
  desired,
  base,
  others,
  ids = [],
  kinds,
}: Sharing): readonly Desired[] {
  if (others.length === 0) return desired;
  const nameOf = ({ kind, key }: Desired) => addressOf(kind, key);
  const elsewhere = Map.groupBy(
    others.flatMap(({ files, base: former }) => [...files, ...former]),
    nameOf,
  );
  const former = new Map(base.map(object => [nameOf(object), object]));
  const declared = new Set(desired.flatMap(object => namesOf(object, kinds)));
  const isTheirs = knownToOthers(ids, others);
  const kept = (object: Desired): Desired => {
    const before = former.get(nameOf(object));
    const theirs = elsewhere.get(nameOf(object));
    const kind = kinds.get(object.kind);
    return before && theirs && kind
      ? withMembersOf(object, before, { theirs, kind, isTheirs })
      : object;
  };
  const left = base.flatMap(object => {
    if (declared.has(nameOf(object)) || !elsewhere.has(nameOf(object))) return [];
    const fields = withoutMembers(object, kinds);
    return fields ? [{ ...object, fields, lifecycle: {}, isFormer: true as const }] : [];
  });
  return [...desired, ...left].map(kept);
}

// An object that the files rename counts as declared under its former name too.
function namesOf({ kind: name, key, parent, lifecycle }: Desired, kinds: KindTable): Address[] {
  const kind = kinds.get(name);
  const { was } = lifecycle;
  const former = kind && was !== undefined ? formerKeys(kind, parent, was) : [];
  return [key, ...former].map(one => addressOf(name, one));
}

function withMembersOf(
  object: Desired,
  before: Desired,
  {
    theirs,
    kind,
    isTheirs,
  }: {
    readonly theirs: readonly Desired[];
    readonly kind: Kind;
    readonly isTheirs: IsTheirs;
  },
): Desired {
  const shared = sharedSets(kind);
  const fields = shared.flatMap(({ name }) => {
    const mine = membersIn(object, name);
    const others = new Set(theirs.flatMap(other => membersIn(other, name).map(stableText)));
    const known = new Set(mine.map(stableText));
    const kept = membersIn(before, name).filter(
      member => others.has(stableText(member)) && !known.has(stableText(member)),
    );
    return kept.length === 0 ? [] : [[name, [...mine, ...kept]] as const];
  });
  const elsewhere = shared.flatMap(field => {
    const { name } = field;
    const named = theirs.flatMap(other => membersIn(other, name));
    const names = new Set(named.map(String));
    const ref = memberKind(field);
    const same = membersIn(before, name).filter(
      member => ref !== undefined && isTheirs(ref, String(member), names),
    );
    return named.length === 0 ? [] : [[name, [...named, ...same]] as const];
  });
  return {
    ...object,
    ...(fields.length > 0 && { fields: { ...object.fields, ...Object.fromEntries(fields) } }),
    ...(elsewhere.length > 0 && { elsewhere: Object.fromEntries(elsewhere) }),
  };
}

/** Whether a name in this folder's base means the same object as one of these names in another folder's base. */
export type IsTheirs = (kind: KindName, name: string, theirs: ReadonlySet<string>) => boolean;

/** Finds which objects names mean by the ids in the bases of all folders. */
export function knownToOthers(
  ids: readonly RecordedId[],
  others: readonly OtherFolder[],
): IsTheirs {
  const own = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), `${kind} ${id}`]));
  const named = Map.groupBy(
    others.flatMap(other => other.ids ?? []),
    ({ kind, id }) => `${kind} ${id}`,
  );
  return (kind, name, theirs) => {
    const id = own.get(addressOf(kind, name as Key));
    return id !== undefined && (named.get(id) ?? []).some(({ key }) => theirs.has(key));
  };
}

/** The members that an object declares in a set; an empty list if it declares none. */
export function membersIn({ fields }: Desired, name: string): readonly Json[] {
  const members = fields[name];
  return isList(members) ? members : [];
}

/** An object with its own members and those of another declaration of it. */
export function withMembers(object: Desired, more: Desired, kinds: KindTable): Desired {
  const sets = sharedSets(kinds.get(object.kind)).flatMap(({ name }): [string, Json][] => {
    const known = membersIn(object, name);
    const texts = new Set(known.map(stableText));
    const added = membersIn(more, name).filter(member => !texts.has(stableText(member)));
    return added.length === 0 ? [] : [[name, [...known, ...added]]];
  });
  if (sets.length === 0) return object;
  return { ...object, fields: { ...object.fields, ...Object.fromEntries(sets) } };
}

/** An object reduced to its name and its shared sets without members; null if it declared no members. */
export function withoutMembers(object: Desired, kinds: KindTable): Fields | null {
  const kind = kinds.get(object.kind);
  if (kind === undefined) return null;
  const shared = sharedSets(kind).filter(({ name }) => membersIn(object, name).length > 0);
  if (shared.length === 0) return null;
  const naming = Object.entries(object.fields).filter(([field]) =>
    namingFields(kind).includes(field),
  );
  return Object.fromEntries([...naming, ...shared.map(({ name }) => [name, []] as const)]);
}
