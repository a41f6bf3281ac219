// A plan in which something has ended since, or whose ends have not come yet by an earlier clock: what ends is decided by the plan.
import type { Plan } from '../../model/plan.ts';
import { endedSince } from '../../model/planEndings.ts';
import type { ApplyHost } from '../host.ts';
import type { Refusal } from '../refusal.ts';

/** The refusal for a plan whose ends are not those of this moment. */
export function staleEnds(plan: Plan, { now }: Pick<ApplyHost, 'now'>): Refusal | null {
  const found = endedSince(plan, now());
  const clock = plan.endings?.clock ?? '';
  return found && { refused: 'ended-since', ...found, clock };
}
