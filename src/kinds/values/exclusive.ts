// Fields of which at most one is there: which of them a declared one drives out.
import type { Fields } from '../../model/value.ts';
import type { ObjectShape } from '../kind.ts';
import { isEmpty } from './canonical.ts';

/** The fields that cannot stand beside those in `fields`, although nothing is written about them. */
export function displacedBy(shape: ObjectShape, fields: Fields): ReadonlySet<string> {
  return new Set(
    shape.exclusive.flatMap(names => {
      const chosen = names.find(name => fields[name] !== undefined);
      return chosen === undefined ? [] : names.filter(name => name !== chosen);
    }),
  );
}

/** Those of them that the account itself shows beside what is declared: the same fact in another form. */
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
