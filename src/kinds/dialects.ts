// What of the kinds depends on the dialect of the server, and how a dialect can be recognised.
import type { JsonObject } from '../model/value.ts';
import { isList } from '../model/value.ts';
import type { Kind, KindTable } from './kind.ts';
import { DIALECTS, type Dialect } from './traits.ts';

/** Whether the paths or lists of a kind, or how its objects move, differ between dialects. */
export function differsByDialect({ pathIn, accountWide, moves }: Kind): boolean {
  const hasOwnPaths = Object.keys(pathIn).length > 0 || Object.keys(accountWide).length > 0;
  return hasOwnPaths || new Set(Object.values(moves ?? {})).size > 1;
}

/** Whether a list in these fields has several members where servers of some dialect keep a single member. */
export function hasManyOfSingle({ shape }: Kind, fields: JsonObject): boolean {
  return [...shape.fields.values()].some(({ name, shape: inner }) => {
    const value = fields[name];
    const isSingle = inner.type === 'list' && inner.set && inner.set.single.length > 0;
    return isSingle && isList(value) && value.length > 1;
  });
}

/** A path that a server answers with a list if it speaks one dialect, and with 404 if it speaks the other. */
export interface DialectWitness {
  readonly path: string;
  readonly dialect: Dialect;
}

/** The witness that a kind table has: the first account-wide list of a dialect. */
export function dialectWitness(kinds: KindTable): DialectWitness | undefined {
  for (const { accountWide } of kinds.values())
    for (const dialect of DIALECTS) {
      const list = accountWide[dialect];
      if (list) return { path: list.path, dialect };
    }
  return undefined;
}

/** The dialect that is not this one. */
export function otherDialect(dialect: Dialect): Dialect {
  return DIALECTS.find(one => one !== dialect) ?? dialect;
}
