// Tests what a remote allows with refs of meshform, with a ref that nothing else uses.
import { randomUUID } from 'node:crypto';
import { FOLDERS_OF_REFS } from '../../base/refName.ts';
import { writeCommit } from '../git/writeObjects.ts';
import { fetchRefs, isFault, type Pushed, pushRefs, type Remote } from './remoteRefs.ts';

/** What a remote allows: null if it allows the operation, otherwise the reason why not. */
export interface Probed {
  readonly read: string | null;
  readonly create: string | null;
  /** Moving a ref to a commit that does not follow from its current commit. */
  readonly replace: string | null;
  readonly remove: string | null;
  /** The refs that could not be removed again; null if there are none. */
  readonly left: string | null;
}

/**
 * The prefixes of refs that are tested, because a remote may allow some refs and refuse others. The first is the prefix of the
 * lock, which is moved most often.
 */
const NAMES = [FOLDERS_OF_REFS.locks, FOLDERS_OF_REFS.journals, FOLDERS_OF_REFS.bases];

/**
 * Tries to create, replace, read and remove refs below each name, and below more names if refs can be removed. `now` is in milliseconds since
 * 1970.
 */
export async function probeRemote(
  remote: Remote,
  now: number,
  more: readonly string[] = [],
): Promise<Probed> {
  const [lock = '', ...others] = NAMES.map(name => `${name}probe-${randomUUID()}`);
  const commit = (message: string, parents: readonly string[] = []) =>
    writeCommit(remote.objects.place, { files: new Map(), parents, at: now, message });
  const first = await commit('meshform probe: first');
  const second = await commit('meshform probe: second');
  const created = await pushRefs(remote, [{ ref: lock, from: null, to: first }]);
  const isCreated = created.is === 'done';
  const replace = isCreated
    ? await pushRefs(remote, [{ ref: lock, from: first, to: second }])
    : created;
  const at = replace.is === 'done' ? second : first;
  const found = await fetchRefs(remote, [lock]);
  const removed = isCreated ? await pushRefs(remote, [{ ref: lock, from: at, to: null }]) : created;
  const left = isCreated && removed.is !== 'done' ? [lock] : [];
  let create = reasonIn(created);
  // If refs cannot be removed, a test ref below the name of an account would stay and look like a base of the account, so these
  // names are not tested.
  const own = left.length > 0 ? [] : more.map(name => `${name}probe-${randomUUID()}`);
  for (const ref of isCreated ? [...others, ...own] : []) {
    const pushed = await pushRefs(remote, [{ ref, from: null, to: first }]);
    create ??= reasonIn(pushed);
    if (pushed.is !== 'done') continue;
    const gone = await pushRefs(remote, [{ ref, from: first, to: null }]);
    if (gone.is !== 'done') left.push(ref);
  }
  return {
    read: isFault(found) ? found.why : isCreated && found.get(lock) !== at ? NOT_READ_BACK : null,
    create,
    replace: reasonIn(replace),
    remove: reasonIn(removed),
    left: left.length > 0 ? left.join(', ') : null,
  };
}

const NOT_READ_BACK = 'it does not show the ref that was just pushed';

function reasonIn(pushed: Pushed): string | null {
  if (pushed.is === 'done') return null;
  return pushed.is === 'moved' ? 'somebody else moved it' : pushed.why;
}
