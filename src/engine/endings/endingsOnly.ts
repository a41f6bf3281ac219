// The input of a plan that only removes what has ended. Its desired state is the account without the ended objects and members.
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind, Shape } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live, Part } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { refIn } from '../diff/endedLists.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { createdByApplies } from '../pruning/createdByApplies.ts';
import { copiesOfEnded, endOfOther, ownEnds } from '../pruning/ownEnds.ts';
import { endOfMembers, ownMembers } from '../pruning/ownMembers.ts';
import { isAnotherByContent } from '../pruning/sameContent.ts';
import {
  bases,
  declaringNothing,
  type PartedInput,
  type PlanInput,
  runOf,
} from '../scope/planInput.ts';
import type { Naming } from '../types/naming.ts';
import type { KeyOfRecorded, Pair, Pairing } from '../types/pairing.ts';
import type { EndedByOwner, FolderOf } from '../types/planContext.ts';
import type { PlanSettings } from '../types/settings.ts';
import { waitingInput } from '../waiting/waits.ts';
import { haveLasting, keyInAccount } from './endedItems.ts';
import type { Overdue } from './overdue.ts';
import { ownOrPaired } from './ownOrPaired.ts';
import { perhapsRenamed, type Renamed } from './perhapsRenamed.ts';
import { type StrayMembers, strayMembers } from './strayMembers.ts';

/** The ended objects and members that an account still has. */
export interface FoundEnds {
  /** The input of a plan that only removes what has ended. */
  readonly input: PlanInput;
  readonly overdue: readonly Overdue[];
  /**
   * Ended objects that may exist under another name. No object of the account has the declared
   * name.
   */
  readonly renamed: readonly Renamed[];
  /** Warnings for other objects with the name of an ended object. They are not deleted. */
  readonly others: readonly Diagnostic[];
}

/**
 * Returns the ended objects and members that are still in the account; null if nothing has ended.
 * `held`: the addresses in the account of objects that the plan leaves as they are.
 */
export function endingsOnly(
  written: PlanInput,
  held: ReadonlySet<string> = new Set(),
): FoundEnds | null {
  if (!written.desired.some(object => object.ended)) return null;
  const declared = asDeclared(written);
  const found = foundEnds(written, declared);
  const renamed = perhapsRenamed(written, declared);
  const stray = strayEnds(written, declared);
  if (found.length + renamed.length + stray.length === 0) return null;
  return {
    overdue: [...found.map(({ overdue }) => overdue), ...stray],
    renamed,
    others: [
      ...found.flatMap(one => staying(one, written)),
      ...copiesOf(found, written, declared),
      ...stray.map(({ warning }) => warning),
    ],
    input: {
      ...declaringNothing(written),
      desired: wantedOf(
        found.filter(({ live }) => !held.has(addressOf(live.kind, live.key))),
        written,
      ),
      others: (written.others ?? []).map(folder => withoutTakenOver(folder, declared)),
      missing: [],
      // The input declares the objects with their names in the account, so no other resolution of
      // names is needed.
      meant: undefined,
      recordedIds: undefined,
      settings: endingSettings(written),
    },
  };
}

/** The ended part of a live object, and whether these files created the object. */
interface FoundEnd extends OverduePart, HeldApart {
  /** Whether the object is a different object that only has the name of an ended object. */
  readonly isForeign: boolean;
  /** The pair, if the object as a whole has ended. */
  readonly ends: Pair | null;
}

