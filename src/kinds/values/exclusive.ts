// Fields that exclude each other: finds the fields that a declared field excludes.
import type { Fields } from '../../model/value.ts';
import type { ObjectShape } from '../kind.ts';
import { isEmpty } from './canonical.ts';

/** The undeclared fields that the fields in `fields` exclude. */
export function fieldsExcludedBy(shape: ObjectShape, fields: Fields): ReadonlySet<string> {
  return new Set(
    shape.exclusive.flatMap(names => {
      const chosen = names.find(name => fields[name] !== undefined);
      return chosen === undefined ? [] : names.filter(name => name !== chosen);
    }),
  );
}

/**
 * The excluded fields that the account shows in addition to the declared field, because it returns the same value in another
 * form.
 */
export function shownBeside(shape: ObjectShape, fields: Fields, live: Fields): ReadonlySet<string> {
  return new Set(
    shape.exclusive.flatMap(names => {
      const chosen = names.find(name => fields[name] !== undefined);
      return chosen === undefined || isEmpty(live[chosen])
        ? []
        : names.filter(name => name !== chosen);
    }),
  );
}
