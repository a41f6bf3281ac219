// Finds fields of a body that the contract does not contain. The server ignores them silently, so a typing error would go
// unnoticed.
import type { DocumentNode, NodeObject } from '../../contract/document.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { pointerBelow } from './pointer.ts';
import { memberOf, partsOf, propertiesOf } from './walk.ts';

/** A field that no schema contains. */
export interface UnknownField {
  /** JSON pointer into the body. */
  readonly at: string;
  /** A known field with a similar name. */
  readonly hint?: string;
}

/** The fields of `value` that its schema does not contain, at any depth. */
export function unknownFields(
  document: NodeObject,
  schema: DocumentNode,
  value: Json,
  at = '',
): readonly UnknownField[] {
  const known = new Map(namedFields(document, schema));
  const member = memberOf(document, schema);
  return partsIn(value).flatMap(([name, part]) => {
    const pointer = pointerBelow(at, name);
    const node = known.get(name) ?? member;
    if (node !== undefined) return unknownFields(document, node, part, pointer);
    // A schema without fields allows all fields.
    if (isList(value) || known.size === 0) return [];
    const hint = didYouMean(name, known.keys());
    return [{ at: pointer, ...(hint === undefined ? {} : { hint }) }];
  });
}

const partsIn = (value: Json): readonly (readonly [string, Json])[] =>
  isList(value) || isObject(value) ? Object.entries(value) : [];

/** The fields of an object by name, from all its alternatives. */
function namedFields(
  document: NodeObject,
  schema: DocumentNode,
): readonly (readonly [string, DocumentNode])[] {
  const own = propertiesOf(document, schema).map(({ name, node }) => [name, node] as const);
  const forms = partsOf(document, schema, 'anyOf').flatMap(form => namedFields(document, form));
  return [...forms, ...own];
}
