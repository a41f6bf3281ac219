// The phase of an action: its effect on access, judged only by its verb and its changed fields.
import type { KindTable, Shape } from '../../kinds/kind.ts';
import type { FieldChange } from '../../model/change.ts';
import { present } from '../../model/errors.ts';
import { isRestricting } from '../actions/takesAccess.ts';
import type { Draft } from '../types/draft.ts';

/** `adds`: removes no access. `removes`: grants no access. `changes`: may do both. */
export type Phase = 'adds' | 'changes' | 'removes';

/**
 * The phases in the order in which nobody loses access temporarily: new objects are created before
 * old objects are deleted.
 */
export const PHASES: readonly Phase[] = ['adds', 'changes', 'removes'];

/**
 * The phase of an action. `adds`: creates, and updates that only add members. `removes`: deletes, and updates that only remove
 * members.
 */
export function phaseOf({ action, change }: Draft, kinds: KindTable): Phase {
  if (action.verb !== 'update') return action.verb === 'create' ? 'adds' : 'removes';
  const { shape } = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const [first, ...others] = new Set(change.fields.map(field => effectOf(field, shape)));
  return first !== undefined && others.length === 0 ? first : 'changes';
}

function effectOf(change: FieldChange, shape: Shape): Phase {
  if (change.type !== 'members' || isRestricting(shape, change.path)) return 'changes';
  if (change.removed.length === 0) return 'adds';
  return change.added.length === 0 ? 'removes' : 'changes';
}
