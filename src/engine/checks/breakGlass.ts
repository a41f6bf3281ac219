// Finds break-glass objects (`lifecycle.break_glass`) that a plan disables or deletes.
import type { Change } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { isLostPart, isSwitchedOff } from '../actions/takesAccess.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ObjectChange } from '../types/objectChange.ts';

/**
 * The effects of a plan on break-glass objects, by address. An object counts if the declaration or
 * the base has the mark.
 */
export function breakGlassHazards(
  objects: readonly ObjectChange[],
  base: ReadonlyMap<Address, Desired>,
): FoundHazards {
  return new Map(
    objects.flatMap(({ change, desired }): [Address, FoundHazard[]][] => {
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
  if (off) return `${quoted(pathName(off.path))} is disabled`;
  const lost = fields.find(isLostPart);
  return lost && `loses ${quoted(pathName(lost.path))}`;
}
