// The differences between the base and live objects that the base declares and the files no longer
// declare. They are reported until an apply deletes the objects.
import type { Live } from '../../model/object.ts';
import type { UndoneDeclaration } from '../../model/undoneDeclaration.ts';
import { changesSinceBase } from '../conflicts/conflicts.ts';
import { deleteChange, withNotes } from '../diff/changes.ts';
import { undoneAt } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * The changes that would restore the declarations of the base for live objects that differ from it,
 * and the deletions of objects that only an undo restored.
 */
export const undeclaredChanges = (
  objects: readonly Live[],
  context: PlanContext,
): readonly ObjectChange[] =>
  objects.flatMap(live => broughtBack(live, context) ?? changed(live, context) ?? []);

/** The undo that restored a live object which no file declares; undefined if there is none. */
export function broughtBackBy(live: Live, context: PlanContext): UndoneDeclaration | undefined {
  const undone = undoneAt({ kind: live.kind, key: context.keyOf(live) }, context);
  return undone?.applied === undefined ? undone : undefined;
}

function broughtBack(live: Live, context: PlanContext): ObjectChange | undefined {
  if (broughtBackBy(live, context) === undefined) return undefined;
  const { change, ...rest } = deleteChange(live, context);
  return { ...rest, change: { ...change, since: 'drift' } };
}

function changed(live: Live, context: PlanContext): ObjectChange | undefined {
  const fields = changesSinceBase(live, context);
  if (fields.length === 0) return undefined;
  const named = { kind: live.kind, key: context.keyOf(live) };
  const partOf = context.wholeOf(named);
  const object: ObjectChange = {
    live,
    change: {
      ...named,
      address: context.addressOf(live),
      ...(partOf !== undefined && { partOf }),
      type: 'update',
      id: live.id,
      since: 'drift',
      fields: fields.map(change => ({ ...change, since: 'drift' })),
      notes: [],
    },
  };
  return withNotes(object, 'the files no longer declare it');
}
