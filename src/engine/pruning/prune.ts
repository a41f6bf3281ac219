// Determines which live objects a run deletes and which stay, with the reasons
// (docs/design.md#pruning).
import type { LeftAlone } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Recorded } from '../../model/plan.ts';
import { hasChangedSinceBase } from '../conflicts/conflicts.ts';
import { deleteChange, withNotes } from '../diff/changes.ts';
import { heldBy, heldByServer, membersOf } from '../diff/references.ts';
import { holdsPart } from '../pairing/partSteps.ts';
import { declaredFields, ownedFields, resultingFields } from '../pairing/planContext.ts';
import type { DroppedFrom } from '../scope/droppedParts.ts';
import { isPart } from '../scope/parts.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { IsMarkedForDeletion, Meant, Pair, Pairing, RecordedIds } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PruneMode } from '../types/settings.ts';
import { anotherWarning, isAnotherById } from './anotherById.ts';
import type { DeclaredBy } from './declaredElsewhere.ts';
import { meansLive } from './meansLive.ts';
import { copiesOfEnded, endOfOther, endOfShared, type IsOwnEnd } from './ownEnds.ts';
import { isOwnUser, OWN_USER } from './ownUser.ts';
import { type Referrer, Removals, referrerOf, type UndeletableObject } from './removals.ts';
import { isResolvedToLive, keptFinding, keptPairs } from './resolvedToLive.ts';
import { undeclaredChanges } from './undeclaredChanges.ts';

/** The deletes, including cascaded ones, and all objects that stay. */
export interface Pruning {
  readonly deletes: readonly ObjectChange[];
  readonly leftAlone: readonly LeftAlone[];
  readonly diagnostics: readonly Diagnostic[];
  /** The ended objects that these files declared before, under their names in the files. */
  readonly ownEnds: ReadonlySet<Address>;
  /** Ended objects that stay, although these files declared them before or the base contains them. */
  readonly heldEnds: ReadonlySet<Address>;
  /**
   * What the account changed since the base, in objects that the files no longer declare or mark
   * for deletion.
   */
  readonly undeclared: readonly ObjectChange[];
}

/** The inputs of pruning. */
export interface PruneRules {
  readonly mode: PruneMode;
  /** The objects that people created. Contains only objects of kinds that machines can create too. */
  readonly madeByPeople: ReadonlySet<RemoteId>;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** Objects that are not selected stay. */
  readonly isSelected: IsSelected;
  /** Forgotten objects stay too. */
  readonly isForgotten: IsSelected;
  /** Returns the other folder that declares an object. Such an object stays. */
  readonly declaredBy: DeclaredBy;
  /** The objects that names in the base denote. */
  readonly meant: Meant | undefined;
  readonly recordedIds: RecordedIds | undefined;
  readonly recorded: Recorded | undefined;
  /** Whether these files declared an ended object before. Other ended objects stay. */
  readonly isOwnEnd: IsOwnEnd;
  /**
   * Objects that an unfinished apply has replaced, by kind and id, with the names of their successors. They are deleted in every
   * mode.
   */
  readonly superseded: ReadonlyMap<string, Key>;
  /** Finds parts that the files no longer declare. They are deleted in every mode. */
  readonly droppedFrom: DroppedFrom;
  /** Kinds that are only listed; see `PlanSettings.watch`. */
  readonly watched: ReadonlySet<KindName>;
  /** Kinds of which the files declare objects. */
  readonly declaredKinds: ReadonlySet<KindName>;
}

