// Finds the live object that a name in the files denotes, if it is not simply the live object with
// this name. A machine chooses its own name, and must not take the place of another machine by
// choosing that machine's name. An object that meshform creates may have been renamed.
import { hasLastingName } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { addressOf } from '../../model/key.ts';
import type { NameTaken } from '../../model/missingObjects.ts';
import type { Address, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import { emptyNaming } from '../pairing/naming.ts';
import { inParts } from '../scope/parts.ts';
import type { Naming } from '../types/naming.ts';
import type { Meant } from '../types/pairing.ts';
import { namesTaken, type RenameEvidence, renamedSince } from './renamedSince.ts';

/** The facts about names in the recorded bases. */
interface RecordedNames extends RenameEvidence {
  /** The ids in the base of the folder. */
  readonly ids: readonly RecordedId[];
  readonly others: readonly OtherFolder[];
  readonly dialect: Dialect;
}

/**
 * The objects that names denote according to the base of the folder. If only the base of another
 * folder contains a name, the name never denotes an object that took the name over. The other base
 * may be unsigned, so it may only rule out an object.
 */
export function meantByBases(names: RecordedNames, live: readonly Live[], kinds: KindTable): Meant {
  const { others } = names;
  const ids = names.ids.filter(({ kind }) => !hasLastingName(kinds.get(kind)));
  const own = new Set(ids.map(({ kind, key }) => addressOf(kind, key)));
  const further = others
    .flatMap(other => other.ids ?? [])
    .filter(({ kind, key }) => !own.has(addressOf(kind, key)) && !hasLastingName(kinds.get(kind)));
  const everywhere = [...others.flatMap(other => other.ids ?? []), ...names.ids];
  const account = { live, kinds, naming: namedByIds(live, everywhere) };
  const taken = [...meantByBase(further, account)].filter(([, id]) => id === null);
  return new Map([
    ...taken,
    ...exchangedElsewhere(names, everywhere, live, kinds),
    ...meantByBase(ids, account),
    ...renamedSince(inPartsOf(names, kinds), live, kinds),
  ]);
}

/**
 * The names of renamed objects that other objects have now. The base of the folder does not contain
 * these other objects.
 */
export const takenByOthers = (
  names: RecordedNames,
  live: readonly Live[],
  kinds: KindTable,
): readonly NameTaken[] => namesTaken(inPartsOf(names, kinds), live, kinds);

function inPartsOf({ dialect, ...names }: RecordedNames, kinds: KindTable): RenameEvidence {
  const parts = (objects: readonly Desired[]) => inParts(objects, kinds, dialect);
  return {
    ...names,
    recorded: parts(names.recorded),
    desired: parts(names.desired),
    others: names.others.map(({ files, base, ids }) => ({
      files: parts(files),
      base: parts(base),
      ...(ids && { ids }),
    })),
  };
}

// Names of other folders that somebody exchanged among objects of recorded bases. A reference from
// this folder to such a name denotes neither object until the names are exchanged back.
function exchangedElsewhere(
  { ids, others, desired }: RecordedNames,
  everywhere: readonly RecordedId[],
  live: readonly Live[],
  kinds: KindTable,
): Meant {
  const lasting = everywhere.filter(({ kind }) => hasLastingName(kinds.get(kind)));
  if (lasting.length === 0 || others.every(other => other.ids === undefined)) return new Map();
  const own = new Set([...ids, ...desired].map(({ kind, key }) => addressOf(kind, key)));
  const known = new Map(
    lasting.map(one => [`${one.kind} ${one.id}`, addressOf(one.kind, one.key)]),
  );
  const names = new Map(live.map(one => [`${one.kind} ${one.id}`, addressOf(one.kind, one.key)]));
  const bearers = Map.groupBy(live, one => addressOf(one.kind, one.key));
  return new Map(
    lasting.flatMap(({ kind, key, id }): [Address, null][] => {
      const address = addressOf(kind, key);
      const now = names.get(`${kind} ${id}`);
      if (now === undefined || now === address || own.has(address)) return [];
      const called = bearers.get(address) ?? [];
      const areOthers = called.every(one => {
        const former = known.get(`${one.kind} ${one.id}`);
        return former !== undefined && former !== address;
      });
      return called.length > 0 && areOthers ? [[address, null]] : [];
    }),
  );
}

/** The live objects, with their names in the bases. */
interface NamedAccount {
  readonly live: readonly Live[];
  readonly kinds: KindTable;
  readonly naming: Naming;
}

// Names live objects by the recorded ids. The name of a nested object begins with the name of its
// parent, and somebody may have renamed the parent.
function namedByIds(live: readonly Live[], ids: readonly RecordedId[]): Naming {
  const naming = emptyNaming();
  const keys = new Map(ids.map(({ kind, key, id }) => [`${kind} ${id}`, key]));
  for (const one of live) naming.name(one, keys.get(`${one.kind} ${one.id}`) ?? one.key);
  return naming;
}

// A name denotes the object that had it when the base was recorded, and no other object that has
// the name now.
function meantByBase(ids: readonly RecordedId[], { live, kinds, naming }: NamedAccount): Meant {
  if (ids.length === 0) return new Map();
  const recorded = new Set(ids.map(({ kind }) => kind));
  const bearers = Map.groupBy(
    live.filter(({ kind }) => recorded.has(kind)),
    one => {
      const kind = kinds.get(one.kind);
      const key = kind && nameLive(kind, one, naming).key;
      return key ? addressOf(one.kind, key) : undefined;
    },
  );
  return new Map(
    ids.flatMap(({ kind, key, id }): [Address, RemoteId | null][] => {
      const address = addressOf(kind, key);
      const found = (bearers.get(address) ?? []).map(one => one.id);
      if (found.every(other => other === id)) return [];
      return [[address, found.includes(id) ? id : null]];
    }),
  );
}
