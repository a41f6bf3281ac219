// Walks a schema of the contract: the fields of an object, the entries of a list, and the schemas that it combines.
import {
  child,
  children,
  type DocumentNode,
  isNodeObject,
  type NodeObject,
} from '../../contract/document.ts';

/** One property of an object schema. */
export interface Property {
  readonly name: string;
  readonly node: DocumentNode;
  readonly required: boolean;
}

/** The properties of an object; properties of the combined schemas come first. */
export function propertiesOf(document: NodeObject, schema: DocumentNode): readonly Property[] {
  const own = ownPropertiesOf(document, schema);
  const isOwn = new Set(own.map(({ name }) => name));
  const inherited = partsOf(document, schema, 'allOf')
    .flatMap(part => propertiesOf(document, part))
    .filter(({ name }) => !isOwn.has(name));
  return [...inherited, ...own];
}

/** The properties that a schema itself declares or requires. */
function ownPropertiesOf(document: NodeObject, schema: DocumentNode): readonly Property[] {
  const required = wordsAt(schema, 'required');
  const list = child(document, schema, 'properties');
  const own = list === undefined ? [] : children(document, list);
  const names = new Set(own.map(([name]) => name));
  const demanded = partsOf(document, schema, 'allOf')
    .flatMap(part => propertiesOf(document, part))
    .filter(({ name }) => !names.has(name) && required.includes(name));
  return [
    ...demanded.map(({ name, node }) => ({ name, node, required: true })),
    ...own.map(([name, node]) => ({ name, node, required: required.includes(name) })),
  ];
}

/** The groups of fields of which at most one may be present. */
export function exclusionsOf(
  document: NodeObject,
  schema: DocumentNode,
): readonly (readonly string[])[] {
  const not = child(document, schema, 'not');
  return [
    ...(not === undefined ? [] : [wordsAt(not, 'required')]),
    ...partsOf(document, schema, 'allOf').flatMap(part => exclusionsOf(document, part)),
  ];
}

/** The schemas that a value must match: all of them, or one of them. */
export function partsOf(
  document: NodeObject,
  schema: DocumentNode,
  keyword: 'allOf' | 'anyOf',
): readonly DocumentNode[] {
  const list = child(document, schema, keyword);
  return list === undefined ? [] : children(document, list).map(([, part]) => part);
}

/** The schema of the entries of a list or a map; undefined for other types. */
export function memberOf(document: NodeObject, schema: DocumentNode): DocumentNode | undefined {
  return child(document, schema, 'items') ?? child(document, schema, 'additionalProperties');
}

/** The words of a keyword, which may be one or several. */
export function wordsAt({ node }: DocumentNode, keyword: string): readonly string[] {
  const value = isNodeObject(node) ? node[keyword] : undefined;
  return value === undefined ? [] : [value].flat().map(String);
}
