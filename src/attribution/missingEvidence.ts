// The events that can have made an object disappear: somebody deleted it, or gave it another name or parent.
import type { IdOf } from '../model/comparedAccount.ts';
import { type RemoteId, remoteId } from '../model/names.ts';
import { isAbout, isNamed, namingOf, type Wanted } from './entrySubject.ts';
import { distinctEvents, type Evidence } from './evidence.ts';
import { afterOwn, byOthers, type LoggedEvent } from './log.ts';
import { type NameMove, nameMoves } from './nameMoves.ts';

/** The evidence on a declared object that is not in the account. */
export function evidenceOnMissing(
  wanted: Wanted,
  entries: readonly LoggedEvent[],
  idOf: IdOf,
): Evidence {
  // A machine enrols by itself, even if it belongs to the token's user, so its create event is not one of our own runs.
  const isMade = wanted.kind.verbs.has('create');
  const logged = isMade ? entries : entries.map(withoutOwnCreate);
  const moves = nameMoves(logged, wanted, idOf);
  const id = lastHolder(logged, wanted, idOf);
  const ofHolder = logged.filter(one => id !== undefined && isAbout(one, { ...wanted, id }, idOf));
  const own = lastOwn(logged, moves, ofHolder, wanted, idOf);
  const later = moves.filter(({ logged: { order } }) => order > (own?.logged.order ?? -1));
  const open = later.filter(({ logged: one }) => one.isSince);
  // An object that somebody created and deleted in the meantime was missing before.
  const isThere = wasThere(own, later, isMade);
  const taking = open.filter(({ type }) => type === 'leaves').map(move => move.logged);
  const explaining = isThere ? byOthers(taking) : [];
  return {
    explaining: distinctEvents(explaining),
    others: distinctEvents([
      ...byOthers(open.map(move => move.logged)),
      ...byOthers(afterOwn(ofHolder)),
    ]),
    unexplained: explaining.length > 0 ? [] : [{}],
    isOwn: own !== undefined && !own.isThere && own.logged.isSince,
    doubts: [],
  };
}

/** The last event of our own runs about the object, and whether an object had the name after that event. */
interface OwnWrite {
  readonly logged: LoggedEvent;
  readonly isThere: boolean;
}

function lastOwn(
  logged: readonly LoggedEvent[],
  moves: readonly NameMove[],
  ofHolder: readonly LoggedEvent[],
  wanted: Wanted,
  idOf: IdOf,
): OwnWrite | undefined {
  const typeOf = new Map(moves.map(({ logged: { order }, type }) => [order, type]));
  // The first event that names the holder may have taken the name away from it, because the name before that event is unknown. A
  // later event that takes a name away is among the moves.
  const first = ofHolder.find(one => namingOf(one, wanted, idOf) !== undefined);
  const found = logged.findLast(one => {
    if (!one.isOwn) return false;
    if (typeOf.has(one.order)) return true;
    const naming = namingOf(one, wanted, idOf);
    return naming === true || (naming === false && one === first && !isCreate(one));
  });
  if (!found) return undefined;
  const type = typeOf.get(found.order);
  const isThere = type === undefined ? namingOf(found, wanted, idOf) === true : type === 'arrives';
  return { logged: found, isThere };
}

const isCreate = ({ form }: LoggedEvent): boolean => form.type === 'create';

/** Whether the object existed at the beginning of the period under consideration. */
function wasThere(own: OwnWrite | undefined, later: readonly NameMove[], isMade: boolean): boolean {
  const before = later.findLast(({ logged }) => !logged.isSince);
  if (before) return before.type === 'arrives';
  // An object that meshform cannot create existed when the files first named it, unless the log shows that it came later.
  return own ? own.isThere : !isMade || later[0]?.type !== 'arrives';
}

const withoutOwnCreate = (logged: LoggedEvent): LoggedEvent =>
  isCreate(logged) ? { ...logged, isOwn: false } : logged;

// The id of the last object with the name, as far as the log shows it.
function lastHolder(
  logged: readonly LoggedEvent[],
  wanted: Wanted,
  idOf: IdOf,
): RemoteId | undefined {
  const found = logged.findLast(
    one =>
      (one.form.type === 'create' || one.form.type === 'update') &&
      one.form.about === undefined &&
      (isNamed(one, wanted, idOf) || isNamed(one, wanted, idOf, 'was')),
  );
  return found && remoteId(found.entry.target);
}
