// What unfinished applies left in the account, for a command that plans and does not apply.
import type { TransportOptions } from '../../api/transport/transport.ts';
import { unfinishedOf } from '../../apply/earlierRuns/unfinished.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import { type Io, say } from '../io.ts';
import { NOBODY, signerIn } from '../machine.ts';
import type { OpenedRuns } from './sharedBases.ts';
import { unfinishedText } from './unfinishedText.ts';

/** How the journals are read, and whether what unfinished applies created counts as declared by the base. */
interface LeftRequest {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly runs: OpenedRuns;
  readonly isWhole: boolean;
}

/** What an apply of the files at `path` would count as declared by the base; undefined if nothing counts. Throws an `ApiError`. */
export async function leftAtRemote(
  path: string,
  { kinds, connection, runs, isWhole }: LeftRequest,
  io: Io,
): Promise<LeftObjects | undefined> {
  const opened = await runs();
  if (opened === undefined) return undefined;
  const { cwd, env, secrets, shared } = io;
  const host = { cwd, env, secrets, shared };
  const request = { kinds, connection, host };
  const left = await unfinishedOf(opened.journals, signerIn(io) ?? NOBODY, {
    path,
    request,
    lock: opened.lock,
  });
  for (const run of left.noted)
    say(io.stderr, unfinishedText(run, { isCounted: isWhole, isOnlyPlanned: true }));
  return isWhole ? left : undefined;
}
