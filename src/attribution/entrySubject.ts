// Which object an entry of the audit log is about: by its id, or by field values in the entry.
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind, Shape } from '../kinds/kind.ts';
import { isEmpty } from '../kinds/values/canonical.ts';
import type { AuditEntry } from '../model/audit/entry.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import { idInKey } from '../model/key.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Fields, Json } from '../model/value.ts';
import { isList, isObject } from '../model/value.ts';
import type { EventForm, LoggedEvent } from './log.ts';

/** An object about which the log may have entries. */
export interface Wanted {
  readonly kind: Kind;
  /** Undefined if it no longer exists. */
  readonly id?: RemoteId | undefined;
  readonly fields: Fields;
  /** The name of its parent, and the parent's id if the parent exists. */
  readonly parent?: { readonly id: RemoteId | undefined; readonly name: string } | undefined;
}

/** Whether an entry identifies the object by an id. */
export function isAbout({ form, entry }: LoggedEvent, wanted: Wanted, idOf: IdOf): boolean {
  const { id, fields, parent } = wanted;
  const { about } = form;
  const { target, meta } = entry;
  if (about === undefined) return target === id;
  if (about === 'parent') return target === parent?.id && isNamed({ form, entry }, wanted, idOf);
  if ('meta' in about) return id !== undefined && meta[about.meta] === id;
  if ('only' in about) return true;
  const value = fields[about.field];
  return value !== undefined && target !== '' && target === String(value);
}

/** Whether an entry has the object's name after the event or, with `was`, before it. */
export function isNamed(
  { form, entry }: Pick<LoggedEvent, 'form' | 'entry'>,
  wanted: Wanted,
  idOf: IdOf,
  time: 'named' | 'was' = 'named',
): boolean {
  const logged = mapIn(form, time);
  const { kind, fields } = wanted;
  const compared = Object.entries(logged).filter(([, field]) => !isEmpty(fields[field] ?? null));
  return (
    compared.length > 0 &&
    isWithin({ form, entry }, wanted) &&
    compared.every(([name, field]) => {
      const shape = kind.shape.fields.get(field)?.shape;
      return isSame(shape, fields[field] ?? null, entry.meta[name] ?? '', idOf);
    })
  );
}

/**
 * Whether an event says that its object has the wanted name after the event; undefined if the event contains no name. Some events
 * leave out an empty part of the name, so only the parts that are present are compared.
 */
export function namingOf(logged: LoggedEvent, wanted: Wanted, idOf: IdOf): boolean | undefined {
  const parts = Object.keys(mapIn(logged.form, 'named'));
  if (!parts.some(name => (logged.entry.meta[name] ?? '') !== '')) return undefined;
  return isNamed(logged, wanted, idOf);
}

/** The id of the object that an event is about; undefined if the event does not contain it. */
export function subjectOf({
  form: { about },
  entry,
}: Pick<LoggedEvent, 'form' | 'entry'>): string | undefined {
  const found = idIn(about, entry);
  return found === '' ? undefined : found;
}

function idIn(about: EventForm['about'], { target, meta }: AuditEntry): string | undefined {
  if (about === undefined) return target;
  if (about === 'parent' || 'field' in about) return undefined;
  // The only object of a kind without ids has the name of the kind as its id.
  return 'only' in about ? about.only : meta[about.meta];
}

function mapIn(form: EventForm, time: 'named' | 'was'): Readonly<Record<string, string>> {
  if (form.type === 'join' || form.type === 'leave') return {};
  const map = time === 'named' ? form.named : form.type === 'update' ? form.was : {};
  return Object.fromEntries(Object.entries(map ?? {}).map(([name, field]) => [name, field ?? '']));
}

// A parent that no longer exists is known only by its name.
function isWithin({ form, entry: { meta } }: Pick<LoggedEvent, 'form' | 'entry'>, wanted: Wanted) {
  if (!('within' in form) || form.within === undefined || !wanted.parent) return true;
  const { id, name } = wanted.parent;
  return id === undefined ? meta[form.within.name] === name : meta[form.within.id] === id;
}

// Servers write a list as `[a b]` or as `a, b`, and references as ids.
function isSame(shape: Shape | undefined, value: Json, logged: string, idOf: IdOf): boolean {
  if (!isList(value)) return textOf(shape, value, idOf) === logged;
  const items = shape?.type === 'list' ? shape.items : undefined;
  const wanted = value.map(item => textOf(items, item, idOf));
  const found = logged.replaceAll(/^\[|\]$/g, '').split(/[\s,]+/);
  return new Set(wanted).symmetricDifference(new Set(found)).size === 0;
}

function textOf(shape: Shape | undefined, value: Json, idOf: IdOf): string | undefined {
  if (isObject(value) || isList(value)) return undefined;
  const isPointer = shape?.type === 'scalar' && shape.ref !== undefined;
  return isPointer ? idOfKey(shape.ref, String(value), idOf) : String(value);
}

/** The id of the object that a key refers to; undefined if it does not exist. */
export function idOfKey(kind: KindName | undefined, key: string, idOf: IdOf): RemoteId | undefined {
  return (kind && idOf(kind, key)) ?? idInKey(key) ?? undefined;
}

/**
 * The entries that contain the name of the wanted object, whatever they are about: for example the entry that a machine enrolled.
 */
export function entriesNaming(
  { kind, fields }: Wanted,
  entries: readonly AuditEntry[],
): readonly AuditEntry[] {
  const [field] = namingFields(kind);
  const names = kind.auditEvents.flatMap(form =>
    'named' in form
      ? Object.entries(form.named ?? {}).flatMap(([name, own]) => (own === field ? name : []))
      : [],
  );
  const wanted = field === undefined ? undefined : fields[field];
  return entries.filter(({ meta }) => names.some(name => meta[name] === wanted));
}
