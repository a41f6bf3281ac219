// Computes a plan, or the reasons why there is none, from desired, live and base (docs/design.md#one-plan-builder).
import { effectiveLimits, loosenedSettings } from '../../base/guards/loosenedSettings.ts';
import { isKeptByAccount } from '../../kinds/identity/keptByAccount.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { allSecretHosts } from '../../kinds/values/secretHosts.ts';
import { sortedByPosition } from '../../model/byPosition.ts';
import type { Change } from '../../model/change.ts';
import type { IdOf } from '../../model/compared.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { LoosenedGuard, Thresholds } from '../../model/guards.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Action, Plan, PlanBase, Rearrange } from '../../model/plan.ts';
import { accountStates } from '../actions/accountStates.ts';
import { requestsToLook } from '../actions/auditRequests.ts';
import { draftActions } from '../actions/drafts.ts';
import { preconditionsOf } from '../actions/preconditions.ts';
import { reachesOf } from '../actions/reach.ts';
import { requestsToFindTwins, requestsToReadBack } from '../actions/readingBack.ts';
import { CHECKS, HAZARD_CHECKS } from '../checks/checks.ts';
import type { DraftPlan } from '../checks/draftPlan.ts';
import { exposures } from '../checks/exposed.ts';
import { withHazards } from '../checks/hazards.ts';
import { loosenedProtection } from '../checks/loosenedProtection.ts';
import { overThreshold } from '../checks/thresholds.ts';
import { gapsIn } from '../checks/uniqueConflicts.ts';
import { waitingHazards } from '../checks/waiting.ts';
import { givingWay } from '../conflicts/conflicts.ts';
import { createChange, pairChange } from '../diff/changes.ts';
import { withResets } from '../diff/fieldResets.ts';
import { heldChanges } from '../diff/heldChanges.ts';
import { movementsOf, withMovements, withNotes } from '../diff/movements.ts';
import { withRenewals } from '../diff/renewals.ts';
import { unresolvedNames } from '../missing/unresolved.ts';
import { withoutMissing } from '../missing/withoutMissing.ts';
import { orderActions, rearranging } from '../ordering/order.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { planContext } from '../pairing/planContext.ts';
import { type DeclaredBy, declaredElsewhere } from '../pruning/elsewhere.ts';
import { endsObject } from '../pruning/endsObject.ts';
import { ownEnds } from '../pruning/ownEnds.ts';
import { ownMembers } from '../pruning/ownMembers.ts';
import { type Pruning, prune } from '../pruning/prune.ts';
import { addressesOf, type Unpruned, unpruned } from '../pruning/unpruned.ts';
import { bindingHints } from '../renames/bindingHints.ts';
import { type RenameHint, renameHints, withHints } from '../renames/renameHints.ts';
import { suggestedRenames } from '../renames/suggestions.ts';
import { inParts } from '../scope/parts.ts';
import { bases, type PartedInput, type PlanInput, type Run, runOf } from '../scope/run.ts';
import { limitedTo } from '../scope/selection.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { IsMarkedForDeletion, Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { PlanSettings } from '../types/settings.ts';
import { asArrived, type WaitingInput, type Waits, waitingInput } from '../waiting/waits.ts';
import { calledIn } from './called.ts';
import { liveByKey, pinsOf } from './pins.ts';
import { byKindAndKey } from './reading.ts';
import { type Sealing, sealedAction, sealedChange } from './redaction.ts';

const byAddress = (objects: readonly Desired[]): ReadonlyMap<Address, Desired> =>
  new Map(objects.map(one => [addressOf(one.kind, one.key), one]));

const countWhole = (objects: readonly Desired[]): number =>
  objects.filter(({ part }) => part?.leads !== false).length;

/** A plan, and the other possible orders of its actions. */
export interface Planned {
  readonly plan: Plan;
  readonly rearrange: Rearrange;
  /** The id of a live object by the key that the plan uses for it. */
  readonly idOf: IdOf;
  /** What waits for objects that another system makes. */
  readonly waits: Waits;
  /** Declarations that have ended, and whose names are not those of our objects: no base has them. */
  readonly notOurs: ReadonlySet<Address>;
  /** Declarations of ours that have ended, and whose objects stay: the base has them as before. */
  readonly heldEnds: ReadonlySet<Address>;
  /** The plan as it would be if they existed: the access that waits counts now. */
  readonly arrived?: Plan;
}

