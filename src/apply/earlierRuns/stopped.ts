// Determines why `--resume` would refuse an unfinished run, so that no note suggests to continue
// it.
import type { ReportedRun, StoppedBy } from '../../model/reportedRun.ts';
import type { Signer } from '../../model/signer.ts';
import type { BaseHost } from '../recordedBase/gitPlace.ts';
import { baseSince } from './baseSince.ts';
import { isClosedInBase } from './closedInBase.ts';
import { overtakingAmong } from './overtaken.ts';
import type { VerifiedRun } from './remoteRuns.ts';

/**
 * Finds the reason why a run cannot be continued, in the texts of journals and the recorded bases;
 * undefined if it can be continued.
 */
export function stoppingAmong(
  texts: readonly string[],
  known: { readonly host: BaseHost; readonly signer: Signer },
): (run: VerifiedRun) => Promise<StoppedBy | undefined> {
  const overtaking = overtakingAmong(texts, known);
  return async ({ run, read, text }) => {
    if (await isClosedInBase(run, read.plan, known)) return { as: 'closed' };
    const later = await overtaking({ ...read, text });
    if (later !== undefined) return 'by' in later ? later : { as: 'base' };
    return (await baseSince(read, known)) === undefined ? undefined : { as: 'base' };
  };
}

/**
 * The report on a run that may not be continued. Empty if a later complete apply has completed the
 * rest, because `LEFT_BY_RUN` findings then name everything that the run left.
 */
export function reportIfStopped(
  one: ReportedRun,
  stopped: StoppedBy | undefined,
): readonly ReportedRun[] {
  if (stopped === undefined) return [one];
  const { unproven = [], isElsewhere = false, awaitsBase = false } = one;
  const isNamed = unproven.length === 0 && !isElsewhere && !awaitsBase;
  return stopped.as === 'apply' && isNamed ? [] : [{ ...one, stopped }];
}
