// Objects that a declaration takes by their id although the files of another folder declare them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DeclaredBy } from '../pruning/elsewhere.ts';
import type { Pairing } from '../types/pairing.ts';

/**
 * Errors for objects of another folder that a declaration renames or deletes. Names that two folders declare are found without the
 * account; by its id, or by the id that the base has for its name, an object is known only here.
 */
export function boundElsewhere({ pairs }: Pairing, declaredBy: DeclaredBy): Diagnostic[] {
  return pairs.flatMap(({ desired, live }): Diagnostic[] => {
    const owner = desired.key === live.key ? undefined : declaredBy(live);
    // What only the base of a folder has may move to another folder. One name in two folders is judged without the account.
    if (owner === undefined || owner.commit !== undefined || owner.key === desired.key) return [];
    // Somebody exchanged the names: the folder means another object.
    if (owner.id !== undefined && owner.id !== live.id) return [];
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
