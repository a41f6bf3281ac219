// What an audit event says besides who did what to what: texts, in the form in which the server stores values (facts §9.1).

export type Meta = Readonly<Record<string, string>>;

/** A list: `[a b]`; one that was left out is `<nil>`. */
export function listText(list: readonly string[] | null): string {
  return list === null ? '<nil>' : `[${list.join(' ')}]`;
}
