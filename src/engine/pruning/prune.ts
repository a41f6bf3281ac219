// Which live objects a run deletes, and which it leaves alone and why (docs/design.md#pruning).
import type { LeftAlone } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { hasMovedSinceBase } from '../conflicts/conflicts.ts';
import { sideFor } from '../conflicts/resolution.ts';
import { deleteChange } from '../diff/changes.ts';
import { heldBy, heldByServer, membersOf } from '../diff/references.ts';
import { holdsPart, isPart } from '../pairing/partSteps.ts';
import { declaredFields, ownedFields, resultingFields } from '../pairing/planContext.ts';
import type { DroppedFrom } from '../scope/droppedParts.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { IsMarkedForDeletion, Pair, Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PruneMode } from '../types/settings.ts';
import { isOwnUser, OWN_USER } from './ownUser.ts';
import { type Held, type Holder, Removals } from './removals.ts';

/** Deletes, each with what the server deletes along with it, and everything that stays as it is. */
export interface Pruning {
  readonly deletes: readonly ObjectChange[];
  readonly leftAlone: readonly LeftAlone[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What pruning is decided by. */
export interface PruneRules {
  readonly mode: PruneMode;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** What is not selected stays. */
  readonly isSelected: IsSelected;
  /** What was given up stays too. */
  readonly isForgotten: IsSelected;
  /** Parts of what is declared that the files have dropped: they go in every mode. */
  readonly droppedFrom: DroppedFrom;
  /** Kinds that are listed, and no more than that; see `PlanSettings.watch`. */
  readonly watched: ReadonlySet<KindName>;
  /** Kinds of which the files declare something. */
  readonly declaredKinds: ReadonlySet<KindName>;
}

/** Sorts out what is declared to go and what of the declared kinds is not declared at all. */
export function prune(pairing: Pairing, rules: PruneRules, context: PlanContext): Pruning {
  const asked = pairing.pairs.filter(({ desired }) => rules.isMarkedForDeletion(desired));
  const lives = asked.map(({ live }) => live);
  const isOurs = isOfOurKinds(rules, context);
  const { isSelected, isForgotten } = rules;
  const listed = pairing.unpaired.filter(live => isSelected(called(live, context)));
  const unpaired = listed.filter(live => !isForgotten(called(live, context)));
  const candidates = unpaired.filter(live => isOurs(live) && isInScope(live, rules, context));
  const removals = new Removals(
    { asked: lives, candidates, all: [...lives, ...unpaired] },
    context,
  );
  const { spared, refused } = removals.spare(holders(pairing, removals, rules, context));
  const reasons = new Map(spared.map(({ live, reason }) => [live, reason]));
  const isListed = (live: Live) => isOurs(live) || rules.watched.has(live.kind);
  const left = listed.filter(live => isListed(live) && !removals.has(live));
  return {
    deletes: deletes(removals, asked, rules, context),
    leftAlone: left.map(live => alone(live, reasons.get(live), context)),
    diagnostics: refused.map(held => stillHeld(held, asked, context)),
  };
}

// A kind of which the files declare nothing is none of ours, except where the base did.
function isOfOurKinds(
  { declaredKinds, mode }: PruneRules,
  { base }: PlanContext,
): (live: Live) => boolean {
  const former = mode === 'removed' ? [...base.values()].map(({ kind }) => kind) : [];
  const kinds = declaredKinds.union(new Set(former));
  return ({ kind }) => kinds.has(kind);
}

function isInScope(live: Live, { mode, droppedFrom }: PruneRules, context: PlanContext): boolean {
  const isDropped = droppedFrom(live) !== undefined;
  if ((mode === 'none' && !isDropped) || live.reserved !== undefined) return false;
  const kind = context.kind(live.kind);
  if (kind.neverPruned || !kind.verbs.has('delete') || isOwnUser(kind, live)) return false;
  if (mode === 'removed' && !isDropped && !isInBase(live, context)) return false;
  const isKept = sideFor(context.resolve, context.namesOf(called(live, context))) === 'live';
  return !(isKept && hasMovedSinceBase(live, context));
}

// What has the name of a part and holds something else is not the part that the base declared.
function isInBase(live: Live, { base, addressOf: addressOfLive, kind }: PlanContext): boolean {
  const former = base.get(addressOfLive(live));
  return former !== undefined && (!isPart(former) || holdsPart(former, live, kind(live.kind)));
}

const called = (live: Live, { keyOf }: PlanContext) => ({ kind: live.kind, key: keyOf(live) });

/** All that stays, ordered so that the reasons given do not hang on the order of files. */
function holders(
  { pairs, creates, bystanders, unpaired }: Pairing,
  removals: Removals,
  { isMarkedForDeletion }: PruneRules,
  context: PlanContext,
): Holder[] {
  const declared = [...pairs, ...creates.map(desired => ({ desired, live: undefined }))];
  const staying = [...unpaired, ...bystanders.map(({ live }) => live)].filter(
    live => !removals.has(live),
  );
  return [
    ...declared
      .filter(({ desired }) => !isMarkedForDeletion(desired))
      .map(({ desired, live }) => declaredHolder(desired, live, context)),
    ...staying.map(live => removals.holderOf(live)),
  ].sort((a, b) => (a.address < b.address ? -1 : 1));
}

// It holds what its declaration points at, members of shared sets too, and what it points at in fields that the files leave as
// they are.
function declaredHolder(desired: Desired, live: Live | undefined, context: PlanContext): Holder {
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
  { droppedFrom: dropped }: PruneRules,
  context: PlanContext,
): ObjectChange[] {
  const declarations = new Map(asked.map(({ live, desired }) => [live, desired]));
  return removals.list().map(({ live, along }) => {
    const desired = declarations.get(live);
    const droppedFrom = desired ? undefined : dropped(live);
    const why = { ...(along && { along }), ...(desired && { desired }), droppedFrom };
    return deleteChange(live, context, why);
  });
}

function alone(live: Live, held: string | undefined, context: PlanContext): LeftAlone {
  const own = isOwnUser(context.kind(live.kind), live) ? OWN_USER : undefined;
  const reserved = live.reserved ?? own;
  const isReserved = reserved !== undefined;
  const reason = held !== undefined ? 'referenced' : isReserved ? 'reserved' : 'unmanaged';
  const because = held ?? reserved;
  return {
    address: context.addressOf(live),
    kind: live.kind,
    key: context.keyOf(live),
    id: live.id,
    reason,
    ...(because !== undefined && { because }),
  };
}

// What goes along is told where what it goes along with is declared.
function stillHeld(
  { live, reason }: Held,
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
    hint: 'let go of it there first, in the files or in the account',
  };
}
