// Finds the fields of a value that its schema does not name. A server ignores them, but their author expects an effect.
import {
  child,
  children,
  type DocumentNode,
  isNodeObject,
  type NodeObject,
  nodeAt,
} from './document.ts';

const PARTS = ['allOf', 'anyOf'];

/** The fields of `value` that the schema at a JSON pointer does not name, as JSON pointers into the value. */
export function unknownFields(
  document: NodeObject,
  pointer: string,
  value: unknown,
): readonly string[] {
  const schema = nodeAt(document, pointer);
  if (schema === undefined) throw new Error(`openapi.json: no schema at ${pointer}`);
  return unknownIn(document, [schema], value);
}

/** The fields of the value that none of `schemas` names. */
function unknownIn(
  document: NodeObject,
  schemas: readonly DocumentNode[],
  value: unknown,
): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = schemas.flatMap(schema => withParts(document, schema));
  const named = (name: string) => parts.flatMap(part => child(document, part, name) ?? []);
  if (Array.isArray(value)) {
    const items = named('items');
    return value.flatMap((member, index) =>
      unknownIn(document, items, member).map(at => `/${index}${at}`),
    );
  }
  // A schema without fields accepts all fields.
  const isOpen = named('properties').length === 0 && named('additionalProperties').length === 0;
  if (isOpen) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const fields = named('properties').flatMap(node => child(document, node, name) ?? []);
    const known = fields.length > 0 ? fields : named('additionalProperties');
    if (known.length === 0) return [`/${name}`];
    return unknownIn(document, known, member).map(at => `/${name}${at}`);
  });
}

/** A schema with all the schemas that it is composed of, at any depth. */
function withParts(document: NodeObject, schema: DocumentNode): readonly DocumentNode[] {
  const parts = PARTS.flatMap(keyword => child(document, schema, keyword) ?? [])
    .flatMap(part => children(document, part))
    .filter(([, part]) => isNodeObject(part.node))
    .flatMap(([, part]) => withParts(document, part));
  return [schema, ...parts];
}
