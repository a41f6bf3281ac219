// Changes of too many kinds to list: for machines with the same changed rules, who gains, who loses and who does both.
import type { MachineTarget, Target } from '../flows/targets.ts';
import { and, type Bits, count, has, isEmpty, minus, noBits, or, orInto } from '../sets/bits.ts';
import { PROTOCOLS, type TrafficProtocol } from '../sets/traffic.ts';
import type { AccessChange } from './accessChange.ts';
import type { ChangedProtocol, ChangeKind } from './changedCells.ts';
import type { Reading, TargetRows } from './targetRows.ts';

interface Sum {
  readonly sources: Bits;
  readonly targets: Target[];
  pairs: number;
}

/** Sums up the changes at these machines. `rowsOf`: computes their rows one after the other, so that they need not be kept. */
export function massChanges(
  machines: readonly MachineTarget[],
  rowsOf: (target: MachineTarget) => TargetRows,
): readonly AccessChange[] {
  const sums = new Map<string, Sum>();
  for (const target of machines) {
    const rows = rowsOf(target);
    for (const protocol of PROTOCOLS)
      for (const [kind, sources] of changedBy(rows, protocol)) {
        const pairs = count(sources) - (has(sources, rows.itself) ? 1 : 0);
        if (pairs === 0) continue;
        const name = `${protocol} ${kind}`;
        const sum = sums.get(name) ?? { sources: noBits(), targets: [], pairs: 0 };
        orInto(sum.sources, sources);
        sum.targets.push(target);
        sum.pairs += pairs;
        sums.set(name, sum);
      }
  }
  return [...sums].flatMap(
    ([
      name,
      {
        sources,
        targets: [first, ...rest],
        pairs,
      },
    ]) => {
      const [protocol, kind] = name.split(' ') as [ChangedProtocol, ChangeKind];
      return first ? [{ kind, protocol, sources, pairs, targets: [first, ...rest] }] : [];
    },
  );
}

function changedBy(
  { differences }: TargetRows,
  protocol: TrafficProtocol,
): readonly (readonly [ChangeKind, Bits])[] {
  const found = differences();
  const under = (...readings: readonly Reading[]) => {
    const sum = { gained: noBits(), lost: noBits() };
    for (const reading of readings) {
      const difference = found[reading].get(protocol);
      if (difference === undefined) continue;
      orInto(sum.gained, difference.gained);
      orInto(sum.lost, difference.lost);
    }
    return sum;
  };
  const { gained, lost } = under('certain', 'possible');
  const granted = under('granted');
  const others = under('unconditional');
  // As for listed changes: a new grant is a gain, whoever passes today.
  const given = minus(minus(granted.gained, granted.lost), or(gained, lost));
  const conditions = [granted.gained, granted.lost, others.gained, others.lost].reduce(or);
  const cells = [
    ['gained', or(minus(gained, lost), given)],
    ['lost', minus(lost, gained)],
    ['changed', or(and(gained, lost), minus(conditions, [gained, lost, given].reduce(or)))],
  ] as const;
  return cells.filter(([, sources]) => !isEmpty(sources));
}
