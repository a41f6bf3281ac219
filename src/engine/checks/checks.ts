// All checks of a plan, one entry each. To add a check, write a file with its function and add an entry here.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { declaredIn } from '../../model/otherFolder.ts';
import { conflictHazards } from '../conflicts/conflicts.ts';
import { resetFindings } from '../diff/fieldResets.ts';
import { strandedFaults } from '../diff/renewals.ts';
import { blockedReplacements, replacementFaults } from '../diff/replacement.ts';
import { rotationFaults } from '../diff/rotation.ts';
import { cycle } from '../ordering/order.ts';
import { approvalFindings } from '../pairing/approval.ts';
import { expiredFindings } from '../pairing/expiry.ts';
import { stayingMemberFindings } from '../pruning/ownMembers.ts';
import {
  forgetFaults,
  forgettable,
  unmanagedSettings,
  unprunedFaults,
} from '../pruning/unpruned.ts';
import { partFaults } from '../scope/partFaults.ts';
import { partsElsewhere } from '../scope/partsElsewhere.ts';
import { bases } from '../scope/planInput.ts';
import { selectionFaults } from '../scope/selection.ts';
import { everyWhole } from '../scope/wholes.ts';
import type { FoundHazards } from '../types/hazard.ts';
import { alikeAddresses, alikeNames } from './alikeNames.ts';
import { apiUserHazards } from './apiUsers.ts';
import { boundElsewhere } from './boundElsewhere.ts';
import { breakGlassHazards } from './breakGlass.ts';
import { broughtBack } from './broughtBackByUndo.ts';
import { closingLocks } from './closingLocks.ts';
import { refusedTogether } from './combinations.ts';
import { dangerousChanges } from './dangerousChanges.ts';
import { dangerousMembers } from './dangerousMembers.ts';
import { unknownRefs } from './danglingReferences.ts';
import type { DraftPlan } from './draftPlan.ts';
import { endsNotDeclared } from './endsNotDeclared.ts';
import { fixedFaults, otherAccount, unavailable, unsupported } from './faults.ts';
import { lackingFaults } from './fixedFields.ts';
import { keptPlaces } from './keptPlaces.ts';
import { leftByRuns } from './leftByRuns.ts';
import { formerProtection } from './loosenedProtection.ts';
import { lostSecrets } from './lostSecrets.ts';
import { memberLosses } from './memberLosses.ts';
import { movedNames } from './movedNames.ts';
import { circularMoves } from './nameElsewhere.ts';
import { namesakes } from './namesakes.ts';
import { unmetPrerequisites } from './prerequisites.ts';
import { protectedFaults } from './protection.ts';
import { renamedElsewhere } from './renamedElsewhere.ts';
import { servingFaults } from './servingObjects.ts';
import { takenByGrants } from './takenByGrants.ts';
import { uniqueClashes, uniqueConflictFaults } from './uniqueConflicts.ts';
import { unknownNames } from './unknownNames.ts';
import { unreadFolders } from './unreadFolders.ts';
import { unsendableSecrets } from './unsendable.ts';
import { waitingFindings } from './waiting.ts';

/** Returns the faults of a plan. If a fault is an error, no part of the plan is carried out. */
export type Check = (plan: DraftPlan) => readonly Diagnostic[];

/** Returns hazards by the address of the changed object. A person must allow each hazard by its code. */
export type HazardCheck = (plan: DraftPlan) => FoundHazards;

