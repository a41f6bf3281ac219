// The words of `x-kind`, at the root of a kind's schema: where its objects are declared, their names, and how they are written.
import { VERBS } from '../traits.ts';
import { AUDIT_EVENTS } from './auditEvents.ts';
import { API_PATH, KIND_DIALECTS } from './dialectForms.ts';
import {
  choice,
  distinct,
  either,
  exactly,
  flag,
  integer,
  kindRef,
  list,
  ownField,
  pattern,
  text,
  textOrBoolean,
} from './form.ts';
import { record } from './record.ts';
import type { ValuesOf, Words } from './schemaWord.ts';
import { CONSTRAINTS, EFFECTS } from './strategies.ts';

export const KIND_WORDS = {
  name: {
    form: pattern(/^[a-z][a-z_]*$/, 'lower-case letters and underscores, a letter first'),
    does: 'The name of the kind: in addresses, in references of other schemas, and in the name of the schema file.',
  },
  plural: { form: text, does: 'The plural noun in messages.' },
  at: {
    form: pattern(
      /^[a-z_]+(\[\])?(\.[a-z_]+(\[\])?)*$/,
      'a path of keys joined by dots, with [] after each key of a list',
    ),
    does: 'The path of its objects in YAML. The path of a kind with a parent begins with the path of the parent.',
  },
  path: {
    form: API_PATH,
    does: 'The path of its collection in the API, with the id of the parent in braces.',
  },
  dialects: {
    form: KIND_DIALECTS,
    does: 'Differences of a dialect of the API. `path`: the path of the collection. `listAll`: a list of all objects of all parents, with `childIds`, the field of the parent that contains the ids of its objects. `parentChange`: how an object changes its parent. `parts`: the list of which the server stores each item as a separate object, and the text between the name of the object and the name of the item. `layout`: the fields that are inside other objects of the body, by the path of each such object; an update sends such an object back as it was read, with the declared fields in it, if it is `sentBack` or has a declared field. `idField`: the field whose value the API takes as the id of an object, in paths and in references; if it is the identity of the kind too, a reference to an object that is gone still names it. `vendor`: the product that a neutral name stands for. `false` if servers of the dialect do not have the kind.',
    otherwise: 'Both dialects treat the kind in the same way.',
  },
  parent: {
    form: kindRef,
    does: 'The kind whose objects contain the objects of this kind. A key then has two parts, such as `parent/name`.',
    otherwise: 'Its objects belong to the account.',
  },
  cardinality: {
    form: choice({
      collection: 'An account has any number of its objects.',
      singleton:
        'An account has at most one object of the kind, and its path has no ids. Without the verb `create`, every account has it. If the schema has no field `id`, responses have no id: the name of the kind stands for it.',
      sole: 'Every account has exactly one object of the kind: it is in a list, and its path has its id.',
    }),
    does: 'How many of its objects an account has.',
    otherwise: '`collection`.',
  },
  where: {
    form: record({ field: ownField, equals: textOrBoolean, query: text, unsent: flag }, [
      'query',
      'unsent',
    ]),
    does: 'Which objects of the collection belong to the kind, if several kinds share a collection, or if it also contains objects that have ended. `field` is sent with every create, unless the server sets it (`unsent`); `query` is the parameter with which the API filters the list.',
    otherwise: 'All objects of the collection.',
  },
  identity: {
    form: list(either(ownField, list(ownField))),
    does: 'The fields that identify an object within its parent, in this order. A list in place of a field means the first of its fields that has a value. A singleton and the sole object of an account have no `identity`; every other kind must have it.',
  },
  constraints: {
    form: list(CONSTRAINTS),
    does: 'Conditions on other objects of the account that must hold before an object can be created or changed, and conditions under which two objects count as one.',
    otherwise: 'The server accepts any object that is valid by its schema.',
  },
  verbs: {
    form: distinct(choice(VERBS)),
    does: 'The operations that files can cause. Objects of a kind with an empty list can only be referenced.',
  },
  auditEvents: {
    form: list(AUDIT_EVENTS),
    does: 'How the audit log records the creation, change and deletion of an object: the activity codes for each change. Drift is attributed by these entries, and an apply uses them to detect concurrent changes by others.',
    otherwise:
      'The log does not record the kind: its drift is not attributed, and the outcome of a create with a lost response stays unknown.',
  },
  updateMode: {
    form: choice({
      whole: 'The body has every field; undeclared fields keep the values of the account.',
      mutable: 'The body has the mutable fields.',
      partial: 'The body has the declared fields; the server keeps the other fields.',
    }),
    does: 'The fields in the body of an update.',
    otherwise: '`whole`.',
  },
  readAfterWrite: {
    form: choice({
      item: 'From its own path, if the response to the write does not have every field.',
      'item-always':
        'From its own path after every write, because the response does not show what the server stored.',
      list: 'From the list of the collection, because an object cannot be read by itself.',
      'list-always':
        'From the list of the collection after every write, because the response does not show what the server stored.',
    }),
    does: 'How an object is read back after a write.',
    otherwise: '`item`.',
  },
  oneTimeSecret: {
    form: either(text, record({ field: text, envelope: text })),
    does: 'The field in the response to a create with a secret that the server never shows again. `envelope` is the field of the response that contains the object, if the response is not the object itself.',
    otherwise: 'The response to a create has no secret.',
  },
  renewedBy: {
    form: record({ path: text, sends: list(ownField) }, ['sends']),
    does: 'The request that gives an existing object a new one-time secret in place of the former: a `POST` to `path`, below the path of the object, with the declared fields in `sends`. Its response has the secret under the name in `oneTimeSecret`. If objects of the kind expire, their lifetime starts again.',
    otherwise: 'A new secret comes with a new object.',
  },
  expiry: {
    form: record(
      {
        field: ownField,
        since: ownField,
        when: record({ field: ownField, in: list(text), timeIsUp: text }, ['timeIsUp']),
      },
      ['since', 'when'],
    ),
    does: 'When an existing object can no longer be used: after the time in `field`, or while another field has one of the values in `in`. `timeIsUp` is the value that only means that the time has passed. `since` is the field with the time from which the lifetime counted, unless a later update has changed it.',
    otherwise: 'Objects do not expire.',
  },
  flags: {
    form: distinct(
      choice({
        neverPruned:
          'An object that is removed from the files stays in the account: only `lifecycle: { delete: true }` deletes it.',
        grantsAccess:
          'Objects grant access: drift reports undeclared objects first, and a change inside an object may remove access.',
        storesPartly:
          'A server may accept values and never store them, such as settings of another edition: an apply ends with an error once, and records the values, which are not sent again.',
        grantsNothing:
          'A new object grants no access and no rights until another object refers to it: a plan may list several new objects by name only. If in doubt, omit the flag.',
      }),
    ),
    does: 'Properties of the kind.',
    otherwise: 'The kind has none of these properties.',
  },
  narrows: {
    form: record(
      {
        itself: exactly(true),
        items: record({ field: ownField, in: list(text) }),
        through: list(ownField),
      },
      ['itself', 'items', 'through'],
    ),
    does: 'The part of the objects that withholds access. If it expired, somebody could gain access, so files cannot write `until` there. `itself`: every object. `items`: an object with an item whose `field` has a value `in` the list, and whatever the item refers to. `through`: whatever these fields refer to.',
    otherwise: 'If an object of the kind expires, nobody gains access.',
  },
  line: {
    form: record(
      {
        who: list(ownField),
        what: list(ownField),
        via: list(ownField),
        into: list(ownField),
        protocol: ownField,
        port: list(ownField),
        also: list(ownField),
        above: integer,
        opens: list(record({ field: ownField, in: list(either(textOrBoolean, integer)) }, ['in'])),
        closes: list(record({ field: ownField, in: list(either(textOrBoolean, integer)) })),
      },
      ['who', 'what', 'via', 'into', 'protocol', 'port', 'also', 'above', 'opens', 'closes'],
    ),
    does: 'The fields that a plan shows for a new object on a single line: `who` gets access to `what`, `via` which machines; the groups that the object, or machines that use it, join (`into`); the `protocol` and the `port` (any port without a value). Fields in `also` are shown if they differ from their default. A path into a list yields an entry for each item of the list. Up to `above` new objects (default 20) are shown with all their fields; if there are more, each is shown on one line. The objects that open most are listed first: everybody or a wide network on a side, any port, a value of a field in `opens` that is `in` its list (without `in`, a larger number opens more). An object or item with a value in `closes` opens nothing.',
    otherwise: 'The line has every field that differs from its default.',
  },
  sign: {
    form: record({
      draws: choice({
        circles: 'Three circles.',
        screen: 'A screen on a foot.',
        shelves: 'Two shelves of a rack.',
        hexagon: 'A hexagon.',
        arrow: 'An arrow.',
      }),
      means: text,
    }),
    does: 'The sign in front of the name of an object in a box of a drawing, and its meaning in the legend.',
    otherwise: 'A box shows the selector of the object, which begins with the kind.',
  },
  principal: {
    form: record(
      {
        own: ownField,
        role: ownField,
        blocked: ownField,
        pending: ownField,
        invited: ownField,
        used: ownField,
        admin: text,
      },
      ['pending', 'invited', 'used', 'admin'],
    ),
    does: 'Objects of the kind can call the API. `own`: the field that is true for the caller. `role`: the field with the role of the object. `blocked`: the field that is true if all calls of the object are refused. `pending`: the field that is true, together with `blocked`, until a person approves the object. `invited`: the field whose value is `invited` if an invitation was sent in place of a secret. `used`: the field with the time of the last sign-in, or a time in the year 1 if the object never signed in. `admin`: the role of people who can manage access.',
    otherwise: 'Objects of the kind do not call the API.',
  },
  replace: {
    form: choice({
      'delete-first': 'The old object is deleted, then the new object is created.',
      'create-first': 'The new object is created, then the old object is deleted.',
      refuse: 'The plan is refused: the object must not be replaced.',
    }),
    does: 'How a change of an immutable field is planned.',
    otherwise: '`delete-first`.',
  },
  reserved: {
    form: list(
      record(
        {
          field: ownField,
          equals: text,
          not: text,
          startsWith: text,
          because: text,
          marksAccount: exactly(true),
          declaredBy: record({ field: ownField, value: text }),
        },
        ['equals', 'not', 'startsWith', 'marksAccount', 'declaredBy'],
      ),
    ),
    does: 'Objects that belong to the account itself or to another system: those whose field `equals` a value, is `not` a value, or `startsWith` a text. They are never written. `because` is the reason in messages. `marksAccount` means that every account has exactly one such object, which cannot be deleted: its id identifies the account, and the list of the kind is the first request of every run. `declaredBy` means that files may declare such an object by that `value` of that field: names can refer to it, an object that refers to it waits until it exists, and it is never created, changed or deleted.',
    otherwise: 'meshform may write every object.',
  },
  effects: {
    form: list(EFFECTS),
    does: 'Effects on other objects when an object of the kind is written.',
    otherwise: 'A write changes only the object itself.',
  },
} as const satisfies Words;

/** The words that every kind has. */
export const REQUIRED_KIND_WORDS = ['name', 'plural', 'at', 'path', 'verbs'] as const;

/** `x-kind` of a checked schema. */
export type KindTrait = ValuesOf<typeof KIND_WORDS, (typeof REQUIRED_KIND_WORDS)[number]>;
