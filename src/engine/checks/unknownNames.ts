// Names in flags that match no object. A misspelt name must not be ignored silently.
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Key, KindName } from '../../model/names.ts';
import { exactPattern } from '../../model/objectName.ts';
import { nearest } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import type { PlanSettings } from '../types/settings.ts';

/** An object by its name. */
interface Called {
  readonly kind: KindName;
  readonly key: Key;
}

/** Warnings for names that are neither declared nor in the part of the account that was read. */
export function unknownNames(
  named: NonNullable<PlanSettings['named']>,
  objects: readonly Called[],
  kinds: KindTable,
): Diagnostic[] {
  if (named.length === 0) return [];
  const known = new Map(
    objects.map(object => [
      `${object.kind}/${object.key}`,
      exactPattern(object, kinds.get(object.kind)?.depth ?? 1),
    ]),
  );
  return named
    .filter(({ object }) => !known.has(object))
    .map(({ flag, object }): Diagnostic => {
      return {
        code: 'OBJECT_UNKNOWN',
        severity: 'warning',
        message: `${quoted(object)}, which ${flag} names, is neither declared nor in the account`,
        hint: guess(object, known) ?? 'write kind/name, as in the plan',
        named: object,
      };
    });
}

// The most similar known name; undefined if none is similar. Names are compared unescaped, and shown in the form of flags.
function guess(object: string, known: ReadonlyMap<string, string>): string | undefined {
  const name = known.get(nearest(object, known.keys()) ?? '');
  return name && `did you mean ${quoted(name)}?`;
}
