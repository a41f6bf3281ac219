// The differences of an object in the parts that the log distinguishes: fields, and members of sets.
import type { Kind } from '../kinds/kind.ts';
import { shapeAt } from '../kinds/values/shapeAt.ts';
import type { FieldChange, ShownChange } from '../model/change.ts';
import type { IdOf } from '../model/comparedAccount.ts';
import type { Shown } from '../model/secrets/shown.ts';
import { isList } from '../model/value.ts';
import { idOfKey } from './entrySubject.ts';
import type { EventForm, LoggedEvent } from './log.ts';

/** One part of a difference. */
export interface Part {
  /** The name of the field; undefined if the object differs as a whole. */
  readonly field?: string;
  /** For a member of a set: its id, if known, and whether it was added to or removed from the account. */
  readonly member?: { readonly id: string | undefined; readonly became: 'join' | 'leave' };
}

/** The parts of an object in which these fields have changed. */
export function partsOf(kind: Kind, fields: ShownChange['fields'], idOf: IdOf): readonly Part[] {
  if (fields.length === 0) return [{}];
  return fields.flatMap((change): Part[] => {
    const [field = ''] = change.path;
    const hasMembers = kind.auditEvents.some(
      form => (form.type === 'join' || form.type === 'leave') && form.field === field,
    );
    return hasMembers ? memberParts(kind, field, change, idOf) : [{ field }];
  });
}

// Members that a plan adds are missing in the account, so somebody removed them.
function memberParts(kind: Kind, field: string, change: FieldChange<Shown>, idOf: IdOf): Part[] {
  const { left, joined } = movedMembers(change);
  const list = shapeAt(kind.shape, change.path);
  const items = list?.type === 'list' ? list.items : undefined;
  const pointsAt = items?.type === 'scalar' ? items.ref : undefined;
  const part = (became: 'join' | 'leave') => (key: string) => ({
    field,
    member: { id: idOfKey(pointsAt, key, idOf), became },
  });
  return [...left.map(part('leave')), ...joined.map(part('join'))];
}

function movedMembers(change: FieldChange<Shown>): { left: string[]; joined: string[] } {
  if (change.type === 'members')
    return { left: change.added.map(String), joined: change.removed.map(String) };
  const [live, desired] = [change.before, change.after].map(
    value => new Set(isList(value) ? value.map(String) : []),
  );
  return {
    left: [...(desired ?? [])].filter(key => !live?.has(key)),
    joined: [...(live ?? [])].filter(key => !desired?.has(key)),
  };
}

/** Whether an event may concern a part. */
export function covers({ form, entry }: LoggedEvent, part: Part, kind: Kind): boolean {
  if (form.type === 'join' || form.type === 'leave')
    return form.field === part.field && memberIn(form, entry) === part.member?.id;
  return form.type === 'update' && !part.member && coversField(form, part.field, kind);
}

/** Whether an event concerns only this part, so that it set the present value, and no earlier event did. */
export const isDecisive = ({ form }: LoggedEvent, { member, field }: Part): boolean =>
  form.type === 'update'
    ? field !== undefined && form.fields?.length === 1
    : member !== undefined && (form.type === 'join' || form.type === 'leave');

/** The id of the member that an event is about. */
export function memberIn(
  { member }: Extract<EventForm, { type: 'join' | 'leave' }>,
  { meta, target }: LoggedEvent['entry'],
): string {
  return member === undefined ? target : (meta[member.meta] ?? '');
}

function coversField(
  { fields }: Extract<EventForm, { type: 'update' }>,
  field: string | undefined,
  kind: Kind,
): boolean {
  if (field === undefined) return true;
  if (fields !== undefined) return fields.includes(field);
  return !kind.auditEvents.some(form => hasOwnEvents(form, field));
}

const hasOwnEvents = (form: Kind['auditEvents'][number], field: string): boolean =>
  (form.type === 'update' && form.fields?.includes(field) === true) ||
  ((form.type === 'join' || form.type === 'leave') && form.field === field);
