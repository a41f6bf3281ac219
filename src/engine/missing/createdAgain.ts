// Findings about objects that somebody deleted in the account and that a plan creates again. They
// name who deleted the object, and the members that the new object lacks because no file declares
// them.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { type Fate, fateText } from '../../model/missingObjects.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { PlanInput } from '../scope/planInput.ts';

/** An object that a plan creates again, or that waits for a later plan to create it again. */
export interface AgainObject {
  readonly kind: KindName;
  readonly key: Key;
  readonly fate: Fate;
  readonly isWaiting?: true;
}

/** The members of a deleted object. */
type FormerMembers = (
  kind: Kind,
  id: RemoteId,
) => readonly {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string | undefined;
}[];

/** A note for each object, and a warning for each object that lacks members. */
export function createdAgain(
  objects: readonly AgainObject[],
  input: Pick<PlanInput, 'kinds' | 'desired' | 'snapshot'>,
  membersOf: FormerMembers,
): readonly Diagnostic[] {
  const declared = new Map(input.desired.map(one => [addressOf(one.kind, one.key), one]));
  const names = new Map(input.snapshot.objects.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const isRead = (kind: KindName) => input.snapshot.read?.has(kind) !== false;
  return objects.flatMap((object): Diagnostic[] => {
    const { kind: name, key, fate } = object;
    const kind = input.kinds.get(name);
    const own = declared.get(addressOf(name, key));
    // If a person undoes the deletion, no finding is needed.
    if (!kind || !own || own.isNew) return [];
    // The plan that creates the object will report the lost members.
    if (object.isWaiting) return [deletedNote(object, own)];
    const known = declaredMembers(kind, own);
    const lost = (fate.was === undefined ? [] : membersOf(kind, fate.was)).flatMap(
      // If a kind was not read, only the audit log contains the names of its objects.
      member =>
        names.get(`${member.kind} ${member.id}`) ??
        (isRead(member.kind) ? [] : (member.name ?? [])),
    );
    const open = lost.filter(member => !known.has(member)).sort();
    return [deletedNote(object, own), ...(open.length > 0 ? [lostMembers(own, open)] : [])];
  });
}

function declaredMembers({ shape }: Kind, { fields }: Desired): ReadonlySet<string> {
  const shared = [...shape.fields.values()].filter(field => field.shared);
  return new Set(
    shared.flatMap(({ name }) => {
      const members = fields[name];
      return isList(members) ? members.map(String) : [];
    }),
  );
}

const deletedNote = ({ kind, fate, isWaiting }: AgainObject, { key, at }: Desired): Diagnostic => ({
  code: 'OBJECT_DELETED',
  severity: 'note',
  message: `${addressOf(kind, key)} ${fateText(fate)}; ${isWaiting ? 'it waits, and a later run creates it again' : 'it is created again'}`,
  at,
  // No hint if an unfinished apply deleted the object in order to replace it with the declared
  // object.
  ...(fate.byRun === undefined && { hint: 'if it is to stay deleted, remove it from the files' }),
});

function lostMembers({ kind, key, at }: Desired, members: readonly string[]): Diagnostic {
  const [first, ...others] = members.slice(0, SHOWN).map(quoted);
  const more = members.length > SHOWN ? ` and ${members.length - SHOWN} more` : '';
  const who = [first, ...others].join(', ');
  const isOne = members.length === 1;
  const why = isOne
    ? 'this member was lost with the deletion, and no file declares it'
    : 'these members were lost with the deletion, and no file declares them';
  return {
    code: 'MEMBERS_NOT_RESTORED',
    severity: 'warning',
    message: `${addressOf(kind, key)} is created again without ${who}${more}: ${why}`,
    at,
    hint: isOne
      ? 'declare it as a member, or add it in the dashboard after the apply'
      : 'declare them as members, or add them in the dashboard after the apply',
  };
}

/** The maximum number of members in a message. */
const SHOWN = 20;
