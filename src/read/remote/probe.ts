// What a remote allows with refs of meshform: tried with a ref that nothing else has.
import { randomUUID } from 'node:crypto';
import { writeCommit } from '../git/writeObjects.ts';
import { fetchRefs, isFault, type Pushed, pushRefs, type Remote } from './remoteRefs.ts';

/** What a remote allows: null where it does, otherwise why not. */
export interface Probed {
  readonly read: string | null;
  readonly create: string | null;
  /** To move a ref to a commit that does not follow from the one it had. */
  readonly replace: string | null;
  readonly remove: string | null;
  /** The ref that could not be removed again. */
  readonly left: string | null;
}

/** Tries to create, replace, read and remove a ref. `now` is in milliseconds since 1970. */
export async function probeRemote(remote: Remote, now: number): Promise<Probed> {
  const ref = `refs/meshform-probe/${randomUUID()}`;
  const commit = (message: string, parents: readonly string[] = []) =>
    writeCommit(remote.objects.place, { files: new Map(), parents, at: now, message });
  const first = await commit('meshform probe: first');
  const second = await commit('meshform probe: second');
  const create = await pushRefs(remote, [{ ref, from: null, to: first }]);
  const isCreated = create.is === 'done';
  const replace = isCreated ? await pushRefs(remote, [{ ref, from: first, to: second }]) : create;
  const at = replace.is === 'done' ? second : first;
  const found = await fetchRefs(remote, [ref]);
  const remove = isCreated ? await pushRefs(remote, [{ ref, from: at, to: null }]) : create;
  return {
    read: isFault(found) ? found.why : null,
    create: reasonIn(create),
    replace: reasonIn(replace),
    remove: reasonIn(remove),
    left: isCreated && remove.is !== 'done' ? ref : null,
  };
}

function reasonIn(pushed: Pushed): string | null {
  if (pushed.is === 'done') return null;
  return pushed.is === 'moved' ? 'somebody else moved it' : pushed.why;
}