function foundEnds(written: PlanInput, declared: AsDeclared): readonly FoundEnd[] {
  const { pairs, naming, keyOfRecorded, input } = declared;
  const ended = written.desired.filter(object => object.ended);
  const wholes = new Map(ended.map(object => [`${object.kind} ${object.key}`, object]));
  const recordedOf = recordedFields(input);
  const isOwn = ownEnds(input, declared);
  const ownersOf = ownMembers(input, declared);
  const own = ownOrPaired(pairs, written);
  return pairs.flatMap(pair => {
    const { kind: name, key, part } = pair.desired;
    const object = wholes.get(`${name} ${part?.whole ?? key}`);
    if (!object) return [];
    const kind = present(written.kinds.get(name), `the kind ${name}`);
    const { live, isOther, isKnown, isItemKnown } = own(pair);
    const recorded = recordedOf(object);
    const ending = { object, kind, naming, keyOfRecorded, part, recorded, isItemKnown };
    const over = overduePart(ending, live);
    if (!over) return [];
    const owners = ownersOf(present(object.ended, 'what has ended'), { ...pair, live });
    // Without an id, only the content shows whether an object with the name is a different object.
    const isAnother = () => isAnotherByContent(kind, { ...pair, ended: object.ended }, naming);
    const { ended } = over.object;
    const isNotOurs = () => !isOwn({ desired: { ...pair.desired, ...(ended && { ended }) }, live });
    const isForeign =
      isOther || (over.fields === null && (isNotOurs() || (!isKnown && isAnother())));
    const isEnding = over.fields === null && !isForeign;
    const ends = isEnding ? { desired: pair.desired, live } : null;
    return [{ ...over, isForeign, ends, ...heldApart(over, ending, owners) }];
  });
}

interface StrayEnd extends Overdue, StrayMembers {
  readonly members: StrayMembers['members'];
}

// Ended members that no other finding would report, whoever added them. If there is no base, the
// journal of an apply identifies the objects that the apply created, under any name. If somebody
// renamed the item of a part, the name of the part shows to which object it belongs.
function strayEnds(written: PlanInput, declared: AsDeclared): readonly StrayEnd[] {
  const { pairs, naming, keyOfRecorded } = declared;
  const recordedOf = recordedFields(declared.input);
  const over = written.desired.filter(({ ended }) => ended && !ended.isWhole);
  const wholes = new Map(over.map(object => [addressOf(object.kind, object.key), object]));
  const own = ownOrPaired(pairs, written);
  const declaredAs = new Map(pairs.map(one => [one.live, one.desired]));
  const paired = pairs.map(pair => ({ ...pair, ...own(pair), isPaired: true }));
  const others = underOtherNames(wholes, written, declared);
  const all = [...paired, ...others];
  return all.flatMap(({ desired, ...one }) => {
    const { live } = one;
    const object = wholes.get(wholeOf(desired));
    const kind = written.kinds.get(desired.kind);
    if (!object || !kind || live.reserved !== undefined) return [];
    const { key } = object;
    const by = declaredAs.get(live);
    const lasting = one.isPaired || !by ? object.fields : by.fields;
    const stray = strayMembers({
      ...one,
      lasting,
      object,
      kind,
      naming,
      keyOfRecorded,
      part: desired.part,
      recorded: recordedOf(object),
    });
    return stray.map(found => ({ ...found, kind: kind.name, key }));
  });
}

// Live objects that belong to ended declarations but are not paired with them.
function underOtherNames(
  wholes: ReadonlyMap<Address, Desired>,
  { recorded, made = [], snapshot }: PlanInput,
  { pairs, creates, unpaired }: AsDeclared,
): readonly (Pair & { readonly isPaired: boolean; readonly isItemKnown: boolean })[] {
  const { byDeclaration } = createdByApplies(recorded?.hasBase ? [] : made, snapshot.objects);
  const all = [...pairs, ...creates.map(desired => ({ desired, live: undefined }))];
  return all.flatMap(({ desired, live: found }) => {
    const object = wholes.get(wholeOf(desired));
    const isNamed = (one: Live) => one.kind === desired.kind && one.key === desired.key;
    const known = object && byDeclaration({ ...object, ...desired });
    const live = known ?? (found ? undefined : unpaired.find(isNamed));
    return live && live !== found ? { desired, live, isPaired: false, isItemKnown: false } : [];
  });
}

// The fields in the bases of an object, or of its parts.
function recordedFields(input: PlanInput): (object: Desired) => readonly Fields[] {
  const all = Map.groupBy(bases(input), wholeOf);
  return object => (all.get(wholeOf(object)) ?? []).map(({ fields }) => fields);
}

