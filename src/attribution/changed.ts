// The events that can have changed an existing object.
import type { ShownChange } from '../model/change.ts';
import type { IdOf } from '../model/compared.ts';
import { afterOwn, byOthers, type LoggedEvent } from './log.ts';
import { isAbout, isNamed, type Wanted } from './named.ts';
import { covers, memberIn, type Part, partsOf } from './parts.ts';

/** The evidence of the log about a difference. */
export interface Evidence {
  /** Events of others that explain a part of it, oldest first. */
  readonly explaining: readonly LoggedEvent[];
  /** All events of others about the object: one of these people may have caused it. */
  readonly others: readonly LoggedEvent[];
  /** Parts that no event explains. */
  readonly unexplained: readonly Part[];
  /** Whether every event that could explain it belongs to our own runs. */
  readonly isOwn: boolean;
}

/** The evidence on an object that differs from its declaration. */
export function evidenceOnChanged(
  change: ShownChange,
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  idOf: IdOf,
): Evidence {
  const about = logged.filter(one => isAbout(one, wanted, idOf));
  const made = byOthers(about.filter(({ form }) => form.type === 'create'));
  const parts = change.type === 'delete' ? [] : partsOf(wanted.kind, change, idOf);
  const explained = parts.map(part => {
    const events = explainedBy(part, about, wanted);
    return { part, events: events.length > 0 ? events : made };
  });
  // If an object that is declared for deletion exists again, its creator is responsible.
  const explaining = change.type === 'delete' ? made : explained.flatMap(({ events }) => events);
  const before = made.length === 0 ? [] : formerOnes(wanted, logged, idOf);
  return {
    explaining: inOrder(explaining),
    others: inOrder([...made, ...before, ...latest(about)]),
    unexplained:
      change.type === 'delete'
        ? explaining.length > 0
          ? []
          : [{}]
        : explained.filter(({ events }) => events.length === 0).map(({ part }) => part),
    isOwn: parts.some(part => about.some(one => one.isOwn && covers(one, part, wanted.kind))),
  };
}

// The newest event of a member must match its current state; otherwise it was added or removed without an event.
function explainedBy(
  part: Part,
  about: readonly LoggedEvent[],
  { kind }: Wanted,
): readonly LoggedEvent[] {
  const covering = about.filter(one => covers(one, part, kind));
  const events = byOthers(afterOwn(covering));
  const { member } = part;
  if (!member) return events;
  const isKnown = member.id !== undefined && covering.at(-1)?.form.type === member.became;
  return isKnown ? events : [];
}

// For each part that events distinguish, the events after the last one of our own: that run set the declared value.
function latest(about: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const changes = about.filter(({ form }) => form.type !== 'create');
  const kinds = Map.groupBy(changes, ({ form, entry }) =>
    form.type === 'join' || form.type === 'leave'
      ? `${form.field} ${memberIn(form, entry)}`
      : form.codes.join(' '),
  );
  return [...kinds.values()].flatMap(some => byOthers(afterOwn(some)));
}

// An object that was created again replaced an object that somebody had deleted.
const formerOnes = (
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  idOf: IdOf,
): readonly LoggedEvent[] =>
  byOthers(logged.filter(one => one.form.type === 'delete' && isNamed(one, wanted, idOf)));

/** Each event once, oldest first. */
export const inOrder = (logged: readonly LoggedEvent[]): readonly LoggedEvent[] =>
  [...new Map(logged.map(one => [one.order, one])).values()].sort((a, b) => a.order - b.order);
