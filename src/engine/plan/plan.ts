// Computes a plan from desired, live and base, or the reasons why there is no plan
// (docs/design.md#one-plan-builder).
import { effectiveLimits, loosenedSettings } from '../../base/guards/loosenedSettings.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { sortedByPosition } from '../../model/byPosition.ts';
import type { Change } from '../../model/change.ts';
import type { IdOf } from '../../model/comparedAccount.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { LoosenedGuard, Thresholds } from '../../model/guards.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Action, Plan, PlanBase, Rearrange, ShownAction } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import { auditRequests } from '../actions/auditRequests.ts';
import {
  requestsToFindAddresses,
  requestsToFindTwins,
  requestsToReadBack,
} from '../actions/readingBack.ts';
import { CHECKS, HAZARD_CHECKS } from '../checks/checks.ts';
import type { DraftPlan } from '../checks/draftPlan.ts';
import { exposures } from '../checks/exposures.ts';
import { withHazards } from '../checks/hazards.ts';
import { undoneLeftovers } from '../checks/leftByRuns.ts';
import { loosenedProtection } from '../checks/loosenedProtection.ts';
import { overThreshold } from '../checks/thresholds.ts';
import { deletesThatRunFirst } from '../checks/uniqueConflicts.ts';
import { waitingHazards } from '../checks/waiting.ts';
import { unresolvedNames } from '../missing/unresolved.ts';
import { withoutMissing } from '../missing/withoutMissing.ts';
import { rearranging } from '../ordering/order.ts';
import { isEndOfObject } from '../pruning/isEndOfObject.ts';
import { addressesOf } from '../pruning/unpruned.ts';
import { acceptedRenames, type FindingsFor } from '../renames/acceptedRenames.ts';
import { suggestedRenames } from '../renames/suggestions.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { PlanSettings } from '../types/settings.ts';
import { asIfArrived, type Waits, waitingInput } from '../waiting/waits.ts';
import { type Drafted, draftedPlan } from './drafted.ts';
import { labelledIdsIn } from './labelledIds.ts';
import { pinsOf } from './pins.ts';
import { byKindAndKey } from './readingOrder.ts';
import { type Sealing, sealedAction, sealedChange } from './redaction.ts';

const byAddress = (objects: readonly Desired[]): ReadonlyMap<Address, Desired> =>
  new Map(objects.map(one => [addressOf(one.kind, one.key), one]));

const countWhole = (objects: readonly Desired[]): number =>
  objects.filter(({ part }) => part?.leads !== false).length;

/** A plan, and the other possible orders of its actions. */
export interface Planned {
  readonly plan: Plan;
  readonly rearrange: Rearrange;
  /** Returns the id of a live object, given its key in the plan. */
  readonly idOf: IdOf;
  /** The declarations that wait for objects from another system. */
  readonly waits: Waits;
  /**
   * Ended declarations whose names belong to objects that these files did not create. The next base
   * does not contain these declarations.
   */
  readonly foreignEnds: ReadonlySet<Address>;
  /**
   * Ended declarations of these files whose objects stay. The next base contains these declarations
   * unchanged.
   */
  readonly heldEnds: ReadonlySet<Address>;
  /**
   * The plan as if the awaited objects existed, for checks of the future access; absent if nothing
   * waits.
   */
  readonly arrived?: Plan;
}

/** Builds the plan. If the diagnostics contain an error, the plan has no actions, because an incomplete plan must not run. */
export const buildPlan = (written: PlanInput): Plan => planned(written).plan;

/** Builds the plan, with the other possible orders of its actions. Missing objects are left out of the plan and reported. */
export function planned(written: PlanInput): Planned {
  const found = plannedNow(written);
  const { absent } = found.waits;
  if (absent.size === 0) return found;
  return { ...found, arrived: plannedNow(asIfArrived(written, absent)).plan };
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
  const drafted = draftedPlan(input);
  const { draft, byKey, ordering } = drafted;
  const diagnostics = sortedByPosition(CHECKS.flatMap(check => check(draft)));
  const actions = hasErrors(diagnostics) ? [] : hazardous(drafted.actions, draft);
  const shown = shownPlan(drafted, { actions, diagnostics });
  const plan = shown.renames ? withAccepted(shown, shown.renames, written) : shown;
  return {
    plan,
    rearrange: rearranging(plan.actions, ordering),
    idOf: byKey.id,
    waits: input.waits,
    foreignEnds: notOurs(draft),
    heldEnds: draft.pruning.heldEnds,
  };
}

function withAccepted(plan: Plan, renames: SuggestedRenames, written: PlanInput): Plan {
  const findingsFor: FindingsFor = desired => {
    const { draft } = draftedPlan(waitingInput({ ...written, desired }));
    return CHECKS.flatMap(check => check(draft));
  };
  const { desired } = written;
  const { diagnostics } = plan;
  const accepted = acceptedRenames(renames.suggested, { desired, diagnostics, findingsFor });
  return { ...plan, renames: { ...renames, ...accepted } };
}

