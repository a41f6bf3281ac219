// Observed flows that went by name to a domain, although a wider route to their address admits them too. A plan that takes the access to
// the domain stops them, unless the wider route leads to the same routing machine: an exit node elsewhere does not lead there.
import {
  type Admissions,
  type Admitted,
  admissionsIn,
  type ReportedFlow,
} from '../admitted/admission.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import type { Evaluation } from './evaluation.ts';
import { flowEndsAfter } from './flowEndsAfter.ts';

/** Whether a flow that is admitted before a plan stays admitted after it. */
export type IsKept = (flow: ReportedFlow, before: Admitted) => boolean;

/**
 * Returns the domains to which a flow, which is admitted before and after a plan, may have gone by name, and to which the plan takes
 * the way.
 */
export function domainLossesIn(
  states: Evaluation['states'],
  was: Admissions,
  isKept: IsKept,
): (flow: ReportedFlow) => readonly RoutedTarget[] {
  const placeAfter = flowEndsAfter(states.stateBefore, states.stateAfter);
  let known: Admissions | undefined;
  const goesOn = (flow: ReportedFlow): boolean => {
    known ??= admissionsIn(states.after);
    const { isReportedAt, admissionsOf } = known;
    const destination = placeAfter(flow.destination);
    if (destination === null) return false;
    const moved = { ...flow, destination };
    const { admissions, isThroughExit } = admissionsOf(moved);
    return (
      !isThroughExit ||
      admissions.some(({ targets }) =>
        targets.some(target => target.type !== 'machine' && isReportedAt(target, moved)),
      )
    );
  };
  const isLost = (flow: ReportedFlow, target: RoutedTarget): boolean => {
    const named = { ...flow, destination: { type: 'address', address: target.address } } as const;
    const before = was.admissionsOf(named);
    return (
      before.admissions.some(({ targets }) => targets.includes(target)) && !isKept(named, before)
    );
  };
  return flow => {
    const lost = was.domainsOf(flow).filter(target => isLost(flow, target));
    return lost.length > 0 && goesOn(flow) ? [] : lost;
  };
}
