// Routes the lines between columns of boxes. A line runs straight through a gap of each column that it passes, and changes its
// height only in the channels between columns. In a channel, all lines of one box share a vertical track. So fifty lines from one
// box form one trunk with fifty branches, and other lines cross only the trunk.
import { largest } from '../../model/text/longLists.ts';
import { orderedTracks, type Trunk } from './tracks.ts';

/** A node before it has a position. */
export interface Sized {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The frame that contains the node. */
  readonly frame?: string | undefined;
}

export interface Link {
  readonly from: string;
  readonly to: string;
}

/** A box in a column, with the height of its middle. */
export interface Centre {
  readonly id: string;
  readonly column: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line that is not routed yet: its heights in the columns that it passes. */
export interface Passage {
  readonly from: string;
  readonly to: string;
  readonly ys: readonly number[];
}

/**
 * The minimum distances in a column, in pixels: between boxes, between a line that passes the column and what is next to it, and
 * between boxes if some are in frames.
 */
export interface Gaps {
  readonly nodes: number;
  readonly lines: number;
  readonly framed: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  /** The corners of the line, which has only horizontal and vertical parts. */
  readonly points: readonly (readonly [number, number])[];
}

/** The distance between two tracks, and the space beside the first and the last track, which includes the arrow heads. */
const STEP = 9;
const BESIDE = { first: 12, last: 22 };
/** Lines whose heights differ by less than this look like one line. */
const CLEAR = 4;

/** The part of a line in a channel. */
interface Crossing {
  readonly passage: number;
  readonly channel: number;
  readonly begin: number;
  readonly end: number;
}

/** The places of all boxes, and the routes of all lines. */
export function routed(
  centres: readonly Centre[],
  passages: readonly Passage[],
): { readonly places: ReadonlyMap<string, Place>; readonly lines: readonly Line[] } {
  const byId = new Map(centres.map(centre => [centre.id, centre]));
  const ports = entrances(byId, passages);
  const crossings = passages.flatMap((passage, at) => crossingsOf(passage, at, byId, ports));
  const last = largest(
    0,
    centres.map(({ column }) => column),
  );
  const byChannel = Map.groupBy(crossings, ({ channel }) => channel);
  const tracks = new Map<string, number>();
  const places = new Map<string, Place>();
  const starts: number[] = [];
  let x = 0;
  for (let column = 0; column <= last; column++) {
    const own = centres.filter(centre => centre.column === column);
    const width = largest(
      0,
      own.map(centre => centre.width),
    );
    for (const { id, y, height } of own) places.set(id, { x, y: y - height / 2, width, height });
    x += width;
    starts.push(x);
    const found = tracksIn(byChannel.get(column) ?? [], passages);
    for (const [key, track] of found.of) tracks.set(key, x + BESIDE.first + track * STEP);
    x += BESIDE.first + Math.max(found.count - 1, 0) * STEP + BESIDE.last;
  }
  const lines = passages.map((passage, at) => lineOf(passage, at, { byId, places, tracks, ports }));
  return { places, lines };
}

// The heights at which lines enter their boxes. A line enters in the middle of its box, unless a line to another box begins at
// the same height, because the two would look like one line.
function entrances(
  byId: ReadonlyMap<string, Centre>,
  passages: readonly Passage[],
): ReadonlyMap<string, number> {
  const leaving = new Map<number, { readonly y: number; readonly to: string }[]>();
  const leaves = (column: number, y: number, to: string) =>
    leaving
      .set(column, leaving.get(column) ?? [])
      .get(column)
      ?.push({ y, to });
  for (const { from, to, ys } of passages) {
    const start = byId.get(from);
    if (start === undefined) continue;
    leaves(start.column, start.y, to);
    for (const [at, y] of ys.entries()) leaves(start.column + 1 + at, y, to);
  }
  const found = new Map<string, number>();
  for (const { id, column, y, height } of byId.values()) {
    const near = leaving.get(column - 1) ?? [];
    const friends = new Set(near.filter(({ to }) => to === id).map(one => one.y));
    const isFree = (at: number) =>
      near.every(one => Math.abs(one.y - at) >= CLEAR || (one.to === id && friends.has(one.y)));
    const room = Math.max(0, height / 2 - 6);
    const shifts = [0, 4, -4, 8, -8, 12, -12].filter(shift => Math.abs(shift) <= room);
    found.set(id, y + (shifts.find(shift => isFree(y + shift)) ?? 0));
  }
  return found;
}

function crossingsOf(
  { from, to, ys }: Passage,
  passage: number,
  byId: ReadonlyMap<string, Centre>,
  ports: ReadonlyMap<string, number>,
): readonly Crossing[] {
  const start = byId.get(from);
  const heights = [start?.y ?? 0, ...ys, ports.get(to) ?? 0];
  return heights.slice(1).map((end, at) => ({
    passage,
    channel: (start?.column ?? 0) + at,
    begin: heights[at] ?? 0,
    end,
  }));
}

function tracksIn(
  crossings: readonly Crossing[],
  passages: readonly Passage[],
): { readonly of: ReadonlyMap<string, number>; readonly count: number } {
  const sharing = sharedBy(crossings, passages);
  const trunks = [...Map.groupBy(crossings, sharing).values()].map(
    (parts): Trunk<Crossing> => ({
      parts,
      lefts: [...new Set(parts.map(({ begin }) => begin))],
      rights: [...new Set(parts.map(({ end }) => end))],
    }),
  );
  const of = new Map<string, number>();
  let count = 0;
  for (const { trunk, track } of orderedTracks(trunks)) {
    count = Math.max(count, track + 1);
    for (const { passage, channel } of trunk.parts) of.set(`${passage} ${channel}`, track);
  }
  return { of, count };
}

// Returns a function for the track of a crossing. Lines share a track if they begin at the same height on the left, or if they
// end at the same height on the right, whichever joins more lines.
function sharedBy(
  crossings: readonly Crossing[],
  passages: readonly Passage[],
): (crossing: Crossing) => string {
  const leaving = ({ passage, begin }: Crossing) => `from ${passages[passage]?.from} ${begin}`;
  const arriving = ({ passage, end }: Crossing) => `to ${passages[passage]?.to} ${end}`;
  const left = Map.groupBy(crossings, leaving);
  const right = Map.groupBy(crossings, arriving);
  return crossing => {
    const from = leaving(crossing);
    const to = arriving(crossing);
    return (left.get(from)?.length ?? 0) >= (right.get(to)?.length ?? 0) ? from : to;
  };
}

interface Known {
  readonly byId: ReadonlyMap<string, Centre>;
  readonly places: ReadonlyMap<string, Place>;
  readonly tracks: ReadonlyMap<string, number>;
  readonly ports: ReadonlyMap<string, number>;
}

function lineOf(passage: Passage, at: number, { byId, places, tracks, ports }: Known): Line {
  const { from, to } = passage;
  const start = places.get(from);
  const points: [number, number][] = [
    [(start?.x ?? 0) + (start?.width ?? 0), byId.get(from)?.y ?? 0],
  ];
  for (const { channel, begin, end } of crossingsOf(passage, at, byId, ports)) {
    if (begin === end) continue;
    const x = tracks.get(`${at} ${channel}`) ?? 0;
    points.push([x, begin], [x, end]);
  }
  points.push([places.get(to)?.x ?? 0, ports.get(to) ?? 0]);
  return { from, to, points };
}
