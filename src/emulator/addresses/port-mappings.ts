// The port mappings of ingress peers. No port is assigned twice for one protocol.
import type { PortMapping } from '../records/peers.ts';

/** Requested ports: either a range of the peer's own ports, or a number of ports that are the same on both sides. */
export type Wanted =
  | { readonly start: number; readonly end: number; readonly protocol: string }
  | { readonly count: number; readonly protocol: string };

/** The first and the last port that an ingress peer can assign. */
const FIRST = 10_000;
const LAST = 65_535;

/** The number of ports of a protocol that `mappings` leave free. */
export function portsLeft(mappings: readonly PortMapping[], protocol: string): number {
  const taken = mappings
    .filter(mapping => overlaps(mapping.protocol, protocol))
    .map(({ ingress_start, ingress_end }) => ingress_end - ingress_start + 1);
  return taken.reduce((left, count) => left - count, LAST - FIRST + 1);
}

/**
 * Mappings for everything in `wanted` that avoid the ports of `others` on the ingress peer. Mappings in `before` are kept.
 * Undefined if there is no room.
 */
export function mapPorts(
  wanted: readonly Wanted[],
  before: readonly PortMapping[],
  others: readonly PortMapping[],
): readonly PortMapping[] | undefined {
  const kept = wanted.map((one, index) => {
    const same = before.filter(mapping => fits(mapping, one));
    // If a range is requested twice, it is mapped twice.
    const place = wanted.slice(0, index).filter(other => isSame(other, one)).length;
    return same[place];
  });
  const taken = [...others, ...kept.filter(mapping => mapping !== undefined)];
  const mappings: PortMapping[] = [];
  for (const [index, one] of wanted.entries()) {
    const mapping = kept[index] ?? newMapping(one, taken);
    if (mapping === undefined) return undefined;
    mappings.push(mapping);
    taken.push(mapping);
  }
  return mappings;
}

function newMapping(wanted: Wanted, taken: readonly PortMapping[]): PortMapping | undefined {
  const count = 'count' in wanted ? wanted.count : wanted.end - wanted.start + 1;
  const start = firstGap(
    count,
    taken.filter(mapping => overlaps(mapping.protocol, wanted.protocol)),
  );
  if (start === undefined) return undefined;
  const end = start + count - 1;
  const [translated_start, translated_end] =
    'count' in wanted ? [start, end] : [wanted.start, wanted.end];
  return {
    translated_start,
    translated_end,
    ingress_start: start,
    ingress_end: end,
    protocol: wanted.protocol,
  };
}

/** The start of the first block of this size that does not overlap `taken`. */
function firstGap(count: number, taken: readonly PortMapping[]): number | undefined {
  let start = FIRST;
  for (const { ingress_start, ingress_end } of taken.toSorted(byStart)) {
    if (ingress_start - start >= count) return start;
    start = Math.max(start, ingress_end + 1);
  }
  return start + count - 1 <= LAST ? start : undefined;
}

function byStart(one: PortMapping, other: PortMapping): number {
  return one.ingress_start - other.ingress_start;
}

/** `tcp/udp` includes both protocols. */
function overlaps(one: string, other: string): boolean {
  return one === other || one === 'tcp/udp' || other === 'tcp/udp';
}

function fits(mapping: PortMapping, wanted: Wanted): boolean {
  if (mapping.protocol !== wanted.protocol) return false;
  const { translated_start, translated_end, ingress_start } = mapping;
  return 'count' in wanted
    ? translated_start === ingress_start && translated_end - translated_start + 1 === wanted.count
    : translated_start === wanted.start && translated_end === wanted.end;
}

function isSame(one: Wanted, other: Wanted): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
