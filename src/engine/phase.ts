// How an action bears on who reaches what, as far as its form tells.
import type { Field, KindTable, Shape } from '../kinds/kind.ts';
import type { FieldChange } from '../model/change.ts';
import { present } from '../model/errors.ts';
import type { Path } from '../model/value.ts';
import type { Draft } from './draft.ts';

/** `adds` takes nothing away from anybody, `removes` gives nothing to anybody, `changes` may do both. */
export type Phase = 'adds' | 'changes' | 'removes';

/** In the order in which access is kept: what is new stands before what is old goes. */
export const PHASES: readonly Phase[] = ['adds', 'changes', 'removes'];

/** Creates, and updates that only add members, add; deletes, and updates that only take some away, remove. */
export function phaseOf({ action, change }: Draft, kinds: KindTable): Phase {
  if (action.verb !== 'update') return action.verb === 'create' ? 'adds' : 'removes';
  const { shape } = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const [first, ...others] = new Set(change.fields.map(field => effectOf(field, shape)));
  return first !== undefined && others.length === 0 ? first : 'changes';
}

/**
 * Whether a list restricts where it is not empty: one that is empty by default does. Its first member narrows, and without
 * its last one it widens.
 */
export const isRestricting = (shape: Shape, path: Path): boolean =>
  fieldAt(shape, path)?.default !== undefined;

function effectOf(change: FieldChange, shape: Shape): Phase {
  if (change.type !== 'members' || isRestricting(shape, change.path)) return 'changes';
  if (change.removed.length === 0) return 'adds';
  return change.added.length === 0 ? 'removes' : 'changes';
}

// Paths go through the items of keyed lists and the values of maps.
function fieldAt(shape: Shape, [step, ...rest]: Path): Field | undefined {
  if (step === undefined) return undefined;
  if (shape.type === 'list') return fieldAt(shape.items, rest);
  if (shape.type === 'dict') return fieldAt(shape.values, rest);
  const field = shape.type === 'object' ? shape.fields.get(step) : undefined;
  return rest.length === 0 ? field : field && fieldAt(field.shape, rest);
}