/** The checks that find faults of a plan. */
export const CHECKS: readonly Check[] = [
  // Checks that compare files and flags with the account.
  ({ input: { settings, snapshot } }) => otherAccount(settings.account, snapshot),
  plan =>
    selectionFaults(plan.input.settings.select ?? {}, plan.input.kinds, {
      // A selection may name a renamed object by its current name in the account.
      known: [...knownNames(plan), ...plan.input.snapshot.objects],
      wholes: plan.input.wholes,
    }),
  plan =>
    unknownNames(
      plan.input.settings.named ?? [],
      [...knownNames(plan), ...wholeNames(plan)],
      plan.input.kinds,
    ),
  unavailable,
  plan => plan.pairing.diagnostics.filter(isInRun(plan)),
  ({ pruning }) => pruning.diagnostics,
  ({ pairing, context }) => stayingMemberFindings(pairing.pairs, context),
  takenByGrants,
  leftByRuns,
  endsNotDeclared,
  broughtBack,
  ({ pairing, declaredBy, input }) =>
    boundElsewhere(pairing, { declaredBy, live: input.snapshot.objects, base: bases(input) }),
  renamedElsewhere,
  unreadFolders,
  ({ run, pairing: { naming }, input: { kinds, snapshot, others = [] } }) =>
    unknownRefs({ kinds, snapshot, naming, others }, run),
  namesakes,
  waitingFindings,
  ({ run, context }) => run.remaining.flatMap(object => unsupported(object, context)),
  plan => {
    const { written, kinds, settings } = plan.input;
    return partFaults(written.desired, kinds, settings.dialect).filter(isInRun(plan));
  },
  ({ pairing, after, context }) => unmetPrerequisites(pairing.creates, after, context),
  ({ input, run }) =>
    partsElsewhere(
      input.desired.filter(run.isSelected),
      input.others ?? [],
      input.kinds,
      input.settings.dialect,
    ),
  ({ pairing, context }) => closingLocks(pairing, context),
  ({ pairing, context }) => expiredFindings(pairing.pairs, context),
  ({ pairing, context }) => approvalFindings(pairing.pairs, context),
  lostSecrets,
  ({ run, input, context }) => rotationFaults(run.remaining, input.missing ?? [], context),
  ({ input, pairing, context }) =>
    forgetFaults(
      input.settings.forget ?? [],
      [...forgettable(bases(input), pairing, context), ...(input.unrecognised ?? [])],
      input,
    ),
  ({ input, left }) => unmanagedSettings(left, input.kinds),
  ({ input, lost }) =>
    input.settings.recordBase ? unprunedFaults(lost, input.settings.prune, input) : [],
  // Checks of the effects of the changes.
  ({ changes, context }) => fixedFaults(changes, context),
  ({ changes, context }) => lackingFaults(changes, context),
  refusedTogether,
  servingFaults,
  ({ changes, context }) => replacementFaults(changes, context),
  ({ changes, input, context }) => blockedReplacements(changes, input.snapshot.objects, context),
  ({ changes, context }) => resetFindings(changes, context),
  ({ changes, run, context }) => strandedFaults(changes, run.unselected, context),
  ({ changes, context }) => unsendableSecrets(changes, context),
  plan => {
    const { protect, protectedElsewhere: elsewhere = new Map() } = plan.input.settings;
    const list = {
      listed: new Set(protect),
      elsewhere,
      former: formerProtection(plan),
      wholesOf: everyWhole(declaredAnywhere(plan)),
    };
    return protectedFaults(plan.changes, plan.pairing, list, plan.context);
  },
  plan => {
    const { actions, input, pairing, reaches, declaredBy, context } = plan;
    return uniqueConflictFaults(
      uniqueClashes(actions, input.snapshot.objects, context, reaches),
      { drafts: actions, unpaired: pairing.unpaired, alike: alikeAddresses(plan), declaredBy },
      context,
    );
  },
  movedNames,
  alikeNames,
  keptPlaces,
  circleFaults,
];

/** The checks that find hazards. */
export const HAZARD_CHECKS: readonly HazardCheck[] = [
  ({ changes, context }) => breakGlassHazards(changes, context.base),
  apiUserHazards,
  ({ changes, context }) => conflictHazards(changes, context),
  ({ changes, hints, input, context }) => memberLosses(changes, hints, input.others ?? [], context),
  dangerousChanges,
  dangerousMembers,
];

// Findings about objects outside the run are not reported.
function isInRun({ run }: DraftPlan): (finding: Diagnostic) => boolean {
  const outside = new Set(run.unselected.map(({ at }) => at));
  return ({ at }) => at === undefined || !outside.has(at);
}

// All declarations in the files and the bases of all folders.
const declaredAnywhere = ({ input }: DraftPlan) => [
  ...input.desired,
  ...bases(input),
  ...declaredIn(input.others ?? []),
];

function knownNames({ input: { desired, written, base, snapshot }, context }: DraftPlan) {
  const live = snapshot.objects.map(one => ({ kind: one.kind, key: context.keyOf(one) }));
  // An object that waits counts as declared, even if no part of it is planned.
  return [...desired, ...written.desired, ...base, ...live];
}

const wholeNames = (plan: DraftPlan) =>
  knownNames(plan).map(object => ({ ...object, key: plan.input.wholes.keyOf(object) }));

// The findings for actions that wait for each other. If an object that moves without `was` is the
// cause, the move is reported instead.
function circleFaults({ circle, actions, pairing, context }: DraftPlan): readonly Diagnostic[] {
  if (circle.length === 0) return [];
  const moves = circularMoves(circle, actions, pairing.unpaired, context);
  return moves.length > 0 ? moves : [cycle(circle)];
}
