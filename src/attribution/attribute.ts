// Finds out from the audit log who caused each difference of an account. Nothing is guessed: if several users are possible, all
// of them are listed, and if the log does not explain a difference, nobody is named.
import { identityName } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import type { Attribution, Attributions, CausingEvent } from '../model/audit/attribution.ts';
import type { AuditEntry, Initiator } from '../model/audit/entry.ts';
import type { ShownChange } from '../model/change.ts';
import type { ComparedAccount } from '../model/comparedAccount.ts';
import { keyOf, segmentsOf } from '../model/key.ts';
import type { Key, KindName } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import { quoted } from '../model/text/visible.ts';
import { evidenceOnChanged } from './changeEvidence.ts';
import type { Part } from './differenceParts.ts';
import type { Wanted } from './entrySubject.ts';
import { distinctEvents, type Evidence } from './evidence.ts';
import { fatesIn } from './fates.ts';
import { type EventsOf, eventsByKind, type LoggedEvent, type LogOptions } from './log.ts';
import { evidenceOnMissing } from './missingEvidence.ts';
import { withMovedNames } from './throughNames.ts';

/** The evidence for attribution. */
export interface AttributionInput extends LogOptions {
  readonly kinds: KindTable;
  readonly account: ComparedAccount;
  /** The entries, oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether the log has older entries that it does not show. */
  readonly isCut: boolean;
  /** Whether `since` is the time at which a base was recorded, so that the account matched the base at that time. */
  readonly isFromBase?: boolean;
}

/** Who caused each of these differences. */
export function attributed(changes: readonly ShownChange[], input: AttributionInput): Attributions {
  const search = searchIn(changes, input);
  return new Map(changes.map(change => [change, attribution(change, search)]));
}

/** The differences without attribution, for a run that has no log. */
export const unattributed = (changes: readonly ShownChange[], reason: string): Attributions =>
  new Map(changes.map(change => [change, { confidence: 'none', reason }]));

interface Search extends AttributionInput {
  readonly eventsOf: EventsOf;
  /** By kind and id. */
  readonly live: ReadonlyMap<string, Live>;
  /** The declared objects that are missing, by kind and key. */
  readonly missing: ReadonlyMap<string, ShownChange>;
  /** By id of a deleted user, the event of the deletion. */
  readonly deletedUsers: ReadonlyMap<string, LoggedEvent>;
}

function searchIn(changes: readonly ShownChange[], input: AttributionInput): Search {
  const eventsOf = eventsByKind(input.entries, input);
  const users = [...input.kinds.values()].filter(({ principal }) => principal);
  const deletions = users.flatMap(kind =>
    eventsOf(kind).filter(({ form }) => form.type === 'delete'),
  );
  return {
    ...input,
    account: withFormerIds(input),
    eventsOf,
    live: new Map(input.account.objects.map(one => [`${one.kind} ${one.id}`, one])),
    missing: new Map(
      changes
        .filter(({ type }) => type === 'create')
        .map(change => [`${change.kind} ${change.key}`, change]),
    ),
    deletedUsers: new Map(deletions.map(logged => [logged.entry.target, logged])),
  };
}

// Adds the ids of deleted objects, because the log identifies every object by its id.
function withFormerIds({ kinds, account, entries }: AttributionInput): ComparedAccount {
  const fateOf = fatesIn({ kinds, account, entries });
  const formerId = (kind: KindName, key: string) => fateOf({ kind, key: key as Key })?.was;
  return { ...account, idOf: (kind, key) => account.idOf(kind, key) ?? formerId(kind, key) };
}

function attribution(change: ShownChange, search: Search): Attribution {
  const kind = search.kinds.get(change.kind);
  if (!kind || kind.auditEvents.length === 0) {
    const what = kind?.plural ?? change.kind;
    return { confidence: 'none', reason: `the audit log does not record changes of ${what}` };
  }
  const evidence = evidenceOn(change, kind, search);
  const { explaining, unexplained } = evidence;
  if (explaining.length === 0)
    return { confidence: 'none', reason: reasonFor(evidence, kind, search) };
  const people = usersEvents(evidence, search);
  const [event] = people;
  const doubt = unexplained.length > 0 ? unexplainedText(unexplained) : doubtText(evidence, search);
  if (event && people.length === 1 && doubt === undefined) return { confidence: 'exact', event };
  return { confidence: 'window', events: people, ...(doubt !== undefined && { reason: doubt }) };
}

function evidenceOn(change: ShownChange, kind: Kind, search: Search): Evidence {
  const { account, eventsOf } = search;
  const logged = eventsOf(kind);
  const wanted = wantedOf(change, kind, search);
  if (change.type !== 'create') {
    const evidence = evidenceOnChanged(change, wanted, logged, account.idOf);
    return withMovedNames(evidence, change, wanted, search);
  }
  const open = mayBeGoneInBase(kind, search) ? logged.map(asSince) : logged;
  return withParent(evidenceOnMissing(wanted, open, account.idOf), change, kind, search);
}

// Whether an object may have been deleted before the base was recorded. A base can contain a deleted object if meshform cannot
// create objects of the kind, so a deletion at any earlier time may be the cause.
const mayBeGoneInBase = ({ verbs }: Kind, { isFromBase }: Search): boolean =>
  isFromBase === true && !verbs.has('create');

const asSince = (logged: LoggedEvent): LoggedEvent => ({ ...logged, isSince: true });

