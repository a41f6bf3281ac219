// Notes on a plan that widens or narrows access.
import type { AccessChangeEntry, PlanAccess } from '../../model/access/planAccess.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { visible } from '../../model/text/visible.ts';

/** Notes on gained or lost access, and on access that exceeds its bounds during the apply. */
export function accessNotes(access: PlanAccess): readonly Diagnostic[] {
  return [...changeNotes(access), ...stepNotes(access)];
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
  const of = (...kinds: AccessChangeEntry['change'][]) =>
    changes.filter(({ change }) => kinds.includes(change));
  const widened = [...of('gained'), ...(pairs.gained > 0 ? of('changed') : [])];
  const narrowed = [...of('lost'), ...(pairs.lost > 0 ? of('changed') : [])];
  return [
    ...note('WIDENS_ACCESS', 'the plan widens access', widened, pairs.gained),
    ...note('NARROWS_ACCESS', 'the plan narrows access', narrowed, pairs.lost),
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
