// The ended members that these files declared before and that no other folder declares. No other
// member is removed. A new entry that has already ended may name a member that somebody else added.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ended, EndedMembers } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { RunDeclaration } from '../../model/leftObjects.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields, Path } from '../../model/value.ts';
import { membersAt, refIn } from '../diff/endedLists.ts';
import { stayingMembers } from '../diff/formerMembers.ts';
import type { PartedInput } from '../scope/planInput.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import type {
  EndedByOwner,
  EndedElsewhere,
  FolderOf,
  OwnMembers,
  PlanContext,
} from '../types/planContext.ts';
import { declaringText, droppingHint } from './declaringFolder.ts';
import { type MemberElsewhere, membersElsewhere } from './membersElsewhere.ts';
import { ownEnds } from './ownEnds.ts';

/**
 * Returns which ended members belong to these files. The bases decide, with the names in the files
 * or in the account, and the journals of unfinished applies, which show the members that they
 * added. Without any base, the files are trusted. A file of grants is trusted only if the object
 * was created for it.
 */
export function ownMembers(input: PartedInput, pairing: Omit<Pairing, 'pairs'>): OwnMembers {
  const apart = sharedApart(membersElsewhere(input, pairing));
  const ownersOf = declaredBefore(input, pairing);
  return (ended, pair) => {
    const { alone, shared } = apart(ended, pair);
    return { ...ownersOf({ ...ended, members: alone }, pair), shared };
  };
}

/** Separates the members that another folder declares from the others. */
const sharedApart =
  (elsewhere: MemberElsewhere) =>
  ({ members }: Ended, pair: Pair) => {
    const all = members.map(({ list, names }) => ({
      list,
      byFolder: Map.groupBy(names, name => elsewhere(pair, list, name)),
    }));
    return {
      alone: all.flatMap(({ list, byFolder }): EndedMembers[] => {
        const names = byFolder.get(undefined);
        return names ? [{ list, names: new Set(names) }] : [];
      }),
      shared: all.flatMap(({ list, byFolder }) =>
        [...byFolder].flatMap(([folder, names]): EndedElsewhere[] =>
          folder ? [{ list, names: new Set(names), folder }] : [],
        ),
      ),
    };
  };

type Owners = (ended: Ended, pair: Pair) => Omit<EndedByOwner, 'shared'>;

function declaredBefore(input: PartedInput, pairing: Omit<Pairing, 'pairs'>): Owners {
  const { kinds } = input;
  const { keyOfRecorded } = pairing;
  if (!input.recorded?.hasBase) {
    const isOwn = ownEnds(input, pairing);
    return ({ members }, pair) =>
      isOwn(pair) ? { own: members, others: [] } : { own: [], others: members };
  }
  const formersOf = formerDeclarations(input, pairing);
  const byRuns = Map.groupBy(
    input.declaredByRuns ?? [],
    ({ object: { kind }, id }) => `${kind} ${id}`,
  );
  return (ended, pair) => {
    const kind = kinds.get(pair.desired.kind);
    if (!kind) return { own: [], others: ended.members };
    const formers = formersOf(pair);
    const declared = byRuns.get(`${pair.live.kind} ${pair.live.id}`) ?? [];
    return divided(
      ended,
      ({ list, ref }) => {
        const at = (fields: Fields) => membersAt(kind, { ended, list }, fields).map(String);
        const before = formers.flatMap(({ fields }) => at(fields));
        const names = new Set([...before, ...declared.flatMap(one => addedBy(one, at))]);
        return name =>
          names.has(name) || (ref !== undefined && names.has(keyOfRecorded(ref, name) ?? name));
      },
      kind,
    );
  };
}

// Returns a function that returns the declarations of an object in the bases, by its present and its former names.
function formerDeclarations(
  { written }: PartedInput,
  { base, formerNames, naming }: Omit<Pairing, 'pairs'>,
): (pair: Pair) => readonly Desired[] {
  const all = [...written.base, ...(written.recorded?.objects ?? [])];
  const byAddress = Map.groupBy(all, ({ kind, key }) => addressOf(kind, key));
  return ({ desired: { kind, key, part }, live }) => {
    const now = naming.keyOfId(live.kind, live.id);
    const keys = [now, key, part?.whole, part?.formerWhole].filter(one => one !== undefined);
    return keys.flatMap(one => {
      const address: Address = addressOf(kind, one as Key);
      const before = addressOf(kind, formerNames.get(address) ?? (one as Key));
      return [base.get(address) ?? [], byAddress.get(before) ?? []].flat();
    });
  };
}

// The members that an apply added. Members that the object had before the apply may belong to
// somebody else.
function addedBy(
  { object, before }: RunDeclaration,
  membersOf: (fields: Fields) => readonly string[],
): readonly string[] {
  const there = new Set(membersOf(before));
  return membersOf(object.fields).filter(one => !there.has(one));
}

interface EndedList {
  readonly list: Path;
  /** The kind of the members. */
  readonly ref: KindName | undefined;
}

function divided(
  { members }: Ended,
  declaredIn: (of: EndedList) => (name: string) => boolean,
  kind: Kind,
): Omit<EndedByOwner, 'shared'> {
  const all = members.map(({ list, names }) => {
    const isDeclared = declaredIn({ list, ref: refIn(kind, list) });
    return {
      list,
      own: [...names].filter(isDeclared),
      others: [...names].filter(name => !isDeclared(name)),
    };
  });
  const part = (side: 'own' | 'others'): readonly EndedMembers[] =>
    all.flatMap(one => (one[side].length > 0 ? { list: one.list, names: new Set(one[side]) } : []));
  return { own: part('own'), others: part('others') };
}

/**
 * Ended members that stay, and the folder that also declares them. If there is no folder, these
 * files did not add the members.
 */
export interface EndedStayingMembers {
  readonly names: readonly string[];
  readonly folder?: FolderOf;
}

/** The warning for members that have ended but stay. */
export const endOfMembers = (
  { kind, key, at }: Desired,
  ref: KindName | undefined,
  { names, folder }: EndedStayingMembers,
): Diagnostic => {
  const who = names.map(name => (ref === undefined ? quoted(name) : addressOf(ref, name as Key)));
  const [has, stays, them] = who.length === 1 ? ['has', 'stays', 'it'] : ['have', 'stay', 'them'];
  const why = folder
    ? `: also declared by ${declaringText(folder)}`
    : `, because no record shows that these files put ${them} there`;
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${who.join(', ')} ${has} ended in ${addressOf(kind, key)} and ${stays} there${why}`,
    at,
    hint: folder
      ? droppingHint(folder)
      : `remove ${them} in the account, or remove the entry; to manage ${them} here, apply once without the end`,
  };
};

/** The warnings for ended members that a plan leaves in place. */
export const stayingMemberFindings = (pairs: readonly Pair[], context: PlanContext): Diagnostic[] =>
  pairs.flatMap(pair => {
    const { desired } = pair;
    if (!desired.ended || desired.ended.isWhole) return [];
    const kind = context.kind(desired.kind);
    return stayingMembers(pair, context).map(({ list, ...staying }) =>
      endOfMembers(desired, refIn(kind, list), staying),
    );
  });
