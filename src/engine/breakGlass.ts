// What is marked as the way in when all else fails, and is about to be shut: `lifecycle.break_glass`.
import type { Change, FieldChange } from '../model/change.ts';
import type { Address } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { pathName } from '../model/pathName.ts';
import type { Json } from '../model/value.ts';
import { quoted } from '../model/visible.ts';
import type { ObjectChange } from './changes.ts';
import type { Danger, Dangers } from './hazards.ts';

/** By address, what is done to a marked object. The mark counts that is there now, and the one that the base had. */
export function breakGlassDangers(
  objects: readonly ObjectChange[],
  base: ReadonlyMap<Address, Desired>,
): Dangers {
  return new Map(
    objects.flatMap(({ change, desired }): [Address, Danger[]][] => {
      const { address } = change;
      const isMarked = [desired, base.get(address)].some(object => object?.lifecycle.break_glass);
      const shuts = isMarked ? shutting(change) : undefined;
      if (shuts === undefined) return [];
      const message = `${address} is marked as break_glass, and ${shuts}`;
      return [[address, [{ code: 'DISABLES_BREAK_GLASS', message }]]];
    }),
  );
}

function shutting({ type, fields }: Change): string | undefined {
  if (type === 'delete') return 'is deleted';
  if (type === 'replace') return 'is replaced';
  const off = fields.find(isSwitchedOff);
  if (off) return `${quoted(pathName(off.path))} is switched off`;
  const lost = fields.find(isLostPart);
  return lost && `loses ${quoted(pathName(lost.path))}`;
}

/** The values with which a field switches an object, or a part of it, off. */
const OFF: Readonly<Record<string, Json>> = { enabled: false, revoked: true, is_blocked: true };

/** Whether a field switches an object, or a part of it, off. */
export const isSwitchedOff = (change: FieldChange): boolean =>
  change.type === 'value' &&
  change.after !== undefined &&
  change.after === OFF[change.path.at(-1) ?? ''];

/** Whether a part that has a name of its own will be there no more. */
export const isLostPart = (change: FieldChange): boolean =>
  change.type === 'value' && change.path.length === 2 && change.after === undefined;
