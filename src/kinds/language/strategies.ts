// The named strategies of kinds: constraints between objects, and effects on other objects.
import { HAZARD_CODES } from '../../model/codes.ts';
import {
  choice,
  either,
  fieldOfThat,
  fieldPointedAt,
  flag,
  integer,
  kindRef,
  list,
  ownField,
  text,
} from './form.ts';
import { oneStrategyOf, record, strategy } from './record.ts';

const MOVES = choice({
  changes: 'It has another value.',
  'turns-on': 'It becomes true.',
  'turns-off': 'It is true, and becomes false.',
  falls: 'It becomes smaller.',
  rises: 'It becomes larger.',
  gains: 'It has more members.',
  loses: 'It has fewer members.',
  empties: 'It has members, and the change removes all of them.',
  narrows:
    'It is a list of those who may do something (an empty list means everybody), and the change takes this permission from some of them.',
  chooses:
    'It is a text, and becomes another one that is neither empty nor in the list `none` of a grant.',
  widens:
    'It is a list of those who may do something, with members before and after, and the change lets somebody else do it.',
});

const RIGHTS = choice({
  sign_in: 'More people or machines can sign in, or signing in requires less.',
  membership: 'Somebody or something else decides who joins groups.',
  exposure: 'Machines can publish ports by themselves.',
  role: 'Somebody can read or write more of the account.',
  credential: 'Somebody gets a new credential.',
  events: 'Events of the account are sent to somebody.',
  posture: 'Machines may pass posture checks that they failed before.',
});

/** The required relations between an object and other objects. */
export const CONSTRAINTS = oneStrategyOf({
  unique: strategy(
    'The identity of an object is unique on the server. With `ignores`, two names that differ only in case are refused: the server accepts both, but people cannot tell them apart.',
    {
      within: choice({ account: 'In the whole account.', parent: 'In one parent.' }),
      ignores: choice({
        case: 'Names that differ only in case are refused, although the server accepts them.',
      }),
    },
    ['ignores'],
  ),
  conflict: strategy(
    'The server rejects an object if another object has the same value in `same` (the first of these fields that is set), and the object in its field `pointsAt` is also in the field `amongMembersOf` of the other object, including members of groups.',
    { same: list(ownField), pointsAt: list(ownField), amongMembersOf: list(ownField) },
    [],
  ),
  requires: strategy(
    'The account must have an object of another kind first. With `while`, that object counts only while the named field is true. With `by`, only the object counts that this field refers to.',
    { kind: kindRef, while: fieldOfThat, by: ownField },
    ['while', 'by'],
  ),
  alone: strategy(
    'An object whose `field` has a value `in` the list excludes all other objects of the same parent with the same values in `same`.',
    { same: list(ownField), field: ownField, in: list(text) },
    [],
  ),
  succeeds: strategy(
    'An undeclared live object and a declared object that is not in the account are the same object, changed, if they are in one parent and have the same values in `same`, and no other object of either side has these values.',
    { same: list(ownField) },
    [],
  ),
  apart: strategy(
    'The server rejects an object whose `field` has the value that the field `other` of an object of another kind has. The other kind has the same constraint. With `ignores`, two values that differ only in case are refused, too.',
    {
      field: ownField,
      kind: kindRef,
      other: fieldOfThat,
      ignores: choice({
        case: 'Values that differ only in case are refused, although the server accepts them.',
      }),
    },
    ['ignores'],
  ),
  below: strategy(
    'The text in `field` equals a field of the parent object, named by `parent`, or ends in a dot and the text of that field.',
    { field: ownField, parent: text },
    [],
  ),
  under: strategy(
    'The text in `field` is the identity of an object of one of these `kinds`, or ends in a dot and that identity. That object is created first and deleted last. The field `keeps` has the identity of the object of the last kind that serves this one: the server chooses it only when `field` gets a value. Objects of the other kinds name theirs in the field `namedBy`. An object of the last kind does not count while its field `while` is false, and serves only names below its identity while its field `onlyBelow` is true.',
    {
      field: ownField,
      kinds: list(kindRef),
      keeps: text,
      namedBy: text,
      while: text,
      onlyBelow: text,
    },
    ['keeps', 'namedBy', 'while', 'onlyBelow'],
  ),
  ability: strategy(
    'The server accepts a new value in `field` only if the object that serves this one (`under`) has the field `needs`, and it is true. With `while`, only an object whose other field has a value `in` the list needs that.',
    {
      field: ownField,
      needs: text,
      while: record({ field: ownField, in: list(text) }),
    },
    ['while'],
  ),
  distinctKeys: strategy(
    'The keys of the map at the path `at` differ in more than case.',
    { at: ownField },
    [],
  ),
  addressed: strategy(
    'In the items of the list `of`, a reference in `ref` to a declared object of `kind`, whose text in `field` is a network of several addresses, needs the field `by` beside it, which says which of these addresses is meant. For any other object, `by` is rejected, because the server uses the address of the object.',
    { of: ownField, ref: text, kind: kindRef, field: fieldOfThat, by: text },
    [],
  ),
  together: strategy(
    'While `field` is true, the server rejects an object whose field `with` is not as it `must` be, whether the files declare the two fields or the account has them.',
    {
      field: ownField,
      with: ownField,
      must: choice({
        'be-set': 'It is true or has entries.',
        'be-unset': 'It is not true and has no entries.',
      }),
    },
    [],
  ),
  room: strategy(
    'The server rejects a new range in `field` that has fewer addresses than the number `least`, or fewer than `percent` percent of the number of objects of `kind`.',
    { field: ownField, kind: kindRef, percent: integer, least: integer },
    [],
  ),
  fulfilledBy: strategy(
    'An object is not needed if an object of another kind has its name in a field.',
    { kind: kindRef, field: fieldOfThat },
    [],
  ),
});

