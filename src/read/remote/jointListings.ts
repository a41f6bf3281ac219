// Joins the listings of a remote for runs that work on several accounts in one process. While one listing is on its way, later
// listings wait, and are then asked for together, so each answer is newer than its question.
import { AsyncResource } from 'node:async_hooks';
import { isMatch, type ListedRef } from '../git/listRemote.ts';
import { areRemembered } from '../git/rememberedAnswers.ts';
import type { List, Remote } from './remoteRefs.ts';

/** A listing that waits. */
interface Waiting {
  readonly patterns: readonly string[];
  /** Lists refs for the run that waits. */
  readonly list: (patterns: readonly string[]) => ReturnType<List>;
  readonly settle: (listed: Awaited<ReturnType<List>>) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Returns a function that joins listings of the same remote. If a joint listing fails, each is asked for separately, so that each
 * gets its own result.
 */
export function jointListings(): NonNullable<Remote['listedTogether']> {
  // The listings that wait, by remote, while a listing of that remote is on its way.
  const queues = new Map<string, Waiting[]>();
  const listAll = async (place: string, first: Waiting): Promise<void> => {
    const queue: Waiting[] = [];
    queues.set(place, queue);
    let batch = [first];
    while (batch.length > 0) {
      await listBatch(batch);
      batch = queue.splice(0);
    }
    queues.delete(place);
  };
  return list => (remote, patterns) => {
    // A part of a run that keeps answers of git sees the repository as it was before.
    if (areRemembered()) return list(remote, patterns);
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<List>>>();
    const own = AsyncResource.bind((all: readonly string[]) => list(remote, all));
    const waiting = { patterns, list: own, settle: resolve, fail: reject };
    const place = placeOf(remote);
    const queue = queues.get(place);
    if (queue) queue.push(waiting);
    else void listAll(place, waiting);
    return promise;
  };
}

// Identifies the repository that is asked: git may fetch from another one than it pushes to.
const placeOf = ({ name, isPushed, objects: { place } }: Remote): string =>
  JSON.stringify([place.objects?.path, name, isPushed === true]);

async function listBatch(batch: readonly Waiting[]): Promise<void> {
  const [first, ...others] = batch;
  const all = others.length === 0 ? null : await first?.list(patternsOf(batch)).catch(() => null);
  if (Array.isArray(all)) {
    const listed: readonly ListedRef[] = all;
    for (const { patterns, settle } of batch)
      settle(listed.filter(({ ref }) => patterns.some(pattern => isMatch(pattern, ref))));
    return;
  }
  await Promise.all(
    batch.map(({ list, patterns, settle, fail }) => list(patterns).then(settle, fail)),
  );
}

const patternsOf = (batch: readonly Waiting[]): readonly string[] =>
  Array.from(new Set(batch.flatMap(({ patterns }) => patterns)));
