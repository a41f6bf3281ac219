// The exact changes at a target: sets of sources with the same access before and the same access after.
import { cellsOf } from '../flows/cells.ts';
import { type Bits, isEmpty, or } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import {
  ALL_TRAFFIC,
  intervalsText,
  joinedIntervals,
  ofProtocol,
  PROTOCOLS,
  type Traffic,
  type TrafficProtocol,
  without,
} from '../sets/traffic.ts';
import { changedSources, READINGS, type Reading, type TargetRows } from './targetRows.ts';

/** The allowed traffic of sources in a state. The actual traffic is at least `unconditional` and at most `granted`. */
export interface Access {
  /** The traffic that is allowed whatever the results of posture checks. */
  readonly unconditional: Traffic;
  /** The traffic that is allowed if every posture check passes. */
  readonly granted: Traffic;
}

/**
 * Traffic that sources may send before and after a plan. It follows the known results of posture
 * checks.
 */
export interface Usable {
  readonly before: Traffic;
  readonly after: Traffic;
  /** Whether the sources get the difference only if they pass posture checks that they fail now. */
  readonly isOnlyIfPassed: boolean;
}

/** `all`: before and after, the sources have either all traffic of all protocols or none. */
export type ChangedProtocol = TrafficProtocol | 'all';

/**
 * Whether sources gain access, lose access, or have different access. The same traffic under
 * different conditions counts as different.
 */
export type ChangeKind = 'gained' | 'lost' | 'changed';

/**
 * Whether sources gain access for any way to evaluate posture, and whether they lose access under
 * any.
 */
export interface Directions {
  readonly gains: boolean;
  readonly loses: boolean;
}

export interface ChangedCell extends Directions {
  readonly kind: ChangeKind;
  readonly protocol: ChangedProtocol;
  readonly sources: Bits;
  readonly before: Access;
  readonly after: Access;
  readonly usable: Usable;
}

/** The sources whose access to a target changes. */
export function changedCells(rows: TargetRows): readonly ChangedCell[] {
  return cellsIn(rows, byProtocol);
}

/** The same change, split into single protocols, even if everything changes. */
export function changedCellsOfProtocols(rows: TargetRows): readonly ChangedCell[] {
  return cellsIn(rows, ofEachProtocol);
}

function cellsIn(rows: TargetRows, cellsBy: typeof byProtocol): readonly ChangedCell[] {
  const changed = changedSources(rows);
  if (isEmpty(changed)) return [];
  // Each row is looked up only once, because there may be one cell for each of many sources.
  const former = READINGS.map(rows.was);
  const latter = READINGS.map(rows.is);
  // Without posture checks, the row is the same for every way to evaluate posture.
  const distinct = [...new Set([...former, ...latter])];
  const [layersBefore, layersAfter] = [former, latter].map(
    list => new Map(READINGS.map((reading, at) => [reading, distinct.indexOf(list[at] as Row)])),
  );
  const cells = cellsOf(distinct, changed).flatMap(({ sources, allowed }) => {
    const was = eachReading(reading => allowed[layersBefore?.get(reading) ?? -1] ?? []);
    const is = eachReading(reading => allowed[layersAfter?.get(reading) ?? -1] ?? []);
    return cellsBy(sources, was, is);
  });
  return merged(cells);
}

type Readings = Readonly<Record<Reading, Traffic>>;

const eachReading = (of: (reading: Reading) => Traffic): Readings => ({
  unconditional: of('unconditional'),
  certain: of('certain'),
  possible: of('possible'),
  granted: of('granted'),
  opened: of('opened'),
  closed: of('closed'),
});

/**
 * Whether sources gain or lose access, and which traffic, by their results of posture checks. A
 * machine that fails a check gains access if the check is removed. It loses no access if the access
 * behind the check is removed. If a result is unknown, possible gains and possible losses count.
 */