/** Decides which objects are deleted: those that are marked for deletion, and undeclared objects of declared kinds. */
export function prune(pairing: Pairing, rules: PruneRules, context: PlanContext): Pruning {
  const asked = pairing.pairs.filter(({ desired }) => rules.isMarkedForDeletion(desired));
  // An ended object is not marked: it stays if another object refers to it, because the rest of the plan must not wait for that.
  const over = asked.filter(({ desired }) => desired.ended?.isWhole);
  const marked = asked.filter(pair => !over.includes(pair));
  const ends = endsByOwner(over, rules);
  const ending = ends.own.filter(pair => !ends.shared.includes(pair)).map(({ live }) => live);
  const isOurs = isOfOurKinds(rules, context);
  const { isSelected, isForgotten } = rules;
  const listed = pairing.unpaired.filter(live => isSelected(named(live, rules, context)));
  const unpaired = listed.filter(live => !isForgotten(named(live, rules, context)));
  const candidates = unpaired.filter(live => isOurs(live) && isInScope(live, rules, context));
  const kept = keptPairs(marked, live => referrerOf(live, context), context);
  const staysMarked = new Set(kept.map(({ live }) => live));
  const lives = marked.map(({ live }) => live).filter(live => !staysMarked.has(live));
  const removals = new Removals(
    {
      asked: lives,
      candidates: [...ending, ...candidates],
      all: [...lives, ...ending, ...unpaired],
    },
    context,
  );
  // If nothing is deleted, as in most plans, the reasons why objects stay are not needed.
  const staying =
    asked.length + candidates.length === 0
      ? []
      : holders(
          pairing,
          { removals, marked: [...ends.foreign, ...ends.shared, ...kept] },
          rules,
          context,
        );
  const { spared, refused } = removals.spare(staying);
  const reasons = new Map(spared.map(({ live, reason }) => [live, reason]));
  const isListed = (live: Live) => isOurs(live) || rules.watched.has(live.kind);
  const left = listed.filter(live => isListed(live) && !removals.has(live));
  return {
    deletes: deletes(removals, asked, rules, context),
    leftAlone: left.map(live => alone(live, reasons.get(live), rules, context)),
    diagnostics: [
      ...refused.map(held => stillHeld(held, asked, context)),
      ...ends.own.flatMap(pair => endHeld(pair, reasons.get(pair.live), context)),
      ...othersOf(ends.foreign, rules),
      ...wholesOf(ends.shared).flatMap(pair => endOfShared(pair, rules.declaredBy(pair.live))),
      ...copiesOfEnded(ends.own, pairing, { kind: context.kind, ...rules }),
      ...kept.map(pair => keptFinding(pair, context)),
      ...anotherById(unpaired.filter(isOurs), rules, context),
    ],
    ownEnds: new Set(ends.own.map(wholeAddress)),
    heldEnds: heldEnds(ends, removals, rules),
    undeclared: undeclaredChanges(
      [
        ...marked.map(({ live }) => live),
        ...unpaired.filter(live => isOfFormer(live, rules, context)),
      ],
      context,
    ),
  };
}

// Whether the base declared a live object that no file declares now.
const isOfFormer = (live: Live, rules: PruneRules, context: PlanContext): boolean =>
  live.reserved === undefined &&
  rules.declaredBy(live) === undefined &&
  isInBase(live, rules, context);

/** Ended objects, divided into those that these files declared before, and others. */
interface EndsByOwner {
  readonly own: readonly Pair[];
  /** The objects of `own` that another folder also declares. */
  readonly shared: readonly Pair[];
  readonly foreign: readonly Pair[];
}

function endsByOwner(
  over: readonly Pair[],
  { isOwnEnd, declaredBy }: Pick<PruneRules, 'isOwnEnd' | 'declaredBy'>,
): EndsByOwner {
  const own = over.filter(isOwnEnd);
  return {
    own,
    shared: own.filter(({ live }) => declaredBy(live) !== undefined),
    foreign: over.filter(pair => !own.includes(pair)),
  };
}

function heldEnds(
  { own, foreign }: EndsByOwner,
  removals: Removals,
  rules: PruneRules,
): ReadonlySet<Address> {
  const held = [
    ...own.filter(({ live }) => !removals.has(live)),
    ...foreign.filter(pair => isOfBase(pair, rules)),
  ];
  return new Set(held.map(wholeAddress));
}

// Returns whether the files manage a kind: they declare objects of it, or the base did.
function isOfOurKinds(
  { declaredKinds, mode }: PruneRules,
  { base }: PlanContext,
): (live: Live) => boolean {
  const former = mode === 'removed' ? [...base.values()].map(({ kind }) => kind) : [];
  const kinds = declaredKinds.union(new Set(former));
  return ({ kind }) => kinds.has(kind);
}

