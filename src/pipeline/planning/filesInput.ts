// The input for a plan of all files: their declarations with the names of the account, within the
// limits of the run.

import { withoutUnstored } from '../../base/unstored.ts';
import { selectedByCurrentNames } from '../../engine/scope/currentNames.ts';
import { withDependencies } from '../../engine/scope/dependencies.ts';
import type { PlanInput } from '../../engine/scope/planInput.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import { undoneIn } from '../../read/git/storedBases.ts';
import type { Declarations } from '../names/declarations.ts';
import type { KnownNames } from '../names/knownNames.ts';
import { writtenByRuns } from './earlierApplies.ts';
import type { PlanRequest, StateToPlan } from './planRequest.ts';

/** The input of a plan of all files. */
export interface FilesInput {
  readonly input: PlanInput;
  /** Declared values that the server does not store. The plan leaves them out. */
  readonly held: readonly UnstoredValue[];
}

/** Desired state, with its names resolved in the account. */
export interface NamedState extends StateToPlan {
  readonly declarations: Declarations;
  readonly names: KnownNames;
}

/** The input of a plan of all files. */
export async function filesInput(
  { declarations, names, left, unstored = [], folder, stored }: NamedState,
  kinds: KindTable,
  request: PlanRequest,
): Promise<FilesInput> {
  const { objects: live, dialect } = names.input.snapshot;
  const { desired, held } = withoutUnstored(names.input.desired, unstored, live, kinds);
  const unlimited = {
    ...names.input,
    desired,
    kinds,
    settings: { ...request, ...names.guards, dialect },
    folder,
    ...(stored?.base.undone && { undone: undoneIn(stored, kinds) }),
  };
  const selected = selectedByCurrentNames(request.select ?? {}, unlimited);
  const select = withDependencies(selected, declarations.desired, kinds);
  const ofRuns = await writtenByRuns(left, unlimited);
  const input = { ...unlimited, ...ofRuns, settings: { ...unlimited.settings, select } };
  return { input, held };
}
