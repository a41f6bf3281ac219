// Fields that an object cannot have now, because they require another field, which only the server
// can set.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Errors for changes of fields that require another field, if the live object does not have it. */
export function lackingFaults(
  objects: readonly ObjectChange[],
  { kind }: Pick<PlanContext, 'kind'>,
): Diagnostic[] {
  return objects.flatMap(({ change, live, desired }) => {
    if (change.type !== 'update' || !live || !desired) return [];
    const { shape, noun } = kind(change.kind);
    const changed = new Set(change.fields.map(({ path }) => path[0]));
    return [...shape.fields.values()].flatMap(({ name, changeRequires }): Diagnostic[] => {
      const value = changeRequires === undefined ? undefined : live.serverFields[changeRequires];
      if (changeRequires === undefined || !changed.has(name) || !isMissing(value)) return [];
      return [
        {
          code: 'OBJECT_NEEDS',
          severity: 'error',
          message: `${quoted(name)} of ${change.address} cannot change: a change requires ${quoted(changeRequires)}, and the account has none for this ${noun}`,
          at: desired.spans[`/${name}`] ?? desired.at,
          hint: 'remove it, or declare the value of the account',
        },
      ];
    });
  });
}

const isMissing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '';
