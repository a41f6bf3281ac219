// What routing machines let through to one address. What one machine delivers twice there shares its rules.
import { allBits, type Bits, bitsOf, has, minus, orInto } from '../sets/bits.ts';
import { among, type Row, unionOf } from '../sets/row.ts';
import type { PooledEntry, RowPool } from '../sets/rowPool.ts';
import { ALL_TRAFFIC } from '../sets/traffic.ts';
import type { Delivery } from './delivery.ts';

/** Everything that one routing machine delivers to one address. */
export interface Passage {
  readonly router: number;
  /** The same for passages that treat everyone but their own machine alike. */
  readonly signature: string;
  /** What everyone but the routing machine itself may send. */
  readonly row: Row;
  /** What the routing machine itself may send. */
  readonly own: Row;
}

/** The passage that these deliveries of one machine to one address make up. */
export function passageOf(deliveries: readonly Delivery[], pool: RowPool, size: number): Passage {
  const router = deliveries[0]?.router ?? -1;
  const entries = entriesOf(deliveries, pool, size);
  return {
    router,
    signature: pool.signature(entries),
    row: pool.row(entries),
    own: among(pool.row(ownEntries(deliveries, router)), bitsOf(size, [router])),
  };
}

/** Who sends what through a passage, if these are the ones who receive its address from there. */
export function sentThrough({ router, row, own }: Passage, receivers: Bits, size: number): Row {
  const itself = bitsOf(size, [router]);
  const others = among(row, minus(receivers, itself));
  return has(receivers, router) && own.length > 0 ? unionOf([others, own], size) : others;
}

/** The same through any of several passages. */
export function sentThroughAny(
  passages: readonly { readonly passage: Passage; readonly receivers: Bits }[],
  size: number,
): Row {
  const alike = Map.groupBy(passages, ({ passage }) => passage.signature);
  const rows = [...alike.values()].flatMap(group => {
    const [first] = group;
    if (first === undefined) return [];
    const receivers = bitsOf(size, []);
    const own: Row[] = [];
    for (const { passage, receivers: some } of group) {
      const itself = bitsOf(size, [passage.router]);
      orInto(receivers, minus(some, itself));
      if (has(some, passage.router) && passage.own.length > 0) own.push(passage.own);
    }
    return [among(first.passage.row, receivers), ...own];
  });
  return unionOf(
    rows.filter(row => row.length > 0),
    size,
  );
}

function entriesOf(deliveries: readonly Delivery[], pool: RowPool, size: number): PooledEntry[] {
  const entries = deliveries.flatMap(delivery => delivery.entries.map(({ entry }) => entry));
  if (!deliveries.some(({ isOpen }) => isOpen)) return entries;
  return [...entries, pool.entry(false, ALL_TRAFFIC, allBits(size))];
}

// The machine is left out of the groups in its own rules. It counts as a single source only.
function ownEntries(deliveries: readonly Delivery[], router: number): PooledEntry[] {
  return deliveries
    .flatMap(({ entries }) => entries)
    .filter(({ compiled: { rule }, entry }) => rule.source.type === 'machine' && has(entry.sources, router))
    .map(({ entry }) => entry);
}
