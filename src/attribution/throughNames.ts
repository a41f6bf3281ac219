// Differences because of names: the object itself is unchanged, but a name in the files now means another object, because
// somebody renamed, deleted or enrolled objects.
import type { Kind, KindTable } from '../kinds/kind.ts';
import { type FoundRef, refsIn } from '../kinds/values/refs.ts';
import { shapeAt } from '../kinds/values/shapeAt.ts';
import type { FieldChange, ShownChange } from '../model/change.ts';
import type { ComparedAccount } from '../model/comparedAccount.ts';
import type { Key } from '../model/names.ts';
import type { Shown } from '../model/secrets/shown.ts';
import { isAbout, type Wanted } from './entrySubject.ts';
import { distinctEvents, type Evidence } from './evidence.ts';
import { wantedByName } from './fates.ts';
import { byOthers, type EventsOf, type LoggedEvent } from './log.ts';
import { type NameMove, nameMoves } from './nameMoves.ts';

/** The evidence of who moved a name. */
export interface NameSearch {
  readonly kinds: KindTable;
  readonly account: ComparedAccount;
  readonly eventsOf: EventsOf;
}

/**
 * The evidence on a changed object. For a field that no event about the object explains, the events that moved names are added.
 */
export function withMovedNames(
  evidence: Evidence,
  change: ShownChange,
  wanted: Wanted,
  search: NameSearch,
): Evidence {
  const open = new Set(evidence.unexplained.map(({ field }) => field));
  const moved = new Map(
    change.fields.flatMap(one => {
      const [name = ''] = one.path;
      const events = open.has(name) ? movesBehind(one, wanted, search) : [];
      return events.length > 0 ? [[name, events] as const] : [];
    }),
  );
  // A field may have several changes, as the rules of a policy do: it is explained if all of them are.
  const isWhole = (name: string | undefined) =>
    name !== undefined &&
    moved.has(name) &&
    change.fields.every(one => one.path[0] !== name || movesBehind(one, wanted, search).length > 0);
  const explaining = [...moved].flatMap(([name, events]) => (isWhole(name) ? events : []));
  if (explaining.length === 0) return evidence;
  return {
    ...evidence,
    explaining: distinctEvents([...evidence.explaining, ...explaining]),
    others: distinctEvents([...evidence.others, ...explaining]),
    unexplained: evidence.unexplained.filter(({ field }) => !isWhole(field)),
  };
}

// The events that moved the names in a difference; empty unless every name in the difference has moved.
function movesBehind(
  change: FieldChange<Shown>,
  wanted: Wanted,
  search: NameSearch,
): readonly LoggedEvent[] {
  const { kind } = wanted;
  const refs = refsOf(change, kind);
  const lastOwn = search
    .eventsOf(kind)
    .findLast(one => one.isOwn && isAbout(one, wanted, search.account.idOf));
  const moves = refs.map(ref => movesOf(ref, lastOwn?.order ?? -1, search));
  return refs.length > 0 && moves.every(some => some.length > 0) ? moves.flat() : [];
}

// The references that only one side has.
function refsOf(change: FieldChange<Shown>, { shape }: Kind): readonly FoundRef[] {
  const part = shapeAt(shape, change.path);
  if (part === undefined) return [];
  const sides =
    change.type === 'members'
      ? [[...change.added], [...change.removed]]
      : [change.before, change.after];
  const [one = [], other = []] = sides.map(side => refsIn(part, side));
  const nameOf = ({ kind, key }: FoundRef) => `${kind} ${key}`;
  const both = new Set(one.map(nameOf)).intersection(new Set(other.map(nameOf)));
  return [...one, ...other].filter(ref => !both.has(nameOf(ref)));
}

// The events by which the object that had the name at our last write lost it; empty if the name still means the same object.
function movesOf(
  { kind: name, key }: FoundRef,
  lastOwn: number,
  { kinds, account, eventsOf }: NameSearch,
): readonly LoggedEvent[] {
  const kind = kinds.get(name);
  const wanted = kind && wantedByName(kind, key as Key, account);
  if (!wanted) return [];
  const moves = nameMoves(eventsOf(kind), wanted, account.idOf);
  const later = moves.filter(({ logged: { order } }) => order > lastOwn);
  const before = moves.findLast(({ logged: { order } }) => order <= lastOwn) ?? later[0];
  const isSubject = before?.type === (before === later[0] ? 'leaves' : 'arrives');
  const holder = isSubject ? before?.subject : undefined;
  const now = account.idOf(kind.name, key);
  // No object had the name when the run wrote. The run used another name of the object, which somebody has since renamed to this
  // name.
  if (before !== undefined && before === later[0] && holder === undefined)
    return byOthers(renamesTo(now, later));
  if (holder === undefined || holder === now) return [];
  const leaving = later.filter(({ type, subject }) => type === 'leaves' && subject === holder);
  const arriving = later.filter(({ type }) => type === 'arrives');
  return byOthers((leaving.length > 0 ? leaving : arriving).map(({ logged }) => logged));
}

const renamesTo = (id: string | undefined, moves: readonly NameMove[]): readonly LoggedEvent[] =>
  moves
    .filter(
      ({ type, subject, logged }) =>
        type === 'arrives' && subject === id && logged.form.type === 'update',
    )
    .map(({ logged }) => logged);
