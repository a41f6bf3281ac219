// Members of shared sets that the files of another folder now declare, although its base does not contain them yet. Until it
// does, only the base of their former folder shows that they must be removed from the set once no file declares them.
import { formerKeys } from '../kinds/identity/formerKeys.ts';
import type { Field, KindTable } from '../kinds/kind.ts';
import { memberKind, sharedSets } from '../kinds/values/sharedSets.ts';
import { addressOf } from '../model/key.ts';
import type { Address } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import { stableText } from '../model/text/stableText.ts';
import type { Fields, Json } from '../model/value.ts';
import {
  type IsTheirs,
  knownToOthers,
  membersIn,
  type Sharing,
  withMembers,
  withoutMembers,
} from './sharedMembers.ts';

/** Declarations of these members and of nothing else, by the objects that have the sets. */
export type HandedOverMembers = ReadonlyMap<Address, Desired>;

/** The members in the base that other folders have taken over and have not recorded yet. */
export function handedOverMembers({
  base,
  others,
  ids = [],
  kinds,
}: Omit<Sharing, 'desired'>): HandedOverMembers {
  const isTheirs = knownToOthers(ids, others);
  const folders = others.map(folder => declarationsIn(folder));
  const handed = base.flatMap((object): [Address, Desired][] => {
    const address = nameOf(object);
    const named = withoutMembers(object, kinds);
    if (!named) return [];
    const sets = sharedSets(kinds.get(object.kind)).flatMap((field): [string, Json][] => {
      const declares = declaringIn(field, isTheirs);
      const open = membersIn(object, field.name).filter(member =>
        folders.some(
          ({ files, recorded }) =>
            declares(files.get(address) ?? [], member) &&
            !declares(recorded.get(address) ?? [], member),
        ),
      );
      return open.length === 0 ? [] : [[field.name, open]];
    });
    const fields: Fields = { ...named, ...Object.fromEntries(sets) };
    return sets.length === 0 ? [] : [[address, { ...object, fields, lifecycle: {} }]];
  });
  const all = new Map<Address, Desired>();
  for (const [address, object] of handed) {
    const known = all.get(address);
    all.set(address, known ? withMembers(known, object, kinds) : object);
  }
  return all;
}

/** A declaration together with the members that are kept for its object, which may be recorded under its former name. */
export function withHandedOverMembers(
  object: Desired,
  handed: HandedOverMembers,
  kinds: KindTable,
): Desired {
  const { kind: name, parent, lifecycle } = object;
  const kind = kinds.get(name);
  const former = kind && lifecycle.was !== undefined ? formerKeys(kind, parent, lifecycle.was) : [];
  const names = [object.key, ...former].map(key => addressOf(name, key));
  return names
    .flatMap(address => handed.get(address) ?? [])
    .reduce((declared, kept) => withMembers(declared, kept, kinds), object);
}

/** The declarations of a folder, by the names of their objects. */
const declarationsIn = ({ files, base }: OtherFolder) => ({
  files: Map.groupBy(files, nameOf),
  recorded: Map.groupBy(base, nameOf),
});

/** Whether one of these declarations has a member in a set, by this folder's name of the member or by its own. */
function declaringIn(field: Field, isTheirs: IsTheirs) {
  const ref = memberKind(field);
  return (declarations: readonly Desired[], member: Json): boolean => {
    const members = declarations.flatMap(object => membersIn(object, field.name));
    const isSame = members.some(one => stableText(one) === stableText(member));
    return (
      isSame || (ref !== undefined && isTheirs(ref, String(member), new Set(members.map(String))))
    );
  };
}

const nameOf = ({ kind, key }: Desired): Address => addressOf(kind, key);
