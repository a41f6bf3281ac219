// An account without what other folders of the repository declare: it is not written into the files of this folder as theirs.
import { inParts } from '../engine/scope/parts.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { addressOf } from '../model/key.ts';
import type { Address } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import { stableText } from '../model/text/stableText.ts';
import { quoted } from '../model/text/visible.ts';
import { type Fields, isList, type Json } from '../model/value.ts';
import { partsOf } from './join.ts';
import { type Exported, type ExportModel, without } from './model.ts';

/** What this folder and others declare, and the account. */
export interface BesideFolders {
  readonly desired: readonly Desired[];
  readonly others: readonly OtherFolder[];
  readonly live: readonly Live[];
  readonly kinds: KindTable;
  readonly dialect: Dialect;
}

/** The model without the objects that only other folders declare, and without their members of what this folder declares too. */
export function besideFolders(model: ExportModel, asked: BesideFolders): ExportModel {
  if (asked.others.length === 0) return model;
  const { desired, others, live, kinds, dialect } = asked;
  const inPartsOf = (objects: readonly Desired[]) => [
    ...objects,
    ...inParts(objects, kinds, dialect),
  ];
  const own = byAddress(inPartsOf(desired));
  const theirs = new Map(
    others.flatMap(({ name, files, base }) =>
      inPartsOf([...base, ...files]).map(object => [nameOf(object), name] as const),
    ),
  );
  const keyOf = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, addressOf(kind, key)]));
  const addressesOf = (object: Exported): readonly Address[] =>
    partsOf(object).flatMap(({ kind, id }) => keyOf.get(`${kind.name} ${id}`) ?? []);
  const kept = without(model, object => {
    const names = addressesOf(object);
    const [first] = names.flatMap(name => theirs.get(name) ?? []);
    const isTheirs = first !== undefined && names.every(name => theirs.has(name));
    return isTheirs && !names.some(name => own.has(name))
      ? `${quoted(first)} declares it`
      : undefined;
  });
  const declared = byAddress(others.flatMap(({ files, base }) => [...files, ...base]));
  const withoutTheirs = (object: Exported): Exported => {
    const [name] = addressesOf(object);
    const sides = { own: name && own.get(name), theirs: name && declared.get(name) };
    const children = object.children.map(withoutTheirs);
    return { ...object, fields: ownMembers(object, sides), children };
  };
  return { ...kept, objects: kept.objects.map(withoutTheirs) };
}

const nameOf = ({ kind, key }: Desired): Address => addressOf(kind, key);
const byAddress = (objects: readonly Desired[]) => Map.groupBy(objects, nameOf);

/** The declarations of one object by this folder and by others. */
interface Sides {
  readonly own: readonly Desired[] | undefined | '';
  readonly theirs: readonly Desired[] | undefined | '';
}

// A member that both declare stays.
function ownMembers({ kind, fields }: Exported, { own, theirs }: Sides): Fields {
  if (!theirs) return fields;
  const shared = [...kind.shape.fields.values()].filter(field => field.shared);
  const sets = shared.flatMap(({ name }): [string, Json][] => {
    const members = fields[name];
    if (!isList(members)) return [];
    const mine = textsIn(own || [], name);
    const foreign = textsIn(theirs, name).difference(mine);
    const left = members.filter(member => !foreign.has(stableText(member)));
    return left.length === members.length ? [] : [[name, left]];
  });
  const isWritten = (name: string) => (own || []).some(one => one.fields[name] !== undefined);
  const isGone = new Set(
    sets.flatMap(([name, left]) => (isEmptyList(left) && !isWritten(name) ? name : [])),
  );
  const rest = Object.entries({ ...fields, ...Object.fromEntries(sets) });
  return Object.fromEntries(rest.filter(([name]) => !isGone.has(name)));
}

const isEmptyList = (value: Json): boolean => isList(value) && value.length === 0;

function textsIn(objects: readonly Desired[], field: string): ReadonlySet<string> {
  const members = objects.flatMap(({ fields }) => {
    const value = fields[field];
    return isList(value) ? value : [];
  });
  return new Set(members.map(stableText));
}