/** The effects of the server on other objects. */
export const EFFECTS = oneStrategyOf({
  delete: strategy(
    'A delete also deletes objects of another kind: those whose field `by` refers to the deleted object, or without `by` those nested in it. With `onlyInCascade`, this happens only if the object itself is deleted by a cascade: a request to delete it is refused while such objects exist.',
    { kind: kindRef, by: fieldOfThat, onlyInCascade: flag },
    ['by', 'onlyInCascade'],
  ),
  moveMembers: strategy(
    'A change of the references in `field` moves the objects of another kind whose field `by` refers to the object: they are added to the field `into` of the referenced objects, and removed from the other objects.',
    { field: ownField, kind: kindRef, by: fieldOfThat, into: fieldPointedAt },
    [],
  ),
  endLogins: strategy(
    'When `field` becomes true, the logins of the objects of another kind whose field `by` refers to the object end.',
    { field: ownField, kind: kindRef, by: fieldOfThat },
    [],
  ),
  propagates: strategy(
    'While `field` is false, a change of an object of `kind` moves no members (`moveMembers`). When `field` becomes true, the server adds what belongs to each such object to the sets that the object refers to; when it becomes false, all members stay.',
    { field: ownField, kind: kindRef },
    [],
  ),
  redirects: strategy(
    'The name in the field `name` resolves to the target in the field `to`. A plan notes each name that gets a different target, for the members of the field `for` of the parent.',
    { name: ownField, to: ownField, for: text },
    [],
  ),
  endangers: strategy(
    'A change of `field` is a hazard with the code `code`: when the field changes as `when` says, and the field in `while`, or each field in it, is true or has entries afterwards (where `when` is `changes`, before as well). The message is what it `says`, and the number of objects that it `counts`: all of a kind except blocked ones, those in which every field in `having` has a value, those that are `where` a field has a value or does not have it, those that have nothing of the list `of` in their field (`outside`), or those in the set `through` of the members that were gained or lost, or with `in` of all members of that list. Members that join or leave such a set are the same hazard if the setting was read. With `names`, the message has their names, that of the caller first. Without such objects there is no hazard, unless `evenNone` says that the hazard is also about objects to come. With `lasting`, another change of the field does not restore what was lost: an undo leaves the field as it is.',
    {
      field: ownField,
      when: MOVES,
      while: either(ownField, list(ownField)),
      code: choice(HAZARD_CODES),
      says: text,
      counts: record(
        {
          kind: kindRef,
          having: list(text),
          where: record({ field: text, equals: text, not: text }, ['equals', 'not']),
          outside: record({ field: text, of: ownField }),
          through: text,
          in: ownField,
          names: flag,
        },
        ['having', 'where', 'outside', 'through', 'in', 'names'],
      ),
      evenNone: flag,
      lasting: flag,
    },
    ['while', 'evenNone', 'lasting'],
  ),
  opensAccount: strategy(
    'Each object represents a separate account, which a token of this account can access with `?account=` and the id of the object. `namedBy` is the field that names that account in a fleet.',
    { namedBy: ownField },
    [],
  ),
  exposes: strategy(
    'Callers outside the account reach the items of the list `to` by the names in the fields `names`, regardless of other objects, unless a field in `while` is false for the object or for the item. `shows` are the fields of an item in messages. `locks` are the fields that keep callers out. A plan has the hazard `code` if an object without a lock is created, is switched on, loses its last lock or gets more targets, and if a lock becomes weaker.',
    {
      code: choice(HAZARD_CODES),
      names: list(ownField),
      while: list(ownField),
      to: ownField,
      shows: list(text),
      locks: list(
        record(
          {
            at: ownField,
            is: choice({
              inside: 'While it is true, nobody outside the account can call, and no key counts.',
              'any-of':
                'A key: while it is true, callers that have it may call; of several keys, any one is enough. `admits` is a list of the callers that the key lets in; an empty list lets in everybody.',
              only: 'A list of the callers that may connect; empty for all callers. It is no lock if it has all public addresses of IPv4 or of IPv6.',
              except:
                'A list of callers that may not call: it is no lock by itself, as it lets in nearly everybody.',
              limit: 'A value `in` the list turns some callers away, and is no lock by itself.',
            }),
            in: list(text),
            admits: ownField,
          },
          ['in', 'admits'],
        ),
      ),
    },
    [],
  ),
  grants: strategy(
    'A change of `field` gives somebody a right, but no access to a destination, if the field changes as `when` says. A field of a new object only counts if it turns on or gains members. With `while`, a change counts only if that field is true before and after it. `none` has the values that choose nothing. A plan has the note `RIGHTS` with what it `says`, and `--no-new-access` refuses it.',
    {
      field: ownField,
      when: MOVES,
      while: ownField,
      none: list(text),
      right: RIGHTS,
      says: text,
    },
    ['while', 'none'],
  ),
  grantsByObject: strategy(
    'An object gives somebody a right when it is created or deleted, as `when` says. A plan has the note `RIGHTS` with what it `says`, and `--no-new-access` refuses it.',
    {
      when: choice({
        created: 'It is created, also as a replacement.',
        deleted: 'It is deleted, and no object takes its place.',
      }),
      right: RIGHTS,
      says: text,
    },
    [],
  ),
});
