// Objects that a person must approve before they can be used. Until they are approved, the server
// also shows them as blocked.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Whether an object waits for the approval of a person. */
export const awaitsApproval = ({ principal }: Kind, { serverFields }: Live): boolean =>
  principal?.pending !== undefined && serverFields[principal.pending] === true;

/** Warnings for declared objects that wait for approval. */
export function approvalFindings(pairs: readonly Pair[], context: PlanContext): Diagnostic[] {
  return pairs.flatMap(({ desired, live }): Diagnostic[] => {
    const kind = context.kind(desired.kind);
    if (desired.lifecycle.delete === true) return [];
    if (!kind.principal || !awaitsApproval(kind, live)) return [];
    const { blocked } = kind.principal;
    return [
      {
        code: 'OBJECT_AWAITS_APPROVAL',
        severity: 'warning',
        message: `${context.addressOf(live)} awaits approval; whatever ${quoted(blocked)} says, it cannot be used before it is approved`,
        at: desired.at,
        hint: 'approve it in the dashboard, or with `meshform api call`; `meshform api list approve` shows the operation',
      },
    ];
  });
}
