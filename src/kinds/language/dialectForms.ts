// The forms of the word `dialects`: how a kind or a field differs on servers of one dialect.
import type { Dialect } from '../traits.ts';
import {
  choice,
  either,
  exactly,
  fieldOfParent,
  integer,
  list,
  never,
  ownField,
  pattern,
  text,
} from './form.ts';
import { mapOf, record } from './record.ts';

/** A path of the API. */
export const API_PATH = pattern(/^\/api\//, 'a path under /api');

/** The path of a nested object. */
const fieldPath = pattern(/^\w+(\.\w+)*$/, 'keys joined by dots');

/** The name of a dialect. */
const dialect = choice({
  spec: 'The API as its specification has it.',
  netbird: 'The API as NetBird serves it.',
} as const satisfies Record<Dialect, string>);

/** The differences of a kind, by dialect; `false` if servers of a dialect do not have the kind. */
export const KIND_DIALECTS = mapOf(
  dialect,
  either(
    never,
    record(
      {
        path: API_PATH,
        listAll: record({ path: API_PATH, childIds: fieldOfParent }),
        parentChange: choice({
          update: 'An update moves an object to another parent.',
          replace: 'An object with another parent is a different object.',
        }),
        parts: record({ list: ownField, separator: text }),
        vendor: text,
        idField: ownField,
        layout: mapOf(fieldPath, list(ownField)),
      },
      ['path', 'listAll', 'parentChange', 'parts', 'vendor', 'idField', 'layout'],
    ),
  ),
);

/**
 * The JSON Schema keywords by which a field accepts fewer values, by dialect; `false` if servers of a dialect do not have the
 * field.
 */
export const FIELD_DIALECTS = mapOf(
  dialect,
  either(
    never,
    record({ minimum: integer, maximum: integer, maxItems: exactly(1) }, [
      'minimum',
      'maximum',
      'maxItems',
    ]),
  ),
);
