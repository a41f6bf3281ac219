// Whether a change deletes an object because it has ended.
import { itemKeys } from '../../kinds/identity/parts.ts';
import type { Kind } from '../../kinds/kind.ts';
import { livePart } from '../scope/droppedParts.ts';
import type { ObjectChange } from '../types/objectChange.ts';

/** Whether the object has ended, or the item that this part of the object contains. */
export function isEndOfObject(
  { change, desired, live, droppedFrom }: ObjectChange,
  kind: Kind,
): boolean {
  if (change.type !== 'delete' || !live) return false;
  if (desired?.ended?.isWhole) return true;
  const { ended } = droppedFrom ?? {};
  const item = ended && livePart(kind, live)?.item;
  return item !== undefined && itemKeys(kind, ended?.fields ?? {}).includes(item);
}
