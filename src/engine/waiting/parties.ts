// Determines which lists of an object may be shortened. Lists of parties to which the object grants
// something may be; lists that restrict the object may not.
import type { Kind, Shape } from '../../kinds/kind.ts';
import type { Path } from '../../model/value.ts';

/**
 * Whether the list at `path` contains parties to which an object grants something. These lists are the fields in the `line` of
 * the kind; if the kind has no `line`, all lists.
 */
export function isParty({ line }: Kind, path: Path): boolean {
  const { who = [], what = [], via = [], into = [] } = line ?? {};
  const parties = [...who, ...what, ...via];
  if (parties.length === 0) return true;
  const field = path.filter(step => !/^\d+$/.test(step)).join('.');
  return [...parties, ...into].includes(field);
}

/**
 * Whether the fields of a kind are separate settings, none of which determines who gets the others.
 * Objects of such a kind grant no access themselves. The kind has no `line`, so no list contains
 * parties and no switch disables a part of an object.
 */
export const isOfSettings = ({ line, grantsAccess }: Kind): boolean =>
  line === undefined && !grantsAccess;

/**
 * Whether the list contains groups that the object joins, or that machines that use it join. Such a
 * list grants nothing if it is empty.
 */
export const isJoined = ({ line }: Kind, path: Path): boolean =>
  line?.into?.includes(path.join('.')) ?? false;

/**
 * Whether the list grants more the longer it is, so that a shorter list removes access. A list that
 * is empty by default restricts, unless it contains groups to join. A list that a lock needs also
 * restricts.
 */
export function grantsByMember(kind: Kind, path: Path): boolean {
  return (
    isJoined(kind, path) ||
    (isParty(kind, path) && !isEmptyByDefault(kind.shape, path) && !isNeededByLock(kind, path))
  );
}

// If the list had no members, the lock would have to be removed, and the object would be open.
const isNeededByLock = ({ requiredTogether, exposes }: Kind, path: Path): boolean =>
  requiredTogether.some(
    ({ field, with: list, must }) =>
      must === 'be-set' &&
      list === path.join('.') &&
      exposes?.locks.some(({ at }) => at === field) === true,
  );

function isEmptyByDefault(shape: Shape, [step, ...rest]: Path): boolean {
  if (step === undefined) return false;
  if (shape.type === 'list') return isEmptyByDefault(shape.items, rest);
  if (shape.type === 'dict') return isEmptyByDefault(shape.values, rest);
  const field = shape.type === 'object' ? shape.fields.get(step) : undefined;
  if (field === undefined) return false;
  return rest.length === 0 ? field.default !== undefined : isEmptyByDefault(field.shape, rest);
}
