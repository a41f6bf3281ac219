// Whether a change of an object may take access from somebody, as far as its form tells.
import type { Kind } from '../kinds/kind.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { isLostPart, isSwitchedOff } from './breakGlass.ts';
import { isRestricting } from './phase.ts';

/**
 * Whether an update may take access away: members or a part go, something is switched off, a list that restricts gets its
 * first member, or a part of what grants access becomes another one.
 */
export function mayTakeAccess({ fields }: Pick<Change, 'fields'>, kind: Kind): boolean {
  return fields.some(change => {
    if (change.type === 'members') return losesMembers(change, kind);
    return isSwitchedOff(change) || isLostPart(change) || (kind.grantsAccess && isInside(change));
  });
}

function losesMembers(
  { removed, added, kept, foreign, path }: Extract<FieldChange, { type: 'members' }>,
  { shape }: Kind,
): boolean {
  const isFirst = added.length > 0 && kept.length + foreign.length === 0;
  return removed.length > 0 || (isFirst && isRestricting(shape, path));
}

const isInside = ({ path }: FieldChange): boolean => path.length > 2;
