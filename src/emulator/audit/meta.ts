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
  return `${date} ${clock.replace('Z', '').replace(/\.?0*$/, end => (end.startsWith('.') ? '' : end))} +0000 UTC`;
}
