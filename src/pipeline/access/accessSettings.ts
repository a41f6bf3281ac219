// The settings for the access of a plan: the gates that the plan must pass, and who receives its
// states.

import type { GateSettings } from '../../access/gates/gates.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { Acceptance } from '../../engine/checks/hazards.ts';
import type { AccessStep } from '../../model/access/accessPicture.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';

/** Receives the states of an account before and after a plan. `steps` computes the access after each step of the apply. */
export type OnStates = (
  before: AccessState,
  after: AccessState,
  steps: () => readonly AccessStep[] | undefined,
) => void;

/** The gates of a plan's access, and the declared objects. */
export interface AccessSettings extends Omit<GateSettings, 'isDeclared'> {
  readonly desired: readonly Desired[];
  /** The accepted hazards of actions; by default none. */
  readonly acceptance?: Acceptance;
  /** The guards of the last apply. They count too. */
  readonly applied?: Guards;
  /** The guards of other folders of the account. They count too. */
  readonly elsewhere?: GuardsElsewhere;
  readonly onStates?: OnStates;
  /**
   * Whether it is unknown whether the base was applied, because it is only a revision or a folder.
   */
  readonly isBaseUnapplied?: boolean;
  /**
   * Whether the plan contains every secret whose value differs from the value that was last sent.
   */
  readonly areSecretsCompared?: boolean;
  /**
   * Returns the objects among these that machines created temporarily. They are listed, but guards
   * and tests do not judge them.
   */
  readonly temporaryIn?: (objects: readonly Live[]) => Promise<readonly Live[]>;
  /** The plan that only removes what has ended; absent if nothing has ended. */
  readonly endings?: Pick<Plan, 'actions' | 'changes' | 'pins'> | undefined;
  /** Receives the addresses of ended objects whose removal would give access. */
  readonly onGivingEnds?: (objects: readonly string[]) => void;
}
