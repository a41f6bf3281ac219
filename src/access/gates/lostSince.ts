// The access that a saved plan takes in the current account, but did not take when it was approved: another rule that allowed the
// same access may be gone.
import { type AccessChangeEntry, takesAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { isCovered, type PortRange } from './gainedSince.ts';
import type { JoinedSince } from './joinedSince.ts';

/**
 * The losses that the approved losses do not cover, as texts: `group/laptops → group/servers  tcp/3389`. A machine that joined a
 * group since takes part in what the future members of the group were shown to lose.
 */
export function lostSince(
  approved: readonly AccessChangeEntry[],
  now: readonly AccessChangeEntry[],
  joined: JoinedSince = () => [],
): readonly string[] {
  const known = Map.groupBy(approved.filter(takesAccess), destinationOf);
  const more = now.filter(takesAccess).flatMap(loss => {
    const same = (known.get(destinationOf(loss)) ?? []).filter(
      ({ protocol }) => protocol === loss.protocol || protocol === 'all',
    );
    const isKnown = sourcesOf(loss).every(source =>
      isShown(loss, [
        ...same
          .filter(one => one.from === loss.from || sourcesOf(one).includes(source))
          .map(withLost),
        ...same.filter(isAboutAny(joined(source))).map(withPossiblyLost),
      ]),
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

const isAboutAny =
  (groups: readonly string[]) =>
  ({ members_to_come: toCome }: AccessChangeEntry): boolean =>
    groups.some(group => toCome.includes(group));

/** A protocol, and the ports of it that were shown as lost. */
interface ShownLoss {
  readonly protocol: AccessChangeEntry['protocol'];
  readonly ports: readonly PortRange[];
}

const withLost = (entry: AccessChangeEntry): ShownLoss => ({
  protocol: entry.protocol,
  ports: lostPorts(entry),
});

// The posture of future members is unknown: where posture checks decide, they may lose each port that they had.
function withPossiblyLost(entry: AccessChangeEntry): ShownLoss {
  const { protocol, ports_before: before, posture, posture_before, posture_after } = entry;
  const isConditional = [posture, posture_before, posture_after].some(one => one !== undefined);
  return { protocol, ports: isConditional ? before.map(rangeOf) : lostPorts(entry) };
}

function isShown(loss: AccessChangeEntry, shown: readonly ShownLoss[]): boolean {
  if (shown.some(({ protocol }) => protocol === 'all')) return true;
  const ranges = shown.flatMap(({ ports }) => ports);
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
