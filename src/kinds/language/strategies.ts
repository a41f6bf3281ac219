// The named strategies of kinds: constraints between objects, and effects on other objects.
import { choice, fieldOfThat, fieldPointedAt, flag, kindRef, list, ownField } from './form.ts';
import { oneStrategyOf, strategy } from './record.ts';

/** What must hold between an object and others. */
export const CONSTRAINTS = oneStrategyOf({
  unique: strategy(
    'The server refuses a second object with the same identity.',
    {
      within: choice({ account: 'In the whole account.', parent: 'In one parent.' }),
    },
    [],
  ),
  conflict: strategy(
    'The server refuses an object if another one has the same value in `same` (the first of these fields that is set), and what `pointsAt` points at is among what `amongMembersOf` of the other points at, members of groups included.',
    { same: list(ownField), pointsAt: list(ownField), amongMembersOf: list(ownField) },
    [],
  ),
  requires: strategy(
    'The account must hold an object of another kind first. With `while`, that object serves only while this field of it is true.',
    { kind: kindRef, while: fieldOfThat },
    ['while'],
  ),
  fulfilledBy: strategy(
    'An object is not needed where an object of another kind has its name in a field.',
    { kind: kindRef, field: fieldOfThat },
    [],
  ),
});

/** The effects of the server on other objects. */
export const EFFECTS = oneStrategyOf({
  delete: strategy(
    'A delete also deletes objects of another kind: those whose field `by` points at the deleted object, or without `by` those that nest in it. With `onlyInCascade`, a request to delete the object alone is refused while it has them.',
    { kind: kindRef, by: fieldOfThat, onlyInCascade: flag },
    ['by', 'onlyInCascade'],
  ),
  moveMembers: strategy(
    'A change of the pointers in `field` moves the objects of another kind whose field `by` points at the object: into the field `into` of what the pointers name, and out of the rest.',
    { field: ownField, kind: kindRef, by: fieldOfThat, into: fieldPointedAt },
    [],
  ),
  endLogins: strategy(
    'Once `field` is true, the logins of the objects of another kind end whose field `by` points at the object.',
    { field: ownField, kind: kindRef, by: fieldOfThat },
    [],
  ),
});
