// Objects that a declaration takes by their id although the files of another folder declare them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DeclaredBy } from '../pruning/elsewhere.ts';
import type { Pairing } from '../types/pairing.ts';

interface Surroundings {
  readonly declaredBy: DeclaredBy;
  readonly live: readonly Live[];
  /** What the bases of this folder declare. */
  readonly base: readonly Desired[];
}

/**
 * Errors for objects of another folder that a declaration renames or deletes. Names that two folders declare are found without the
 * account; by its id, or by the id that the base has for its name, an object is known only here.
 */
export function boundElsewhere(
  { pairs }: Pairing,
  { declaredBy, live: all, base }: Surroundings,
): Diagnostic[] {
  const former = new Map(base.map(object => [addressOf(object.kind, object.key), object]));
  const there = new Set(all.map(({ kind, key }) => addressOf(kind, key)));
  return pairs.flatMap(({ desired, live }): Diagnostic[] => {
    const owner = declaredBy(live);
    // One name in two folders is judged without the account.
    if (owner === undefined || owner.key === desired.key) return [];
    if (desired.key === live.key && desired.part === undefined) return [];
    // A part of the same object, as it was last applied here: its name is not free before this is applied.
    if (
      desired.part &&
      former.get(addressOf(live.kind, live.key))?.part?.whole === desired.part.whole
    )
      return [];
    // What only the base of a folder has may move to another folder, except a part: the rest of its object stays behind.
    if (owner.commit !== undefined && !owner.isPart) return [];
    // Somebody exchanged the names: the folder means another object.
    if (owner.id !== undefined && owner.id !== live.id) return [];
    // The folder has its object under the new name already.
    if (desired.key === live.key && there.has(addressOf(live.kind, owner.key))) return [];
    const own = addressOf(desired.kind, desired.key);
    const taken = addressOf(live.kind, live.key);
    return [
      {
        code: 'OBJECT_DUPLICATE',
        severity: 'error',
        at: desired.at,
        message: `${own} would be ${taken}, which ${quoted(owner.name)} declares`,
        hint: 'declare it in one folder; an object is bound, renamed and deleted where it is declared',
      },
    ];
  });
}