const staying = (
  { object, live, isForeign, held }: FoundEnd,
  written: PlanInput,
): readonly Diagnostic[] =>
  isForeign ? [endOfOther(object, object.key, { ...written, live })] : held;

const copiesOf = (
  found: readonly FoundEnd[],
  written: PlanInput,
  declared: AsDeclared,
): readonly Diagnostic[] =>
  copiesOfEnded(
    found.flatMap(({ ends }) => ends ?? []),
    declared,
    { ...written, kind: name => present(written.kinds.get(name), `the kind ${name}`) },
  );

// The objects of the account that have ended or contain ended members, in the form that they should
// have afterwards.
function wantedOf(found: readonly FoundEnd[], { snapshot }: PlanInput): readonly Desired[] {
  const parents = new Map(snapshot.objects.map(live => [`${live.kind} ${live.id}`, live]));
  return found.flatMap(({ object, kind, live, isForeign, own }) =>
    isForeign || own === null ? [] : asWanted({ object, kind, fields: own.fields }, live, parents),
  );
}

function endingSettings({ settings }: PlanInput): PlanSettings {
  const limited = { ...settings, prune: 'none' as const, forget: [], rotate: [], resolve: [] };
  const { select: _, guards: __, recordBase: ___, ...only } = limited;
  return only;
}

// This input has no base. So objects that this folder took over from a folder without files must be
// removed here.
const withoutTakenOver = (folder: OtherFolder, { base }: Pairing): OtherFolder =>
  folder.isGone
    ? { ...folder, base: folder.base.filter(one => !base.has(addressOf(one.kind, one.key))) }
    : folder;

const wholeOf = ({ kind, key, part }: Desired): Address => addressOf(kind, part?.whole ?? key);

/** The pairing of the account with the declarations as if nothing had ended. */
interface AsDeclared extends Pairing {
  readonly input: PartedInput;
}

function asDeclared(written: PlanInput): AsDeclared {
  const { kinds, snapshot, desired: all, meant } = written;
  const desired = all.map(({ ended, ...object }): Desired => {
    if (ended === undefined) return object;
    const { delete: _, ...lifecycle } = object.lifecycle;
    return { ...object, fields: ended.fields, lifecycle };
  });
  const input = waitingInput({ ...written, desired });
  const { paired, isMarkedForDeletion, isSelected } = runOf(input);
  const { recordedIds } = written;
  const rules = { isMarkedForDeletion, meant: input.meant ?? meant, recordedIds };
  const found = pairObjects(
    { kinds, desired: paired, live: snapshot.objects, base: input.base },
    rules,
  );
  return {
    ...found,
    pairs: found.pairs.filter(pair => isSelected(pair.desired)),
    creates: found.creates.filter(isSelected),
    input,
  };
}

interface Ending {
  readonly object: Desired;
  readonly kind: Kind;
  readonly naming: Naming;
  readonly keyOfRecorded: KeyOfRecorded;
  /** The part of the object to which the live object corresponds; absent if it corresponds to the whole object. */
  readonly part: Part | undefined;
  readonly recorded: readonly Fields[];
  readonly isItemKnown: boolean;
}

interface OverduePart {
  readonly object: Desired;
  readonly kind: Kind;
  readonly live: Live;
  /** The fields to write; null if the object is deleted. */
  readonly fields: Fields | null;
  readonly overdue: Overdue;
}

// The ended part of a live object; null if nothing in it has ended.
function overduePart({ object, kind, ...names }: Ending, live: Live): OverduePart | null {
  const { ended, key } = object;
  const { isWhole, members, fields: declared } = present(ended, 'what has ended');
  const overdue = { kind: kind.name, key };
  const all = canonicalFields(kind.shape, live.fields, 'live');
  if (isWhole) {
    // The members whose end times ended the whole object may still be in the account. They have ended too.
    const { gone } = withoutNames({ kind, live, ...names }, all, { declared, members });
    const still = gone.length === 0 ? overdue : { ...overdue, members: gone };
    return { object, kind, live, fields: null, overdue: still };
  }
  const left = withoutNames({ kind, live, ...names }, all, { declared, members });
  const { fields, gone, isEmptied } = left;
  if (gone.length === 0) return null;
  const written = new Set(members.map(({ list }) => list[0]));
  const own = Object.entries(fields).filter(([name]) => written.has(name));
  return {
    object,
    kind,
    live,
    fields: isEmptied ? null : Object.fromEntries(own),
    overdue: { ...overdue, members: gone },
  };
}

