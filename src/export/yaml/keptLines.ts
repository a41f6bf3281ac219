// Keeps the lines of a file that an edit does not concern: printing a document sets all of it anew, also what people had aligned.
// The edit is the difference between the document printed before and after it; only these lines are replaced.
import { addAll } from '../../model/text/many.ts';

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
    // A line that the printed form breaks in another way has no place of its own.
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

// As deep as the lines of its depth before it: a file can be set in differently in its parts.
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

// By line of the printed form, the line of the file; undefined if it has none.
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

/** Lines `from` to `to` of one text that are lines `since` to `until` of the other. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly since: number;
  readonly until: number;
}

/** With more differing lines than this, the whole middle counts as changed. */
const MOST_DIFFERENT = 1000;

function changedLines(one: readonly string[], other: readonly string[]): Hunk[] {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const hunks: Hunk[] = [];
  let from = 0;
  let since = 0;
  const middle = [one.slice(head, one.length - tail), other.slice(head, other.length - tail)];
  const [left = [], right = []] = middle;
  for (const [x, y] of [...commonLines(left, right), [left.length, right.length] as const]) {
    if (x > from || y > since)
      hunks.push({ from: head + from, to: head + x, since: head + since, until: head + y });
    from = x + 1;
    since = y + 1;
  }
  return hunks;
}

// The pairs of lines of a longest common subsequence, by the greedy algorithm of Myers.
function commonLines(
  one: readonly string[],
  other: readonly string[],
): (readonly [number, number])[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let steps = 0; steps <= Math.min(one.length + other.length, MOST_DIFFERENT); steps++) {
    const further = new Map<number, number>();
    trace.push(reach);
    for (let k = -steps; k <= steps; k += 2) {
      let x = cameFromAbove(reach, k, steps) ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x++;
      further.set(k, x);
      if (x >= one.length && x - k >= other.length) return pairsOn(trace, x, x - k);
    }
    reach = further;
  }
  return [];
}

const at = (reach: ReadonlyMap<number, number>, k: number): number => reach.get(k) ?? -1;

const cameFromAbove = (reach: ReadonlyMap<number, number>, k: number, steps: number): boolean =>
  k === -steps || (k !== steps && at(reach, k - 1) < at(reach, k + 1));

function pairsOn(
  trace: readonly ReadonlyMap<number, number>[],
  endX: number,
  endY: number,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let x = endX;
  let y = endY;
  for (const [steps, reach] of [...trace.entries()].reverse()) {
    const k = x - y;
    const before = cameFromAbove(reach, k, steps) ? k + 1 : k - 1;
    const fromX = at(reach, before);
    const fromY = fromX - before;
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    x = fromX;
    y = fromY;
  }
  return pairs.reverse();
}
