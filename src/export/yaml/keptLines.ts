// Keeps the lines of a file that an edit does not affect: printing a document reformats all of it, including alignment. The edit
// is the difference between the document printed before and after it; only these lines are replaced.
import { diffArrays } from 'diff';
import { addAll } from '../../model/text/longLists.ts';

/** The text with the lines that differ between its two printed forms replaced. */
export function withChangedLines(
  source: string,
  { before, after }: { readonly before: string; readonly after: string },
): string {
  const own = source.split('\n');
  const old = before.split('\n');
  const now = after.split('\n');
  const placeOf = placesIn(own, old);
  const lines: string[] = [];
  let next = 0;
  for (const hunk of changedLines(old, now)) {
    const { from, to, since, until } = hunk;
    const isAdded = from === to;
    const start = placeOf[from];
    const before = from === 0 ? -1 : placeOf[from - 1];
    const last = placeOf[to - 1];
    // If the printed form breaks a line of the file elsewhere, the position of that line is unknown. The whole text is then
    // replaced by the printed form.
    const begin = isAdded ? before : start;
    const end = isAdded ? before : last;
    if (begin === undefined || end === undefined) return after;
    const first = isAdded ? begin + 1 : begin;
    if (first < next) return after;
    const setIn = now.slice(since, until).map(line => indented(line, { from, old, own, placeOf }));
    addAll(lines, own.slice(next, first));
    addAll(lines, setIn);
    next = end + 1;
  }
  return [...lines, ...own.slice(next)].join('\n');
}

interface Around {
  readonly from: number;
  readonly old: readonly string[];
  readonly own: readonly string[];
  readonly placeOf: readonly (number | undefined)[];
}

const depthOf = (line: string): number => line.search(/[^ ]|$/);

// Indented as the lines of the same depth before it: parts of a file may be indented differently.
function indented(line: string, { from, old, own, placeOf }: Around): string {
  const depth = depthOf(line);
  for (let i = Math.min(from, old.length - 1); i >= 0; i--) {
    const printed = old[i] ?? '';
    const place = placeOf[i];
    if (place === undefined || printed === '' || depthOf(printed) > depth) continue;
    return line === ''
      ? line
      : ' '.repeat(depthOf(own[place] ?? '') + depth - depthOf(printed)) + line.trimStart();
  }
  return line;
}

// For each line of the printed form, the line of the file; undefined if it has none.
function placesIn(own: readonly string[], printed: readonly string[]): (number | undefined)[] {
  const bare = (line: string): string => line.replaceAll(/\s+/g, '');
  const places: (number | undefined)[] = printed.map((_, i) => i);
  let gone = 0;
  for (const { from, to, since, until } of changedLines(printed.map(bare), own.map(bare))) {
    for (let i = gone; i < from; i++) places[i] = since - (from - i);
    places.fill(undefined, from, to);
    gone = to;
    for (let i = gone; i < printed.length; i++) places[i] = until + (i - to);
  }
  return places;
}

/** Lines `from` to `to` of one text correspond to lines `since` to `until` of the other. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly since: number;
  readonly until: number;
}

/** With more differing lines than this, the whole text counts as changed, because the time grows with their square. */
const MOST_DIFFERENT = 2000;

function changedLines(one: readonly string[], other: readonly string[]): readonly Hunk[] {
  const parts = diffArrays([...one], [...other], { maxEditLength: MOST_DIFFERENT });
  if (parts === undefined) return [{ from: 0, to: one.length, since: 0, until: other.length }];
  const hunks: Hunk[] = [];
  let from = 0;
  let since = 0;
  for (const { added, removed, count } of parts) {
    const to = from + (added ? 0 : count);
    const until = since + (removed ? 0 : count);
    const last = hunks.at(-1);
    if (added || removed) {
      const isSame = last?.to === from && last.until === since;
      if (isSame) hunks[hunks.length - 1] = { ...last, to, until };
      else hunks.push({ from, to, since, until });
    }
    from = to;
    since = until;
  }
  return hunks;
}
