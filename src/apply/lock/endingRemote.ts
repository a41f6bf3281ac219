// Limits how long the end of a run may take at a remote.
import type { Remote } from '../../read/remote/remoteRefs.ts';
import { elapsedSince, type LeaseClocks, type Moment, momentNow } from './lease.ts';

/**
 * The minimum number of connections for which the end of a run has time: a push, and the question
 * whether the push succeeded.
 */
const CONNECTIONS = 2;

/**
 * The same remote, with limited time for requests after the run ends. The limit is the duration of
 * the lock, because others may take the lock afterwards. The time starts with the first call of
 * `ends`.
 */
export function endingRemote(
  remote: Remote,
  { ttl, clocks }: { readonly ttl: number; readonly clocks: LeaseClocks },
): { readonly remote: Remote; readonly ends: () => void } {
  const longest = Math.max(ttl * 1000, CONNECTIONS * remote.patience);
  const { left: before = () => Number.POSITIVE_INFINITY } = remote;
  let since: Moment | undefined;
  const left = (): number => {
    const own = since && longest - elapsedSince(since, clocks);
    return Math.min(before(), own ?? Number.POSITIVE_INFINITY);
  };
  return {
    remote: { ...remote, left },
    ends: () => {
      since ??= momentNow(clocks);
    },
  };
}
