// What the access of a plan is held to, and who hears of it.

import type { GateSettings } from '../../access/gates/gates.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { AccessStep } from '../../model/access/accessPicture.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';

/** Receives the states of an account before and after a plan, and the access after each step of its apply, on demand. */
export type OnStates = (
  before: AccessState,
  after: AccessState,
  steps: () => readonly AccessStep[] | undefined,
) => void;

/** The gates of a plan's access, and the declared objects. */
export interface AccessSettings extends Omit<GateSettings, 'declared'> {
  readonly desired: readonly Desired[];
  /** The guards that were last applied, which count as well. */
  readonly applied?: Guards;
  /** The guards of other folders of the account, which count as well. */
  readonly elsewhere?: GuardsElsewhere;
  readonly onStates?: OnStates;
  /** Whether the base is a revision or a folder: nothing says that it was applied. */
  readonly isBaseUnapplied?: boolean;
  /** Whether the plan has every secret whose value is not the one that was sent last. */
  readonly areSecretsCompared?: boolean;
  /** Of these objects, those that machines made for a time: they are listed, and not judged. */
  readonly temporaryIn?: (objects: readonly Live[]) => Promise<readonly Live[]>;
  /** What ends alone would do to the account; absent if nothing has ended. */
  readonly endings?: Pick<Plan, 'actions' | 'changes' | 'pins'> | undefined;
}
