// Sums up changes that are too many to list. For machines with the same changed rules, it finds the
// sources that only gain, only lose, or do both, with all traffic that any of them gains or loses.
import type { MachineTarget, Target } from '../flows/targets.ts';
import {
  type Bits,
  count,
  has,
  intersect,
  isEmpty,
  minus,
  noBits,
  or,
  orAll,
  orInto,
  withoutOne,
} from '../sets/bits.ts';
import {
  type Interval,
  joinedIntervals,
  NO_TRAFFIC,
  PROTOCOLS,
  protocolAt,
  type Traffic,
  type TrafficProtocol,
  without,
} from '../sets/traffic.ts';
import type { AccessChange, MovedTraffic } from './accessChange.ts';
import type { ChangedProtocol, ChangeKind, Directions } from './changedCells.ts';
import { READINGS, type Reading, type TargetRows } from './targetRows.ts';

interface Sum {
  readonly sources: Bits;
  readonly targets: Target[];
  pairs: number;
  gains: boolean;
  loses: boolean;
  readonly moved: Record<keyof MovedTraffic, Traffic>;
}

/**
 * Sums up the changes at these machines. `rowsOf` computes the rows of one machine at a time, so
 * that the rows of all machines are never in memory together.
 */
export function massChanges(
  machines: readonly MachineTarget[],
  rowsOf: (target: MachineTarget) => TargetRows,
): readonly AccessChange[] {
  const sums = new Map<string, Sum>();
  for (const target of machines) {
    const rows = rowsOf(target);
    for (const protocol of PROTOCOLS)
      for (const changed of changedBy(rows, protocol)) {
        const name = `${protocol} ${changed.kind}`;
        const sum = sums.get(name) ?? noSum();
        if (addTo(sum, changed, rows, protocol)) sums.set(name, sum);
      }
  }
  return [...sums].flatMap(
    ([
      name,
      {
        sources,
        targets: [first, ...rest],
        ...sum
      },
    ]) => {
      const [protocol, kind] = name.split(' ') as [ChangedProtocol, ChangeKind];
      return first ? [{ kind, protocol, sources, targets: [first, ...rest], ...sum }] : [];
    },
  );
}

// Returns whether anything was added. A machine is not its own target.
function addTo(
  sum: Sum,
  { sources, gains, loses }: Changed,
  rows: TargetRows,
  protocol: TrafficProtocol,
): boolean {
  const pairs = count(sources) - (has(sources, rows.itself) ? 1 : 0);
  if (pairs === 0) return false;
  orInto(sum.sources, sources);
  sum.targets.push(rows.target);
  sum.pairs += pairs;
  sum.gains ||= gains;
  sum.loses ||= loses;
  const others = rows.itself < 0 ? sources : withoutOne(sources, rows.itself);
  for (const { reading, from, to, gained, lost } of rows.movedIntervals()) {
    if (protocolAt(from) !== protocol) continue;
    const add = (way: keyof MovedTraffic) => {
      sum.moved[way] = withInterval(sum.moved[way], { from, to });
    };
    if (intersect(gained, others)) add(reading === 'unconditional' ? 'eased' : 'gained');
    if (USED.has(reading) && intersect(lost, others)) add('lost');
  }
  return true;
}

// The `Reading`s that count for lost access. A source that fails a check has no access behind the
// check, so it cannot lose any.
const USED: ReadonlySet<Reading> = new Set(['certain', 'possible', 'closed']);

const withInterval = (traffic: Traffic, interval: Interval): Traffic =>
  without([interval], traffic).length === 0 ? traffic : joinedIntervals([...traffic, interval]);

const noSum = (): Sum => ({
  sources: noBits(),
  targets: [],
  pairs: 0,
  gains: false,
  loses: false,
  moved: { gained: NO_TRAFFIC, eased: NO_TRAFFIC, lost: NO_TRAFFIC },
});

interface Changed extends Directions {
  readonly kind: ChangeKind;
  readonly sources: Bits;
}

function changedBy({ differences }: TargetRows, protocol: TrafficProtocol): readonly Changed[] {
  const found = differences();
  const under = (...readings: readonly Reading[]) => {
    const some = readings.flatMap(reading => found[reading].get(protocol) ?? []);
    return {
      gained: orAll(some.map(one => one.gained)),
      lost: orAll(some.map(one => one.lost)),
    };
  };
  const { gained, lost } = under('certain', 'possible', 'opened', 'closed');
  const any = under(...READINGS);
  const granted = under('granted');
  // The same rules apply as for listed changes: a new grant is a gain, even if no source passes its
  // checks today, but it does not offset a loss.
  const given = minus(minus(granted.gained, granted.lost), or(gained, lost));
  const onlyGained = or(minus(gained, lost), given);
  const onlyLost = minus(lost, gained);
  const others = minus(or(any.gained, any.lost), or(onlyGained, onlyLost));
  const cells = [
    ['gained', onlyGained],
    ['lost', onlyLost],
    ['changed', others],
  ] as const;
  return cells.flatMap(([kind, sources]) =>
    isEmpty(sources)
      ? []
      : [
          {
            kind,
            sources,
            gains: intersect(sources, any.gained),
            loses: intersect(sources, any.lost),
          },
        ],
  );
}