function isInScope(live: Live, rules: PruneRules, context: PlanContext): boolean {
  const { mode, droppedFrom, declaredBy } = rules;
  if (declaredBy(live) !== undefined) return false;
  const isDropped =
    droppedFrom(live) !== undefined || rules.superseded.has(`${live.kind} ${live.id}`);
  if ((mode === 'none' && !isDropped) || live.reserved !== undefined) return false;
  const kind = context.kind(live.kind);
  if (kind.neverPruned || !kind.verbs.has('delete') || isOwnUser(kind, live)) return false;
  const isOursOnly = mode === 'removed' || isPerhapsOfMachine(live, rules, context);
  if (isOursOnly && !isDropped && !isInBase(live, rules, context)) return false;
  return !(isResolvedToLive(live, context) && hasChangedSinceBase(live, context));
}

// Whether a machine may have created an object. Only the audit log distinguishes objects of
// machines from objects of users.
function isPerhapsOfMachine(
  { kind, id }: Live,
  { madeByPeople }: PruneRules,
  context: PlanContext,
): boolean {
  return context.kind(kind).createdEvent?.byMachines !== undefined && !madeByPeople.has(id);
}

// Whether the base declared a live object. An object with the name of a part but with a different
// item is not the declared part, unless the base has its id.
function isInBase(live: Live, rules: PruneRules, context: PlanContext): boolean {
  const { meant } = rules;
  const address = context.addressOf(live);
  const former = context.base.get(address);
  if (isAnotherById(live, rules, context)) return false;
  if (former && !meansLive(former, live)) return false;
  if (former === undefined || !isPart(former)) return former !== undefined;
  const written = addressOf(live.kind, context.formerNames.get(address) ?? former.key);
  return meant?.get(written) === live.id || holdsPart(former, live, context.kind(live.kind));
}

// Warnings for objects that would be pruned if their ids were equal to the ids in the base.
function anotherById(
  left: readonly Live[],
  rules: PruneRules,
  context: PlanContext,
): readonly Diagnostic[] {
  if (rules.mode !== 'removed') return [];
  return left.flatMap(live =>
    isAnotherById(live, rules, context) && rules.declaredBy(live) === undefined
      ? anotherWarning(live, context)
      : [],
  );
}

// The name by which an object is selected. For an object that an unfinished apply has replaced,
// this is the name of its successor.
const named = (live: Live, { superseded }: PruneRules, context: PlanContext) => ({
  kind: live.kind,
  key: superseded.get(`${live.kind} ${live.id}`) ?? context.keyOf(live),
});

/** All objects that stay, sorted, so that the reasons do not depend on the order of files. */
function holders(
  { pairs, creates, bystanders, unpaired }: Pairing,
  { removals, marked }: { readonly removals: Removals; readonly marked: readonly Pair[] },
  { isMarkedForDeletion }: PruneRules,
  context: PlanContext,
): Referrer[] {
  const declared = [...pairs, ...creates.map(desired => ({ desired, live: undefined }))];
  const others = [...bystanders, ...marked].map(({ live }) => live);
  const staying = [...unpaired, ...others].filter(live => !removals.has(live));
  return [
    ...declared
      .filter(({ desired }) => !isMarkedForDeletion(desired))
      .map(({ desired, live }) => declaredHolder(desired, live, context)),
    ...staying.map(live => referrerOf(live, context)),
  ].sort((a, b) => (a.address < b.address ? -1 : 1));
}

// The objects whose deletion a declared object prevents: the targets of its declaration, including
// members of shared sets, and the targets of its undeclared fields.
function declaredHolder(desired: Desired, live: Live | undefined, context: PlanContext): Referrer {
  const kind = context.kind(desired.kind);
  const own = live ? ownedFields(desired, context) : declaredFields(desired, context);
  const held = heldBy(kind, resultingFields(kind, own, live, context));
  const pointsAt = held.union(membersOf(kind, own));
  return {
    address: addressOf(desired.kind, desired.key),
    ...(live ? heldByServer(kind, live, pointsAt, context) : { pointsAt, belongsTo: new Set() }),
    isIn: kind.parent && desired.parent && addressOf(kind.parent, desired.parent),
  };
}

