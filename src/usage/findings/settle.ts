// Decides which candidates may be proposed, alone and together: they must give nobody access, tests and guards must not need the
// removed access, and those in state `certain` must lose no observed flow.
import { editsOf } from '../../access/narrow/edits.ts';
import type { Objection, Trial } from '../../access/narrow/triedEdits.ts';
import { acceptableItems } from '../../model/acceptableItems.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { quoted } from '../../model/text/visible.ts';
import type { KeptFinding, TightenFinding } from '../../model/tightening.ts';
import { type Candidate, silencedByOwner } from './candidate.ts';

/** How candidates are judged together. */
export interface Settling {
  readonly trial: Trial;
  /** Whether these candidates together lose an observed flow, or access that may have been used. */
  readonly losesUse: (some: readonly Candidate[]) => boolean;
}

/** The proposals, and the findings that are not proposed. */
export interface SettledFindings {
  readonly proposed: readonly Candidate[];
  readonly kept: readonly KeptFinding[];
}

/** Settles the candidates in state `certain`, together with those that are accepted already. */
export function settleCertain(
  candidates: readonly Candidate[],
  { trial, losesUse }: Settling,
  accepted: readonly Candidate[] = [],
): SettledFindings {
  const holds = (some: readonly Candidate[]): boolean =>
    isFree(some, trial) && !losesUse(some) && keepsAll(some, trial);
  return settled(candidates.filter(isCertain), { trial, holds }, accepted);
}

/** Settles the other candidates, given the accepted certain ones. */
export const settleOthers = (
  candidates: readonly Candidate[],
  { trial }: Settling,
  accepted: readonly Candidate[],
): SettledFindings =>
  settled(
    candidates.filter(one => !isCertain(one)),
    { trial, holds: some => isFree(some, trial) },
    accepted,
  );

function settled(
  candidates: readonly Candidate[],
  {
    trial,
    holds,
  }: { readonly trial: Trial; readonly holds: (some: readonly Candidate[]) => boolean },
  accepted: readonly Candidate[],
): SettledFindings {
  const silenced = candidates.flatMap(one => silencedByOwner(one) ?? []);
  const silent = new Set(silenced.map(({ finding }) => finding));
  const open = candidates.filter(({ finding }) => !silent.has(finding));
  const proposed = new Set(acceptableItems(open, holds, accepted));
  const refused = open.filter(one => !proposed.has(one)).flatMap(one => keptByTrial(one, trial));
  return { proposed: open.filter(one => proposed.has(one)), kept: [...silenced, ...refused] };
}

const isCertain = ({ finding }: Candidate): boolean => finding.state === 'certain';

const isFree = (some: readonly Candidate[], trial: Trial): boolean =>
  trial.objection(editsIn(some)) === undefined;

// Whether the duplicates among these candidates remove no access, used or not, that the other edits
// leave.
function keepsAll(some: readonly Candidate[], trial: Trial): boolean {
  const others = some.filter(({ finding }) => finding.type !== 'duplicate-rule');
  return others.length === some.length || trial.losesNothing(editsIn(some), editsIn(others));
}

/** The edits of candidates together. */
export const editsIn = (some: readonly Candidate[]): readonly ObjectEdit[] =>
  editsOf(some.flatMap(({ narrowings }) => narrowings));

// A proposal from which somebody would gain access is faulty; that is no reason to list the access as kept.
function keptByTrial(candidate: Candidate, trial: Trial): readonly KeptFinding[] {
  const objection = trial.objection(editsIn([candidate]));
  return objection ? keptBy(candidate.finding, objection) : [];
}

function keptBy(
  finding: TightenFinding,
  { by, name = '', kept }: Objection,
): readonly KeptFinding[] {
  if (kept) return [{ finding, ...kept }];
  if (by === 'test') return [{ finding, by, reason: `access test ${quoted(name)} needs it` }];
  return by === 'guard' ? [{ finding, by, reason: `${quoted(name)} is guarded` }] : [];
}