function judged(
  was: Readings,
  is: Readings,
): Pick<ChangedCell, 'kind' | 'usable' | keyof Directions> {
  const gains = READINGS.some(reading => isMore(is, was, reading));
  const loses = READINGS.some(reading => isMore(was, is, reading));
  const mayHaveMore = isMore(is, was, 'possible');
  const mayHaveLess = isMore(was, is, 'possible');
  const mayGain = mayHaveMore || isMore(is, was, 'certain') || isMore(is, was, 'opened');
  const mayLose = mayHaveLess || isMore(was, is, 'certain') || isMore(was, is, 'closed');
  const as = (kind: ChangeKind, before: Traffic, after: Traffic, isOnlyIfPassed = false) => ({
    kind,
    usable: { before, after, isOnlyIfPassed },
    gains,
    loses,
  });
  if (mayGain && mayLose) {
    // If the results of posture checks decide between gain and loss, a possible loss counts as a loss.
    const isSurelyLess = isMore(was, is, 'certain') && !isMore(is, was, 'certain');
    const isPossiblyLess = mayHaveLess && !mayHaveMore;
    if (!isSurelyLess && !isPossiblyLess) return as('changed', was.possible, is.possible);
    const lost = joinedIntervals([
      ...without(was.certain, is.certain),
      ...without(was.possible, is.possible),
    ]);
    const had = mayHaveLess ? was.possible : was.certain;
    return as('lost', had, without(had, lost));
  }
  // If the possible access does not grow, the certain access grows. In that case, the gain is
  // measured against the former certain access. Losses are measured in the same way.
  if (mayGain) return as('gained', mayHaveMore ? was.possible : was.certain, is.possible);
  // Access behind checks that the sources fail today does not offset their losses.
  if (mayLose) return as('lost', was.possible, mayHaveLess ? is.possible : is.certain);
  if (isMore(was, is, 'granted')) return as('changed', was.granted, is.granted, true);
  // A new grant is a gain, even if no source passes its checks today. Ports that were already behind checks are not new.
  if (isMore(is, was, 'granted')) return as('gained', was.possible, withGrants(was, is));
  return as('changed', was.possible, is.possible);
}

// The traffic that the sources may send, and the traffic that they would additionally get by passing their checks.
const withGrants = (was: Readings, is: Readings): Traffic =>
  joinedIntervals([...is.possible, ...without(is.granted, was.granted)]);

const isMore = (one: Readings, other: Readings, reading: Reading): boolean =>
  without(one[reading], other[reading]).length > 0;

/** A string that is the same for cells whose changes fit into one line. */
export function cellText(cell: ChangedCell): string {
  const { kind, protocol, before, after, usable } = cell;
  const parts = [before.unconditional, before.granted, after.unconditional, after.granted];
  const traffic = [...parts, usable.before, usable.after].map(intervalsText).join(' ');
  // A gain may be refused. So sources that only lose access are not in the same line as sources
  // that also gain access.
  const ways = kind === 'gained' ? '' : `${cell.gains} ${cell.loses}`;
  return `${kind} ${protocol} ${usable.isOnlyIfPassed} ${ways} ${traffic}`;
}

const cellOf = (
  sources: Bits,
  protocol: ChangedProtocol,
  [before, after]: readonly [Readings, Readings],
): ChangedCell => ({
  protocol,
  sources,
  before: { unconditional: before.unconditional, granted: before.granted },
  after: { unconditional: after.unconditional, granted: after.granted },
  ...judged(before, after),
});

function byProtocol(sources: Bits, was: Readings, is: Readings): readonly ChangedCell[] {
  return isWhole(was, is) ? [cellOf(sources, 'all', [was, is])] : ofEachProtocol(sources, was, is);
}

function ofEachProtocol(sources: Bits, was: Readings, is: Readings): readonly ChangedCell[] {
  return PROTOCOLS.flatMap(protocol => {
    const before = limited(was, protocol);
    const after = limited(is, protocol);
    return areSame(before, after) ? [] : [cellOf(sources, protocol, [before, after])];
  });
}

function isWhole(was: Readings, is: Readings): boolean {
  if (areSame(was, is)) return false;
  const everything = intervalsText(ALL_TRAFFIC);
  return [was, is].every(readings =>
    READINGS.every(
      one => readings[one].length === 0 || intervalsText(readings[one]) === everything,
    ),
  );
}

// Merges cells in a single protocol, because cells that differ in one protocol may be equal in another.
function merged(cells: readonly ChangedCell[]): readonly ChangedCell[] {
  const byText = Map.groupBy(cells, cellText);
  return [...byText.values()].flatMap(same => {
    const [first] = same;
    const sources = same.map(one => one.sources);
    const loses = same.some(one => one.loses);
    return first ? [{ ...first, loses, sources: sources.reduce(or) }] : [];
  });
}

const limited = (readings: Readings, protocol: TrafficProtocol): Readings =>
  eachReading(reading => ofProtocol(readings[reading], protocol));

const areSame = (one: Readings, other: Readings): boolean =>
  READINGS.every(reading => intervalsText(one[reading]) === intervalsText(other[reading]));
