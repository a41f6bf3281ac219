// The words of `x-trait`, which describes a field: the target of its value, how the value changes, and how the API treats it.
import { CHECKS, NORMALISERS, TRANSFORMS } from '../traits.ts';
import { FIELD_DIALECTS } from './dialectForms.ts';
import { choice, either, fieldOfReferent, flag, kindRef, list, ownField, text } from './form.ts';
import { mapOf, record } from './record.ts';
import type { ValuesOf, Words } from './schemaWord.ts';

const POINTER_CASES = mapOf(kindRef, record({ type: text, typeOf: text }, ['type', 'typeOf']));

const SENT_TO = { to: list(text), encrypted: text, direct: text, unchecked: text };

export const FIELD_WORDS = {
  ref: {
    form: either(
      kindRef,
      either(
        record({ keys: kindRef }),
        record({ oneOf: POINTER_CASES, at: record({ id: text, type: text }) }, ['at']),
      ),
    ),
    does: 'The value refers to objects of this kind by key: the value itself, each member of a list, the keys of a map (`keys`), or an object with one entry per kind (`oneOf`). The API gets a reference of the last form with the given `type`, or with the value of the field `typeOf` of the referenced object: as an object with `id` and `type`, or in two fields beside the others, whose names are in `at`.',
    otherwise: 'The value is not a reference.',
  },
  set: {
    form: either(flag, record({ by: either(text, list(text)) })),
    does: 'The order of the list is not significant. `by` names the fields that together identify its objects.',
    otherwise: 'The order of a list is significant.',
  },
  shared: {
    form: flag,
    does: 'Others can add members to this set: undeclared members stay.',
    otherwise: 'The files manage the whole value.',
  },
  keepsProvided: {
    form: flag,
    does: 'Objects that another system creates (`reserved` with `declaredBy`) are never removed from this list, and are always sent back.',
    otherwise: 'The files manage the whole value.',
  },
  ends: {
    form: choice({
      alone: 'The member leaves the list, and nothing else changes.',
      'with-item':
        'The member leaves the list. If no member is left, the item with the list leaves its own list, and if that list has no item left, the object is deleted.',
    }),
    does: 'A member of this list may be written `{ name, until }`: it leaves the list at that time.',
    otherwise: 'Members of the list cannot expire.',
  },
  inverse: {
    form: record({
      field: fieldOfReferent,
      written: choice({
        here: 'A write of this field also changes the other object.',
        there:
          'The field is never sent: its value is written to the matching field of the other object.',
      }),
    }),
    does: 'A field of the kind in `ref` represents the same relation from the other side.',
    otherwise: 'No other object represents the same relation.',
  },
  mutability: {
    form: either(
      choice({
        immutable: 'A different value requires a new object.',
        irreversible: 'It can be set, but reverting it requires a new object.',
        addOnly:
          'An update can add and change entries of the map; removing an entry requires a new object.',
      }),
      record({ requires: ownField }),
    ),
    does: 'How the value can change. With `requires`, it can change only while the named read-only field has a value.',
    otherwise: 'It can change at any time.',
  },
  sentTo: {
    form: either(text, either(list(text), record(SENT_TO, ['encrypted', 'direct', 'unchecked']))),
    does: 'The server sends the secrets in the field to the address or the object in the sibling fields of these names: a first or a different recipient counts as a right. A map of settings that contains the address names itself: each of its values in clear text may be a part of the address. A less safe way of sending counts as a right too: without `https` in the sibling field `encrypted`, through the network of the proxy instead of the overlay with the flag `direct`, or without a check of the certificate with the flag `unchecked`.',
    otherwise: 'The server sends no secret in the field to a recipient that files declare.',
  },
  updateOnly: {
    form: choice({
      'never-sent': 'A create does not send the field.',
      'maybe-ignored': 'A create sends the field, but the server may ignore it.',
    }),
    does: 'The value is set by an update right after the create.',
    otherwise: 'A create sets it.',
  },
  inputOnly: {
    form: flag,
    does: 'A create accepts the value, but the server returns it in another form or not at all: it is not compared.',
    otherwise: 'The value is compared.',
  },
  whenOmitted: {
    form: choice({
      'sent-empty': 'The API requires it on create: an empty value is sent.',
      'not-sent':
        'An update does not send it: the server keeps its value. It is not exported. In an object of a `layout` that is sent only with a declared field, it is sent with it.',
      'without-gone':
        'An update sends the value of the account, without references to objects that no longer exist: the server would refuse them.',
      'server-assigned':
        'The server assigns a value that differs between accounts: it is not exported.',
      'kept-inside':
        'An update sends the value of the account. An undeclared field inside a declared object keeps its value, too.',
    }),
    does: 'What happens if the field is not declared.',
    otherwise: 'A create omits it; an update sends the value of the account.',
  },
  sentBack: {
    form: flag,
    does: 'The value is never compared; every write sends back the value that was read immediately before.',
    otherwise: 'A declared value is compared.',
  },
  dialects: {
    form: FIELD_DIALECTS,
    does: 'Limits of a dialect that are narrower than the schema: `minimum`, `maximum`, `maxItems`, or `false` if the dialect does not have the field.',
    otherwise: 'Every dialect accepts the values of the schema.',
  },
  secret: {
    form: either(
      flag,
      either(
        choice({
          masked: 'The server returns some values masked: these are secrets, and not compared.',
          shown:
            'The server returns values in clear text that may be secrets: an export writes a variable in place of a value whose source it does not know.',
          url: 'A web address whose path may be a credential: only its host is shown.',
        }),
        record({ opens: text, while: text }),
      ),
    ),
    does: 'The value is a secret: files refer to its source, and no output contains it. An object with `opens` and `while` is a lock: its field `opens` is the secret, and if it is sent empty, the server keeps its own secret, but only if the field `while` was true just before. A lock of the account that is not declared is sent back while it is closed, and a lock that closes needs its secret.',
    otherwise: 'The value is not secret.',
  },
  normalise: {
    form: choice(NORMALISERS),
    does: 'Texts are converted to this canonical form before they are compared.',
    otherwise: 'Texts are compared byte by byte.',
  },
  transform: {
    form: choice(TRANSFORMS),
    does: 'The server returns the value in another form than it accepts. `wire/transforms` has a file for each transform.',
    otherwise: 'The server returns the form that it accepts.',
  },
  check: {
    form: choice(CHECKS),
    does: 'A rule between the fields of an object that JSON Schema cannot state.',
    otherwise: 'JSON Schema states every rule.',
  },
} as const satisfies Words;

/** `x-trait` of a checked schema. */
export type FieldTrait = ValuesOf<typeof FIELD_WORDS>;
