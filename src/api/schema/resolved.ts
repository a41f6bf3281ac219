// A schema of the contract with all references resolved.
import {
  child,
  type DocumentNode,
  isNodeObject,
  type Node,
  type NodeObject,
} from '../../contract/document.ts';

/** The schema without references. */
export function resolved(document: NodeObject, schema: DocumentNode): Node {
  const { node } = schema;
  const part = (name: string | number): Node => {
    const found = child(document, schema, name);
    return found === undefined ? null : resolved(document, found);
  };
  if (isNodeObject(node))
    return Object.fromEntries(Object.keys(node).map(name => [name, part(name)]));
  return Array.isArray(node) ? node.map((_, index) => part(index)) : node;
}