/**
 * Splits the ended members of an object: `own`, which are removed because these files added them,
 * and `held`, warnings for the others, which stay.
 */
interface HeldApart {
  readonly own: OverduePart | null;
  readonly held: readonly Diagnostic[];
}

function heldApart(
  over: OverduePart,
  ending: Ending,
  { own, others, shared }: EndedByOwner,
): HeldApart {
  const { object, kind, live } = over;
  const { ended } = object;
  if (!ended || ended.isWhole || others.length + shared.length === 0)
    return { own: over, held: [] };
  const only = (members: readonly EndedMembers[]) =>
    overduePart({ ...ending, object: { ...object, ended: { ...ended, members } } }, live);
  const heldAmong = (members: readonly EndedMembers[], folder?: FolderOf): Diagnostic[] => {
    const staying = only(members)?.overdue.members ?? [];
    const lists = Map.groupBy(staying, ({ list }) => list);
    return [...lists].map(([list, found]) => {
      const names = found.map(({ name }) => name);
      return endOfMembers(object, refIn(kind, list), { names, ...(folder && { folder }) });
    });
  };
  return {
    own: own.length === 0 ? null : only(own),
    held: [...heldAmong(others), ...shared.flatMap(one => heldAmong([one], one.folder))],
  };
}

interface Names {
  readonly declared: Fields;
  readonly members: readonly EndedMembers[];
}

interface Left {
  readonly fields: Fields;
  readonly gone: readonly { readonly list: Path; readonly name: string }[];
  /** Whether a list has no items left, because each item was removed with its last member. */
  readonly isEmptied: boolean;
}

function withoutNames(
  {
    kind,
    live,
    part,
    recorded,
    isItemKnown,
    ...known
  }: Omit<Ending, 'object'> & { readonly live: Live },
  fields: Fields,
  { declared, members }: Names,
): Left {
  return members.reduce(
    (left: Left, { list, names }): Left => {
      const [outer = '', index, inner] = list;
      const field = kind.shape.fields.get(outer);
      if (index === undefined || inner === undefined)
        return without(left, outer, { list, names, keyOf: named(field?.shape, names, known) });
      const by = keyFields(field?.shape) ?? [];
      const key = keyInAccount(
        { kind, live, part, declared, recorded, isItemKnown, naming: known.naming },
        list,
      );
      const item = field?.shape.type === 'list' ? field.shape.items : undefined;
      const shape = item?.type === 'object' ? item.fields.get(inner)?.shape : undefined;
      const among = { list, names, keyOf: named(shape, names, known) };
      return withoutItem(left, [outer, inner], {
        ...among,
        isMeant: one => itemKey(one, by) === key,
        hasLasting: haveLasting(declared, members, list),
      });
    },
    { fields, gone: [], isEmptied: false },
  );
}

// The declared name of a member in a live list. The base identifies a machine that somebody renamed
// by its id.
function named(
  shape: Shape | undefined,
  names: ReadonlySet<string>,
  { naming, keyOfRecorded }: Pick<Ending, 'naming' | 'keyOfRecorded'>,
): (member: Json) => string {
  const ref = shape?.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
  if (ref === undefined) return String;
  const recorded = new Map([...names].map(name => [keyOfRecorded(ref, name) ?? name, name]));
  return member => {
    const key = naming.keyOf(ref, String(member));
    return recorded.get(key) ?? key;
  };
}

interface Among extends EndedMembers {
  readonly keyOf: (member: Json) => string;
}

