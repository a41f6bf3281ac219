// Orders the vertical tracks in a channel. How often two trunks cross depends only on which of them is further left, so swapping
// pairs improves the order.

/** Lines that share a vertical track, with the heights at which they enter it from the left and leave it to the right. */
export interface Trunk<T> {
  readonly parts: readonly T[];
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
}

interface Span<T> {
  readonly trunk: Trunk<T>;
  readonly top: number;
  readonly bottom: number;
}

/** A track number for each trunk, counted from the left. Trunks at different heights can have the same track. */
export function orderedTracks<T>(
  trunks: readonly Trunk<T>[],
): readonly { readonly trunk: Trunk<T>; readonly track: number }[] {
  const spans = trunks.map(spanOf).sort((one, other) => one.top - other.top);
  const ordered = withFewCrossings(spans);
  const placed: { readonly span: Span<T>; readonly track: number }[] = [];
  for (const span of ordered) {
    if (span.top === span.bottom) continue;
    const before = placed.filter(one => touches(one.span, span));
    const track = before.reduce((most, one) => Math.max(most, one.track + 1), 0);
    placed.push({ span, track });
  }
  return placed.map(({ span: { trunk }, track }) => ({ trunk, track }));
}

function spanOf<T>(trunk: Trunk<T>): Span<T> {
  const ys = [...trunk.lefts, ...trunk.rights];
  const top = ys.reduce((least, y) => Math.min(least, y), Infinity);
  return { trunk, top, bottom: ys.reduce((most, y) => Math.max(most, y), -Infinity) };
}

/** Two ends of lines that are nearer than this would touch. */
const NEAR = 6;

const touches = <T>(one: Span<T>, other: Span<T>): boolean =>
  one.top - NEAR < other.bottom && other.top - NEAR < one.bottom;

/** The order settles after a few passes. */
const PASSES = 8;
/**
 * The maximum number of trunks that are ordered: more cannot be distinguished by eye, and comparing all their pairs would take
 * seconds.
 */
const MANY = 200;

function withFewCrossings<T>(spans: readonly Span<T>[]): readonly Span<T>[] {
  if (spans.length > MANY) return spans;
  const ordered: Span<T>[] = [];
  for (const span of spans) ordered.splice(bestPlace(ordered, span), 0, span);
  for (let pass = 0; pass < PASSES; pass++) {
    let isMoved = false;
    for (let at = 0; at < spans.length; at++) {
      const [span] = ordered.splice(at, 1);
      if (span === undefined) break;
      const best = bestPlace(ordered, span);
      isMoved ||= best !== at;
      ordered.splice(best, 0, span);
    }
    if (!isMoved) break;
  }
  return ordered;
}

// The index among the other trunks with the fewest crossings; if there are several, the first.
function bestPlace<T>(others: readonly Span<T>[], span: Span<T>): number {
  let cost = 0;
  let least = 0;
  let best = 0;
  for (const [at, other] of others.entries()) {
    if (!touches(other, span)) continue;
    cost += crossings(other, span) - crossings(span, other);
    if (cost >= least) continue;
    least = cost;
    best = at + 1;
  }
  return best;
}

// The number of crossings of two trunks if `left` is further left. Lines that meet end to end count a hundred times, because they
// would look like one line.
function crossings<T>(left: Span<T>, right: Span<T>): number {
  const inside = (ys: readonly number[], { top, bottom }: Span<T>) =>
    ys.filter(y => y > top - NEAR && y < bottom + NEAR).length;
  const meeting = right.trunk.lefts.filter(y =>
    left.trunk.rights.some(end => Math.abs(end - y) < 3),
  );
  return inside(left.trunk.rights, right) + inside(right.trunk.lefts, left) + 100 * meeting.length;
}
