// Names in flags that match no object: a misspelt name must not be ignored silently.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import type { PlanSettings } from '../types/settings.ts';

/** An object by its name. */
interface Called {
  readonly kind: KindName;
  readonly key: string;
}

/** Warnings for names that are neither declared nor in the account, as far as it was read. */
export function unknownNames(
  named: NonNullable<PlanSettings['named']>,
  objects: readonly Called[],
): Diagnostic[] {
  if (named.length === 0) return [];
  const known = new Set(objects.map(({ kind, key }) => `${kind}/${key}`));
  return named
    .filter(({ object }) => !known.has(object))
    .map(({ flag, object }): Diagnostic => {
      return {
        code: 'OBJECT_UNKNOWN',
        severity: 'warning',
        message: `${quoted(object)}, which ${flag} names, is neither declared nor in the account`,
        hint: didYouMean(object, known) ?? 'write kind/name, as in the plan',
      };
    });
}
