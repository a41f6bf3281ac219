// Shows lists for people: adjacent ports as ranges, and of a long list only the members with the greatest reach.
import type { KindTable, Shape } from '../../kinds/kind.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { isObject } from '../../model/value.ts';

/** The limits for a list. */
export interface ListLimit {
  /** The largest number of members shown. */
  readonly most: number;
  /** The kinds, which show whether a member is a built-in object of every account. */
  readonly kinds: KindTable;
  /** Called for each list that is not shown in full. */
  readonly onCut?: () => void;
}

/** Records whether any part of a report was cut. */
export interface CutMark {
  readonly onCut: () => void;
  readonly isCut: () => boolean;
}

/** Returns a mark for a report of which nothing is cut yet. */
export function cutMark(): CutMark {
  let isCut = false;
  return {
    onCut: () => {
      isCut = true;
    },
    isCut: () => isCut,
  };
}

/** The texts of a list, and the number of members that are not shown. */
interface ShownList {
  readonly texts: readonly string[];
  readonly more: number;
  /** Whether members are combined into ranges that the files do not contain. */
  readonly isRanges: boolean;
}

/** A range of ports, inclusive. */
type Range = readonly [first: number, last: number];

/** The members of a list whose items have this shape. Without a limit, all members are shown, one by one. */
export function shownList(
  items: Shape | undefined,
  members: readonly Shown[],
  textOf: (value: Shown) => string,
  limit: ListLimit | undefined,
): ShownList {
  const values = isPort(items) || items?.type === 'object' ? portsInOrder(members) : members;
  if (limit === undefined) return { texts: values.map(textOf), more: 0, isRanges: false };
  const ranges = isPort(items) ? portRanges(values) : null;
  if (ranges !== null && ranges.length < values.length) {
    const kept = furthest(ranges, limit.most, ([first, last]) => last - first);
    const count = kept.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    if (kept.length < ranges.length) limit.onCut?.();
    return { texts: kept.map(rangeText), more: values.length - count, isRanges: true };
  }
  const kept = furthest(values, limit.most, value => reachOf(items, value, limit.kinds));
  if (kept.length < values.length) limit.onCut?.();
  return { texts: kept.map(textOf), more: values.length - kept.length, isRanges: false };
}

// Sorts ports and ranges as numbers, because as texts 1000 would come before 80. Any other list keeps its order.
function portsInOrder(values: readonly Shown[]): readonly Shown[] {
  const ports = values.map(value => ({ value, range: rangeOf(value) }));
  return ports.some(({ range }) => range === null)
    ? values
    : ports.toSorted((a, b) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0)).map(({ value }) => value);
}

/** The placeholder for members that are not shown. */
export const moreText = (count: number): string => `… ${count} more`;

/** Ports and ranges, sorted and with adjacent ones merged; null if a value is neither a port nor a range. */
export function portRanges(values: readonly Shown[]): readonly Range[] | null {
  const ranges = values.map(rangeOf);
  if (!ranges.every(range => range !== null)) return null;
  const joined: Range[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = joined.at(-1);
    if (before === undefined || first > before[1] + 1) joined.push([first, last]);
    else joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return joined;
}

/** `443`, `8000-8079`. */
export const rangeText = ([first, last]: Range): string =>
  first === last ? String(first) : `${first}-${last}`;

// A value as a range; null if it is not a range. A port is a text of digits. A range is an object
// with two whole numbers; the names of its fields do not matter.
function rangeOf(value: Shown): Range | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) return [Number(value), Number(value)];
  if (!isObject(value)) return null;
  const [first, last, ...others] = Object.values(value);
  const isRange = typeof first === 'number' && typeof last === 'number' && others.length === 0;
  return isRange ? [Math.min(first, last), Math.max(first, last)] : null;
}

const isPort = (items: Shape | undefined): boolean =>
  items?.type === 'scalar' && items.normalise === 'port';

/** At most `most` members, chosen by the greatest reach, in the order of the list. */
function furthest<T>(
  values: readonly T[],
  most: number,
  reach: (value: T) => number,
): readonly T[] {
  if (values.length <= most) return values;
  const ranked = values
    .map((value, at) => ({ at, reach: reach(value) }))
    .sort((a, b) => b.reach - a.reach || a.at - b.at);
  const kept = new Set(ranked.slice(0, most).map(({ at }) => at));
  return values.filter((_, at) => kept.has(at));
}

// A shortened list must still show the members with a wide effect: an object of the account itself, such as the group of all
// machines, a wildcard, a wide network or a wide range.

/** The reach of a member of a list: 0 for an ordinary name, infinity for a built-in object of every account. */
export function reachOf(items: Shape | undefined, value: Shown, kinds: KindTable): number {
  if (typeof value === 'string') {
    if (isBuiltIn(items, value, kinds)) return Number.POSITIVE_INFINITY;
    if (value.includes('*')) return Number.MAX_SAFE_INTEGER;
    const [, address = '', prefix] = /^([\d.a-f:]+)\/(\d+)$/i.exec(value) ?? [];
    return prefix === undefined ? 0 : 2 ** ((address.includes(':') ? 128 : 32) - Number(prefix));
  }
  const range = rangeOf(value);
  return range === null ? 0 : range[1] - range[0];
}

function isBuiltIn(items: Shape | undefined, key: string, kinds: KindTable): boolean {
  const kind = items?.type === 'scalar' && items.ref ? kinds.get(items.ref) : undefined;
  const [names, ...others] = kind?.identity ?? [];
  if (kind === undefined || names === undefined || others.length > 0) return false;
  return kind.reserved.some(({ field, equals }) => names.includes(field) && equals === key);
}
