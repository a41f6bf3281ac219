// Objects that share a name in the account: the object that the files mean keeps the name, and the others are bound by id,
// without a name.
import { lastName } from '../engine/pairing/namedObjects.ts';
import { isPart } from '../engine/scope/parts.ts';
import type { Meant } from '../engine/types/pairing.ts';
import { isNameless, namingFields, sharesNames } from '../kinds/identity/identity.ts';
import { addressOf, idInKey, keyOf } from '../model/key.ts';
import type { Desired } from '../model/object.ts';
import { quoted } from '../model/text/visible.ts';
import type { Comparison } from './adoption/compare.ts';
import { type Bound, boundAs } from './boundById.ts';
import { partsOf } from './joinParts.ts';
import { type Exported, everyObject } from './model.ts';

/** Objects with names that no two declarations share, and the objects that are bound by id. */
export interface OwnNames {
  readonly objects: readonly Exported[];
  readonly bound: Bound;
}

/**
 * The objects with unique names. Of several objects with one name, the object that the files or their recorded base mean keeps
 * it.
 */
export function withOwnNames(
  objects: readonly Exported[],
  { pairs }: Pick<Comparison, 'pairs'>,
  meant: Meant,
): OwnNames {
  const declared = new Map(pairs.map(({ desired, live }) => [`${live.kind} ${live.id}`, desired]));
  const bound = new Set<string>();
  const changed = new Map<Exported, Exported>();
  for (const members of namesakesIn(objects)) {
    const owner = ownerOf(members, declared, meant);
    const own = owner && declared.get(boundAs(owner));
    // An object that consists of several parts has no single id, so it cannot be bound.
    if (owner && own && isPart(own)) changed.set(owner, { ...owner, isBound: false });
    else if (owner) bound.add(boundAs(owner));
    for (const member of members.filter(one => one !== owner)) {
      // The names of objects nested in it are not unique either.
      for (const one of everyObject([member])) bound.add(boundAs(one));
      if (owner && !isNameless(member.kind)) changed.set(member, withoutName(member));
    }
  }
  return { objects: objects.map(object => replaced(object, changed)), bound };
}

// Objects of one parent and name, for kinds whose names must differ.
function namesakesIn(objects: readonly Exported[]): readonly (readonly Exported[])[] {
  const siblings = [objects, ...everyObject(objects).map(({ children }) => children)];
  return siblings.flatMap(list => {
    const named = list
      .flatMap(partsOf)
      .filter(({ kind, id, name }) => name !== id && !sharesNames(kind));
    const groups = Map.groupBy(named, ({ kind, name }) => `${kind.name} ${name}`);
    return [...groups.values()].filter(({ length }) => length > 1);
  });
}

// The declared object of this name, or else the object that the recorded base has under it.
function ownerOf(
  members: readonly Exported[],
  declared: ReadonlyMap<string, Desired>,
  meant: Meant,
): Exported | undefined {
  const isDeclared = (member: Exported): boolean => {
    const key = declared.get(boundAs(member))?.key;
    return key !== undefined && idInKey(key) === null && lastName(member.kind, key) === member.name;
  };
  const isMeant = ({ kind, id, name }: Exported): boolean =>
    meant.get(addressOf(kind.name, keyOf([name]))) === id;
  return members.find(isDeclared) ?? members.find(isMeant);
}

function withoutName(object: Exported): Exported {
  const { kind, fields, name, notes } = object;
  const naming = namingFields(kind);
  const rest = Object.entries(fields).filter(([field]) => !naming.includes(field));
  const note = `called ${quoted(name)}, as another ${kind.noun} is`;
  return { ...object, fields: Object.fromEntries(rest), notes: [...notes, note] };
}

function replaced(object: Exported, instead: ReadonlyMap<Exported, Exported>): Exported {
  const { children, joined } = object;
  return {
    ...(instead.get(object) ?? object),
    children: children.map(child => replaced(child, instead)),
    ...(joined && { joined: joined.map(part => replaced(part, instead)) }),
  };
}
