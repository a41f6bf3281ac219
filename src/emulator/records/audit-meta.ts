// The meta fields of an audit event, besides initiator, operation and target: texts in the form in which the server stores
// values (docs/server-behaviour.md#audit-events).

export type Meta = Readonly<Record<string, string>>;

/** A list: `[a b]`; an omitted list is `<nil>`. */
export function listText(list: readonly string[] | null): string {
  return list === null ? '<nil>' : `[${list.join(' ')}]`;
}