function wantedOf(change: ShownChange, kind: Kind, { account, live }: Search): Wanted {
  const own = live.get(`${kind.name} ${change.id}`);
  const fields = own?.fields ?? plainFields(change);
  const segments = segmentsOf(change.key, kind.depth);
  const parentName = segments?.at(-2);
  return {
    kind,
    id: change.id,
    fields,
    ...(kind.parent !== undefined &&
      parentName !== undefined && {
        parent: {
          id: own?.parentId ?? account.idOf(kind.parent, keyOf([parentName])),
          name: parentName,
        },
      }),
  };
}

const plainFields = ({ after, before }: ShownChange) => after ?? before ?? {};

// An object that is deleted together with its parent may have no event, so the events of the parent count too.
function withParent(evidence: Evidence, change: ShownChange, kind: Kind, search: Search): Evidence {
  const parent = kind.parent === undefined ? undefined : search.kinds.get(kind.parent);
  const isTaken = parent?.cascades.some(cascade => cascade.kind === kind.name);
  const [parentName] = segmentsOf(change.key, kind.depth)?.slice(0, -1) ?? [];
  const gone = parent && search.missing.get(`${parent.name} ${keyOf([parentName ?? ''])}`);
  if (!parent || !isTaken || !gone) return evidence;
  const above = evidenceOn(gone, parent, search);
  if (above.explaining.length === 0) return evidence;
  const deletions = above.explaining.filter(({ form }) => form.type === 'delete');
  const explaining = distinctEvents([...evidence.explaining, ...deletions]);
  return {
    explaining,
    others: distinctEvents([...evidence.others, ...deletions]),
    unexplained: explaining.length > 0 ? [] : [{}],
    isOwn: evidence.isOwn || above.isOwn,
    doubts: evidence.doubts,
  };
}

/** The newest event of each person who may be the cause; an event that explains a part of the difference is preferred. */
function usersEvents({ explaining, others }: Evidence, search: Search): readonly CausingEvent[] {
  const { deletedUsers } = search;
  const newest = new Map<string, LoggedEvent>();
  for (const logged of [...others, ...explaining]) newest.set(logged.entry.by.id, logged);
  // If objects are deleted together with a user, the log names the deleted user as the cause. The person who deleted that user is
  // added.
  for (const { form, entry } of explaining) {
    const deletion = form.type === 'delete' ? deletedUsers.get(entry.by.id) : undefined;
    if (deletion && !newest.has(deletion.entry.by.id)) newest.set(deletion.entry.by.id, deletion);
  }
  return [...newest.values()]
    .sort((one, other) => other.order - one.order)
    .map(({ entry: { by, time, code } }) => ({
      by: withObjectName(by, search),
      when: time,
      activity: code,
    }));
}

// Adds the name of an object that the log gives as the cause by id alone, such as the setup key with which a machine enrolled.
function withObjectName(by: Initiator, { kinds, account }: Search): Initiator {
  if (by.name !== '' || by.email !== '') return by;
  const [one, ...others] = account.objects.filter(({ id }) => id === by.id);
  const kind = one && kinds.get(one.kind);
  const name = kind && identityName(kind, canonicalFields(kind.shape, one.fields, 'live'));
  return name && others.length === 0 ? { ...by, name: `${kind.noun} ${name}` } : by;
}

function unexplainedText(parts: readonly Part[]): string {
  const names = [...new Set(parts.flatMap(({ field }) => field ?? []))].map(quoted);
  return `no event explains the difference of ${names.join(', ')}`;
}

/** Why somebody whom the log does not show may have caused the difference. */
function doubtText({ doubts }: Evidence, search: Search): string | undefined {
  const { since, entries, isCut, isFromBase } = search;
  const [oldest] = entries;
  // If the log does not reach back to the given start, it may hide somebody.
  if (since !== undefined && isCut && oldest && oldest.moment > since)
    return `the log begins at ${oldest.time}: earlier events are not shown`;
  if (doubts.includes('rewritten')) return 'a run of meshform wrote the object afterwards';
  // The account matched the base when the base was recorded, so no older event matters.
  if (since !== undefined && isFromBase) return undefined;
  if (since !== undefined && doubts.includes('earlier'))
    return `others changed the object before ${timeText(since)}, and the log does not say which event set which value`;
  if (isCut && doubts.includes('unseen'))
    return `${CUT}: an older event may be the cause of a part of it`;
  return undefined;
}

const CUT = 'the log shows only the newest 10,000 events';

function reasonFor({ isOwn, unexplained }: Evidence, kind: Kind, search: Search): string {
  const { since, entries, isCut } = search;
  const fields = new Set(unexplained.flatMap(({ field }) => field ?? []));
  const silent = kind.auditEvents.flatMap(form =>
    form.type === 'silent' && fields.has(form.field) ? form.because : [],
  );
  const isEmpty = !entries.some(({ moment }) => since === undefined || moment >= since);
  const cut = isCut && !isEmpty ? [CUT] : [];
  return [firstReason(isOwn, isEmpty, since), ...silent, ...cut].join('; ');
}

function firstReason(isOwn: boolean, isEmpty: boolean, since: bigint | undefined): string {
  const after = since === undefined ? '' : ` since ${timeText(since)}`;
  if (isEmpty) return `the audit log has no events${after}`;
  if (isOwn) return 'only runs of meshform have events that can have caused it';
  return `no event of the audit log${after} can have caused it`;
}

const NANOSECONDS = 1_000_000n;

const timeText = (moment: bigint): string =>
  new Date(Number(moment / NANOSECONDS)).toISOString().replace('.000Z', 'Z');
