// Estimates how much a change opens: the parties that it covers, its traffic, and its rights. The changes that open most must
// come first, because a report may leave something out and a reader may stop early.
import type { KindLine, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { largest } from '../../model/text/longLists.ts';
import { isList } from '../../model/value.ts';
import { portRanges, reachOf } from '../text/longList.ts';
import { itemParts, type Part, valuesAt, wholePart } from './lineParts.ts';

/** Parties weigh more than traffic, and traffic weighs more than a single field. */
const WEIGHTS = { party: 2, traffic: 1, field: 0.5 } as const;

/** The minimum opening of a change that covers everybody, or a wide network, on a side. */
const WIDE = WEIGHTS.party;

/**
 * How much a change opens; 0 for nothing. A change that opens something to everybody counts more than a change with any number of
 * groups.
 */
export function openingOf(change: ShownChange, kinds: KindTable): number {
  const kind = kinds.get(change.kind);
  const { after } = change;
  if (kind?.line === undefined || after === undefined || kind.grantsNothing) return 0;
  const whole = wholePart(kind, after);
  if (isClosed(kind.line, whole)) return 0;
  const items = itemParts(kind, after) ?? [];
  return largest(
    openingOfPart(kind.line, whole, kinds),
    items.map(item => openingOfPart(kind.line ?? {}, item, kinds)),
  );
}

/** Whether the change covers everybody or a wide network. */
export const isWide = (change: ShownChange, kinds: KindTable): boolean =>
  openingOf(change, kinds) >= WIDE;

/** The changes that open most come first; equal changes keep their order. */
export function widestFirst(
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly ShownChange[] {
  return ranked(changes, change => openingOf(change, kinds));
}

/** The things sorted by a number, the largest first; equal things keep their order. */
export function ranked<T>(things: readonly T[], rank: (thing: T) => number): readonly T[] {
  return things
    .map(thing => ({ thing, rank: rank(thing) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ thing }) => thing);
}

/** How much an object, or an item of its list, opens by itself. */
export function openingOfPart(line: KindLine, part: Part, kinds: KindTable): number {
  if (isClosed(line, part)) return 0;
  const party = (paths: readonly string[] = []) => WEIGHTS.party * widestIn(part, paths, kinds);
  const parties = party(line.who) + party(line.what) + party(line.into) + party(line.via);
  const fields = (line.opens ?? []).map(one => WEIGHTS.field * fieldOpening(part, one));
  const all = [parties, WEIGHTS.traffic * trafficOpening(line, part), ...fields];
  return all.reduce((sum, one) => sum + one, 0);
}

const isClosed = ({ closes = [] }: KindLine, part: Part): boolean =>
  closes.some(({ field, in: values }) =>
    valuesAt(part, field).some(({ value }) => values.some(one => one === value)),
  );

/**
 * The reach and the number of names are compared by their logarithms, divided by these numbers, so
 * that a list of names never weighs as much as everybody.
 */
const REACH = 32;
const MEMBERS = 64;

function widestIn(part: Part, paths: readonly string[], kinds: KindTable): number {
  const shares = paths
    .flatMap(path => valuesAt(part, path))
    .flatMap(({ shape, value }) => {
      const values = isList(value) ? value : [value];
      const items = shape?.type === 'list' ? shape.items : shape;
      const reach = largest(
        0,
        values.map(one => reachOf(items, one, kinds)),
      );
      return [
        Math.min(1, Math.log2(1 + reach) / REACH),
        Math.min(0.5, Math.log2(values.length) / MEMBERS),
      ];
    });
  return largest(0, shares);
}

const PORTS = 65_536;

// The opening of a part's traffic. A protocol without ports is open on every port.
function trafficOpening({ protocol, port = [] }: KindLine, part: Part): number {
  if (protocol === undefined || valuesAt(part, protocol).length === 0) return 0;
  const values = port
    .flatMap(path => valuesAt(part, path))
    .flatMap(({ value }) => (isList(value) ? value : [value]));
  if (values.length === 0) return 1;
  const ranges = portRanges(values) ?? [];
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) / PORTS;
}

/** Numbers are compared by their number of bits; this many bits count as the whole weight. */
const BITS = 40;

function fieldOpening(part: Part, { field, in: values }: NonNullable<KindLine['opens']>[number]) {
  const [found] = valuesAt(part, field);
  if (found === undefined) return 0;
  const { value } = found;
  if (values !== undefined) return values.some(one => one === value) ? 1 : 0;
  return typeof value === 'number' ? Math.min(1, Math.log2(1 + Math.max(0, value)) / BITS) : 0;
}
