// Removes the empty parts of an arrangement, because the library aligns long lines and leaves the area beside them empty. The
// order in each column stays, so that no more lines cross. Each box, and each line that passes a column, moves towards the middle
// of its neighbours.
import type { Centre, Gaps, Passage } from './routedLines.ts';

/** A box in a column, or a line that passes the column. */
interface Slot {
  readonly height: number;
  readonly gap: number;
  readonly before: Slot[];
  readonly after: Slot[];
  y: number;
}

/** The boxes and lines of an arrangement, with their heights. */
export interface Heights {
  readonly centres: readonly Centre[];
  readonly passages: readonly Passage[];
}

/** The number of passes over the columns, after which heights hardly change. */
const PASSES = 24;

/** The boxes and lines in the same order in each column, at new heights. */
export function compacted({ centres, passages }: Heights, gaps: Gaps): Heights {
  const columns = new Map<number, Slot[]>();
  const slotAt = (column: number, y: number, height: number, gap: number): Slot => {
    const slot: Slot = { height, gap, before: [], after: [], y };
    const known = columns.get(column);
    if (known) known.push(slot);
    else columns.set(column, [slot]);
    return slot;
  };
  const boxes = new Map(
    centres.map(({ id, column, y, height }) => [id, slotAt(column, y, height, gaps.nodes)]),
  );
  const columnOf = new Map(centres.map(({ id, column }) => [id, column]));
  const ways = passages.map(({ from, to, ys }) => {
    const first = Math.min(columnOf.get(from) ?? 0, columnOf.get(to) ?? 0) + 1;
    const passed = ys.map((y, at) => slotAt(first + at, y, 0, gaps.lines));
    join([boxes.get(from), ...passed, boxes.get(to)]);
    return passed;
  });
  const ordered = [...columns]
    .sort(([one], [other]) => one - other)
    .map(([, slots]) => slots.sort((one, other) => one.y - other.y));
  for (const column of ordered) stackTightly(column);
  for (let pass = 0; pass < PASSES; pass++)
    for (const column of pass % 2 === 0 ? ordered : ordered.toReversed()) settle(column);
  return {
    centres: centres.map(centre => ({ ...centre, y: boxes.get(centre.id)?.y ?? centre.y })),
    passages: passages.map((passage, at) => ({
      ...passage,
      ys: (ways[at] ?? []).map(({ y }) => y),
    })),
  };
}

function join(way: readonly (Slot | undefined)[]): void {
  for (const [at, to] of way.slice(1).entries()) {
    const from = way[at];
    if (!from || !to) continue;
    from.after.push(to);
    to.before.push(from);
  }
}

/** The minimum distance between the middles of two adjacent slots. */
const distance = (one: Slot, other: Slot): number =>
  (one.height + other.height) / 2 + Math.min(one.gap, other.gap);

/** The minimum distances of the slots of a column from the first slot. */
function offsetsOf(column: readonly Slot[]): readonly number[] {
  let offset = 0;
  return column.map((slot, at) => {
    const above = column[at - 1];
    offset += above ? distance(above, slot) : 0;
    return offset;
  });
}

function stackTightly(column: readonly Slot[]): void {
  const offsets = offsetsOf(column);
  const middle = (offsets.at(-1) ?? 0) / 2;
  for (const [at, slot] of column.entries()) slot.y = (offsets[at] ?? 0) - middle;
}

/** Adjacent slots that touch and move together. */
interface Block {
  sum: number;
  count: number;
}

const middleOf = ({ sum, count }: Block): number => sum / count;

// Moves the slots of a column as near to the middles of their neighbours as the order allows (pool adjacent violators).
function settle(column: readonly Slot[]): void {
  const offsets = offsetsOf(column);
  const blocks: Block[] = [];
  for (const [at, slot] of column.entries()) {
    let block: Block = { sum: wanted(slot) - (offsets[at] ?? 0), count: 1 };
    for (let last = blocks.at(-1); last && middleOf(last) > middleOf(block); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const tops = blocks.flatMap(block => Array.from({ length: block.count }, () => middleOf(block)));
  for (const [at, slot] of column.entries()) slot.y = (tops[at] ?? 0) + (offsets[at] ?? 0);
}

const wanted = ({ before, after, y }: Slot): number => {
  const sides = [before, after].filter(side => side.length > 0);
  const means = sides.map(side => side.reduce((sum, one) => sum + one.y, 0) / side.length);
  return means.length === 0 ? y : means.reduce((sum, mean) => sum + mean, 0) / means.length;
};
