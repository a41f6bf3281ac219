// The events that can have changed an existing object. A create event sets every value, and so does the rename that gave the
// object its present name. Events before the last run of meshform that set a value are not the cause of its difference.
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind } from '../kinds/kind.ts';
import type { ShownChange } from '../model/change.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import { covers, isDecisive, memberIn, type Part, partsOf } from './differenceParts.ts';
import { isAbout, isNamed, type Wanted } from './entrySubject.ts';
import { type Doubt, distinctEvents, type Evidence } from './evidence.ts';
import { afterOwn, byOthers, isOther, type LoggedEvent } from './log.ts';
import { type NameMove, nameMoves } from './nameMoves.ts';

/** The evidence on an object that differs from its declaration. */
export function evidenceOnChanged(
  change: ShownChange,
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  idOf: IdOf,
): Evidence {
  const history = historyOf(wanted, logged, idOf);
  const { about } = history;
  const edits = change.type === 'delete' ? editsOfEnded(change, wanted.kind) : change.fields;
  // If an object that is declared for deletion exists again, its creator is responsible.
  const settings =
    edits === undefined
      ? [{ part: {}, events: about.filter(history.begins) }]
      : partsOf(wanted.kind, edits, idOf).map(part => ({
          part,
          events: settersOf(part, history),
        }));
  const explained = settings.map(({ part, events }) => ({ part, by: byOthers(afterOwn(events)) }));
  const explaining = distinctEvents(explained.flatMap(({ by }) => by));
  const begun = byOthers(about.filter(history.begins));
  const former = begun.length === 0 ? [] : formerOnes(wanted, logged, history, idOf);
  return {
    explaining,
    others: distinctEvents([...explaining, ...former, ...latest(about)]),
    unexplained: explained.filter(({ by }) => by.length === 0).map(({ part }) => part),
    isOwn: settings.some(({ events }) => {
      const last = events.at(-1);
      return last?.isOwn === true && last.isSince;
    }),
    doubts: doubtsOf(explaining, settings, history),
  };
}

// The changes of others to an object that has expired but still exists; undefined if the object is as declared.
function editsOfEnded({ ended }: ShownChange, kind: Kind): ShownChange['fields'] | undefined {
  if (ended === undefined) return undefined;
  const { isRenamed, otherwise } = ended;
  const [name] = namingFields(kind);
  const renamed = isRenamed && name !== undefined ? [{ type: 'value', path: [name] } as const] : [];
  const edits = [...renamed, ...otherwise];
  return edits.length > 0 ? edits : undefined;
}

/** The events of one object. */
interface History {
  readonly wanted: Wanted;
  /** Its events since the last event of our own runs that set every value, oldest first. */
  readonly about: readonly LoggedEvent[];
  /** Whether an event set every value: the object was created, or took its present name. */
  readonly begins: (logged: LoggedEvent) => boolean;
  readonly moves: readonly NameMove[];
}

function historyOf(wanted: Wanted, logged: readonly LoggedEvent[], idOf: IdOf): History {
  const moves = nameMoves(logged, wanted, idOf);
  const arrived = new Set(
    moves.filter(({ type }) => type === 'arrives').map(({ logged: { order } }) => order),
  );
  const begins = (one: LoggedEvent) => isCreate(one) || arrived.has(one.order);
  const all = logged.filter(one => isAbout(one, wanted, idOf));
  const start = all.findLastIndex(one => one.isOwn && begins(one));
  return { wanted, moves, begins, about: start < 0 ? all : all.slice(start) };
}

/** The events that can have set a part, including those of our own runs. */
function settersOf(
  part: Part,
  { about, begins, wanted: { kind } }: History,
): readonly LoggedEvent[] {
  const events = about.filter(one => begins(one) || covers(one, part, kind));
  const { member } = part;
  if (!member) return events;
  // The newest event of a member must match its current state; otherwise it was added or removed without an event.
  const last = events.at(-1);
  if (last && !begins(last))
    return member.id !== undefined && last.form.type === member.became
      ? events
      : events.slice(0, 0);
  const isSilent = kind.auditEvents.some(
    form => form.type === 'silent' && form.field === part.field,
  );
  return isSilent && member.became === 'join' ? events.filter(one => one.isOwn) : events;
}

const isCreate = ({ form }: LoggedEvent): boolean => form.type === 'create';

// For each part that events distinguish, the events after the last event of our own runs, because that run set the declared
// value.
function latest(about: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const changes = about.filter(({ form }) => form.type !== 'create');
  const kinds = Map.groupBy(changes, ({ form, entry }) =>
    form.type === 'join' || form.type === 'leave'
      ? `${form.field} ${memberIn(form, entry)}`
      : form.codes.join(' '),
  );
  return [...kinds.values()].flatMap(some => byOthers(afterOwn(some)));
}

// The events by which other objects lost the wanted name: the present object may have replaced an object that somebody deleted or
// renamed.
function formerOnes(
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  { moves }: History,
  idOf: IdOf,
): readonly LoggedEvent[] {
  const own = logged.findLast(one => one.isOwn && isNamed(one, wanted, idOf))?.order ?? -1;
  const left = moves.filter(({ type, subject }) => type === 'leaves' && subject !== wanted.id);
  return byOthers(left.map(move => move.logged)).filter(({ order }) => order > own);
}

interface Setting {
  readonly part: Part;
  readonly events: readonly LoggedEvent[];
}

function doubtsOf(
  explaining: readonly LoggedEvent[],
  settings: readonly Setting[],
  { about }: History,
): readonly Doubt[] {
  const last = explaining.at(-1);
  if (!last) return [];
  const people = new Set(explaining.map(({ entry }) => entry.by.id));
  const vague = settings.filter(({ events, part }) => {
    const newest = events.at(-1);
    return newest && !isCreate(newest) && !isDecisive(newest, part);
  });
  const isEarlier = vague.some(({ events }) =>
    afterOwn(events).some(one => isOther(one) && !one.isSince && !people.has(one.entry.by.id)),
  );
  const isUnseen = vague.some(({ events }) => !events.some(one => one.isOwn || isCreate(one)));
  const isRewritten = about.some(one => one.isOwn && one.order > last.order);
  return [
    ...(isEarlier ? (['earlier'] as const) : []),
    ...(isUnseen ? (['unseen'] as const) : []),
    ...(isRewritten ? (['rewritten'] as const) : []),
  ];
}
