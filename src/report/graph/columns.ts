// Arranges graphs that are too large for the library, which needs minutes for a few thousand nodes.
// The column of a node is the length of the longest path from a source to it, and nodes are sorted
// by the middle of their neighbours. More lines cross than with the library, but here too no line
// runs through a box.
import { largest } from '../../model/text/longLists.ts';
import type { Centre, Link, Passage, Sized } from './routedLines.ts';

/** A node in a column, or the gap for a line that passes the column. */
interface Slot {
  readonly id: string;
  readonly height: number;
  y: number;
}

const GAP = 10;
const LINE_HEIGHT = 2;
/** The number of passes over the columns, after which the order hardly changes. */
const PASSES = 6;

/** Columns and heights for all nodes, and the heights at which lines pass columns. */
export function inColumns(
  nodes: readonly Sized[],
  links: readonly Link[],
): { readonly centres: readonly Centre[]; readonly passages: readonly Passage[] } {
  const columnOf = columnsOf(nodes, links);
  const last = largest(0, [...columnOf.values()]);
  const columns = Array.from({ length: last + 1 }, (): Slot[] => []);
  const slots = new Map<string, Slot>();
  const add = (column: number, id: string, height: number) => {
    const slot = { id, height, y: 0 };
    columns[column]?.push(slot);
    slots.set(id, slot);
  };
  for (const { id, height } of nodes) add(columnOf.get(id) ?? 0, id, height);
  const ways = links.map(({ from, to }, at) => {
    const start = columnOf.get(from) ?? 0;
    const between = Math.max(0, (columnOf.get(to) ?? 0) - start - 1);
    const passed = Array.from({ length: between }, (_, step) => `${at} passes ${step}`);
    for (const [step, id] of passed.entries()) add(start + 1 + step, id, LINE_HEIGHT);
    return [from, ...passed, to];
  });
  orderSlots(columns, slots, ways);
  const centres = nodes.map(node => ({
    ...node,
    column: columnOf.get(node.id) ?? 0,
    y: slots.get(node.id)?.y ?? 0,
  }));
  const passages = links.map(({ from, to }, at) => {
    const passed = ways[at]?.slice(1, -1) ?? [];
    return { from, to, ys: passed.map(id => slots.get(id)?.y ?? 0) };
  });
  return { centres, passages };
}

function columnsOf(nodes: readonly Sized[], links: readonly Link[]): ReadonlyMap<string, number> {
  const leading = Map.groupBy(links, ({ from }) => from);
  const waiting = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of links) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const columns = new Map(nodes.map(({ id }) => [id, 0]));
  const queue = nodes.flatMap(({ id }) => (waiting.get(id) === 0 ? [id] : []));
  for (const id of queue)
    for (const { to } of leading.get(id) ?? []) {
      columns.set(to, Math.max(columns.get(to) ?? 0, (columns.get(id) ?? 0) + 1));
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) queue.push(to);
    }
  return columns;
}

function orderSlots(
  columns: readonly Slot[][],
  slots: ReadonlyMap<string, Slot>,
  ways: readonly (readonly string[])[],
): void {
  const before = new Map<string, Slot[]>();
  const after = new Map<string, Slot[]>();
  const note = (known: Map<string, Slot[]>, id: string, other: string) => {
    const slot = slots.get(other);
    const list = known.get(id) ?? [];
    if (slot !== undefined) list.push(slot);
    known.set(id, list);
  };
  for (const way of ways)
    for (const [at, id] of way.slice(1).entries()) {
      note(before, id, way[at] ?? '');
      note(after, way[at] ?? '', id);
    }
  for (const column of columns) stack(column);
  for (let pass = 0; pass < PASSES; pass++) {
    const isForward = pass % 2 === 0;
    const near = isForward ? before : after;
    for (const column of isForward ? columns : columns.toReversed()) {
      const middles = new Map(column.map(slot => [slot, middleOf(near.get(slot.id), slot.y)]));
      column.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0));
      stack(column);
    }
  }
}

const middleOf = (slots: readonly Slot[] | undefined, otherwise: number): number =>
  slots === undefined || slots.length === 0
    ? otherwise
    : slots.reduce((sum, { y }) => sum + y, 0) / slots.length;

// Stacks the slots of a column around a common height, so that short columns are near the middle of long ones.
function stack(column: readonly Slot[]): void {
  const total = column.reduce((sum, { height }) => sum + height + GAP, 0);
  let y = -total / 2;
  for (const slot of column) {
    slot.y = y + slot.height / 2;
    y += slot.height + GAP;
  }
}
