// Notes on a plan that widens or narrows access.
import type { AccessHazard, AccessHazardCode } from '../../model/access/accessGates.ts';
import {
  type AccessChangeEntry,
  givesAccess,
  type PlanAccess,
  rightText,
  takesAccess,
} from '../../model/access/planAccess.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { visible } from '../../model/text/visible.ts';

/**
 * Notes about gained and lost access, about rights, and about access that exceeds its bounds during the apply. If a hazard
 * already covers gains or losses, there is no note about them.
 */
export function accessNotes(
  access: PlanAccess,
  hazards: readonly Pick<AccessHazard, 'code'>[] = [],
): readonly Diagnostic[] {
  const said = new Set(hazards.flatMap(({ code }) => SAID_BY[code] ?? []));
  const notes = changeNotes(access).filter(({ code }) => !said.has(code));
  return [...notes, ...rightNotes(access), ...stepNotes(access)];
}

const SAID_BY: Readonly<Partial<Record<AccessHazardCode, DiagnosticCode>>> = {
  WIDENS_ACCESS: 'ACCESS_GAINED',
  WIDENS_GUARDED_ACCESS: 'ACCESS_GAINED',
  NARROWS_ACCESS: 'ACCESS_LOST',
  NARROWS_GUARDED_ACCESS: 'ACCESS_LOST',
};

function rightNotes({ status, rights = [] }: PlanAccess): readonly Diagnostic[] {
  const [first] = rights;
  if (first === undefined || status === 'new-account') return [];
  const others = rights.length > 1 ? ` and ${rights.length - 1} more` : '';
  const message = `the plan gives rights: ${visible(rightText(first))}${others}`;
  return [{ code: 'RIGHTS', severity: 'note', message }];
}

function stepNotes({ steps }: PlanAccess): readonly Diagnostic[] {
  return (['ACCESS_OPENING', 'ACCESS_GAP'] as const).flatMap((code): Diagnostic[] => {
    const [first, ...others] = steps.filter(one => one.code === code);
    if (first === undefined) return [];
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const what = code === 'ACCESS_GAP' ? 'is missing' : 'is open';
    const flow = visible(`${first.from} → ${first.to} ${first.ports.join(', ')}`);
    const when = `from step ${first.from_step} until step ${first.until_step}`;
    return [
      { code, severity: 'note', message: `during the apply, ${flow} ${what} ${when}${more}` },
    ];
  });
}

function changeNotes({ status, changes, pairs }: PlanAccess): readonly Diagnostic[] {
  if (status !== 'changed') return [];
  const counted = (
    kind: AccessChangeEntry['change'],
    isCounted: typeof givesAccess,
    many: number,
  ) => changes.filter(one => one.change === kind || (many > 0 && isCounted(one)));
  const widened = counted('gained', givesAccess, pairs.gained);
  const narrowed = counted('lost', takesAccess, pairs.lost);
  return [
    ...note('ACCESS_GAINED', 'the plan widens access', widened, pairs.gained),
    ...note('ACCESS_LOST', 'the plan narrows access', narrowed, pairs.lost),
  ];
}

function note(
  code: DiagnosticCode,
  what: string,
  changes: readonly AccessChangeEntry[],
  pairs: number,
): Diagnostic[] {
  const [first] = changes;
  if (first === undefined) return [];
  const others = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  const counted = `${pairs} ${pairs === 1 ? 'pair' : 'pairs'} of a machine and a destination`;
  const message = `${what}: ${visible(`${first.from} → ${first.to}`)}${others} (${counted})`;
  return [{ code, severity: 'note', message }];
}
