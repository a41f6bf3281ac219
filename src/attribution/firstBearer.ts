// Which of several live objects of one name had it first. If only one object had the name when the files declared it, they meant
// this one.
import type { Key, KindName, RemoteId } from '../model/names.ts';
import { entriesNaming } from './entrySubject.ts';
import { type FateInput, wantedByName } from './fates.ts';
import { eventsByKind } from './log.ts';
import { nameMoves } from './nameMoves.ts';

/** Objects of one name. */
export interface Namesakes {
  readonly kind: KindName;
  readonly key: Key;
  readonly namesakes: readonly RemoteId[];
}

/**
 * Returns which of the objects with one name had the name first. Undefined if the log does not show when each of them got the
 * name, or if it shows that a further object had the name.
 */
export function firstBearersIn({
  kinds,
  account,
  entries,
}: FateInput): (name: Namesakes) => RemoteId | undefined {
  const eventsOf = eventsByKind(entries, { isOwn: () => false, self: null });
  return ({ kind: name, key, namesakes }) => {
    const kind = kinds.get(name);
    const wanted = kind && wantedByName(kind, key, account);
    if (!wanted) return undefined;
    const naming = entriesNaming(wanted, entries);
    const isKnown = (id: string) => namesakes.some(one => one === id);
    if (!naming.every(({ target }) => isKnown(target))) return undefined;
    const moves = nameMoves(eventsOf(kind), wanted, account.idOf);
    const since = (id: RemoteId): number => {
      const move = moves.findLast(({ type, subject }) => type === 'arrives' && subject === id);
      const first = naming.find(({ target }) => target === id);
      return move?.logged.order ?? (first ? entries.indexOf(first) : Number.NaN);
    };
    const dated = namesakes.map(id => ({ id, order: since(id) }));
    if (dated.some(({ order }) => Number.isNaN(order))) return undefined;
    return dated.toSorted((one, other) => one.order - other.order)[0]?.id;
  };
}
