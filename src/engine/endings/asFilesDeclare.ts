// Corrects a plan that only removes what has ended. Its input declares only ended objects, so it
// would report all other objects as undeclared. The findings about undeclared objects are taken
// from the plan of all files instead.
import isEqual from 'fast-deep-equal';
import type { FieldChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import type { Shown } from '../../model/secrets/shown.ts';

/** Returns the plan of the removals, with the findings about undeclared objects and members from the plan of all files. */
export function asFilesDeclare(ends: Plan, files: Plan): Plan {
  const known = new Map(files.changes.map(change => [`${change.kind} ${change.id}`, change]));
  const changes = ends.changes.map(change => {
    const declared = known.get(`${change.kind} ${change.id}`)?.fields ?? [];
    return { ...change, fields: change.fields.map(field => withDeclared(field, declared)) };
  });
  return { ...ends, changes, leftAlone: files.leftAlone, declared: files.declared };
}

function withDeclared(
  field: FieldChange<Shown>,
  declared: readonly FieldChange<Shown>[],
): FieldChange<Shown> {
  const other = declared.find(({ path }) => isEqual(path, field.path));
  if (field.type !== 'members' || other?.type !== 'members') return field;
  const isForeign = (member: Shown) => other.foreign.some(one => isEqual(one, member));
  return {
    ...field,
    kept: [...field.kept, ...field.foreign.filter(member => !isForeign(member))],
    foreign: field.foreign.filter(isForeign),
  };
}
