// The holder of a lock, as the lock describes it.
import { randomUUID } from 'node:crypto';
import type { GitPlace } from '../../read/git/runGit.ts';
import { personOf, pipelineLink } from '../../read/remote/lockAtRemote.ts';
import type { ApplyHost } from '../host.ts';
import type { LockSettings } from './remoteLock.ts';

/** The lock record of a new run on this machine, without the fields that a renewal changes. */
export async function holderOf(
  place: GitPlace,
  { env, self, now }: Pick<ApplyHost, 'env' | 'self' | 'now'>,
): Promise<LockSettings['holder']> {
  const person = await personOf(place);
  const link = pipelineLink(env);
  return {
    id: randomUUID(),
    machine: self.host,
    since: new Date(now()).toISOString(),
    ...(person !== undefined && { person }),
    ...(link !== undefined && { link }),
  };
}
