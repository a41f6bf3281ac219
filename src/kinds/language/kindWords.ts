// The words of `x-kind`, at the root of a kind's schema: where its objects are, what names them, and how they are written.
import { VERBS } from '../traits.ts';
import { AUDIT_EVENTS } from './auditEvents.ts';
import { API_PATH, KIND_DIALECTS } from './dialectForms.ts';
import {
  choice,
  distinct,
  either,
  exactly,
  integer,
  kindRef,
  list,
  ownField,
  pattern,
  text,
  textOrBoolean,
} from './form.ts';
import { record } from './record.ts';
import { CONSTRAINTS, EFFECTS } from './strategies.ts';
import type { ValuesOf, Words } from './word.ts';

export const KIND_WORDS = {
  name: {
    form: pattern(/^[a-z][a-z_]*$/, 'lower-case letters and underscores, a letter first'),
    does: 'The name of the kind: in addresses, in pointers of other schemas, and of the schema file.',
  },
  plural: { form: text, does: 'What people call several of its objects.' },
  at: {
    form: pattern(
      /^[a-z_]+(\[\])?(\.[a-z_]+(\[\])?)*$/,
      'a path of keys joined by dots, with [] after each key that holds a list',
    ),
    does: 'Where its objects stand in YAML. The path of a kind with a parent begins with the path of the parent.',
  },
  path: {
    form: API_PATH,
    does: 'The path of its collection in the API, with the id of the parent in braces.',
  },
  dialects: {
    form: KIND_DIALECTS,
    does: 'What is different on servers of one dialect of the API: the `path` of the collection; a list of all objects whatever their parent (`listAll`), with the field of the parent that holds the ids of its objects (`childIds`); what a change of parent is (`parentChange`); and, where a server keeps one object per item of a list (`parts`), that list and the text between the name of the object and the name of the item.',
    otherwise: 'Both dialects treat the kind alike.',
  },
  parent: {
    form: kindRef,
    does: 'The kind whose objects hold its objects. A key then has two parts, such as `parent/name`.',
    otherwise: 'Its objects belong to the account.',
  },
  cardinality: {
    form: choice({
      collection: 'An account has any number of its objects.',
      singleton: 'An account has at most a single object of the kind, and its path has no ids.',
    }),
    does: 'How many of its objects an account has.',
    otherwise: '`collection`.',
  },
  where: {
    form: record({ field: ownField, equals: textOrBoolean, query: text }, ['query']),
    does: 'Which objects of the collection belong to the kind, where several kinds share a collection. `field` is sent with every create; `query` is the parameter with which the API filters the list.',
    otherwise: 'All objects of the collection.',
  },
  identity: {
    form: list(either(ownField, list(ownField))),
    does: 'The fields that name an object within its parent, in this order. A list in the place of a field is a choice: the first of its fields that has a value. A singleton has no `identity`; every other kind must have it.',
  },
  constraints: {
    form: list(CONSTRAINTS),
    does: 'What must hold between an object and other objects of the account before it can be created or changed.',
    otherwise: 'The server takes any object that its schema admits.',
  },
  verbs: {
    form: distinct(choice(VERBS)),
    does: 'What files can do. With an empty list the kind can only be pointed at.',
  },
  auditEvents: {
    form: list(AUDIT_EVENTS),
    does: 'How the audit log shows that somebody created, changed or deleted an object: the activity codes that can have caused which change. Drift is attributed by these entries, and an apply looks in the log for what others did meanwhile.',
    otherwise:
      'The log does not record the kind: nothing is attributed, and a create whose answer was lost stays in doubt.',
  },
  updateMode: {
    form: choice({
      whole: 'The body has every field: what is not declared is sent as it was read.',
      mutable: 'The body has the fields that can change.',
      partial: 'The body has the declared fields; the server keeps the others.',
    }),
    does: 'What the body of an update holds.',
    otherwise: '`whole`.',
  },
  readAfterWrite: {
    form: choice({
      item: 'From its own path, where the answer to the write does not show every field.',
      'item-always':
        'From its own path after every write: the answer does not tell what the server kept.',
      list: 'From the list of the collection: an object has no path of its own to read.',
    }),
    does: 'How an object is read again after it was written.',
    otherwise: '`item`.',
  },
  oneTimeSecret: {
    form: either(text, record({ field: text, envelope: text })),
    does: 'The field of the answer to a create that holds a secret which the server never shows again. `envelope` is the field of that answer that holds the object, where the answer is not the object.',
    otherwise: 'A create shows no secret.',
  },
  expiry: {
    form: record(
      {
        field: ownField,
        when: record({ field: ownField, in: list(text), timeIsUp: text }, ['timeIsUp']),
      },
      ['when'],
    ),
    does: 'When an object exists but cannot be used any more: at the time in `field`, or while another field has one of the values of `in`. `timeIsUp` is the value that only repeats that the time has come.',
    otherwise: 'Objects do not expire.',
  },
  flags: {
    form: distinct(
      choice({
        neverPruned:
          'An object that no file declares any more stays in the account: only `lifecycle: { delete: true }` deletes it.',
        grantsAccess:
          'Objects decide who reaches what: drift reports undeclared ones first, and a change inside one may take access.',
        grantsNothing:
          'A new object gives nobody access and no rights until another object points at it: a plan may list several new ones by name alone. Where this is in doubt, leave the flag out.',
      }),
    ),
    does: 'Properties that a kind has or has not.',
    otherwise: 'None of them holds.',
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
    does: 'The fields that a plan shows of a new object where it has no room for all: `who` gets access to `what`, `via` which machines; the groups that the object, or what uses it, comes `into`; the `protocol` and the `port` (any, where it has no value). Fields in `also` are shown where they differ from their default. A path into a list has an entry for each item of the list. Up to `above` new objects (20, where it is left out) are shown with all their fields, of more each has a line. What opens most is listed first: who and what are everybody or a wide network, any port, a value of a field in `opens` that is `in` its list (without `in`, a larger number opens more). An object or item with a value in `closes` opens nothing.',
    otherwise: 'The line shows every field that differs from its default.',
  },
  principal: {
    form: record({ own: ownField, role: ownField, blocked: ownField, admin: text }, ['admin']),
    does: 'Objects of the kind call the API. `own` is the field that says whether the object is the caller, `role` holds its role, `blocked` says whether all its calls are refused; `admin` is the role of people who can let others in.',
    otherwise: 'Objects of the kind do not call the API.',
  },
  replace: {
    form: choice({
      'delete-first': 'The old object is deleted, then the new one created.',
      'create-first': 'The new object is created, then the old one deleted.',
      refuse: 'The plan is refused: the old object is too valuable to be replaced.',
    }),
    does: 'What happens where a field that cannot change is to change.',
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
        },
        ['equals', 'not', 'startsWith', 'marksAccount'],
      ),
    ),
    does: 'Objects that belong to the account itself or to another system: those whose field `equals` a value, is `not` a value, or `startsWith` a text. They are never written. `because` is the reason that people read. `marksAccount` says that every account has exactly one object like this, and nothing deletes it: its id tells accounts apart, and the list of the kind is the first request of every run.',
    otherwise: 'meshform may write every object.',
  },
  effects: {
    form: list(EFFECTS),
    does: 'What the server does to other objects when an object of the kind is written.',
    otherwise: 'A write touches the object alone.',
  },
} as const satisfies Words;

/** The words that every kind has. */
export const REQUIRED_KIND_WORDS = ['name', 'plural', 'at', 'path', 'verbs'] as const;

/** `x-kind` of a checked schema. */
export type KindTrait = ValuesOf<typeof KIND_WORDS, (typeof REQUIRED_KIND_WORDS)[number]>;
