// The words of `x-trait`, on a field: what its value points at, how it changes, and how the API treats it.
import { CHECKS, NORMALISERS, TRANSFORMS } from '../traits.ts';
import { FIELD_DIALECTS } from './dialectForms.ts';
import { choice, either, fieldOfReferent, flag, kindRef, list, ownField, text } from './form.ts';
import { mapOf, record } from './record.ts';
import type { ValuesOf, Words } from './word.ts';

const POINTER_CASES = mapOf(kindRef, record({ type: text, typeOf: text }, ['type', 'typeOf']));

export const FIELD_WORDS = {
  ref: {
    form: either(kindRef, either(record({ keys: kindRef }), record({ oneOf: POINTER_CASES }))),
    does: 'The value points at objects of this kind by key: the value, each member of a list, the keys of a map (`keys`), or an object with one entry per kind (`oneOf`), written on the wire with the `type` given here or the one that the field `typeOf` of the referent holds.',
    otherwise: 'The value is plain.',
  },
  set: {
    form: either(flag, record({ by: either(text, list(text)) })),
    does: 'The order of the list means nothing. `by` names the fields that tell its objects apart, together.',
    otherwise: 'The order of a list matters.',
  },
  shared: {
    form: flag,
    does: 'Others add members to this set too: a member that no file declares stays.',
    otherwise: 'The files own the whole value.',
  },
  inverse: {
    form: record({
      field: fieldOfReferent,
      written: choice({
        here: 'A write of this field also changes the other object.',
        there: 'The field is never sent; it is written as the field of the other object.',
      }),
    }),
    does: 'A field of the kind that `ref` names states the same fact from the other side.',
    otherwise: 'No other object states the same fact.',
  },
  mutability: {
    form: either(
      choice({
        immutable: 'Another value needs another object.',
        irreversible: 'It can be set, and not taken back: for that it needs another object.',
        addOnly:
          'An update adds and changes entries of the map, and removes none: for that it needs another object.',
      }),
      record({ requires: ownField }),
    ),
    does: 'How the value can change. With `requires`, it can change only while a field that the server sets has a value.',
    otherwise: 'It can change at any time.',
  },
  updateOnly: {
    form: choice({
      'never-sent': 'A create does not have the field.',
      'maybe-ignored': 'A create has the field, and the server may ignore it.',
    }),
    does: 'The value is set by an update right after the create.',
    otherwise: 'A create sets it.',
  },
  inputOnly: {
    form: flag,
    does: 'A create takes the value, and the server shows it in another form or not at all: it is not compared.',
    otherwise: 'The value is compared.',
  },
  whenOmitted: {
    form: choice({
      'sent-empty': 'The API demands it on create: it is sent as its empty value.',
      'server-assigned':
        'The server assigns a value, which is another one in every account: it is not exported.',
    }),
    does: 'What happens where the field is not declared.',
    otherwise: 'It is not sent with a create; an update sends it as it was read.',
  },
  sentBack: {
    form: flag,
    does: 'The value is never compared; every write sends it back as it was read just before.',
    otherwise: 'A value is compared, or not sent.',
  },
  dialects: {
    form: FIELD_DIALECTS,
    does: 'What servers of one dialect admit, where it is less than the schema: `minimum`, `maximum`, `maxItems`, or `false` where they do not have the field.',
    otherwise: 'Servers of every dialect admit what the schema admits.',
  },
  secret: {
    form: either(
      flag,
      choice({
        masked: 'The account shows some values masked: these are secrets, and not compared.',
        url: 'A web address whose path may be a credential: people see its host.',
      }),
    ),
    does: 'The value is a secret: files refer to it, and no output has it.',
    otherwise: 'The value is shown as it is.',
  },
  normalise: {
    form: choice(NORMALISERS),
    does: 'Texts with the same meaning are compared as one text, in this form.',
    otherwise: 'Texts are compared byte by byte.',
  },
  transform: {
    form: choice(TRANSFORMS),
    does: 'The server shows the value in another form than it takes. `wire/transforms` has a file for each.',
    otherwise: 'The server shows what it takes.',
  },
  check: {
    form: choice(CHECKS),
    does: 'A rule between the fields of an object that JSON Schema cannot state.',
    otherwise: 'JSON Schema states every rule.',
  },
} as const satisfies Words;

/** `x-trait` of a checked schema. */
export type FieldTrait = ValuesOf<typeof FIELD_WORDS>;
