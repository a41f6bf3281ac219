// What became of an object that the account no longer has: the last event of the audit log that took its name away.
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { AuditEntry, Initiator } from '../model/audit/entry.ts';
import type { ComparedAccount } from '../model/compared.ts';
import { keyOf, segmentsOf } from '../model/key.ts';
import type { Fate } from '../model/missing.ts';
import { type Key, type KindName, remoteId } from '../model/names.ts';
import type { Fields } from '../model/value.ts';
import { eventsByKind, type LoggedEvent } from './log.ts';
import { isAbout, isNamed, type Wanted } from './named.ts';

/** A log, and the account as it is now. */
export interface FateInput {
  readonly kinds: KindTable;
  readonly account: ComparedAccount;
  /** The oldest first. */
  readonly entries: readonly AuditEntry[];
}

/**
 * By kind and key, what became of an object of that name; null if the log does not say what, undefined if it shows no object
 * of that name.
 */
export function fatesIn({
  kinds,
  account,
  entries,
}: FateInput): (kind: KindName, key: Key) => Fate | null | undefined {
  const eventsOf = eventsByKind(entries, { isOwn: () => false, self: null });
  return (name, key) => {
    const kind = kinds.get(name);
    const wanted = kind && wantedOf(kind, key, account);
    return kind && wanted ? fateOf(wanted, eventsOf(kind), entries, account) : undefined;
  };
}

function wantedOf(kind: Kind, key: Key, { idOf }: ComparedAccount): Wanted | undefined {
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
  wanted: Wanted,
  logged: readonly LoggedEvent[],
  entries: readonly AuditEntry[],
  { objects, idOf }: ComparedAccount,
): Fate | null | undefined {
  const { kind } = wanted;
  const isHolder = (one: LoggedEvent) =>
    one.form.about === undefined && one.form.type !== 'delete' && isNamed(one, wanted, idOf);
  const holders = new Set([
    ...logged.filter(isHolder).map(({ entry }) => entry.target),
    ...targetsNamed(wanted, entries),
  ]);
  const isOfHolder = (one: LoggedEvent) =>
    [...holders].some(id => isAbout(one, { ...wanted, id: remoteId(id) }, idOf));
  const now = objects.find(live => live.kind === kind.name && holders.has(live.id));
  if (now) {
    const renaming = logged.findLast(
      one => isRenaming(one, kind) && isAbout(one, { ...wanted, id: now.id }, idOf),
    );
    const to = nameOf(kind, now.fields);
    return {
      type: 'renamed',
      ...(renaming && deedOf(renaming)),
      ...(to !== undefined && { to }),
    };
  }
  const deletion = logged.findLast(
    one => one.form.type === 'delete' && (isNamed(one, wanted, idOf) || isOfHolder(one)),
  );
  if (deletion) return { type: 'deleted', ...deedOf(deletion) };
  return holders.size > 0 ? null : undefined;
}

const deedOf = ({ entry: { by, time } }: LoggedEvent) => ({ by: calledBy(by), when: time });

const isRenaming = ({ form }: LoggedEvent, kind: Kind): boolean =>
  form.type === 'update' &&
  namingFields(kind).some(field => field !== undefined && form.fields?.includes(field));

// Events of any code have the name of their object where those of the kind have it: that a machine enrolled, for example.
function targetsNamed({ kind, fields }: Wanted, entries: readonly AuditEntry[]): string[] {
  const [field] = namingFields(kind);
  const names = kind.auditEvents.flatMap(form =>
    'named' in form
      ? Object.entries(form.named ?? {}).flatMap(([name, own]) => (own === field ? name : []))
      : [],
  );
  const wanted = field === undefined ? undefined : fields[field];
  return entries
    .filter(({ meta }) => names.some(name => meta[name] === wanted))
    .map(({ target }) => target);
}

const calledBy = ({ email, name, id }: Initiator): string => email || name || id;

function nameOf(kind: Kind, fields: Fields): string | undefined {
  const [field] = namingFields(kind);
  const name = field === undefined ? undefined : fields[field];
  return typeof name === 'string' ? name : undefined;
}
