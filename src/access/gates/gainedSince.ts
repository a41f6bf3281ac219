// The access that a saved plan gives in the current account, but did not give when it was approved: another rule that allowed the
// same access may be gone.
import type { AccessGain, RightEntry } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';

/** The gains that the approved gains do not cover, as texts: `group/laptops → group/servers  tcp/3389`. */
export function gainedSince(
  approved: readonly AccessGain[],
  now: readonly AccessGain[],
): readonly string[] {
  const known = Map.groupBy(approved, sidesOf);
  const more = now.flatMap(gain => {
    const same = known.get(sidesOf(gain)) ?? [];
    // A gain that was approved only with a posture check does not cover a gain without one.
    const covering = same.filter(one => one.condition === 'none' || gain.condition === 'posture');
    if (gain.ports.length === 0) return covering.length > 0 ? [] : [textOf(gain, [])];
    const ranges = covering.flatMap(one => one.ports);
    const left = gain.ports.filter(range => !isCovered(range, ranges));
    return left.length === 0 ? [] : [textOf(gain, left)];
  });
  return [...new Set(more)].sort(compareTexts);
}

/** The rights that the plan did not show, as texts: `group.ops: peer/laptop may publish ports …`. */
export function rightsSince(
  approved: readonly RightEntry[],
  now: readonly RightEntry[],
): readonly string[] {
  const known = new Set(approved.map(textOfRight));
  return [...new Set(now.map(textOfRight).filter(text => !known.has(text)))].sort(compareTexts);
}

const textOfRight = ({ object, message }: RightEntry): string => `${object}: ${message}`;

/** Ports from a first to a last one. */
export type PortRange = AccessGain['ports'][number];

const sidesOf = ({ from, to, address, protocol }: AccessGain): string =>
  JSON.stringify([from, to, address ?? null, protocol]);

/** Whether ranges together contain a range. */
export function isCovered({ start, end }: PortRange, ranges: readonly PortRange[]): boolean {
  const sorted = [...ranges].sort((one, other) => one.start - other.start);
  const reached = sorted.reduce(
    (next, range) => (range.start <= next ? Math.max(next, range.end + 1) : next),
    start,
  );
  return reached > end;
}

function textOf({ from, to, protocol }: AccessGain, ports: readonly PortRange[]): string {
  const shown = ports.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  return `${from} → ${to}  ${[protocol, shown.join(',')].filter(Boolean).join('/')}`;
}
