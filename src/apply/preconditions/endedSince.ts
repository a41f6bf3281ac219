// Refuses a plan whose expiry times no longer match the clock, because the plan depends on what has
// expired. There are three cases: something has expired since the plan was made, this clock is
// behind the clock of the plan, or this clock differs from the clock of the server.
import {
  type Clocks,
  clockDiffers,
  isBetween,
  isOtherTime,
} from '../../engine/endings/clockDiffers.ts';
import type { Plan } from '../../model/plan.ts';
import { endedSince } from '../../model/planEndings.ts';
import type { ApplyHost } from '../host.ts';
import type { Refusal } from '../refusal.ts';

/**
 * The refusal if the plan was made with other expired objects than now; null if they are the same.
 */
export function staleEnds(plan: Plan, { now }: Pick<ApplyHost, 'now'>): Refusal | null {
  const found = endedSince(plan, now());
  const clock = plan.endings?.clock ?? '';
  return found && { refused: 'ended-since', ...found, clock };
}

/**
 * The refusal for a saved plan, or for the plan of a run that is continued, if a result depends on
 * which of two clocks is right. Either the plan removes what has expired, or it gives access that
 * has already expired by the clock of the server. For an undo, only the second case matters,
 * because it restores what the run removed.
 */
export function clockRefusal({ endings }: Plan, clocks: Clocks, isUndo: boolean): Refusal | null {
  if (!isOtherTime(clocks)) return null;
  const { next, last } = endings ?? {};
  const isOver = [next, last].some(one => one && isBetween(Date.parse(one.until), clocks));
  if (!isOver && (isUndo || last === undefined)) return null;
  return { refused: 'findings', findings: [clockDiffers(clocks, 'error')] };
}
