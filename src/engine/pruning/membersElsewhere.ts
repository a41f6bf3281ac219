// The members of shared sets that another folder of the account also declares. This folder never removes them, even if they have
// ended.
import { membersIn } from '../../base/sharedMembers.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Path } from '../../model/value.ts';
import { refIn } from '../diff/endedLists.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import type { FolderOf } from '../types/planContext.ts';

/** Returns the folder that also declares a member of an object's list; undefined if no folder does. */
export type MemberElsewhere = (pair: Pair, list: Path, member: string) => FolderOf | undefined;

/** Returns a lookup by names and by the ids in the bases of the folders. */
export function membersElsewhere(
  { kinds, others = [] }: Pick<PlanInput, 'kinds' | 'others'>,
  { base, naming, keyOfRecorded }: Pick<Pairing, 'base' | 'naming' | 'keyOfRecorded'>,
): MemberElsewhere {
  const folders = others.map(folder => declaredIn(folder));
  return ({ desired, live }, list, member) => {
    const [name = '', ...inner] = list;
    const kind = kinds.get(desired.kind);
    if (!kind || inner.length > 0 || !kind.shape.fields.get(name)?.shared) return undefined;
    const now = naming.keyOfId(live.kind, live.id) ?? desired.key;
    const ref = refIn(kind, list);
    const own = ref === undefined ? undefined : keyOfRecorded(ref, member);
    const isTakenOver = [now, desired.key].some(key => base.has(addressOf(kind.name, key)));
    for (const { isGone, inFiles, inBase, files, recorded, nameIn, idIn } of folders) {
      const keys = [now, desired.key, ...nameIn(live)];
      const isMember = (one: string): boolean => {
        if (one === member || one === own) return true;
        const id = ref && idIn(ref, one);
        const key = ref && id && naming.keyOfId(ref, id);
        return key !== undefined && (key === member || key === own);
      };
      const declares = (by: ReadonlyMap<Address, readonly Desired[]>): boolean =>
        keys
          .flatMap(key => by.get(addressOf(kind.name, key)) ?? [])
          .some(object => membersIn(object, name).map(String).some(isMember));
      if (declares(files)) return inFiles;
      // If a folder has no files, another folder may have taken over the declarations of its base.
      if (!(isGone && isTakenOver) && declares(recorded)) return inBase;
    }
    return undefined;
  };
}

/** The declarations of a folder by name, and the ids in its base. */
function declaredIn({ name: folder, files, base, ids = [], isGone, commit = '' }: OtherFolder) {
  const byName = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const byId = Map.groupBy(ids, ({ kind, id }) => `${kind} ${id}`);
  const addressed = ({ kind, key }: Desired) => addressOf(kind, key);
  const inFiles: FolderOf = { name: folder };
  const inBase: FolderOf = { name: folder, commit };
  return {
    isGone,
    inFiles,
    inBase,
    files: Map.groupBy(files, addressed),
    recorded: Map.groupBy(base, addressed),
    nameIn: ({ kind, id }: { readonly kind: KindName; readonly id: RemoteId }): readonly Key[] =>
      (byId.get(`${kind} ${id}`) ?? []).map(({ key }) => key),
    idIn: (kind: KindName, name: string) => byName.get(addressOf(kind, name as Key)),
  };
}
