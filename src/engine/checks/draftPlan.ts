// A plan before its checks: all data that a check may read.
import type { ActionId } from '../../model/names.ts';
import type { Reaches } from '../actions/reach.ts';
import type { DeclaredBy } from '../pruning/declaredElsewhere.ts';
import type { Pruning } from '../pruning/prune.ts';
import type { Unpruned } from '../pruning/unpruned.ts';
import type { RenameHint } from '../renames/renameHints.ts';
import type { Run } from '../scope/planInput.ts';
import type { AccountState } from '../types/accountState.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { WaitingInput } from '../waiting/waits.ts';

/** The inputs of the plan, its changes, and the account before and after. */
export interface DraftPlan {
  /** The account as it was read. */
  readonly before: AccountState;
  /** The account after the plan. */
  readonly after: AccountState;
  readonly changes: readonly ObjectChange[];
  /** Differences between the account and declarations that the plan cannot write as declared. */
  readonly held: readonly ObjectChange[];
  /** The drafts of actions, not ordered yet. */
  readonly actions: readonly Draft[];
  /** Actions that wait for each other in a circle; empty if all actions could be ordered. */
  readonly circle: readonly ActionId[];
  readonly input: WaitingInput;
  readonly run: Run;
  readonly pairing: Pairing;
  readonly pruning: Pruning;
  /** Returns the other folder that declares a live object. */
  readonly declaredBy: DeclaredBy;
  /** Objects that a base declared and that stay in the account although no file declares them. */
  readonly left: readonly Unpruned[];
  /** The same objects without settings, because nobody can delete settings. */
  readonly lost: readonly Unpruned[];
  readonly hints: readonly RenameHint[];
  readonly reaches: Reaches;
  readonly context: PlanContext;
}
