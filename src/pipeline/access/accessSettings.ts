// The gates that the access of a plan must pass, and the receiver of its states.

import type { GateSettings } from '../../access/gates/gates.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { Acceptance } from '../../engine/checks/hazards.ts';
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
export interface AccessSettings extends Omit<GateSettings, 'isDeclared'> {
  readonly desired: readonly Desired[];
  /** What is accepted of the hazards of actions; by default nothing. */
  readonly acceptance?: Acceptance;
  /** The guards that were last applied; they count as well. */
  readonly applied?: Guards;
  /** The guards of other folders of the account; they count as well. */
  readonly elsewhere?: GuardsElsewhere;
  readonly onStates?: OnStates;
  /** Whether the base is a revision or a folder of which it is not known that it was applied. */
  readonly isBaseUnapplied?: boolean;
  /** Whether the plan contains every secret whose value differs from the one that was sent last. */
  readonly areSecretsCompared?: boolean;
  /** Returns the objects among these that machines created temporarily: they are listed, and not judged. */
  readonly temporaryIn?: (objects: readonly Live[]) => Promise<readonly Live[]>;
  /** What the ends alone would change in the account; absent if nothing has ended. */
  readonly endings?: Pick<Plan, 'actions' | 'changes' | 'pins'> | undefined;
  /** Receives the addresses of the objects because of which the ends would give access. */
  readonly onGivingEnds?: (objects: readonly string[]) => void;
}
