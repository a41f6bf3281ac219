// The members of sets with their names for people, and which of them still exist.
import { identityName } from '../../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import { canonicalFields } from '../../../kinds/values/canonical.ts';
import { ApiError, present } from '../../../model/errors.ts';
import { idInKey, idKey } from '../../../model/key.ts';
import { nameText } from '../../../model/text/visible.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { AccountPort } from '../../port.ts';
import { memberKind } from '../turns/sentMembers.ts';

/** The members of a set, by `id:<value>`. */
export interface MemberNames {
  /** All members that exist; undefined if that is unknown. */
  readonly all?: ReadonlySet<string>;
  /** Returns whether a member exists; true if that is unknown. */
  readonly exists: (member: string) => boolean;
  /** Returns the name of a member, or its id if it has no name. */
  readonly nameOf: (member: string) => string;
}

const UNKNOWN: MemberNames = {
  exists: () => true,
  nameOf: member => nameText(idInKey(member) ?? member),
};

/** The names of the members of a set. */
export type MembersOf = (kind: Kind, field: string, port: AccountPort) => Promise<MemberNames>;

/** Reads the members of each kind once. */
export function memberNamesOnce(kinds: KindTable): MembersOf {
  const known = new Map<Kind, Promise<MemberNames>>();
  return (of, field, port) => {
    const kind = present(kinds.get(memberKind(of, field)), 'the kind of a member');
    const members = known.get(kind) ?? readMemberNames(kind, port);
    known.set(kind, members);
    return members;
  };
}

/** Reads the objects that can be members. If they cannot be read, all members count as existing and have no names. */
export async function readMemberNames(kind: Kind, port: AccountPort): Promise<MemberNames> {
  if (kind.parent !== undefined) return UNKNOWN;
  try {
    const listed = await port.list(kind);
    const bodies = new Map<string, string | null>(
      listed.map(({ id, body }) => {
        const fields = decodeFields(kind.shape, body, byId);
        return [idKey(id), identityName(kind, canonicalFields(kind.shape, fields, 'live'))];
      }),
    );
    return {
      all: new Set(bodies.keys()),
      exists: member => bodies.has(member),
      nameOf: member => {
        const name = bodies.get(member) ?? null;
        return name === null ? UNKNOWN.nameOf(member) : nameText(name);
      },
    };
  } catch (error) {
    if (error instanceof ApiError) return UNKNOWN;
    throw error;
  }
}
