// Hazards of exposed objects that only the project file accepts. If there is a base, a change that
// adds such an entry cannot also accept its own hazard. Without a base, it is unknown whether the
// entry existed before the hazard.
import type { KindTable } from '../../kinds/kind.ts';
import { type Allowance, allowanceText } from '../../model/allowance.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import { accepted } from './hazards.ts';

/** Returns a warning for each action that exposes something, if the project file allows it and no flag does. */
export function acceptedByFiles(
  { actions, changes }: Pick<Plan, 'actions' | 'changes'>,
  kinds: KindTable,
  { byFlag, byProject }: Readonly<Record<'byFlag' | 'byProject', readonly Allowance[]>>,
): readonly Diagnostic[] {
  if (byProject.length === 0) return [];
  return actions.flatMap((action): Diagnostic[] => {
    const code = kinds.get(action.kind)?.exposes?.code;
    const isAllowed = (allow: readonly Allowance[]) => {
      const hazards = action.hazards
        .filter(hazard => hazard.code === code)
        .map(hazard => ({ ...hazard, allowed: false }));
      const judged = accepted({ ...action, hazards }, { allow, hasSink: false });
      return judged.hazards.some(({ allowed }) => allowed);
    };
    const given = byProject.find(one => isAllowed([one]));
    if (given === undefined || isAllowed(byFlag)) return [];
    const at = changes.find(({ address }) => address === action.address)?.at;
    return [
      {
        code: 'ALLOWED_BY_FILES',
        severity: 'warning',
        ...(at && { at }),
        message: `only ${quoted(`allow: [${allowanceText(given)}]`)} in the project file allows that ${action.address} is exposed: without a base, the same change may have added that entry`,
        hint: 'plan with `--base`: then an entry that the same change adds does not count',
      },
    ];
  });
}
