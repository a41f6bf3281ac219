// Transfers recorded bases between a checkout and its remote, for runs whose lock is a file: fetched before a run, pushed after
// it.
import { remotesOf } from '../src/read/git/remotes.ts';
import { gitFault, remoteGit } from '../src/read/git/runGit.ts';
import { inLine } from './forgeError.ts';
import { withGitToken } from './jobTokens.ts';

const BASES = 'refs/meshform-base/*:refs/meshform-base/*';

/** The refs of versions before 0.1.0, which a folder without a base starts from. They never change, so they are never pushed. */
const FORMER = 'refs/meshform/*:refs/meshform/*';

/** The job that transfers bases. */
export interface TransferJob {
  readonly env: NodeJS.ProcessEnv;
  /** Aborts the transfer. */
  readonly signal?: AbortSignal;
}

/**
 * Fetches the recorded bases into the repository of `folder`. Throws if the remote cannot be reached, because without a base the
 * run would look like a first run.
 */
export async function fetchBases(folder: string, job: TransferJob): Promise<void> {
  const why = await transferred(folder, job, [
    'fetch',
    '--quiet',
    'origin',
    `+${BASES}`,
    `+${FORMER}`,
  ]);
  if (why !== null)
    throw new Error(`the recorded bases cannot be fetched from the remote: ${inLine(why)}`);
}

/** Whether the checkout of `folder` has a remote to fetch bases from. */
export async function hasOrigin(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await remotesOf({ folder, host: { env } })).names.includes('origin');
}

/** Pushes the recorded bases. Resolves to an error message on failure, because the next run would plan from an outdated base. */
export async function pushBases(folder: string, job: TransferJob): Promise<string | null> {
  const why = await transferred(folder, job, ['push', '--quiet', 'origin', BASES]);
  return why === null
    ? null
    : `everything was applied, but the recorded base cannot be pushed: ${inLine(why)}`;
}

// Why git could not transfer the bases; null if it succeeded.
async function transferred(
  folder: string,
  { env, signal }: TransferJob,
  args: readonly string[],
): Promise<string | null> {
  try {
    return await withGitToken(env, async lent => {
      const { names, place } = await remotesOf({ folder, host: { env: lent } });
      if (!names.includes('origin')) return 'the repository has no remote called origin';
      await remoteGit(place, args, signal === undefined ? {} : { signal });
      return null;
    });
  } catch (error) {
    return signal?.aborted ? 'the job was cancelled' : gitFault(error).why;
  }
}
