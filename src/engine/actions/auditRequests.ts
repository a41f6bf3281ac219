// The number of requests, besides its actions, by which a run finds out who else changed the account: requests for the audit log
// and for the sets that the run wrote.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { otherSides } from '../../kinds/values/otherSides.ts';
import { replacedSets } from '../../kinds/values/replacedSets.ts';
import type { KindName } from '../../model/names.ts';
import type { Action, ShownAction } from '../../model/plan.ts';

/**
 * The number of requests for the audit log and for shared sets. The log is read once before the run, if the run may have to prove
 * that it made a create. After updates, there are two more requests: the log again, and the caller. Sets that others can join are
 * read once more, with one list for each kind. Lists that the run itself changes through their members are read once more each,
 * because the log does not show whether the update came before. After deletions of such sets, there are the log and a list of the
 * members.
 */
export function auditRequests(
  actions: readonly (Action | ShownAction)[],
  kinds: KindTable,
): number {
  const updated = kindsOf(actions, 'update');
  const joined = withSets(updated, kinds);
  const deleted = withSets(kindsOf(actions, 'delete'), kinds).flatMap(replacedSets);
  if (updated.size > 0) return 3 + joined.length + deleted.length + listsReadAgain(actions, kinds);
  if (deleted.length > 0) return 2 + deleted.length;
  return actions.some(
    ({ verb, kind }) => verb === 'create' && kinds.get(kind)?.createdEvent !== undefined,
  )
    ? 1
    : 0;
}

// The number of updates that send back a list of which the run also writes members.
function listsReadAgain(actions: readonly (Action | ShownAction)[], kinds: KindTable): number {
  const written = new Set(actions.map(({ kind }) => kind));
  const sidesOf = (name: KindName) => {
    const kind = kinds.get(name);
    return kind ? otherSides(kind, kinds).filter(side => written.has(side.kind.name)) : [];
  };
  return actions.reduce(
    (sum, { verb, kind }) => sum + (verb === 'update' ? sidesOf(kind).length : 0),
    0,
  );
}

const kindsOf = (
  actions: readonly (Action | ShownAction)[],
  of: Action['verb'],
): ReadonlySet<KindName> => new Set(actions.flatMap(({ verb, kind }) => (verb === of ? kind : [])));

function withSets(names: ReadonlySet<KindName>, kinds: KindTable): readonly Kind[] {
  return [...names].flatMap(name => {
    const kind = kinds.get(name);
    return kind && replacedSets(kind).length > 0 ? [kind] : [];
  });
}
