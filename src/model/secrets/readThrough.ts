// Reads a text once, with all interpretations of its parts. Finds at each position the longest beginning of a secret that ends
// there.
import type { Beginnings } from './beginnings.ts';

/**
 * One interpretation of a part of a text: the characters that the part represents, and the position
 * after it.
 */
export interface Step {
  readonly read: string;
  readonly to: number;
}

/** The interpretations of the parts that begin at a position. */
export type Steps = (at: number) => readonly Step[];

/** The longest beginning of the secret that ends at a position. */
export interface Reached {
  readonly at: number;
  /** The length of this beginning. */
  readonly length: number;
  readonly ways: readonly Way[];
  /** The number of its last characters that are already marked. */
  marked: number;
}

/** One interpretation that leads to a position. */
interface Way {
  /** The position where the last part begins, and what ended there. */
  readonly begin: number;
  readonly before: Reached | undefined;
  /** The number of characters that the last part represents. */
  readonly count: number;
  /** The length of the beginning that this interpretation reads: the whole one, or a shorter one with which it ends. */
  readonly length: number;
}

/** A secret of at least this length is also found if it is broken over lines. */
export const SHORTEST_BROKEN = 8;

/** Yields, position by position, what ends there, if the secret may begin at `starts`. */
export function* readThrough(
  steps: Steps,
  secret: Beginnings,
  starts: readonly number[],
): Generator<Reached> {
  const ahead = new Map<number, Reached[]>();
  let start = 0;
  for (let at = starts[0]; at !== undefined; at = ahead.size > 0 ? at + 1 : starts[start]) {
    const reached = ahead.get(at) ?? [];
    ahead.delete(at);
    secret.step();
    yield* reached;
    const isStart = starts[start] === at;
    while (starts[start] === at) start++;
    if (!isStart && reached.length === 0) continue;
    for (const { read, to } of steps(at)) {
      const found = reached.flatMap(before => waysFrom(before, at, read, secret));
      const ways = isStart ? [...found, ...waysFrom(undefined, at, read, secret)] : found;
      if (ways.length === 0) continue;
      const there = ahead.get(to) ?? [];
      for (const way of ways) arrive(there, to, way, secret);
      ahead.set(to, there);
    }
  }
}

function waysFrom(
  before: Reached | undefined,
  begin: number,
  read: string,
  secret: Beginnings,
): Way[] {
  secret.step();
  const { text } = secret;
  const length = before?.length ?? 0;
  // After the whole secret, the search continues with the longest beginning with which the secret ends.
  const last = length === text.length ? secret.within(length) : length;
  const way = (count: number, now: number): Way[] =>
    now > 0 ? [{ begin, before, count, length: now }] : [];
  if (!isBlank(read)) {
    let now = last;
    for (let i = 0; i < read.length; i++) now = secret.after(now, read.charAt(i));
    return way(read.length, now);
  }
  if (last > 0 && text[last - 1] === ' ') return way(0, last);
  const isBetween = read === '\n' && text.length >= SHORTEST_BROKEN;
  return [...way(1, secret.after(last, ' ')), ...(isBetween ? way(0, last) : [])];
}

// A beginning with which a longer one ends needs no separate entry: the next characters are compared with both.
function arrive(there: Reached[], at: number, way: Way, secret: Beginnings): void {
  const longer = there.findIndex(one => secret.isEndOf(way.length, one.length));
  const found = there[longer];
  if (found) {
    there[longer] = { ...found, ways: [...found.ways, way] };
    return;
  }
  const shorter = there.filter(one => secret.isEndOf(one.length, way.length));
  const ways = [...shorter.flatMap(one => one.ways), way];
  const others = there.filter(one => !shorter.includes(one));
  there.splice(0, there.length, ...others, {
    at,
    length: way.length,
    ways,
    marked: 0,
  });
}

const isBlank = (text: string): boolean => text === ' ' || text === '\n';

/**
 * The positions where the last `length` characters before a position begin, in all interpretations. The backward search stops at
 * characters that an earlier search marked, because the earlier search has already found what precedes them.
 */
export function marked(last: Reached, length: number, secret: Beginnings): readonly number[] {
  const begins: number[] = [];
  const open: [Reached, number][] = [[last, length]];
  for (let next = open.pop(); next; next = open.pop()) {
    secret.step();
    const [reached, left] = next;
    if (reached.marked >= left) {
      begins.push(reached.at - 1);
      continue;
    }
    reached.marked = left;
    // The part that begins last is followed first, so that other paths reach marked characters early.
    const ways = reached.ways.filter(way => way.length >= left).sort((a, b) => b.begin - a.begin);
    for (const { begin, before, count } of ways)
      if (left <= count || before === undefined) begins.push(begin);
      else open.push([before, left - count]);
  }
  return begins;
}
