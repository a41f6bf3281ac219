// Lists that an update sends back as they were read, but that change whenever their members are written.
import type { Kind, KindTable } from '../kind.ts';

/** A list that changes when its members are written, and the audit events of these writes. */
export interface OtherSide {
  /** The name of the list in the object that an update sends. */
  readonly list: string;
  /** The kind of the members, and their field that contains the same relation. */
  readonly kind: Kind;
  readonly field: string;
  readonly joins: MemberEvents;
  readonly leaves: MemberEvents;
}

/** The codes of events, and the fields of `meta` that name the member and the object with the list. */
interface MemberEvents {
  readonly codes: readonly string[];
  readonly holder: string;
  readonly member: string;
}

/** The lists of a kind that other kinds write. */
export function otherSides(kind: Kind, kinds: KindTable): readonly OtherSide[] {
  return [...kinds.values()].flatMap(other =>
    [...other.shape.fields.values()].flatMap(({ name, inverse, shape }): readonly OtherSide[] => {
      const ref =
        shape.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
      if (inverse === undefined || ref !== kind.name) return [];
      if (kind.shape.fields.get(inverse)?.sentBack !== true) return [];
      const [joins, leaves] = (['join', 'leave'] as const).map(type => eventsOf(other, name, type));
      return joins && leaves ? [{ list: inverse, kind: other, field: name, joins, leaves }] : [];
    }),
  );
}

function eventsOf(
  { auditEvents }: Kind,
  name: string,
  type: 'join' | 'leave',
): MemberEvents | undefined {
  return auditEvents.flatMap(form =>
    form.type === type &&
    form.field === name &&
    form.member !== undefined &&
    typeof form.about === 'object' &&
    'meta' in form.about
      ? [{ codes: form.codes, holder: form.member.meta, member: form.about.meta }]
      : [],
  )[0];
}