/** The results of the checks of a plan. */
interface Judged {
  /** The actions with their hazards; none if the plan is refused. */
  readonly actions: readonly Action[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan in the form in which it is shown and stored, without secrets. */
function shownPlan({ draft, byKey, secretHosts }: Drafted, { actions, diagnostics }: Judged): Plan {
  const { input, run, pairing, pruning, changes, held, hints, context } = draft;
  const { kinds, snapshot, settings, folder } = input;
  const sealing = sealingOf(draft, secretHosts);
  const sealed = (change: Change) => sealedChange(change, sealing);
  const shownActions = actions.map(action => sealedAction(action, sealing));
  const called = labelledIdsIn(snapshot.objects, kinds, context.keyOf);
  const leftovers = undoneLeftovers(draft);
  return {
    dialect: settings.dialect,
    ...(snapshot.account && { account: snapshot.account }),
    ...baseOf(draft),
    folder,
    ...loosenedBy(draft),
    changes: shownChanges(draft).map(sealed),
    actions: shownActions,
    leftAlone: [...pruning.leftAlone].sort(byKindAndKey(kinds)),
    pins: pinsOf(actions, kinds, byKey),
    diagnostics,
    requests: { made: snapshot.requests, planned: requestsOf(shownActions, kinds) },
    declared: countWhole(run.remaining),
    ...(run.unselected.length > 0 && { unselected: countWhole(run.unselected) }),
    ...(called.length > 0 && { called }),
    ...(held.length > 0 && { held: held.map(({ change }) => sealed(change)) }),
    ...(pruning.undeclared.length > 0 && {
      undeclared: pruning.undeclared.map(({ change }) => sealed(change)),
    }),
    ...(leftovers.length > 0 && { leftByRuns: leftovers }),
    ...(settings.suggestRenames && {
      renames: suggestedRenames({ objects: changes, unpaired: pairing.unpaired, hints }, context),
    }),
  };
}

const sealingOf = (
  { input, context }: DraftPlan,
  secretHosts: Drafted['secretHosts'],
): Sealing => ({
  kind: context.kind,
  mark: input.settings.mark,
  secretHosts,
  declared: byAddress(input.desired),
  bases: [context.base, byAddress(input.recorded?.objects ?? [])],
});

const requestsOf = (actions: readonly ShownAction[], kinds: KindTable): number =>
  actions.reduce((sum, { requests }) => sum + requests, 0) +
  requestsToReadBack(actions, kinds) +
  requestsToFindTwins(actions, kinds) +
  requestsToFindAddresses(actions) +
  auditRequests(actions, kinds);

/**
 * Ended declarations whose objects these files may not remove, because the account does not have
 * them, or because they belong to another folder or person.
 */
function notOurs({ input, run, pruning }: DraftPlan): ReadonlySet<Address> {
  const over = input.written.desired.filter(one => one.ended?.isWhole && run.isSelected(one));
  return new Set(over.map(({ kind, key }) => addressOf(kind, key))).difference(pruning.ownEnds);
}

/**
 * The bases of other folders on which the plan relies. Each of them is the only reason why the plan
 * does not remove an object of the base, or why an ended object or member stays.
 */
function believedBases({ pairing, pruning, declaredBy, context }: DraftPlan): readonly string[] {
  const { unpaired, pairs } = pairing;
  const own = unpaired.filter(live => context.base.has(context.addressOf(live)));
  const ended = pairs.filter(({ desired: { kind, key, part } }) =>
    pruning.heldEnds.has(addressOf(kind, part?.whole ?? key)),
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

function baseOf(draft: DraftPlan): { base?: PlanBase } {
  const { recorded } = draft.input;
  if (recorded === undefined) return {};
  const believed = believedBases(draft);
  const { commits, recorded: commit, isFirst } = recorded;
  return {
    base: {
      commits,
      ...(commit !== undefined && { recorded: commit }),
      ...(isFirst && { first: true }),
      ...(believed.length > 0 && { believed }),
      unpruned: addressesOf(draft.lost),
    },
  };
}

const limitsOf = ({ guards, thresholds, allow }: PlanSettings): Thresholds =>
  guards ? effectiveLimits(guards, allow) : thresholds;

/** The guards that the files loosen, without guards of access. */
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
    isEndOfObject(object, draft.context.kind(object.change.kind));
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
    gaps: deletesThatRunFirst(draft.actions),
    overThreshold: overThreshold(others, snapshot.objects, kinds, limitsOf(settings)),
    ofAny: [waitingHazards(draft), exposures(draft)],
    hazards: HAZARD_CHECKS.map(check => check(draft)),
    allow: settings.allow,
    resolve: settings.resolve ?? [],
    hasSink: settings.hasSink ?? false,
  });
}

// The changes as the actions carry them out. A cascaded delete has no action.
function shownChanges({ input, changes, actions, context }: DraftPlan): Change[] {
  const carriedOut = new Map(actions.map(({ change }) => [change.address, change]));
  return changesOf(
    changes.map(({ change, live }) => ({
      change: withNamesBefore(carriedOut.get(change.address) ?? change, live, context),
    })),
    input.kinds,
  );
}

// The change, with the names that the targets of its references have in the account. The object is
// deleted before these targets are renamed.
function withNamesBefore(change: Change, live: Live | undefined, { kind }: PlanContext): Change {
  if (change.type !== 'delete' || live === undefined) return change;
  return { ...change, before: canonicalFields(kind(change.kind).shape, live.fields, 'live') };
}

const changesOf = (objects: readonly Pick<ObjectChange, 'change'>[], kinds: KindTable): Change[] =>
  objects.map(({ change }) => change).sort(byKindAndKey(kinds));
