// The expired parts of the declared objects at a given time: expired members are removed from their
// lists, and expired objects are marked for deletion.
import type { KindTable, ObjectShape } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { withoutMembers } from '../../kinds/values/withoutMembers.ts';
import { type EndedMembers, type Ending, endTime, type MemberEnd } from '../../model/ending.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import type { Path } from '../../model/value.ts';

/** The declared objects at a given time, and every expiry time that the files contain. */
export interface AtTime {
  readonly desired: readonly Desired[];
  readonly endings: readonly Ending[];
}

/**
 * Applies every expiry until `now`, in milliseconds, to the declared objects. The objects may be the result of a call with an
 * earlier time.
 */
export function endedAt(desired: readonly Desired[], kinds: KindTable, now: number): AtTime {
  const endings = desired.flatMap(object => endingsOf(object));
  if (!endings.some(({ until }) => until <= now)) return { desired, endings };
  const gone = new Set(desired.filter(one => hasEnded(one, now)).map(addressed));
  const whole = desired.map(one => (one.ended ? { ...one, fields: one.ended.fields } : one));
  return { desired: whole.map(object => atTime(object, kinds, { gone, now })), endings };
}

const addressed = ({ kind, key }: Desired): Address => addressOf(kind, key);

const hasEnded = ({ lifecycle }: Desired, now: number): boolean =>
  (endTime(lifecycle.until) ?? Number.POSITIVE_INFINITY) <= now;

function endingsOf({ kind, key, lifecycle, at, spans, ends = [] }: Desired): Ending[] {
  const until = endTime(lifecycle.until);
  const place = spans[pointer(['lifecycle', 'until'])] ?? at;
  return [
    ...(until === undefined ? [] : [{ kind, key, until, at: place }]),
    ...ends.map(({ member, list, until: text, at: there }) => ({
      kind,
      key,
      member,
      list,
      until: present(endTime(text), 'the end of a member'),
      at: there,
    })),
  ];
}

interface Moment {
  /** The objects that have expired. */
  readonly gone: ReadonlySet<Address>;
  readonly now: number;
}

function atTime(object: Desired, kinds: KindTable, moment: Moment): Desired {
  const { lifecycle, fields } = object;
  const marked = { ...lifecycle, delete: true };
  if (moment.gone.has(addressed(object))) {
    return { ...object, lifecycle: marked, ended: { isWhole: true, fields, members: [] } };
  }
  const shape = present(kinds.get(object.kind), `the kind ${object.kind}`).shape;
  const gone = endedMembers(object, shape, moment);
  const left = withoutMembers(shape, fields, gone);
  if (left === fields) return object;
  const members = [...gone.values()];
  // If all items expire and the object needs at least one, the whole object expires.
  if (left === null)
    return { ...object, lifecycle: marked, ended: { isWhole: true, fields, members } };
  return { ...object, fields: left, ended: { isWhole: false, fields, members } };
}

/**
 * By JSON pointer of the list, the expired members: those with an expiry of their own, and those that expire with the object that
 * they name.
 */
function endedMembers(
  { fields, ends = [] }: Desired,
  shape: ObjectShape,
  { gone, now }: Moment,
): ReadonlyMap<string, EndedMembers> {
  const found = new Map<string, { readonly list: Path; readonly names: Set<string> }>();
  const note = (list: Path, member: string) => {
    const at = pointer(list);
    const own = found.get(at) ?? { list, names: new Set() };
    own.names.add(member);
    found.set(at, own);
  };
  const isOver = ({ until }: MemberEnd) => (endTime(until) ?? Number.POSITIVE_INFINITY) <= now;
  for (const end of ends) if (isOver(end)) note(end.list, end.member);
  if (gone.size > 0)
    for (const { kind, key, path } of refsIn(shape, fields))
      if (gone.has(addressOf(kind, key as Key))) note(path.slice(0, -1), key);
  return found;
}
