// The plan of an interrupted run, without the accepted hazards of that run.
import { acceptedAccess } from '../../access/gates/acceptedAccess.ts';
import { accepted } from '../../engine/checks/hazards.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Action, Plan } from '../../model/plan.ts';

/**
 * Returns the plan so that every hazard of the remaining actions must be accepted again, unless the
 * project file accepts the hazard in every run.
 */
export function withoutAcceptance(
  plan: Plan,
  { done, sent }: Pick<EarlierRun, 'done' | 'sent'>,
  byProject: readonly Allowance[],
): Plan {
  const isLeft = ({ id }: Action) => !done.has(id) && !sent.has(id);
  const again = <T extends Action>(action: T): T => {
    const hazards = action.hazards.map(hazard => ({ ...hazard, allowed: false }));
    return accepted({ ...action, hazards }, { allow: byProject, hasSink: false });
  };
  const { gates } = plan;
  return {
    ...plan,
    actions: plan.actions.map(action => (isLeft(action) ? again(action) : action)),
    ...(gates && {
      gates: { ...gates, findings: acceptedAccess(gates.findings, { byFlag: [], byProject }) },
    }),
  };
}
