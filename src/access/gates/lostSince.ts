// The access that a saved plan takes in the current account, but did not take when it was approved: another rule that allowed the
// same access may be gone.
import { type AccessChangeEntry, takesAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { isCovered, type PortRange } from './gainedSince.ts';

/** The losses that the approved losses do not cover, as texts: `group/laptops → group/servers  tcp/3389`. */
export function lostSince(
  approved: readonly AccessChangeEntry[],
  now: readonly AccessChangeEntry[],
): readonly string[] {
  const known = Map.groupBy(approved.filter(takesAccess), destinationOf);
  const more = now.filter(takesAccess).flatMap(loss => {
    const same = (known.get(destinationOf(loss)) ?? []).filter(
      ({ protocol }) => protocol === loss.protocol || protocol === 'all',
    );
    const isKnown = sourcesOf(loss).every(source =>
      isShown(
        loss,
        same.filter(one => one.from === loss.from || sourcesOf(one).includes(source)),
      ),
    );
    return isKnown ? [] : [textOf(loss)];
  });
  return [...new Set(more)].sort(compareTexts);
}

const destinationOf = ({ to, address }: AccessChangeEntry): string =>
  JSON.stringify([to, address ?? null]);

/** The machines and future members that lose the access. Callers of services are known only by their name. */
function sourcesOf({ machines, members_to_come: toCome, from }: AccessChangeEntry) {
  const all = [...machines, ...toCome];
  return all.length === 0 ? [from] : all;
}

function isShown(loss: AccessChangeEntry, shown: readonly AccessChangeEntry[]): boolean {
  if (shown.some(({ protocol }) => protocol === 'all')) return true;
  const ranges = shown.flatMap(lostPorts);
  const lost = lostPorts(loss);
  return lost.length === 0 ? shown.length > 0 : lost.every(range => isCovered(range, ranges));
}

/** The ports of an entry that are lost; none if the same ports only have other conditions. */
function lostPorts({ ports_before: before, ports_after: after }: AccessChangeEntry) {
  const left = after.map(rangeOf);
  return before.map(rangeOf).flatMap(range => outside(range, left));
}

/** The last number of a port. */
const LAST = 65535;

function rangeOf(text: string): PortRange {
  if (text === '*') return { start: 0, end: LAST };
  const [start = 0, end = start] = text.split('-').map(Number);
  return { start, end };
}

function outside(range: PortRange, others: readonly PortRange[]): readonly PortRange[] {
  return others.reduce<readonly PortRange[]>(
    (left, other) =>
      left.flatMap(({ start, end }) =>
        [
          { start, end: Math.min(end, other.start - 1) },
          { start: Math.max(start, other.end + 1), end },
        ].filter(part => part.start <= part.end),
      ),
    [range],
  );
}

function textOf(loss: AccessChangeEntry): string {
  const { from, to, protocol } = loss;
  const shown = lostPorts(loss).map(({ start, end }) => {
    if (start === 0 && end === LAST) return '*';
    return start === end ? `${start}` : `${start}-${end}`;
  });
  const ports = protocol === 'icmp' || shown.length === 0 ? '' : shown.join(',');
  return `${from} → ${to}  ${[protocol, ports].filter(Boolean).join('/')}`;
}
