// Hides notes about missing secrets of objects that a run does not select. The run does not need
// these secrets.
import { withDependencies } from '../../engine/scope/dependencies.ts';
import { selected } from '../../engine/scope/selection.ts';
import type { Selection } from '../../engine/types/selection.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { type Diagnostic, spanText } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';

/** The diagnostics without notes about secrets of objects that are not selected. */
export function withoutNotesOfOthers(
  diagnostics: readonly Diagnostic[],
  desired: readonly Desired[],
  selection: Selection,
  table: KindTable,
): readonly Diagnostic[] {
  const { kinds, only, except } = selection;
  if (!(kinds ?? only ?? except)) return diagnostics;
  const isSelected = selected(withDependencies(selection, desired, table), table);
  const others = desired.filter(object => !isSelected(object));
  const places = new Set(
    others.flatMap(({ at, spans }) => [at, ...Object.values(spans)].map(spanText)),
  );
  return diagnostics.filter(
    ({ code, severity, at }) =>
      !(code === 'SECRET_UNDEFINED' && severity === 'note' && at && places.has(spanText(at))),
  );
}
