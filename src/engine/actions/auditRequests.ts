// The number of requests with which a run determines who else changed the account. They are sent in
// addition to the requests of its actions, and read the audit log and the sets that the run wrote.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { otherSides } from '../../kinds/values/otherSides.ts';
import { replacedSets } from '../../kinds/values/replacedSets.ts';
import type { KindName } from '../../model/names.ts';
import type { Action, ShownAction } from '../../model/plan.ts';

/**
 * The number of requests for the audit log and for shared sets. If the run may have to prove that
 * it created an object, it reads the log once before the first write. After updates, it reads the
 * log and the caller again. It reads sets that others can join once more, with one list for each
 * kind. It also reads a list once more if it changes the list through its members, because the log
 * does not show whether the update came before that change. After deletions of such sets, the run
 * reads the log and a list of the members.
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

// The number of updates that send back a list whose members the run also writes.
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
