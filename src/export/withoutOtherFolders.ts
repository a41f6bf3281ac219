// The account without the objects of other folders: an export into one folder does not write what another folder of the
// repository declares.

import { inParts } from '../engine/scope/parts.ts';
import type { Meant } from '../engine/types/pairing.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { sharedSets } from '../kinds/values/sharedSets.ts';
import { addressOf, idInKey } from '../model/key.ts';
import type { Address, Key, RemoteId } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { stableText } from '../model/text/stableText.ts';
import { quoted } from '../model/text/visible.ts';
import { type Fields, isList, type Json } from '../model/value.ts';
import { boundAs } from './boundById.ts';
import { type Declared, declaredBy } from './declaredBy.ts';
import { partsOf } from './joinParts.ts';
import { type Exported, type ExportModel, without } from './model.ts';

/** The account, and the declarations of this folder and of the others. */
export interface AccountAndFolders {
  readonly desired: readonly Desired[];
  /** The ids of the objects that this folder's names mean, according to its base. */
  readonly ids: readonly RecordedId[];
  /** The objects that this folder's names mean; where somebody renamed an object, the audit log may show which. */
  readonly meant: Meant;
  readonly others: readonly OtherFolder[];
  readonly live: readonly Live[];
  readonly kinds: KindTable;
  readonly dialect: Dialect;
}

/**
 * The model without the objects that only other folders declare, and without their members in sets of objects that this folder
 * declares too. Objects that somebody renamed since are recognised by the ids in the base of their folder.
 */
export function withoutOtherFolders(model: ExportModel, asked: AccountAndFolders): ExportModel {
  if (asked.others.length === 0) return model;
  const { desired, ids, meant, others, live, kinds, dialect } = asked;
  const inPartsOf = (objects: readonly Desired[]) => [
    ...objects,
    ...inParts(objects, kinds, dialect),
  ];
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const own = declaredBy(
    [{ name: '', objects: inPartsOf(desired), ids: new Map([...idsIn(ids), ...meant]) }],
    keys,
  );
  const theirs = declaredBy(
    others.map(({ name, files, base, ids: known = [] }) => ({
      name,
      objects: inPartsOf([...base, ...files]),
      ids: idsIn(known),
    })),
    keys,
  );
  const kept = without(model, object => {
    const parts = partsOf(object);
    const found = parts.map(part => theirs(part)[0]);
    const [first] = found;
    if (first === undefined || found.includes(undefined)) return undefined;
    if (parts.some(part => own(part).length > 0)) return undefined;
    const [part = object] = parts;
    return declaredText(first, keys.get(boundAs(part)));
  });
  const withoutTheirs = (object: Exported): Exported => {
    const [part = object] = partsOf(object);
    const sides = { own: own(part), theirs: theirs(part) };
    const children = object.children.map(withoutTheirs);
    return { ...object, fields: ownMembers(object, sides), children };
  };
  return { ...kept, objects: kept.objects.map(withoutTheirs) };
}

/** The declarations of one object by this folder and by others. */
interface Sides {
  readonly own: readonly Declared[];
  readonly theirs: readonly Declared[];
}

const idsIn = (ids: readonly RecordedId[]): ReadonlyMap<Address, RemoteId> =>
  new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));

function declaredText({ folder, key }: Declared, now: Key | undefined): string {
  if (key === now) return `${quoted(folder)} declares it`;
  // An id as key means that several objects share the name.
  if (now !== undefined && idInKey(now) !== null) return `${quoted(folder)} declares its name`;
  return `${quoted(folder)} declares it as ${quoted(key)}`;
}

// The fields without the members that only other folders declare. A member that both declare stays.
function ownMembers({ kind, fields }: Exported, { own, theirs }: Sides): Fields {
  if (theirs.length === 0) return fields;
  const sets = sharedSets(kind).flatMap((field): [string, Json][] => {
    const members = fields[field.name];
    if (!isList(members)) return [];
    const mine = new Set(own.flatMap(one => one.members(field)));
    const foreign = new Set(theirs.flatMap(one => one.members(field))).difference(mine);
    const left = members.filter(member => !foreign.has(stableText(member)));
    return left.length === members.length ? [] : [[field.name, left]];
  });
  const isWritten = (name: string) => own.some(one => one.declares(name));
  const isGone = new Set(
    sets.flatMap(([name, left]) => (isEmptyList(left) && !isWritten(name) ? name : [])),
  );
  const rest = Object.entries({ ...fields, ...Object.fromEntries(sets) });
  return Object.fromEntries(rest.filter(([name]) => !isGone.has(name)));
}

const isEmptyList = (value: Json): boolean => isList(value) && value.length === 0;
