// Computes a plan, or the reasons why there is none, from desired, live and base (docs/design.md#one-plan-builder).
import type { KindTable } from '../../kinds/kind.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { ActionId, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Action, Plan, PlanBase, Rearrange } from '../../model/plan.ts';
import { draftActions } from '../actions/drafts.ts';
import { requestsToLook } from '../actions/joinable.ts';
import { preconditionsOf } from '../actions/preconditions.ts';
import { reachesOf } from '../actions/reach.ts';
import { requestsToReadBack } from '../actions/readingBack.ts';
import { actorHazards } from '../checks/actors.ts';
import { breakGlassHazards } from '../checks/breakGlass.ts';
import { unknownRefs } from '../checks/danglingReferences.ts';
import { fixedFaults, otherAccount, unavailable, unsupported } from '../checks/faults.ts';
import { lackingFaults } from '../checks/fixedFields.ts';
import { withHazards } from '../checks/hazards.ts';
import { movesIn } from '../checks/inTheWay.ts';
import { memberLosses } from '../checks/memberLosses.ts';
import { unmetPrerequisites } from '../checks/prerequisites.ts';
import { protectedFaults } from '../checks/protection.ts';
import { overThreshold } from '../checks/thresholds.ts';
import { clashes, gapsIn, uniqueConflictFaults } from '../checks/uniqueConflicts.ts';
import { unknownNames } from '../checks/unknownNames.ts';
import { unsendableSecrets } from '../checks/unsendable.ts';
import { conflictHazards, givingWay } from '../conflicts/conflicts.ts';
import { createChange, pairChange } from '../diff/changes.ts';
import { resetFindings, withResets } from '../diff/fieldResets.ts';
import { movementsOf, withMovements, withNotes } from '../diff/movements.ts';
import { strandedFaults, withRenewals } from '../diff/renewals.ts';
import { heldReplacements, replacementFaults } from '../diff/replacement.ts';
import { rotationFaults } from '../diff/rotation.ts';
import { cycle, orderActions, rearranging } from '../ordering/order.ts';
import { lapsedFindings } from '../pairing/expiry.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { planContext } from '../pairing/planContext.ts';
import { type Pruning, prune } from '../pruning/prune.ts';
import {
  addressesOf,
  forgetFaults,
  forgettable,
  type Unpruned,
  unpruned,
  unprunedFaults,
} from '../pruning/unpruned.ts';
import { bindingHints } from '../renames/bindingHints.ts';
import { type RenameHint, renameHints, withHints } from '../renames/renameHints.ts';
import { partFaults } from '../scope/partFaults.ts';
import {
  bases,
  type PartedInput,
  type PlanInput,
  partedInput,
  type Run,
  runOf,
} from '../scope/run.ts';
import { limitedTo, selectionFaults } from '../scope/selection.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { IsMarkedForDeletion, Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { liveByKey, pinsOf } from './pins.ts';
import { byKindAndKey, byPlace } from './reading.ts';
import { type Sealing, sealedAction, sealedChange } from './redaction.ts';

const countWhole = (objects: readonly Desired[]): number =>
  objects.filter(({ part }) => part?.leads !== false).length;

/** A plan, and how its actions can be put in other orders. */
export interface Planned {
  readonly plan: Plan;
  readonly rearrange: Rearrange;
}

/** Builds the plan. With an error among the diagnostics, its actions are empty: nothing half-planned is ever run. */
export const buildPlan = (written: PlanInput): Plan => planned(written).plan;

