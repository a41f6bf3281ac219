// Adds notes about the files and findings about loosened guards to a plan, and names to its
// messages.

import { loosenedFindings, sortedGuards } from '../../base/guards/loosenedFinding.ts';
import { unrecognised } from '../../base/recognisedAddresses.ts';
import { unstoredNotes } from '../../base/unstored.ts';
import { bases, type PlanInput } from '../../engine/scope/planInput.ts';
import { unknownHostNotes } from '../../kinds/values/secretHosts.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { idLabeller } from '../../model/idLabels.ts';
import type { Desired } from '../../model/object.ts';
import { declaredIn } from '../../model/otherFolder.ts';
import type { Plan } from '../../model/plan.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import { emptyListFindings } from '../../source/objects/emptyLists.ts';
import type { PlanRequest, StateToPlan } from './planRequest.ts';

/** The declarations of the files, and the declared values that the server does not store. */
interface WrittenFiles extends Pick<StateToPlan, 'desired' | 'emptyLists'> {
  /** The declarations with placeholders; see `KnownNames`. */
  readonly written: readonly Desired[];
  readonly held: readonly UnstoredValue[];
  readonly prune: PlanRequest['prune'];
}

/**
 * Notes about what the files declare: empty lists, addresses that this run does not know, and values that the server does not
 * store.
 */
export function notesAbout(
  input: PlanInput,
  { written, held, prune, ...given }: WrittenFiles,
): readonly Diagnostic[] {
  const { kinds, unrecognised: unknown = [], others = [], snapshot } = input;
  const declared = [...written, ...bases(input), ...unknown, ...declaredIn(others)];
  return [
    ...(prune === 'unmanaged' ? emptyListFindings(kinds, given) : []),
    ...unrecognised(unknown, kinds),
    ...unknownHostNotes(snapshot.objects, kinds, declared),
    ...unstoredNotes(held, written),
  ];
}

/**
 * The plan, with messages in which the id of an object is followed by its name. Hints are
 * unchanged, because people may copy them.
 */
export function withIdLabelsInMessages(plan: Plan): Plan {
  const { called, diagnostics, actions } = plan;
  if (called === undefined) return plan;
  const speak = idLabeller(called);
  const labelled = <T extends { readonly message: string; readonly says?: string }>(one: T): T => ({
    ...one,
    message: speak(one.message),
    ...(one.says !== undefined && { says: speak(one.says) }),
  });
  return {
    ...plan,
    diagnostics: diagnostics.map(labelled),
    actions: actions.map(action => ({ ...action, hazards: action.hazards.map(labelled) })),
  };
}

/** The plan with findings about the guards that the files loosen. */
export function withLoosenedGuards(plan: Plan, byFlag: readonly Allowance[]): Plan {
  const loosened = sortedGuards(plan.loosened ?? []);
  const found = loosenedFindings(loosened, byFlag);
  if (found.length === 0) return plan;
  return { ...plan, loosened, diagnostics: [...plan.diagnostics, ...found] };
}