function without(left: Left, name: string, { list, names, keyOf }: Among): Left {
  const value = left.fields[name];
  const members = isList(value) ? value : [];
  const staying = members.filter(member => !names.has(keyOf(member)));
  const gone = members.filter(member => names.has(keyOf(member)));
  return {
    ...left,
    fields: { ...left.fields, [name]: staying },
    gone: [...left.gone, ...gone.map(member => ({ list, name: keyOf(member) }))],
  };
}

interface AmongItems extends Among {
  readonly isMeant: (item: Json) => boolean;
  /**
   * Whether the files declare members of the item that have not ended. If they do, the item stays.
   */
  readonly hasLasting: boolean;
}

function withoutItem(
  left: Left,
  [outer, inner]: readonly [string, string],
  { isMeant, hasLasting, ...among }: AmongItems,
): Left {
  const value = left.fields[outer];
  const items = isList(value) ? value : [];
  const changed = items.map(item => {
    if (!isObject(item) || !isMeant(item)) return { item, gone: [] };
    const own = without({ fields: item, gone: [], isEmptied: false }, inner, among);
    const staying = own.fields[inner];
    const isOver = own.gone.length > 0 && isList(staying) && staying.length === 0;
    if (isOver && hasLasting) return { item, gone: [] };
    return { item: isOver ? null : own.fields, gone: own.gone };
  });
  const staying = changed.flatMap(({ item }) => (item === null ? [] : [item]));
  return {
    fields: { ...left.fields, [outer]: staying },
    gone: [...left.gone, ...changed.flatMap(({ gone }) => gone)],
    isEmptied: left.isEmptied || (items.length > 0 && staying.length === 0),
  };
}

// The live object as files would declare it, without ended members and items.
function asWanted(
  { object, kind, fields }: Omit<OverduePart, 'live' | 'overdue'>,
  live: Live,
  parents: ReadonlyMap<string, Live>,
): Desired {
  const { ended, at } = object;
  const home = parents.get(`${kind.parent} ${live.parentId}`);
  const all = canonicalFields(kind.shape, live.fields, 'live');
  const naming = Object.entries(all).filter(([name]) => namingFields(kind).includes(name));
  const { own, ended: members } = withoutShared(kind, fields ?? {}, all);
  // An undeclared field would get its default value. These fields are declared, so that the removal
  // does not change them.
  const set = Object.entries(all).filter(
    ([name]) => kind.shape.fields.get(name)?.default !== undefined,
  );
  return {
    kind: kind.name,
    key: live.key,
    ...(home && { parent: home.key }),
    fields: fields ? { ...Object.fromEntries([...naming, ...set]), ...own } : all,
    lifecycle: {
      id: live.id,
      ...(fields === null && { delete: true, ...untilOf(object) }),
    },
    ...(fields === null && ended && { ended: { ...ended, isWhole: true } }),
    ...(members.length > 0 && { ended: { isWhole: false, fields: all, members } }),
    at,
    spans: {},
  };
}

// The object, without ended members. Only these members are removed from sets that others change
// too: members that join before the write stay, and members that somebody removes are not added
// again.
function withoutShared(
  { shape }: Kind,
  fields: Fields,
  live: Fields,
): { readonly own: Fields; readonly ended: readonly EndedMembers[] } {
  const isShared = (name: string) => shape.fields.get(name)?.shared === true;
  const ended = Object.entries(fields).flatMap(([name, staying]) => {
    if (!isShared(name)) return [];
    const stay = new Set(textsIn(staying));
    const names = new Set(textsIn(live[name]).filter(member => !stay.has(member)));
    return names.size > 0 ? [{ list: [name], names }] : [];
  });
  const own = Object.entries(fields).filter(([name]) => !isShared(name));
  return { own: Object.fromEntries(own), ended };
}

const textsIn = (value: Json | undefined): readonly string[] =>
  isList(value) ? value.map(String) : [];

const untilOf = ({ lifecycle: { until } }: Desired) => (until === undefined ? {} : { until });