/** Builds the plan. If the diagnostics contain an error, the plan has no actions, so that no incomplete plan is run. */
export const buildPlan = (written: PlanInput): Plan => planned(written).plan;

/** Builds the plan, with the other possible orders of its actions. Missing objects are left out of it, and reported. */
export function planned(written: PlanInput): Planned {
  const found = plannedNow(written);
  const { absent } = found.waits;
  if (absent.size === 0) return found;
  return { ...found, arrived: plannedNow(asArrived(written, absent)).plan };
}

function plannedNow(written: PlanInput): Planned {
  const { missing = [] } = written;
  if (missing.length === 0) return computed(written);
  const repaired = withoutMissing(written, missing, unresolvedNames(written));
  const { plan, ...rest } = computed(repaired.input);
  const { unselected = 0, ...made } = plan;
  const left = unselected - repaired.held;
  return {
    ...rest,
    plan: {
      ...made,
      missing: repaired.missing,
      diagnostics: sortedByPosition([...repaired.findings(plan.held ?? []), ...plan.diagnostics]),
      ...(left > 0 && { unselected: left }),
    },
  };
}

function computed(written: PlanInput): Planned {
  const input = waitingInput(written);
  const { kinds, base, snapshot, settings, folder } = input;
  const live = snapshot.objects;
  const run = runOf(input);
  const watched = settings.watch ?? new Set<KindName>();
  const { isMarkedForDeletion, isSelected } = run;
  const paired = pairObjects(kinds, run.paired, live, base, {
    isMarkedForDeletion,
    meant: input.meant,
    recordedIds: input.recordedIds,
  });
  const seen = planContext(kinds, paired, settings, input.wholes, ownMembers(input, paired));
  const pairing = givingWay(limitedTo(isSelected, paired), seen);
  const movements = movementsOf(pairing, live, seen);
  const context = withMovements(movements, pairing.pairs, seen);
  const declaredBy = declaredElsewhere(input.others ?? [], kinds, context, live);
  const { prune: mode, madeByPeople = new Set<RemoteId>() } = settings;
  const { meant, recorded, recordedIds, superseded = new Map<string, Key>() } = input;
  const isOwnEnd = ownEnds(input, pairing);
  const known = { meant, recorded, recordedIds, superseded, isOwnEnd };
  const rules = { ...run, ...known, declaredBy, mode, madeByPeople, watched };
  const pruning = prune(pairing, rules, context);
  const { objects: compared, hints } = compare(
    pairing,
    pruning,
    isMarkedForDeletion,
    live,
    context,
  );
  const objects = withNotes(compared, movements);
  const held = heldIn(input, run, objects);
  const left = leftBy({ ...run, declaredBy }, pairing, pruning, input, context);
  const lost = left.filter(({ kind }) => !isKeptByAccount(kinds.get(kind)));
  const reaches = reachesOf(live, objects, context);
  const secretHosts = allSecretHosts([...input.desired, ...bases(input)], live, kinds);
  const byKey = liveByKey(live, pairing.naming);
  const preconditions = preconditionsOf({
    ...snapshot,
    kinds,
    kind: context.kind,
    idOf: byKey.id,
    secretHosts,
  });
  const drafts = draftActions(objects, {
    ...context,
    reach: reaches.during,
    preconditions,
    movements: movements.list,
  });
  const ordered = orderActions(drafts, kinds, preconditions);
  const draft: DraftPlan = {
    ...accountStates(kinds, snapshot, objects, context),
    changes: objects,
    held,
    actions: drafts,
    circle: ordered.circle,
    input,
    run,
    pairing,
    pruning,
    declaredBy,
    left,
    lost,
    hints,
    reaches,
    context,
  };
  const diagnostics = sortedByPosition(CHECKS.flatMap(check => check(draft)));
  const isRefused = hasErrors(diagnostics);
  const actions = isRefused ? [] : hazardous(ordered.actions, draft);
  const sealing: Sealing = {
    kind: context.kind,
    mark: settings.mark,
    secretHosts,
    declared: byAddress(input.desired),
    bases: [context.base, byAddress(input.recorded?.objects ?? [])],
  };
  const requests =
    actions.reduce((sum, { requests }) => sum + requests, 0) +
    requestsToReadBack(actions, kinds) +
    requestsToFindTwins(actions, kinds) +
    requestsToLook(actions, kinds);
  const shown = actions.map(action => sealedAction(action, sealing));
  const called = calledIn(live, kinds, context.keyOf);
  const plan: Plan = {
    dialect: settings.dialect,
    ...(snapshot.account && { account: snapshot.account }),
    ...baseOf(input, lost, believedBases(pairing, pruning, declaredBy, context)),
    folder,
    ...loosenedBy(draft),
    changes: shownChanges(objects, drafts, context, kinds).map(change =>
      sealedChange(change, sealing),
    ),
    actions: shown,
    leftAlone: [...pruning.leftAlone].sort(byKindAndKey(kinds)),
    pins: pinsOf(actions, kinds, byKey),
    diagnostics,
    requests: { made: snapshot.requests, planned: requests },
    declared: countWhole(run.kept),
    ...(run.outside.length > 0 && { unselected: countWhole(run.outside) }),
    ...(called.length > 0 && { called }),
    ...(held.length > 0 && { held: held.map(({ change }) => sealedChange(change, sealing)) }),
    ...(settings.suggestRenames && {
      renames: suggestedRenames({ objects, unpaired: pairing.unpaired, hints }, context),
    }),
  };
  const { waits } = input;
  const rearrange = rearranging(shown, ordered.ordering);
  const { heldEnds } = pruning;
  const own = { notOurs: notOurs(run, pruning, input), heldEnds };
  return { plan, rearrange, idOf: byKey.id, waits, ...own };
}

