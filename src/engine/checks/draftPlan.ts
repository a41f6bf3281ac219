// A plan before it is checked: everything that a check may look at.
import type { ActionId } from '../../model/names.ts';
import type { Reaches } from '../actions/reach.ts';
import type { Pruning } from '../pruning/prune.ts';
import type { Unpruned } from '../pruning/unpruned.ts';
import type { RenameHint } from '../renames/renameHints.ts';
import type { PartedInput, Run } from '../scope/run.ts';
import type { AccountState } from '../types/accountState.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** What the plan is made from, what it does, and the account on both sides of it. */
export interface DraftPlan {
  /** The account as it was read. */
  readonly before: AccountState;
  /** The account once the plan is carried out. */
  readonly after: AccountState;
  readonly changes: readonly ObjectChange[];
  /** What carries the changes out, before it is ordered. */
  readonly actions: readonly Draft[];
  /** Actions that wait for each other; empty where all could be ordered. */
  readonly circle: readonly ActionId[];
  readonly input: PartedInput;
  readonly run: Run;
  readonly pairing: Pairing;
  readonly pruning: Pruning;
  /** What a base declared and stays although no file declares it. */
  readonly lost: readonly Unpruned[];
  readonly hints: readonly RenameHint[];
  readonly reaches: Reaches;
  readonly context: PlanContext;
}