/** Builds the plan, with the other orders that its actions may have. */
export function planned(written: PlanInput): Planned {
  const input = partedInput(written);
  const { kinds, base, snapshot, settings, folder } = input;
  const live = snapshot.objects;
  const run = runOf(input);
  const watched = settings.watch ?? new Set<KindName>();
  const { isMarkedForDeletion, isSelected } = run;
  const paired = pairObjects(kinds, run.paired, live, base, {
    isMarkedForDeletion,
    now: settings.now,
  });
  const seen = planContext(kinds, paired, settings, input.wholes);
  const pairing = givingWay(limitedTo(isSelected, paired), seen);
  const movements = movementsOf(pairing, live, seen);
  const context = withMovements(movements, pairing.pairs, seen);
  const pruning = prune(pairing, { ...run, mode: settings.prune, watched }, context);
  const { objects: compared, hints } = compare(
    pairing,
    pruning,
    isMarkedForDeletion,
    live,
    context,
  );
  const objects = withNotes(compared, movements);
  const lost = lostBy(run, pairing, pruning, input, context);
  const reaches = reachesOf(live, objects, context);
  const byKey = liveByKey(live, pairing.naming);
  const preconditions = preconditionsOf({ ...snapshot, kinds, kind: context.kind, idOf: byKey.id });
  const drafts = draftActions(objects, {
    ...context,
    reach: reaches.during,
    preconditions,
    movements: movements.list,
  });
  const ordered = orderActions(drafts, kinds, preconditions);
  const diagnostics = byPlace([
    ...declarationFaults(run, pairing, pruning, input, context),
    ...fixedFaults(objects, context),
    ...lackingFaults(objects, context),
    ...replacementFaults(objects, context),
    ...heldReplacements(objects, live, context),
    ...resetFindings(objects, context),
    ...strandedFaults(objects, run.outside, context),
    ...unsendableSecrets(objects, context),
    ...protectedFaults(objects, settings.protect ?? [], context),
    ...forgetFaults(settings.forget ?? [], forgettable(bases(input), pairing, context), input),
    ...(settings.recordBase ? unprunedFaults(lost, settings.prune, input) : []),
    ...uniqueConflictFaults(clashes(drafts, live, context, reaches), pairing.unpaired, context),
    ...circleFaults(ordered.circle, drafts, pairing, context),
  ]);
  const isRefused = hasErrors(diagnostics);
  const actions = isRefused
    ? []
    : hazardous(ordered.actions, { objects, drafts, hints }, input, context);
  const sealing: Sealing = {
    ...{ kind: context.kind, mark: settings.mark },
    declared: new Map(input.desired.map(one => [addressOf(one.kind, one.key), one])),
  };
  const requests =
    actions.reduce((sum, { requests }) => sum + requests, 0) +
    requestsToReadBack(actions, kinds) +
    requestsToLook(actions, kinds);
  const shown = actions.map(action => sealedAction(action, sealing));
  const plan: Plan = {
    dialect: settings.dialect,
    ...(snapshot.account && { account: snapshot.account }),
    ...baseOf(input, lost),
    folder,
    changes: shownChanges(objects, drafts, kinds).map(change => sealedChange(change, sealing)),
    actions: shown,
    leftAlone: [...pruning.leftAlone].sort(byKindAndKey(kinds)),
    pins: pinsOf(actions, kinds, byKey),
    diagnostics,
    requests: { made: snapshot.requests, planned: requests },
    declared: countWhole(run.kept),
    ...(run.outside.length > 0 && { unselected: countWhole(run.outside) }),
  };
  return { plan, rearrange: rearranging(shown, ordered.ordering) };
}

/** What is wrong with what is declared, in view of the account. */
function declarationFaults(
  { kept, outside, needed }: Run,
  pairing: Pairing,
  pruning: Pruning,
  { kinds, desired, base, snapshot, settings, written, wholes }: PartedInput,
  context: PlanContext,
): Diagnostic[] {
  const elsewhere = new Set(outside.map(({ at }) => at));
  const live = snapshot.objects.map(one => ({ kind: one.kind, key: context.keyOf(one) }));
  const known = [...desired, ...base, ...live];
  const whole = known.map(object => ({ ...object, key: wholes.keyOf(object) }));
  return [
    ...otherAccount(settings.account, snapshot),
    ...selectionFaults(settings.select ?? {}, kinds, { known, wholes }),
    ...unknownNames(settings.named ?? [], [...known, ...whole]),
    ...unavailable(needed, settings.watch, snapshot, kinds),
    ...pairing.diagnostics.filter(({ at }) => at === undefined || !elsewhere.has(at)),
    ...pruning.diagnostics,
    ...unknownRefs(kinds, { kept, outside }, snapshot, pairing.naming),
    ...kept.flatMap(object => unsupported(object, context)),
    ...partFaults(written.desired, kinds, settings.dialect).filter(
      ({ at }) => at === undefined || !elsewhere.has(at),
    ),
    ...unmetPrerequisites(pairing, pruning, context),
    ...lapsedFindings(pairing.pairs, context),
    ...rotationFaults(kept, context),
  ];
}

