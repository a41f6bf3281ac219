// The input of a plan that only removes what has ended. Its desired state is the account without the ended objects and members.
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
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
import type { Pair, Pairing } from '../types/pairing.ts';
import type { EndedByOwner, FolderOf } from '../types/planContext.ts';
import type { PlanSettings } from '../types/settings.ts';
import { waitingInput } from '../waiting/waits.ts';
import { type Ending, type OverduePart, overduePart } from './endedPart.ts';
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
  const stray = strayEnds(written, declared, found);
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

// Ended members that no other finding would report, whoever added them. Without a base, the journal of an apply identifies the
// objects that it created under any name. If the item of a part was renamed, the name of the part shows to which object it
// belongs.
function strayEnds(
  written: PlanInput,
  declared: AsDeclared,
  found: readonly FoundEnd[],
): readonly StrayEnd[] {
  const { pairs, naming, keyOfRecorded } = declared;
  const takenOf = Map.groupBy(found, ({ live }) => live);
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
    const removed = one.isPaired ? (takenOf.get(live) ?? []) : [];
    const taken = removed.flatMap(part => (part.object === object ? part.taken : []));
    const stray = strayMembers({
      ...one,
      taken,
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

/** The ended part of an object that is removed, because these files added it, and warnings for the members that stay. */
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

// The live object as files would declare it, without ended members and items.
function asWanted(
  { object, kind, fields }: Pick<OverduePart, 'object' | 'kind' | 'fields'>,
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
