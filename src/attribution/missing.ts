// The events that can have made an object disappear: somebody deleted it, or gave it another name or parent.

import type { IdOf } from '../model/compared.ts';
import { type RemoteId, remoteId } from '../model/names.ts';
import { type Evidence, inOrder } from './changed.ts';
import { afterOwn, byOthers, type LoggedEvent } from './log.ts';
import { isAbout, isNamed, type Wanted } from './named.ts';

/** The evidence on a declared object that is not in the account. */
export function evidenceOnMissing(
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  { idOf, isLive }: { readonly idOf: IdOf; readonly isLive: (id: string) => boolean },
): Evidence {
  const named = (one: LoggedEvent) => isNamed(one, wanted, idOf);
  const id = lastHolder(logged, wanted, idOf);
  const isOfHolder = (one: LoggedEvent) =>
    id !== undefined && isAbout(one, { ...wanted, id }, idOf);
  const isMoved = id !== undefined && isLive(id);
  const takesAway = (one: LoggedEvent): boolean => {
    if (one.form.type === 'delete') return named(one) || isOfHolder(one);
    if (one.form.type !== 'update') return false;
    // If the object still exists, only a change of its name or parent can be the cause.
    return isNamed(one, wanted, idOf, 'was') || (isMoved && isOfHolder(one) && !named(one));
  };
  const relevant = logged.filter(
    one => takesAway(one) || (one.form.type === 'create' && (named(one) || isOfHolder(one))),
  );
  const lastMade = relevant.findLastIndex(({ form, isOwn }) => isOwn && form.type === 'create');
  const since = relevant.slice(lastMade + 1);
  const taking = since.filter(takesAway);
  const explaining = byOthers(afterOwn(taking)).filter(one => !wasMissingBefore(one, since));
  const others = logged.filter(one => isOfHolder(one) && one.form.type !== 'create');
  return {
    explaining: inOrder(explaining),
    others: inOrder([...byOthers(since), ...byOthers(afterOwn(others))]),
    unexplained: explaining.length > 0 ? [] : [{}],
    isOwn: taking.at(-1)?.isOwn === true,
  };
}

// An object that somebody created and deleted in the meantime was missing before.
function wasMissingBefore(
  { entry, form, order }: LoggedEvent,
  since: readonly LoggedEvent[],
): boolean {
  if (form.type !== 'delete') return false;
  const birth = byOthers(since).find(
    one => one.form.type === 'create' && one.entry.target === entry.target && one.order < order,
  );
  if (birth === undefined) return false;
  return !since.some(one => one.form.type === 'delete' && one.order < birth.order);
}

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
