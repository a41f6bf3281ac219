// Which candidates may be proposed, alone and together: nobody gains anything, no test or guard needs what goes, and of the certain ones no
// observed flow is lost.
import { acceptable } from '../../access/narrow/acceptable.ts';
import { editsOf } from '../../access/narrow/edits.ts';
import type { Objection, Trial } from '../../access/narrow/trial.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { quoted } from '../../model/text/visible.ts';
import type { KeptFinding, TightenFinding } from '../../model/tightening.ts';
import type { Candidate } from './candidate.ts';

/** What is proposed, and what is not. */
export interface Settled {
  readonly proposed: readonly Candidate[];
  readonly kept: readonly KeptFinding[];
}

/** `losesFlow`: whether an observed flow is lost with all these candidates. */
export function settled(
  candidates: readonly Candidate[],
  trial: Trial,
  losesFlow: (some: readonly Candidate[]) => boolean,
): Settled {
  const silenced = candidates.flatMap(keptByObject);
  const silent = new Set(silenced.map(({ finding }) => finding));
  const open = candidates.filter(({ finding }) => !silent.has(finding));
  const isFree = (some: readonly Candidate[]): boolean =>
    trial.objection(editsIn(some)) === undefined;
  const certain = acceptable(open.filter(isCertain), some => isFree(some) && !losesFlow(some));
  const doubtful = acceptable(
    open.filter(one => !isCertain(one)),
    isFree,
    certain,
  );
  const proposed = new Set([...certain, ...doubtful]);
  const refused = open.filter(one => !proposed.has(one)).flatMap(one => keptByTrial(one, trial));
  return { proposed: open.filter(one => proposed.has(one)), kept: [...silenced, ...refused] };
}

const isCertain = ({ finding }: Candidate): boolean => finding.state === 'certain';

/** The edits of candidates together. */
export const editsIn = (some: readonly Candidate[]): readonly ObjectEdit[] =>
  editsOf(some.flatMap(({ narrowings }) => narrowings));

function keptByObject({ finding, object: { lifecycle } }: Candidate): readonly KeptFinding[] {
  const { keep_access: reason, break_glass: isBreakGlass } = lifecycle;
  if (reason !== undefined) return [{ finding, by: 'lifecycle', reason }];
  return isBreakGlass ? [{ finding, by: 'break-glass', reason: 'break-glass object' }] : [];
}

// A proposal that somebody would gain from is a fault of the proposal, and no reason to keep the access.
function keptByTrial(candidate: Candidate, trial: Trial): readonly KeptFinding[] {
  const objection = trial.objection(editsIn([candidate]));
  return objection ? keptBy(candidate.finding, objection) : [];
}

function keptBy(finding: TightenFinding, { by, name = '' }: Objection): readonly KeptFinding[] {
  if (by === 'test') return [{ finding, by, reason: `access test ${quoted(name)} needs it` }];
  return by === 'guard' ? [{ finding, by, reason: `${quoted(name)} is guarded` }] : [];
}
