// Requests for reading back what a server answers without keeping it: a list a kind at the end of a run, and earlier for what
// others wait for.
import type { KindTable } from '../kinds/kind.ts';
import type { Action } from '../model/plan.ts';

/** Requests for reading back, besides those that an action makes in its own turn, at most. */
export function requestsToReadBack(actions: readonly Action[], kinds: KindTable): number {
  const awaited = awaitedAmong(actions);
  const open = actions.filter(
    ({ verb, kind }) => verb !== 'delete' && kinds.get(kind)?.settled === 'read',
  );
  const lists = new Set(open.map(({ kind, parent }) => `${kind} ${parent}`));
  return lists.size + open.filter(({ id }) => awaited.has(id)).length;
}

// Those that other actions come after, or that write an object which others write as well.
function awaitedAmong(actions: readonly Action[]): ReadonlySet<string> {
  const writers = new Map<string, number>();
  for (const { writes } of actions)
    for (const address of writes) writers.set(address, (writers.get(address) ?? 0) + 1);
  const shared = actions.filter(({ writes }) =>
    writes.some(address => (writers.get(address) ?? 0) > 1),
  );
  return new Set([...actions.flatMap(({ after }) => after), ...shared.map(({ id }) => id)]);
}
