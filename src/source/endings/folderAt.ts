// The declarations of another folder of the account at a given time.
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { isList } from '../../model/value.ts';
import { endedAt } from './endedAt.ts';

/**
 * The folder at `now`, in milliseconds. An object that has expired there is still declared, because
 * only the folder's own run removes it. A member that has expired there is no longer declared, not
 * even in the base. Otherwise, if the same member expires in two folders, each folder would keep
 * the member because the other declares it.
 */
export function folderAt(other: OtherFolder, kinds: KindTable, now: number): OtherFolder {
  const { desired } = endedAt(other.files, kinds, now);
  const files = desired.map((object, i) =>
    object.ended?.isWhole ? (other.files[i] ?? object) : object,
  );
  const byAddress = new Map(
    files.flatMap(one => (one.ended ? [[addressOf(one.kind, one.key), one] as const] : [])),
  );
  if (byAddress.size === 0) return { ...other, files };
  const base = other.base.map(object =>
    withoutEnded(object, byAddress.get(addressOf(object.kind, object.key))),
  );
  return { ...other, files, base };
}

// Items of keyed lists have other positions in the base, so only lists directly in the object are compared.
function withoutEnded(object: Desired, now: Desired | undefined): Desired {
  const lists = now?.ended?.members.filter(({ list }) => list.length === 1) ?? [];
  const left = lists.flatMap(({ list: [name = ''], names }) => {
    const members = object.fields[name];
    return isList(members) ? [[name, members.filter(one => !names.has(String(one)))] as const] : [];
  });
  if (left.length === 0) return object;
  return { ...object, fields: { ...object.fields, ...Object.fromEntries(left) } };
}
