// The effect of an action on access, judged by the form of the action.
import type { KindTable, Shape } from '../../kinds/kind.ts';
import type { FieldChange } from '../../model/change.ts';
import { present } from '../../model/errors.ts';
import { isRestricting } from '../actions/takesAccess.ts';
import type { Draft } from '../types/draft.ts';

/** `adds` takes no access away, `removes` grants none, and `changes` may do both. */
export type Phase = 'adds' | 'changes' | 'removes';

/** The phases in the order that keeps access: new objects are created before old ones are deleted. */
export const PHASES: readonly Phase[] = ['adds', 'changes', 'removes'];

/**
 * The phase of an action: creates and updates that only add members are `adds`; deletes and updates that only remove members are
 * `removes`.
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
