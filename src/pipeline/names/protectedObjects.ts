// The protected objects. A name in a guard denotes the object that has this name in the bases, even
// if somebody renamed that object.

import type { PlanSettings } from '../../engine/types/settings.ts';
import { flagNamesOf } from '../../model/flagNames.ts';
import { idKey } from '../../model/key.ts';
import type { Snapshot } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';

/** The protected objects of the files and of other folders. */
export type ProtectedObjects = Pick<PlanSettings, 'protect' | 'protectedElsewhere'>;

/** The ids that names denote according to bases. */
export interface RecordedIdsOfRun {
  /** The ids in the base and in unfinished applies. */
  readonly ids: readonly RecordedId[];
  /** The ids in the base, in unfinished applies, and in the bases of other folders. */
  readonly idsEverywhere: readonly RecordedId[];
}

/**
 * The protected objects, including their ids according to bases. A name in a guard of another
 * folder is resolved with the base of that folder, unless the base of this folder contains the name
 * too.
 */
export function protectedNow(
  { protect = [], protectedElsewhere = new Map() }: ProtectedObjects,
  { ids, idsEverywhere }: RecordedIdsOfRun,
  live: Snapshot['objects'],
): ProtectedObjects {
  return {
    protect: alsoByIds(protect, ids, live),
    protectedElsewhere: new Map(
      [...protectedElsewhere].flatMap(([entry, by]) =>
        alsoByIds([entry], idsEverywhere, live).map(name => [name, by] as const),
      ),
    ),
  };
}

// Adds the objects that somebody renamed in the account. They stay protected under the name in the
// base.
function alsoByIds(
  protect: readonly string[],
  ids: readonly RecordedId[],
  live: Snapshot['objects'],
): readonly string[] {
  if (protect.length === 0) return protect;
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const listed = new Set(protect);
  const renamed = ids.flatMap(({ kind, key, id }) => {
    const now = keys.get(`${kind} ${id}`);
    const isListed = flagNamesOf({ kind, key }).some(name => listed.has(name));
    return now === undefined || now === key || !isListed ? [] : `${kind}/${idKey(id)}`;
  });
  return [...protect, ...renamed];
}