/** Ended objects that the account does not have, or that belong to somebody else. */
function notOurs(
  { isSelected }: Run,
  { ownEnds }: Pruning,
  { written }: PartedInput,
): ReadonlySet<Address> {
  const over = written.desired.filter(one => one.ended?.isWhole && isSelected(one));
  return new Set(over.map(({ kind, key }) => addressOf(kind, key))).difference(ownEnds);
}

/** The differences of what waits, or is held back. Objects that are not in the run are paired for it, too. */
function heldIn(
  input: WaitingInput,
  run: Run,
  changes: readonly ObjectChange[],
): readonly ObjectChange[] {
  const { kinds, held, waits, desired, snapshot, base, settings, meant, recordedIds } = input;
  const objects = [...inParts(held?.objects ?? [], kinds, settings.dialect), ...waits.compared];
  if (objects.length === 0) return [];
  const { isMarkedForDeletion } = run;
  const rules = { isMarkedForDeletion, now: settings.now, meant, recordedIds };
  const paired = pairObjects(kinds, desired, snapshot.objects, base, rules);
  const context = planContext(kinds, paired, settings, input.wholes, ownMembers(input, paired));
  return heldChanges({ objects, missing: held?.missing ?? [] }, changes, paired, context);
}

/** Objects of the bases that stay although no file declares them. */
function leftBy(
  run: Run & { readonly declaredBy: DeclaredBy },
  pairing: Pairing,
  pruning: Pruning,
  input: PartedInput,
  context: PlanContext,
): Unpruned[] {
  const { kinds, recorded, snapshot, settings, wholes, meant, recordedIds } = input;
  if (recorded === undefined) return [];
  const staying = { ...run, kinds, pruning, meant, recordedIds };
  const ours = unpruned({ ...staying, pairing }, context);
  if (recorded.objects.length === 0) return ours;
  const { isMarkedForDeletion, paired: wanted } = run;
  const rules = { isMarkedForDeletion, now: settings.now, meant, recordedIds };
  const other = pairObjects(kinds, wanted, snapshot.objects, recorded.objects, rules);
  const otherContext = planContext(kinds, other, settings, wholes, ownMembers(input, other));
  return [...ours, ...unpruned({ ...staying, pairing: other }, otherContext)];
}

