// Refuses a plan whose expiry times no longer match the clock: something has expired since, or this clock is behind the clock of
// the plan. The plan decides what has expired.
import type { Plan } from '../../model/plan.ts';
import { endedSince } from '../../model/planEndings.ts';
import type { ApplyHost } from '../host.ts';
import type { Refusal } from '../refusal.ts';

/** The refusal for a plan if other objects have expired now than when the plan was made; null if they are the same. */
export function staleEnds(plan: Plan, { now }: Pick<ApplyHost, 'now'>): Refusal | null {
  const found = endedSince(plan, now());
  const clock = plan.endings?.clock ?? '';
  return found && { refused: 'ended-since', ...found, clock };
}
