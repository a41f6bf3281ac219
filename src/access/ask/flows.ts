// Flows: sources that reach the same targets with the same traffic, and the rules that grant this access.
import { cellsOf, within } from '../flows/cells.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, rowAt, type Target } from '../flows/targets.ts';
import { type Bits, has, isEmpty, noBits, orInto, withoutOne } from '../sets/bits.ts';
import { interner } from '../sets/interned.ts';
import type { Row } from '../sets/row.ts';
import { intervalsText, overlap, type Traffic } from '../sets/traffic.ts';
import type { Reading } from '../world/reading.ts';
import { type Grant, grantsOf, grantText } from './grants.ts';

/** Sources and targets with the same allowed traffic, granted by the same rules. An existing machine is not its own target. */
export interface Flow {
  readonly sources: Bits;
  readonly targets: readonly [Target, ...Target[]];
  /** The traffic that is allowed if every posture check passes. */
  readonly granted: Traffic;
  /** The traffic that is allowed whatever the results of posture checks. */
  readonly unconditional: Traffic;
  /** The sources by the result of posture checks; all three are empty if nothing depends on posture. */
  readonly pass: Bits;
  readonly fail: Bits;
  readonly unknown: Bits;
  readonly grants: readonly Grant[];
}

export interface Question {
  readonly sources: Bits;
  readonly targets: readonly Target[];
  readonly traffic: Traffic;
}

/** The ways to evaluate posture by which flows are distinguished. */
export const LAYERS: readonly Reading[] = ['unconditional', 'certain', 'possible', 'granted'];

/** All flows from the sources to the targets of a question, limited to its traffic. */
export function flowsBetween(reaches: Reaches, question: Question): readonly Flow[] {
  if (isEmpty(question.sources)) return [];
  const alike = Map.groupBy(question.targets, target =>
    target.type === 'machine' ? rulesAt(reaches, target.index) : target.id,
  );
  const numberOf = interner();
  const merged = new Map<string, Flow>();
  for (const [first, ...rest] of alike.values()) {
    if (first === undefined) continue;
    for (const flow of flowsAt(reaches, question, [first, ...rest])) {
      const parts = [flow.sources, flow.pass, flow.fail].map(numberOf);
      const traffic = [flow.granted, flow.unconditional].map(intervalsText);
      const place = first.type === 'machine' ? '' : first.id;
      const name = [place, ...parts, ...traffic, ...flow.grants.map(grantText)].join('|');
      const known = merged.get(name);
      const targets = [...(known?.targets ?? []), ...flow.targets];
      const [head, ...others] = targets;
      if (head) merged.set(name, { ...flow, targets: [head, ...others] });
    }
  }
  return [...merged.values()];
}

// A string that is the same for machines that the same sources reach by the same rules, for every
// way to evaluate posture. It may differ for machines with the same access by different rules.
function rulesAt(reaches: Reaches, index: number): string {
  const rules = LAYERS.map(reading =>
    reaches
      .under(reading)
      .machines.inboundAt(index)
      .map(({ compiled, isReverse }) => `${compiled.number}${isReverse ? 'r' : ''}`)
      .join(),
  );
  return [signatureAt(reaches, index), ...rules].join(';');
}

/**
 * A string that is the same for machines that the same sources reach with the same traffic, for
 * every way to evaluate posture.
 */
export function signatureAt(reaches: Reaches, index: number): string {
  return LAYERS.map(reading => reaches.under(reading).machines.signatureAt(index)).join(';');
}

/** A flow without the rules that grant it. */
type Part = Omit<Flow, 'grants'>;

function flowsAt(
  reaches: Reaches,
  question: Question,
  targets: readonly [Target, ...Target[]],
): readonly Flow[] {
  return partsAt(reaches, question, targets).map(part => {
    const { granted, pass, fail, unknown } = part;
    const isJudged = ![pass, fail, unknown].every(isEmpty);
    const parties = isJudged ? { pass, fail, unknown } : { pass: part.sources, fail, unknown };
    return { ...part, grants: grantsTo(reaches, targets[0], parties, granted) };
  });
}

/**
 * Groups the sources by their traffic to these targets, whichever rules grant the traffic. All of
 * these targets must have the same row.
 */
export function partsAt(
  reaches: Reaches,
  { sources, traffic }: Question,
  targets: readonly [Target, ...Target[]],
): readonly Part[] {
  const [target] = targets;
  const rows = LAYERS.map(reading => limited(rowAt(reaches.under(reading), target), traffic));
  const cells = cellsOf(rows, withoutItself(reaches, sources, targets))
    .filter(({ allowed, sources: some }) => (allowed[3] ?? []).length > 0 && !isEmpty(some))
    .map(cell => ({ ...cell, allowed: withoutDenied(cell.allowed) }));
  const alike = Map.groupBy(cells, ({ allowed: [unconditional = [], , , granted = []] }) =>
    [unconditional, granted].map(intervalsText).join('|'),
  );
  return [...alike.values()].map(same => {
    const [unconditional = [], , , granted = []] = same[0]?.allowed ?? [];
    const all = noBits();
    for (const cell of same) orInto(all, cell.sources);
    const judged = { pass: noBits(), fail: noBits(), unknown: noBits() };
    if (intervalsText(unconditional) !== intervalsText(granted))
      for (const { sources: some, allowed } of same) orInto(judged[verdictOf(allowed)], some);
    return { sources: all, targets, granted, unconditional, ...judged };
  });
}

/**
 * For each result of posture checks, the `Reading` in which the rules that grant access to sources
 * with this result are looked up.
 */
export const GRANTING = { pass: 'certain', unknown: 'possible', fail: 'granted' } as const;

// If a source fails the check of one rule and another rule grants it the access, only the other rule counts.
function grantsTo(
  reaches: Reaches,
  target: Target,
  parties: Pick<Flow, 'pass' | 'fail' | 'unknown'>,
  traffic: Traffic,
): readonly Grant[] {
  const found = (['pass', 'unknown', 'fail'] as const).flatMap(verdict =>
    grantsOf(reaches.under(GRANTING[verdict]), target, { sources: parties[verdict], traffic }),
  );
  return [...new Map(found.map(grant => [grantText(grant), grant])).values()];
}

/**
 * The traffic for each `Reading`, without the part that posture checks deny; if they deny all of
 * it, all of it is kept. A source that fails the check of one rule keeps the traffic that other
 * rules grant.
 */
export function withoutDenied(allowed: readonly Traffic[]): readonly Traffic[] {
  const [unconditional = [], certain = [], possible = []] = allowed;
  if (verdictOf(allowed) !== 'fail' || possible.length === 0) return allowed;
  return [unconditional, certain, possible, possible];
}

/**
 * The result of posture checks for sources with this traffic. `allowed`: the traffic for each
 * `Reading`.
 */
export function verdictOf([, certain = [], possible = [], granted = []]: readonly Traffic[]) {
  if (intervalsText(certain) === intervalsText(granted)) return 'pass';
  return intervalsText(possible) === intervalsText(granted) ? 'unknown' : 'fail';
}

// If there are several target machines, each of them counts as a source for the others.
function withoutItself(
  { world }: Reaches,
  sources: Bits,
  [target, ...others]: readonly [Target, ...Target[]],
): Bits {
  const itself = itselfIn(world, target);
  if (itself < 0 || others.length > 0 || !has(sources, itself)) return sources;
  return withoutOne(sources, itself);
}

function limited(row: Row, traffic: Traffic): Row {
  if (!overlap(traffic, row)) return [];
  return traffic.flatMap(interval => within(row, interval));
}
