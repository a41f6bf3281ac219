// Finds objects that a declaration binds by id although another folder declares them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DeclaredBy } from '../pruning/declaredElsewhere.ts';
import type { Pairing } from '../types/pairing.ts';

interface Surroundings {
  readonly declaredBy: DeclaredBy;
  readonly live: readonly Live[];
  /** The declarations in the bases of this folder. */
  readonly base: readonly Desired[];
}

/**
 * Errors for objects of another folder that a declaration renames or deletes. If both folders
 * declare the same name, another check finds the conflict without the account. If this folder binds
 * the object by its id, or by the id that the base has for its name, only this check can find the
 * conflict.
 */
export function boundElsewhere(
  { pairs }: Pairing,
  { declaredBy, live: all, base }: Surroundings,
): Diagnostic[] {
  const former = new Map(base.map(object => [addressOf(object.kind, object.key), object]));
  const there = new Set(all.map(({ kind, key }) => addressOf(kind, key)));
  return pairs.flatMap(({ desired, live }): Diagnostic[] => {
    const owner = declaredBy(live);
    // The other check reports a name that both folders declare.
    if (owner === undefined || owner.key === desired.key) return [];
    // The object stays in spite of its end, which is reported as held. The other ends are carried out.
    if (desired.ended?.isWhole) return [];
    if (desired.key === live.key && desired.part === undefined) return [];
    // When this folder was last applied, the live object was another part of the same object. Its
    // name stays taken until this plan is applied.
    if (
      desired.part &&
      former.get(addressOf(live.kind, live.key))?.part?.whole === desired.part.whole
    )
      return [];
    // An object that only the base of a folder declares may move to this folder. A part may not move, because the rest of its
    // object would stay behind.
    if (owner.commit !== undefined && !owner.isPart) return [];
    // Somebody exchanged names in the account, so the other folder denotes another object.
    if (owner.id !== undefined && owner.id !== live.id) return [];
    // The other folder already declares the object under the new name.
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
