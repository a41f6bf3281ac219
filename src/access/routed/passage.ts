// The traffic that routing machines admit to an address. Several deliveries of a machine to one
// address share its rules.
import { allBits, type Bits, bitsOf, has, noBits, orInto, remove } from '../sets/bits.ts';
import { among, type Row, unionOf } from '../sets/row.ts';
import type { PooledEntry, RowPool } from '../sets/rowPool.ts';
import { ALL_TRAFFIC } from '../sets/traffic.ts';
import type { Delivery } from './delivery.ts';

/** All deliveries of a routing machine to an address. */
export interface Passage {
  readonly router: number;
  /**
   * A string that is the same for passages that admit the same traffic from everyone except the
   * routing machine.
   */
  readonly signature: string;
  /** The traffic that everyone except the routing machine may send. */
  readonly row: Row;
  /** The traffic that the routing machine itself may send. */
  readonly own: Row;
}

/** The passage for these deliveries of a machine to an address. */
export function passageOf(deliveries: readonly Delivery[], pool: RowPool, size: number): Passage {
  const router = deliveries[0]?.router ?? -1;
  const entries = entriesOf(deliveries, pool, size);
  const own = ownEntries(deliveries, router);
  return {
    router,
    signature: pool.signature(entries),
    row: pool.row(entries),
    own: own.length === 0 ? [] : among(pool.row(own), bitsOf([router])),
  };
}

/** The traffic through any of these passages, for members that receive the address there. */
export function sentThroughAny(
  passages: readonly { readonly passage: Passage; readonly receivers: Bits }[],
): Row {
  const alike = Map.groupBy(passages, ({ passage }) => passage.signature);
  const rows = [...alike.values()].flatMap(group => {
    const [first] = group;
    if (first === undefined) return [];
    const receivers = noBits();
    const own: Row[] = [];
    for (const { passage, receivers: some } of group) {
      const { router } = passage;
      const isElsewhere = has(receivers, router);
      orInto(receivers, some);
      if (!isElsewhere) remove(receivers, router);
      if (has(some, router) && passage.own.length > 0) own.push(passage.own);
    }
    return [among(first.passage.row, receivers), ...own];
  });
  return unionOf(rows.filter(row => row.length > 0));
}

function entriesOf(deliveries: readonly Delivery[], pool: RowPool, size: number): PooledEntry[] {
  const entries = deliveries.flatMap(delivery => delivery.entries.map(({ entry }) => entry));
  if (!deliveries.some(({ isOpen }) => isOpen)) return entries;
  return [...entries, pool.entry(false, ALL_TRAFFIC, allBits(size))];
}

// The entries for traffic from the machine itself. Groups in its own rules do not include the
// machine, so it counts only as a single source.
function ownEntries(deliveries: readonly Delivery[], router: number): PooledEntry[] {
  return deliveries
    .flatMap(({ entries }) => entries)
    .filter(
      ({ compiled: { rule }, entry }) =>
        rule.source.type === 'machine' && has(entry.sources, router),
    )
    .map(({ entry }) => entry);
}
