// The meta fields of an audit event, apart from initiator, operation and target. Each is a text, in the form in which the server
// stores the value (docs/server-behaviour.md#audit-events).

export type Meta = Readonly<Record<string, string>>;

/** A list as text: `[a b]`; an omitted list is `<nil>`. */
export function listText(list: readonly string[] | null): string {
  return list === null ? '<nil>' : `[${list.join(' ')}]`;
}
