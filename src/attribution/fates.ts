// What became of an object that the account no longer has: the last event of the audit log that took its name away.
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { AuditEntry, Initiator } from '../model/audit/entry.ts';
import type { ComparedAccount } from '../model/comparedAccount.ts';
import { keyOf, segmentsOf } from '../model/key.ts';
import type { Fate } from '../model/missingObjects.ts';
import { type Key, type KindName, type RemoteId, remoteId } from '../model/names.ts';
import type { Fields } from '../model/value.ts';
import { entriesNaming, isAbout, isNamed, subjectOf, type Wanted } from './entrySubject.ts';
import { eventsByKind, type LoggedEvent } from './log.ts';

/** A log, and the account as it is now. */
export interface FateInput {
  readonly kinds: KindTable;
  readonly account: ComparedAccount;
  /** The entries of the log, oldest first. */
  readonly entries: readonly AuditEntry[];
}

/** A name in files. */
export interface NameInFiles {
  readonly kind: KindName;
  readonly key: Key;
  /** The id of the object that had the name, if it is known: other objects may have had the name before or afterwards. */
  readonly id?: RemoteId | undefined;
  /**
   * The objects that had the name according to unproven sources. Such an object counts only if the log shows that it had the
   * name.
   */
  readonly claimed?: readonly RemoteId[];
}

/**
 * What became of an object of a name; null if the log does not say what, undefined if it shows no object of that name.
 */
export function fatesIn({
  kinds,
  account,
  entries,
}: FateInput): (name: NameInFiles) => Fate | null | undefined {
  const eventsOf = eventsByKind(entries, { isOwn: () => false, self: null });
  return ({ kind: name, key, id, claimed = [] }) => {
    const kind = kinds.get(name);
    const wanted = kind && wantedByName(kind, key, account);
    if (!wanted) return undefined;
    return fateOf({ ...wanted, id, claimed }, eventsOf(kind), entries, account);
  };
}

/** The object that a name identifies, with what is known from the name; undefined for kinds without names. */
export function wantedByName(kind: Kind, key: Key, { idOf }: ComparedAccount): Wanted | undefined {
  const segments = segmentsOf(key, kind.depth) ?? [];
  const name = segments.at(-1);
  const parentName = segments.at(-2);
  const [field] = namingFields(kind);
  if (field === undefined || name === undefined) return undefined;
  const parent =
    kind.parent !== undefined && parentName !== undefined
      ? { id: idOf(kind.parent, keyOf([parentName])), name: parentName }
      : undefined;
  return { kind, fields: { [field]: name }, ...(parent && { parent }) };
}

function fateOf(
  wanted: WantedName,
  logged: readonly LoggedEvent[],
  entries: readonly AuditEntry[],
  { objects, idOf }: ComparedAccount,
): Fate | null | undefined {
  const { kind } = wanted;
  const isNamedIn = (one: LoggedEvent) => isNamed(one, wanted, idOf);
  const isAboutId = (one: LoggedEvent, id: string) =>
    isAbout(one, { ...wanted, id: remoteId(id) }, idOf);
  const holding = logged.filter(one => isOfHolder(one) && isNamedIn(one));
  const holders = holdersOf(wanted, holding, entries);
  const now = objects.find(
    live => live.kind === kind.name && holders.has(live.id) && !hasName(live.fields, wanted),
  );
  if (now) {
    const renaming = logged.findLast(one => isRenaming(one, kind) && isAboutId(one, now.id));
    const to = nameOf(kind, now.fields);
    return {
      type: 'renamed',
      id: now.id,
      ...(renaming && deedOf(renaming)),
      ...(to !== undefined && { to }),
    };
  }
  const deletion = logged.findLast(
    one =>
      one.form.type === 'delete' &&
      ([...holders].some(id => isAboutId(one, id)) || (wanted.id === undefined && isNamedIn(one))),
  );
  if (deletion) {
    const was = subjectOf(deletion);
    return { type: 'deleted', ...deedOf(deletion), ...(was && { was: remoteId(was) }) };
  }
  return holders.size > 0 ? null : undefined;
}

/** The object that a name identifies, and the ids that it had according to unproven sources. */
type WantedName = Wanted & { readonly claimed: readonly RemoteId[] };

// Whether the names in an event are those of the object with the event's target id.
const isOfHolder = ({ form }: LoggedEvent): boolean =>
  form.about === undefined && form.type !== 'delete';

// The ids of the objects that had the name according to the log.
function holdersOf(
  wanted: WantedName,
  holding: readonly LoggedEvent[],
  entries: readonly AuditEntry[],
): ReadonlySet<string> {
  const { kind, id, claimed } = wanted;
  if (id !== undefined) return new Set([id]);
  // Entries about other objects do not name the parent of an object, so they count only for kinds without a parent.
  const elsewhere = kind.parent === undefined ? entriesNaming(wanted, entries) : [];
  const all = [
    ...holding.map(({ entry }) => entry.target),
    ...elsewhere.map(({ target }) => target),
  ];
  const proven = claimed.filter(one => all.includes(one));
  return new Set<string>(proven.length > 0 ? proven : all);
}

// Whether a live object has the wanted name, such as a machine that enrolled again: it is then not the object that lost the name.
// For a nested object the answer is no, because its parent may have another name.
function hasName(fields: Fields, { kind, id, fields: wanted }: Wanted): boolean {
  const [field] = namingFields(kind);
  const isAsked = id === undefined && kind.parent === undefined && field !== undefined;
  return isAsked && fields[field] === wanted[field];
}

const deedOf = ({ entry: { by, time } }: LoggedEvent) => ({ by: calledBy(by), when: time });

const isRenaming = ({ form }: LoggedEvent, kind: Kind): boolean =>
  form.type === 'update' &&
  namingFields(kind).some(field => field !== undefined && form.fields?.includes(field));

const calledBy = ({ email, name, id }: Initiator): string => email || name || id;

function nameOf(kind: Kind, fields: Fields): string | undefined {
  const [field] = namingFields(kind);
  const name = field === undefined ? undefined : fields[field];
  return typeof name === 'string' ? name : undefined;
}
