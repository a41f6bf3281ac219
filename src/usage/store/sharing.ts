// Lets successive values that hardly differ share their equal parts, so that a thousand states of an account need little more
// memory than one.
import equal from 'fast-deep-equal/es6/index.js';

/**
 * Returns a function that returns each value with its equal parts shared with the value before.
 * Objects in lists are matched by `id` and `key`.
 */
export function sharing(): (value: object) => object {
  let before: object | undefined;
  return value => {
    before = before === undefined ? value : shared(before, value);
    return before;
  };
}

function shared(before: object, after: object): object {
  return Object.fromEntries(
    Object.entries(after).map(([name, list]) => {
      const former = (before as Readonly<Record<string, unknown>>)[name];
      return [name, Array.isArray(list) && Array.isArray(former) ? sharedList(former, list) : list];
    }),
  );
}

function sharedList(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const former = new Map(before.map((one, at) => [identityOf(one, at), one]));
  let isSame = before.length === after.length;
  const list = after.map((one, at) => {
    const known = former.get(identityOf(one, at));
    const kept = known !== undefined && equal(known, one) ? known : one;
    isSame &&= kept === before[at];
    return kept;
  });
  return isSame ? before : list;
}

function identityOf(one: unknown, at: number): string {
  const { id, key } = (typeof one === 'object' && one !== null ? one : {}) as Record<
    string,
    unknown
  >;
  return id === undefined && key === undefined ? `at ${at}` : `${String(id)} ${String(key)}`;
}
