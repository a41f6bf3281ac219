// The sources that gain or lose traffic to a target of a guard.
import { answeringSsh, answersSshOnlyIn, SSH, withSshPorts } from '../ask/answeredSsh.ts';
import { differencesOf } from '../diff/rowDifference.ts';
import { READINGS, type Reading, sourcesOf, type TargetRows } from '../diff/targetRows.ts';
import { within } from '../flows/cells.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, minus, noBits, or, orAll, orInto, withoutOne } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { type Traffic, without } from '../sets/traffic.ts';

/** Two states of one account. */
interface States {
  readonly before: Reaches;
  readonly after: Reaches;
}

type Side = 'gained' | 'lost';

/** The sources that may send a target more of this traffic than before, or less, depending on `side`. */
export function movedAt(
  { itself, was, is }: TargetRows,
  side: Side,
  traffic: Traffic,
  readings: readonly Reading[] = READINGS,
): Bits {
  const moved = noBits();
  for (const reading of readings)
    for (const interval of traffic) {
      const old = within(was(reading), interval);
      const current = within(is(reading), interval);
      orInto(moved, sourcesOf(differencesOf(old, current), side));
    }
  return itself < 0 ? moved : withoutOne(moved, itself);
}

/**
 * Finds the sources that may send a target more of this traffic than before, or less, depending on
 * `side`. If the target answers SSH, the ports of SSH count as one port.
 */
export function movedSources(
  { before, after }: States,
  side: Side,
  targets: readonly Target[],
  traffic: Traffic,
): (rows: TargetRows, readings: readonly Reading[]) => Bits {
  const [didAnswer, answers] = [before, after].map(({ world }) =>
    answeringSsh(world, targets, traffic),
  );
  return (rows, readings) => {
    const { target } = rows;
    if (side === 'lost') {
      const ssh = { before: didAnswer?.(target) === true, after: answers?.(target) === true };
      if (!ssh.before && !ssh.after) return movedAt(rows, side, traffic, readings);
      const others = movedAt(rows, side, without(traffic, SSH), readings);
      return or(others, lostSsh(rows, traffic, ssh, readings));
    }
    const moved = movedAt(rows, side, traffic, readings);
    if (!answers?.(target)) return moved;
    const isSwitchedOn = answersSshOnlyIn(after.world, before.world, target);
    return or(moved, gainedBySsh(rows, traffic, isSwitchedOn, readings));
  };
}

/** Whether a target answers SSH in each state. */
interface AnswersSsh {
  readonly before: boolean;
  readonly after: boolean;
}

// The sources that could send to a port of SSH before and can send to none of them after. A port
// counts only if the target answers SSH, or if the traffic contains the port.
function lostSsh(
  { itself, was, is }: TargetRows,
  traffic: Traffic,
  ssh: AnswersSsh,
  readings: readonly Reading[],
): Bits {
  const own = without(traffic, without(traffic, SSH));
  const lost = noBits();
  for (const reading of readings) {
    const latter = is(reading === 'closed' ? 'certain' : reading);
    const kept = allIn(latter, ssh.after ? SSH : own);
    orInto(lost, minus(allIn(was(reading), ssh.before ? SSH : own), kept));
  }
  return itself < 0 ? lost : withoutOne(lost, itself);
}

// The sources that gain one of the ports of SSH and could send none of the traffic before. If SSH
// is newly enabled, the target answered on neither port before.
function gainedBySsh(
  { itself, was, is }: TargetRows,
  traffic: Traffic,
  isSwitchedOn: boolean,
  readings: readonly Reading[],
): Bits {
  const either = withSshPorts(traffic);
  const gained = noBits();
  for (const reading of readings) {
    const former = was(reading === 'opened' ? 'certain' : reading);
    const known = allIn(former, isSwitchedOn ? traffic : either);
    orInto(gained, minus(allIn(is(reading), either), known));
  }
  return itself < 0 ? gained : withoutOne(gained, itself);
}

const allIn = (row: Row, traffic: Traffic): Bits =>
  orAll(traffic.flatMap(interval => within(row, interval).map(({ sources }) => sources)));
