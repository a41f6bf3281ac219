// Finds what unfinished applies left in the account, for a command that plans and does not apply.
import type { TransportOptions } from '../../api/transport/transport.ts';
import { NONE, uncountedLeft, unfinishedOf } from '../../apply/earlierRuns/unfinished.ts';
import { knownByJournals, withKnown } from '../../apply/earlierRuns/unfinishedHere.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { ReportedRun } from '../../model/reportedRun.ts';
import { unfinishedText } from '../../report/run/unfinishedText.ts';
import { type Io, say } from '../io.ts';
import { machineOf, NOBODY, signerIn } from '../machine.ts';
import type { OpenedRuns } from './sharedBases.ts';

/**
 * How the journals are read, and whether what unfinished applies created counts as declared by the
 * base.
 */
interface LeftRequest {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly runs: OpenedRuns;
  readonly isWhole: boolean;
  /**
   * Receives the unfinished applies. By default, a note about each of them is printed to stderr.
   */
  readonly onNoted?: (runs: readonly ReportedRun[]) => void;
}

/**
 * The objects that unfinished applies of the files at `path` left, counted as an apply would count
 * them. Throws an `ApiError`.
 */
export async function leftUnfinished(
  path: string,
  { kinds, connection, runs, isWhole, onNoted }: LeftRequest,
  io: Io,
): Promise<LeftObjects> {
  const opened = await runs();
  const { cwd, env, secrets, shared } = io;
  const host = { cwd, env, secrets, shared };
  const request = { kinds, connection, host };
  const signer = signerIn(io) ?? NOBODY;
  const left = opened
    ? await unfinishedOf(opened.journals, signer, { path, request, lock: opened.lock })
    : NONE;
  if (onNoted) onNoted(left.reported);
  else
    for (const run of left.reported)
      say(io.stderr, unfinishedText(run, { isCounted: isWhole, isOnlyPlanned: true }));
  const here = { path, request, host: machineOf(io), signer, journals: opened?.journals };
  return withKnown(isWhole ? left : uncountedLeft(left), await knownByJournals(here));
}
