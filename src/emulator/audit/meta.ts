// What an audit event says besides who did what to what: texts, in the form in which the server prints values for people
// (facts §9.1).

export type Meta = Readonly<Record<string, string>>;

/** A list: `[a b]`. */
export function listText(list: readonly string[]): string {
  return `[${list.join(' ')}]`;
}

/** A time: `2026-01-02 03:04:05.6 +0000 UTC`. */
export function timeText(time: string): string {
  const [date, clock = ''] = time.split('T');
  const shown = clock.replace(/(?:\.0*|(\.\d*[1-9])0*)?Z$/, '$1');
  return `${date} ${shown} +0000 UTC`;
}
