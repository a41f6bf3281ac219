// Whether an object was created under a name after another object had lost that name. The name then means the new object.
import type { NameTaken } from '../model/missingObjects.ts';
import type { RemoteId } from '../model/names.ts';
import { type FateInput, wantedByName } from './fates.ts';
import { eventsByKind } from './log.ts';
import { nameMoves } from './nameMoves.ts';

/** Returns whether the log shows that the object with a name was created under it after the object of the base had lost it. */
export function createdSinceIn({
  kinds,
  account,
  entries,
}: FateInput): (taken: NameTaken) => boolean {
  const eventsOf = eventsByKind(entries, { isOwn: () => false, self: null });
  return ({ kind: name, key, id, by }) => {
    const kind = kinds.get(name);
    const wanted = kind && wantedByName(kind, key, account);
    if (!wanted) return false;
    const moves = nameMoves(eventsOf(kind), wanted, account.idOf);
    const last = (type: 'arrives' | 'leaves', one: RemoteId) =>
      moves.findLast(move => move.type === type && move.subject === one)?.logged;
    const arrival = last('arrives', by);
    const departure = last('leaves', id);
    if (arrival?.form.type !== 'create') return false;
    return departure === undefined || departure.order < arrival.order;
  };
}
