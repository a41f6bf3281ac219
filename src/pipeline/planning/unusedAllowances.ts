// Finds flags that allow a hazard for an object or a target although the plan has no such hazard.
// The name may be misspelt, or the flag may be left over from an earlier plan.
import { acceptsAny } from '../../access/gates/acceptedAccess.ts';
import { accepted } from '../../engine/checks/hazards.ts';
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Allowance } from '../../model/allowance.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';

/**
 * A note for each flag that names an object or a target and allows nothing in the plan. Flags
 * without a name are not reported, because they allow whatever occurs. Another warning covers names
 * that do not exist.
 */
export function unusedAllowances(
  { actions, gates, diagnostics }: Plan,
  byFlag: readonly Allowance[],
): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) return [];
  const unknown = diagnostics.filter(({ code }) => code === 'OBJECT_UNKNOWN');
  return byFlag.flatMap((one): Diagnostic[] => {
    const { code, object, written = code } = one;
    if (object === undefined || code === LOOSENS_GUARDS) return [];
    if (unknown.some(({ named }) => named === object)) return [];
    if (acceptsAny(one, gates?.findings ?? []) || actions.some(action => isUsed(one, action)))
      return [];
    const message = `${quoted(`--allow ${written}=${object}`)} allows nothing in this plan, which has no ${code} of ${quoted(object)}`;
    return [{ code: 'ALLOWS_NOTHING', severity: 'note', message }];
  });
}

function isUsed(one: Allowance, action: Plan['actions'][number]): boolean {
  const { ended: _, ...given } = action;
  const hazards = action.hazards.map(hazard => ({ ...hazard, allowed: false }));
  const judged = accepted({ ...given, hazards }, { allow: [one], hasSink: false });
  return judged.hazards.some(({ allowed }) => allowed);
}
