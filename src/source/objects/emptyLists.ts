// Warnings for empty lists in a run that deletes everything undeclared: such a list does not delete the objects of its kind.
import type { KindTable } from '../../kinds/kind.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { EmptyList } from './locate.ts';

/** A warning for each kind that the files mention only in an empty list and that pruning could delete. */
export function emptyListFindings(
  kinds: KindTable,
  {
    desired,
    emptyLists = [],
  }: { readonly desired: readonly Desired[]; readonly emptyLists?: readonly EmptyList[] },
): Diagnostic[] {
  const declared = new Set(desired.map(({ kind }) => kind));
  const first = new Map(emptyLists.toReversed().map(list => [list.kind, list]));
  const findings = [...first.values()].flatMap(({ kind: name, key, at }): Diagnostic[] => {
    const kind = kinds.get(name);
    if (!kind || kind.neverPruned || !kind.verbs.has('delete') || declared.has(name)) return [];
    const finding: Diagnostic = {
      code: 'PRUNE_EMPTY_LIST',
      severity: 'warning',
      message: `${quoted(`${key}: []`)} deletes nothing: --prune unmanaged only deletes objects of kinds that the files declare`,
      at,
      hint: `to delete the ${kind.plural} of the account, declare each with \`lifecycle: { delete: true }\``,
    };
    return [finding];
  });
  return sortedAndDistinct(findings);
}
