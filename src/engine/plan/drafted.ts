// A plan before its checks: declared and live objects are paired and compared, and the actions are ordered.
import { isKeptByAccount } from '../../kinds/identity/keptByAccount.ts';
import { allSecretHosts } from '../../kinds/values/secretHosts.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action } from '../../model/plan.ts';
import { accountStates } from '../actions/accountStates.ts';
import { draftActions } from '../actions/drafts.ts';
import { preconditionsOf } from '../actions/preconditions.ts';
import { reachesOf } from '../actions/reach.ts';
import type { DraftPlan } from '../checks/draftPlan.ts';
import { withLiveSides } from '../conflicts/conflicts.ts';
import { createChange, pairChange } from '../diff/changes.ts';
import { comparedOnlyChanges } from '../diff/comparedOnlyChanges.ts';
import { withResets } from '../diff/fieldResets.ts';
import {
  type Movements,
  movementsOf,
  withMovementNotes,
  withMovements,
} from '../diff/movements.ts';
import { withRenewals } from '../diff/renewals.ts';
import { type Ordering, orderActions } from '../ordering/order.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { planContext } from '../pairing/planContext.ts';
import { type DeclaredBy, declaredElsewhere } from '../pruning/declaredElsewhere.ts';
import { ownEnds } from '../pruning/ownEnds.ts';
import { ownMembers } from '../pruning/ownMembers.ts';
import { type PruneRules, type Pruning, prune } from '../pruning/prune.ts';
import { type Unpruned, unpruned } from '../pruning/unpruned.ts';
import { bindingHints } from '../renames/bindingHints.ts';
import { type RenameHint, renameHints, withHints } from '../renames/renameHints.ts';
import { inParts } from '../scope/parts.ts';
import { bases, type PartedInput, type Run, runOf } from '../scope/planInput.ts';
import { limitedTo } from '../scope/selection.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { WaitingInput } from '../waiting/waits.ts';
import { type LiveByKey, liveByKey } from './pins.ts';

/** A plan before its checks, and further data for the finished plan. */
export interface Drafted {
  readonly draft: DraftPlan;
  /** The actions in order, without hazards. */
  readonly actions: readonly Action[];
  readonly ordering: Ordering;
  /** Live objects by their keys in the plan. */
  readonly byKey: LiveByKey;
  /** Web addresses whose host is secret too. */
  readonly secretHosts: ReadonlySet<string>;
}

/** Pairs and compares declared and live objects, and orders the actions. */
export function draftedPlan(input: WaitingInput): Drafted {
  const { kinds, snapshot } = input;
  const run = runOf(input);
  const compared = comparedWithLive(run, input);
  const { movements, ...difference } = compared;
  const { changes, context } = difference;
  const left = leftBy(compared, run, input);
  const { reaches, drafts, ordered, byKey, secretHosts } = orderedActions(compared, input);
  const draft: DraftPlan = {
    ...accountStates(kinds, snapshot, changes, context),
    ...difference,
    held: heldIn(input, run, changes),
    actions: drafts,
    circle: ordered.circle,
    input,
    run,
    left,
    lost: left.filter(({ kind }) => !isKeptByAccount(kinds.get(kind))),
    reaches,
  };
  return { draft, actions: ordered.actions, ordering: ordered.ordering, byKey, secretHosts };
}

/** Declared and live objects, paired. */
interface Paired {
  readonly pairing: Pairing;
  /** The members that the server moves as a side effect. */
  readonly movements: Movements;
  readonly context: PlanContext;
}

function pairedWithLive(
  { isSelected, isMarkedForDeletion, ...run }: Run,
  input: PartedInput,
): Paired {
  const { kinds, base, snapshot, meant, recordedIds } = input;
  const live = snapshot.objects;
  const rules = { isMarkedForDeletion, meant, recordedIds };
  const paired = pairObjects({ kinds, desired: run.paired, live, base }, rules);
  const seen = planContext(input, paired, ownMembers(input, paired));
  const pairing = withLiveSides(limitedTo(isSelected, paired), seen);
  const movements = movementsOf(pairing, live, seen);
  return { pairing, movements, context: withMovements(movements, pairing.pairs, seen) };
}