/** What of the bases stays although no file declares it. */
function lostBy(
  run: Run,
  pairing: Pairing,
  pruning: Pruning,
  { kinds, desired, base, recorded, snapshot, settings, wholes }: PartedInput,
  context: PlanContext,
): Unpruned[] {
  if (recorded === undefined) return [];
  const staying = { ...run, kinds, desired, pruning };
  const ours = unpruned(base, { ...staying, pairing }, context);
  if (recorded.objects.length === 0) return ours;
  const { isMarkedForDeletion, paired: wanted } = run;
  const rules = { isMarkedForDeletion, now: settings.now };
  const other = pairObjects(kinds, wanted, snapshot.objects, recorded.objects, rules);
  const otherContext = planContext(kinds, other, settings, wholes);
  return [...ours, ...unpruned(recorded.objects, { ...staying, pairing: other }, otherContext)];
}

function baseOf({ recorded }: PlanInput, lost: readonly Unpruned[]): { base?: PlanBase } {
  return recorded ? { base: { commits: recorded.commits, unpruned: addressesOf(lost) } } : {};
}

/** The actions with what is dangerous about them. */
function hazardous(
  actions: readonly Action[],
  {
    objects,
    drafts,
    hints,
  }: {
    readonly objects: readonly ObjectChange[];
    readonly drafts: readonly Draft[];
    readonly hints: readonly RenameHint[];
  },
  { kinds, snapshot: { objects: live }, settings }: PlanInput,
  context: PlanContext,
): Action[] {
  const changes = changesOf(objects, kinds);
  return withHazards(actions, {
    ...{ kinds, changes, gaps: gapsIn(drafts) },
    over: overThreshold(changes, live, kinds, settings.thresholds),
    hazards: [
      breakGlassHazards(objects, context.base),
      actorHazards(objects, live, context),
      conflictHazards(objects, context),
      memberLosses(objects, hints, context),
    ],
    allow: settings.allow,
    resolve: settings.resolve ?? [],
    hasSink: settings.hasSink ?? false,
  });
}

// A change as its actions carry it out; what a cascade deletes has no action.
function shownChanges(
  objects: readonly ObjectChange[],
  drafts: readonly Draft[],
  kinds: KindTable,
): Change[] {
  const carriedOut = new Map(drafts.map(({ change }) => [change.address, change]));
  return changesOf(
    objects.map(({ change }) => ({ change: carriedOut.get(change.address) ?? change })),
    kinds,
  );
}

const changesOf = (objects: readonly Pick<ObjectChange, 'change'>[], kinds: KindTable): Change[] =>
  objects.map(({ change }) => change).sort(byKindAndKey(kinds));

function compare(
  { pairs, creates, unpaired }: Pairing,
  { deletes }: Pruning,
  isMarkedForDeletion: IsMarkedForDeletion,
  live: readonly Live[],
  context: PlanContext,
): { readonly objects: ObjectChange[]; readonly hints: readonly RenameHint[] } {
  const stay = pairs.filter(({ desired }) => !isMarkedForDeletion(desired));
  const changes = [
    ...creates.map(desired =>
      createChange(desired, context, bindingHints(desired, unpaired, context)),
    ),
    ...stay.flatMap(pair => pairChange(pair, context) ?? []),
    ...deletes,
  ];
  const renewed = withRenewals(changes, stay, unpaired, context);
  const hints = renameHints(renewed, { live, unpaired }, context);
  return { objects: withResets(withHints(renewed, hints), context), hints };
}

// Actions that wait for each other because an object moves without saying so are told as that.
function circleFaults(
  circle: readonly ActionId[],
  drafts: readonly Draft[],
  { unpaired }: Pairing,
  context: PlanContext,
): Diagnostic[] {
  if (circle.length === 0) return [];
  const moves = movesIn(circle, drafts, unpaired, context);
  return moves.length > 0 ? moves : [cycle(circle)];
}
