// Finds in the log when objects got a name and lost it, by a create, a rename or a delete. Most update events contain only the
// new name, so a rename is found by comparing each event with the event before it about the same object.
import type { IdOf } from '../model/comparedAccount.ts';
import { isNamed, namingOf, subjectOf, type Wanted } from './entrySubject.ts';
import type { LoggedEvent } from './log.ts';

/** An event by which an object got the wanted name, or lost it. */
export interface NameMove {
  readonly logged: LoggedEvent;
  readonly type: 'arrives' | 'leaves';
  /** The id of the object; undefined if the event does not contain it. */
  readonly subject: string | undefined;
}

/** Every event by which an object got or lost the wanted name, oldest first. */
export function nameMoves(
  logged: readonly LoggedEvent[],
  wanted: Wanted,
  idOf: IdOf,
): readonly NameMove[] {
  const known = new Map<string, boolean>();
  return logged.flatMap((one): NameMove[] => {
    const subject = subjectOf(one);
    const had = subject === undefined ? undefined : known.get(subject);
    const { before, after } = namesAround(one, had, wanted, idOf);
    if (subject !== undefined && after !== undefined) known.set(subject, after);
    if (before === undefined || after === undefined || before === after) return [];
    return [{ logged: one, type: after ? 'arrives' : 'leaves', subject }];
  });
}

/** Whether the object of an event had the wanted name before and after the event; undefined if the log does not show it. */
function namesAround(
  logged: LoggedEvent,
  had: boolean | undefined,
  wanted: Wanted,
  idOf: IdOf,
): { readonly before: boolean | undefined; readonly after: boolean | undefined } {
  const naming = namingOf(logged, wanted, idOf);
  switch (logged.form.type) {
    case 'create':
      return { before: false, after: naming };
    case 'delete':
      return { before: naming === true || had === true, after: false };
    case 'update': {
      const wasNamed = isNamed(logged, wanted, idOf, 'was');
      return { before: logged.form.was ? wasNamed : had, after: naming };
    }
    default:
      return { before: had, after: had };
  }
}