/** The differences between declared and live objects. */
interface Compared extends Paired {
  readonly declaredBy: DeclaredBy;
  readonly pruning: Pruning;
  readonly changes: readonly ObjectChange[];
  readonly hints: readonly RenameHint[];
}

function comparedWithLive(run: Run, input: PartedInput): Compared {
  const { kinds, snapshot, others = [] } = input;
  const paired = pairedWithLive(run, input);
  const { pairing, movements, context } = paired;
  const declaredBy = declaredElsewhere(others, kinds, context, snapshot.objects);
  const pruning = prune(pairing, pruneRules(pairing, { ...run, declaredBy }, input), context);
  const { objects, hints } = differing({ pairing, pruning, context }, run, snapshot.objects);
  return { ...paired, declaredBy, pruning, changes: withMovementNotes(objects, movements), hints };
}

function pruneRules(
  pairing: Pairing,
  run: Run & { readonly declaredBy: DeclaredBy },
  input: PartedInput,
): PruneRules {
  const { settings, meant, recorded, recordedIds } = input;
  return {
    ...run,
    meant,
    recorded,
    recordedIds,
    superseded: input.superseded ?? new Map<string, Key>(),
    isOwnEnd: ownEnds(input, pairing),
    mode: settings.prune,
    madeByPeople: settings.madeByPeople ?? new Set<RemoteId>(),
    watched: settings.watch ?? new Set<KindName>(),
  };
}

function differing(
  { pairing, pruning, context }: Pick<Compared, 'pairing' | 'pruning' | 'context'>,
  { isMarkedForDeletion }: Run,
  live: readonly Live[],
): { readonly objects: ObjectChange[]; readonly hints: readonly RenameHint[] } {
  const { pairs, creates, unpaired } = pairing;
  const stay = pairs.filter(({ desired }) => !isMarkedForDeletion(desired));
  const changes = [
    ...creates.map(desired =>
      createChange(desired, context, bindingHints(desired, unpaired, context)),
    ),
    ...stay.flatMap(pair => pairChange(pair, context) ?? []),
    ...pruning.deletes,
  ];
  const renewed = withRenewals(changes, stay, unpaired, context);
  const hints = renameHints(renewed, { live, unpaired }, context);
  return { objects: withResets(withHints(renewed, hints), context), hints };
}

function orderedActions({ pairing, movements, changes, context }: Compared, input: PartedInput) {
  const { kinds, snapshot, desired } = input;
  const live = snapshot.objects;
  const reaches = reachesOf(live, changes, context);
  const secretHosts = allSecretHosts([...desired, ...bases(input)], live, kinds);
  const byKey = liveByKey(live, pairing.naming);
  const { kind } = context;
  const preconditions = preconditionsOf({ ...snapshot, kinds, kind, idOf: byKey.id, secretHosts });
  const drafts = draftActions(changes, {
    ...context,
    reach: reaches.during,
    preconditions,
    movements: movements.list,
  });
  const ordered = orderActions(drafts, kinds, preconditions);
  return { reaches, drafts, ordered, byKey, secretHosts };
}

/**
 * The differences of waiting and held objects. For these, objects outside the run are paired too.
 */
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
  const paired = pairObjects({ kinds, desired, live: snapshot.objects, base }, rules);
  const context = planContext(input, paired, ownMembers(input, paired));
  return comparedOnlyChanges({ objects, missing: held?.missing ?? [] }, changes, paired, context);
}

/** The objects of the bases that stay in the account although no file declares them. */
function leftBy(
  { pairing, pruning, declaredBy, context }: Compared,
  run: Run,
  input: PartedInput,
): Unpruned[] {
  const { kinds, recorded, snapshot, settings, meant, recordedIds } = input;
  if (recorded === undefined) return [];
  const staying = { ...run, declaredBy, kinds, pruning, meant, recordedIds };
  const ours = unpruned({ ...staying, pairing }, context);
  if (recorded.objects.length === 0) return ours;
  const { isMarkedForDeletion, paired: wanted } = run;
  const rules = { isMarkedForDeletion, now: settings.now, meant, recordedIds };
  const other = pairObjects(
    { kinds, desired: wanted, live: snapshot.objects, base: recorded.objects },
    rules,
  );
  const otherContext = planContext(input, other, ownMembers(input, other));
  return [...ours, ...unpruned({ ...staying, pairing: other }, otherContext)];
}