/** The bases of other folders that alone keep an object of the base from being a removal, or something from its end. */
function believedBases(
  { unpaired, pairs }: Pairing,
  { heldEnds }: Pruning,
  declaredBy: DeclaredBy,
  context: PlanContext,
): readonly string[] {
  const own = unpaired.filter(live => context.base.has(context.addressOf(live)));
  const ended = pairs.filter(({ desired: { kind, key, part } }) =>
    heldEnds.has(addressOf(kind, part?.whole ?? key)),
  );
  const kept = [...own, ...ended.map(({ live }) => live)];
  const members = pairs.flatMap(pair => {
    const over = pair.desired.ended;
    return over && !over.isWhole ? context.ownMembers(over, pair).shared : [];
  });
  const commits = [
    ...kept.flatMap(live => declaredBy(live)?.commit ?? []),
    ...members.flatMap(({ folder }) => folder.commit ?? []),
  ];
  return [...new Set(commits)].sort();
}

function baseOf(
  { recorded }: PlanInput,
  lost: readonly Unpruned[],
  believed: readonly string[],
): { base?: PlanBase } {
  if (recorded === undefined) return {};
  const { commits, recorded: commit, isFirst } = recorded;
  return {
    base: {
      commits,
      ...(commit !== undefined && { recorded: commit }),
      ...(isFirst && { first: true }),
      ...(believed.length > 0 && { believed }),
      unpruned: addressesOf(lost),
    },
  };
}

const limitsOf = ({ guards, thresholds, allow }: PlanSettings): Thresholds =>
  guards ? effectiveLimits(guards, allow) : thresholds;

/** The guards that the files loosen, except those of access. */
function loosenedBy(draft: DraftPlan): { loosened?: readonly LoosenedGuard[] } {
  const { guards, allow } = draft.input.settings;
  if (guards === undefined) return {};
  return { loosened: [...loosenedProtection(draft), ...loosenedSettings(guards, allow)] };
}

/** The actions with their hazards. */
function hazardous(ordered: readonly Action[], draft: DraftPlan): Action[] {
  const { kinds, snapshot, settings } = draft.input;
  const changes = changesOf(draft.changes, kinds);
  const isEnd = (object: ObjectChange) =>
    endsObject(object, draft.context.kind(object.change.kind));
  const others = changesOf(
    draft.changes.filter(object => !isEnd(object)),
    kinds,
  );
  return withHazards(ordered, {
    kinds,
    changes,
    superseded: new Set(
      draft.changes.flatMap(({ change, isSuperseded }) => (isSuperseded ? change.address : [])),
    ),
    gaps: gapsIn(draft.actions),
    over: overThreshold(others, snapshot.objects, kinds, limitsOf(settings)),
    ofAny: [waitingHazards(draft), exposures(draft)],
    hazards: HAZARD_CHECKS.map(check => check(draft)),
    allow: settings.allow,
    resolve: settings.resolve ?? [],
    hasSink: settings.hasSink ?? false,
  });
}

// A change as its actions carry it out; a cascaded delete has no action.
function shownChanges(
  objects: readonly ObjectChange[],
  drafts: readonly Draft[],
  context: PlanContext,
  kinds: KindTable,
): Change[] {
  const carriedOut = new Map(drafts.map(({ change }) => [change.address, change]));
  return changesOf(
    objects.map(({ change, live }) => ({
      change: withNamesBefore(carriedOut.get(change.address) ?? change, live, context),
    })),
    kinds,
  );
}

// A deleted object refers to objects by their names in the account: it is deleted before they are renamed.
function withNamesBefore(change: Change, live: Live | undefined, { kind }: PlanContext): Change {
  if (change.type !== 'delete' || live === undefined) return change;
  return { ...change, before: canonicalFields(kind(change.kind).shape, live.fields, 'live') };
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
