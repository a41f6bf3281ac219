// Joins the pushes of runs that work on several accounts in one process. While one push is on its way, later pushes wait, and are
// then sent together. So a remote that answers slowly, or that limits connections, is contacted less often.
import type { Push, PushAttempt, RefMove, Remote } from './remoteRefs.ts';

/** A push that waits. */
interface Waiting {
  readonly remote: Remote;
  readonly moves: readonly RefMove[];
  readonly push: Push;
  readonly settle: (pushed: PushAttempt) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Returns a function that joins pushes to the same remote. If a joint push does not move all refs, each push is sent separately,
 * so that each gets its own result.
 */
export function jointPushes(): NonNullable<Remote['joined']> {
  const waiting: Waiting[] = [];
  let isPushing = false;
  const pushAll = async (): Promise<void> => {
    if (isPushing) return;
    isPushing = true;
    for (let batch = nextBatch(waiting); batch.length > 0; batch = nextBatch(waiting))
      await pushBatch(batch);
    isPushing = false;
  };
  return push => (remote, moves) => {
    const { promise, resolve, reject } = Promise.withResolvers<PushAttempt>();
    waiting.push({ remote, moves, push, settle: resolve, fail: reject });
    void pushAll();
    return promise;
  };
}

// The pushes to the same remote as the first push. Two pushes that move the same ref cannot be joined.
function nextBatch(waiting: Waiting[]): readonly Waiting[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const place = placeOf(first.remote);
  const refs = new Set<string>();
  const batch = waiting.filter(({ remote, moves }) => {
    if (placeOf(remote) !== place || moves.some(({ ref }) => refs.has(ref))) return false;
    for (const { ref } of moves) refs.add(ref);
    return true;
  });
  const rest = waiting.filter(one => !batch.includes(one));
  waiting.splice(0, waiting.length);
  for (const one of rest) waiting.push(one);
  return batch;
}

// Identifies the remote and its folder of objects, because only pushes with the same folder can be joined.
const placeOf = ({ name, objects: { place } }: Remote): string =>
  JSON.stringify([place.objects?.path, name]);

async function pushBatch(batch: readonly Waiting[]): Promise<void> {
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length > 0 && (await isPushedTogether(first, batch))) {
    for (const { settle } of batch) settle({ is: 'done' });
    return;
  }
  // The pushes are sent concurrently, as without joining, because somebody else may take a lock over while its renewal waits.
  await Promise.all(
    batch.map(({ remote, moves, push, settle, fail }) => push(remote, moves).then(settle, fail)),
  );
}

/** How many times a joint push is sent while other processes are in the way. */
const TRIES = 3;

async function isPushedTogether(
  { remote, push }: Waiting,
  batch: readonly Waiting[],
): Promise<boolean> {
  const all = batch.flatMap(({ moves }) => moves);
  for (let tries = 1; ; tries++) {
    const pushed = await push(remote, all).catch(() => null);
    if (pushed?.is !== 'in the way' || tries === TRIES) return pushed?.is === 'done';
  }
}