function deletes(
  removals: Removals,
  asked: readonly Pair[],
  { droppedFrom: dropped, superseded }: PruneRules,
  context: PlanContext,
): ObjectChange[] {
  const declarations = new Map(asked.map(({ live, desired }) => [live, desired]));
  return removals.list().map(({ live, along }) => {
    const desired = declarations.get(live);
    const droppedFrom = desired ? undefined : dropped(live);
    const why = { ...(along && { along }), ...(desired && { desired }), droppedFrom };
    const successor = superseded.get(`${live.kind} ${live.id}`);
    if (successor === undefined) return deleteChange(live, context, why);
    const note = `an unfinished apply has created its replacement ${addressOf(live.kind, successor)}`;
    return { ...withNotes(deleteChange(live, context, why), note), isSuperseded: true };
  });
}

function alone(
  live: Live,
  held: string | undefined,
  rules: PruneRules,
  context: PlanContext,
): LeftAlone {
  const { declaredBy, mode } = rules;
  const folder = declaredBy(live);
  const own = isOwnUser(context.kind(live.kind), live) ? OWN_USER : undefined;
  const reserved = live.reserved ?? own;
  const isReserved = reserved !== undefined;
  const unneeded = isReserved ? 'reserved' : folder === undefined ? 'unmanaged' : 'elsewhere';
  const reason = held === undefined ? unneeded : 'referenced';
  const owner = folder === undefined ? undefined : `declared by ${folder.name}`;
  const isSpared = mode === 'unmanaged' && isPerhapsOfMachine(live, rules, context);
  const because = held ?? reserved ?? owner ?? (isSpared ? NOT_BY_PEOPLE : undefined);
  return {
    address: context.addressOf(live),
    kind: live.kind,
    key: context.keyOf(live),
    id: live.id,
    reason,
    ...(because !== undefined && { because }),
  };
}

// If several parts belong to one object, the object is reported once.
const wholesOf = (pairs: readonly Pair[]): readonly Pair[] => [
  ...new Map(pairs.map(pair => [wholeAddress(pair), pair])).values(),
];

// Whether the base has the id of the object. Then the base contains the object without this end time.
const isOfBase = (pair: Pair, { recordedIds }: PruneRules): boolean =>
  recordedIds?.get(addressOf(pair.desired.kind, pair.desired.key)) === pair.live.id;

const othersOf = (
  foreign: readonly Pair[],
  { recordedIds, recorded }: PruneRules,
): readonly Diagnostic[] =>
  wholesOf(foreign).map(({ desired, live }) =>
    endOfOther(desired, wholeKey(desired), { recordedIds, recorded, live }),
  );

const wholeKey = ({ key, part }: Desired): Key => part?.whole ?? key;

const wholeAddress = ({ desired }: Pair): Address => addressOf(desired.kind, wholeKey(desired));

const NOT_BY_PEOPLE = 'the audit log does not show that a person or token created it';

function endHeld(
  { desired, live }: Pair,
  reason: string | undefined,
  { addressOf: addressOfLive }: PlanContext,
): Diagnostic[] {
  if (reason === undefined) return [];
  return [
    {
      code: 'END_HELD',
      severity: 'warning',
      message: `${addressOfLive(live)} has ended and stays, because ${reason}`,
      at: desired.at,
      hint: 'remove that reference, in the files or in the account',
    },
  ];
}

// The error for a delete that another object prevents. A cascaded delete is reported at the object that causes it.
function stillHeld(
  { live, reason }: UndeletableObject,
  asked: readonly Pair[],
  { addressOf: addressOfLive }: PlanContext,
): Diagnostic {
  const isDeclared = (pair: Pair) => pair.live === live;
  const isParent = (pair: Pair) => pair.live.id === live.parentId;
  const at = (asked.find(isDeclared) ?? asked.find(isParent))?.desired.at;
  return {
    code: 'OBJECT_POINTED_AT',
    severity: 'error',
    message: `${addressOfLive(live)} is to be deleted, but ${reason}`,
    ...(at && { at }),
    hint: 'first remove that reference, in the files or in the account',
  };
}
