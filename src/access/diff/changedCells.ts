// The exact changes at a target: groups of sources with the same access before and the same access after.
import { cellsOf, differing, within } from '../flows/cells.ts';
import { and, type Bits, isEmpty, or } from '../sets/bits.ts';
import {
  ALL_TRAFFIC,
  intervalsText,
  ofProtocol,
  overlap,
  PROTOCOLS,
  SPAN,
  type Traffic,
  type TrafficProtocol,
  without,
} from '../sets/traffic.ts';
import { changedSources, type TargetRows } from './targetRows.ts';

/** The allowed traffic of sources in a state: the certain and the possible traffic bound the actual traffic. */
export interface Access {
  /** The traffic that is allowed whatever posture checks decide. */
  readonly unconditional: Traffic;
  /** The traffic that is allowed if every posture check passes. */
  readonly granted: Traffic;
}

/** `all`: everything or nothing, of every protocol. */
export type ChangedProtocol = TrafficProtocol | 'all';

/** Whether sources gain access, lose access, or have different access (including the same traffic under other conditions). */
export type ChangeKind = 'gained' | 'lost' | 'changed';

export interface ChangedCell {
  readonly protocol: ChangedProtocol;
  readonly sources: Bits;
  readonly before: Access;
  readonly after: Access;
}

/** The sources whose access to a target changes. */
export function changedCells(rows: TargetRows): readonly ChangedCell[] {
  const { was, is } = rows;
  const changed = changedSources(rows);
  if (isEmpty(changed)) return [];
  const layers = [was('unconditional'), was('granted'), is('unconditional'), is('granted')];
  const cells = cellsOf(layers, changed).flatMap(({ sources, allowed }) => {
    const [u0 = [], x0 = [], u1 = [], x1 = []] = allowed;
    const before = { unconditional: u0, granted: x0 };
    return byProtocol({ sources, before, after: { unconditional: u1, granted: x1 } }, rows);
  });
  return merged(cells);
}

/** Whether a cell gains, loses or only changes. */
export function kindOf({ before, after }: Pick<ChangedCell, 'before' | 'after'>): ChangeKind {
  const gains = without(after.granted, before.granted).length > 0;
  const loses = without(before.granted, after.granted).length > 0;
  if (gains === loses) return 'changed';
  return gains ? 'gained' : 'lost';
}

/** A text that is equal for cells with the same changes. */
export function cellText({ protocol, before, after }: ChangedCell): string {
  const parts = [before.unconditional, before.granted, after.unconditional, after.granted];
  return `${protocol} ${parts.map(intervalsText).join(' ')}`;
}

type Cell = Omit<ChangedCell, 'protocol'>;

function byProtocol(cell: Cell, { was, is }: TargetRows): readonly ChangedCell[] {
  if (isWhole(cell)) return [{ ...cell, protocol: 'all' }];
  return PROTOCOLS.flatMap(protocol => {
    const before = limited(cell.before, protocol);
    const after = limited(cell.after, protocol);
    if (!areSame(before, after)) return [{ ...cell, protocol, before, after }];
    if (!overlap(after.granted, [SPAN[protocol]])) return [];
    // The rules are the same, but other machines pass their posture checks.
    const changes = (['certain', 'possible'] as const).map(reading =>
      differing(within(was(reading), SPAN[protocol]), within(is(reading), SPAN[protocol])),
    );
    const sources = and(changes.reduce(or), cell.sources);
    return isEmpty(sources) ? [] : [{ protocol, sources, before, after }];
  });
}

function isWhole({ before, after }: Cell): boolean {
  if (areSame(before, after)) return false;
  return [before, after].every(access =>
    [access.unconditional, access.granted].every(
      traffic => traffic.length === 0 || intervalsText(traffic) === intervalsText(ALL_TRAFFIC),
    ),
  );
}

// Cells that differ in a protocol may be equal in the others.
function merged(cells: readonly ChangedCell[]): readonly ChangedCell[] {
  const byText = Map.groupBy(cells, cellText);
  return [...byText.values()].flatMap(same => {
    const [first] = same;
    return first ? [{ ...first, sources: same.map(({ sources }) => sources).reduce(or) }] : [];
  });
}

function limited({ unconditional, granted }: Access, protocol: TrafficProtocol): Access {
  return {
    unconditional: ofProtocol(unconditional, protocol),
    granted: ofProtocol(granted, protocol),
  };
}

function areSame(one: Access, other: Access): boolean {
  return (
    intervalsText(one.unconditional) === intervalsText(other.unconditional) &&
    intervalsText(one.granted) === intervalsText(other.granted)
  );
}
