// Reads a text once, in all the ways in which its parts can be read, and finds at each position how much of a secret was read
// last.
import type { Beginnings } from './beginnings.ts';

/** A part of a text that can be read: what it stands for, and the position after it. */
export interface Step {
  readonly read: string;
  readonly to: number;
}

/** The parts that begin at a position. */
export type Steps = (at: number) => readonly Step[];

/** The longest beginning of the secret as which the last characters before a position were read. */
export interface Reached {
  readonly at: number;
  /** Its length. */
  readonly length: number;
  readonly ways: readonly Way[];
  /** How many of the last characters are marked already. */
  marked: number;
}

/** How a position was reached. */
interface Way {
  /** Where the last part began, and what had been reached there. */
  readonly begin: number;
  readonly before: Reached | undefined;
  /** How many characters it stands for. */
  readonly count: number;
  /** The beginning that was read in this way: the whole one, or one that it ends with. */
  readonly length: number;
}

/** A secret of this length may be broken over lines. */
export const SHORTEST_BROKEN = 8;

/** What is reached in a text if the secret may begin at `starts`, position by position. */
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

// A beginning with which a longer one ends needs no entry of its own: the next characters are compared with both.
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
 * The places where the last `length` characters before a position begin, in all ways in which they were read. The search backwards
 * stops at characters that an earlier search marked, because that search has found what is before them.
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
    // The part that begins last is followed first, so that other paths meet marked characters early.
    const ways = reached.ways.filter(way => way.length >= left).sort((a, b) => b.begin - a.begin);
    for (const { begin, before, count } of ways)
      if (left <= count || before === undefined) begins.push(begin);
      else open.push([before, left - count]);
  }
  return begins;
}
