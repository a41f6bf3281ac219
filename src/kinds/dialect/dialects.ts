// Where kinds differ between dialects, and how meshform recognises a dialect.
import { present } from '../../model/errors.ts';
import type { Desired } from '../../model/object.ts';
import type { JsonObject } from '../../model/value.ts';
import { isList } from '../../model/value.ts';
import type { Kind, KindTable, ObjectShape } from '../kind.ts';
import { DIALECTS, type Dialect } from '../traits.ts';
import { refusedFieldsIn } from './refusedFields.ts';

/**
 * Whether a kind differs between dialects: whether servers have it, its paths or lists, or how its objects change their parent.
 */
export function differsByDialect({
  dialects,
  pathByDialect,
  listAllByDialect,
  parentChangeByDialect,
}: Kind): boolean {
  const hasOwnPaths =
    Object.keys(pathByDialect).length > 0 || Object.keys(listAllByDialect).length > 0;
  return (
    dialects !== undefined ||
    hasOwnPaths ||
    new Set(Object.values(parentChangeByDialect ?? {})).size > 1
  );
}

/** Whether servers of a dialect have a kind. */
export const isServedIn = ({ dialects }: Pick<Kind, 'dialects'>, dialect: Dialect): boolean =>
  dialects === undefined || dialects.includes(dialect);

/**
 * The lists in these fields that have more than one member, although servers of one of these dialects keep only one. Each with
 * its number of members.
 */
export function overfullLists(
  { fields: known }: ObjectShape,
  fields: JsonObject,
  dialects: readonly Dialect[] = DIALECTS,
): readonly { readonly name: string; readonly count: number }[] {
  return [...known.values()].flatMap(({ name, shape }) => {
    const value = fields[name];
    const set = shape.type === 'list' && shape.set;
    const isSingle = set && dialects.some(dialect => set.singleIn.includes(dialect));
    return isSingle && isList(value) && value.length > 1 ? [{ name, count: value.length }] : [];
  });
}

/** Whether servers of one dialect treat these fields differently. */
export function fieldsDifferByDialect({ shape }: Kind, fields: JsonObject): boolean {
  const isUntaken = DIALECTS.some(dialect => refusedFieldsIn(shape, fields, dialect).length > 0);
  return isUntaken || overfullLists(shape, fields).length > 0;
}

/** Whether servers of one dialect treat an object differently. */
export const objectDiffersByDialect = (kinds: KindTable, { kind, fields }: Desired): boolean =>
  fieldsDifferByDialect(present(kinds.get(kind), `the kind ${kind}`), fields);

/** A path to which servers of one dialect respond with a list, and servers of the other dialect with 404. */
export interface DialectWitness {
  readonly path: string;
  readonly dialect: Dialect;
}

/** The path by which a server shows its dialect: the first account-wide list that only one dialect has. */
export function dialectWitness(kinds: KindTable): DialectWitness | undefined {
  for (const { listAllByDialect } of kinds.values())
    for (const dialect of DIALECTS) {
      const list = listAllByDialect[dialect];
      if (list) return { path: list.path, dialect };
    }
  return undefined;
}

/** The other dialect. */
export function otherDialect(dialect: Dialect): Dialect {
  return DIALECTS.find(one => one !== dialect) ?? dialect;
}

/** The dialect with the name in a plan; `spec` if there is none. */
export function dialectNamed(name: string): Dialect {
  return DIALECTS.find(one => one === name) ?? 'spec';
}
