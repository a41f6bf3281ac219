// The document in a dialect: a schema with an alternative for that dialect is replaced by the alternative.
import { isNodeObject, type Node, type NodeObject } from './document.ts';

/** The dialects of the document: that of the specification, and that of NetBird. */
export type Dialect = 'spec' | 'netbird';

/** The keyword of a schema that holds its alternative for dialect `netbird`. */
export const NETBIRD_SCHEMA = 'x-netbird';

/** The document with the schemas of dialect `netbird`. JSON pointers into the original stay valid. */
export function inNetbird(document: NodeObject): NodeObject {
  return Object.fromEntries(Object.entries(document).map(([name, node]) => [name, replaced(node)]));
}

function replaced(node: Node): Node {
  if (isNodeList(node)) return node.map(replaced);
  if (!isNodeObject(node)) return node;
  return node[NETBIRD_SCHEMA] ?? inNetbird(node);
}

const isNodeList = (node: Node): node is readonly Node[] => Array.isArray(node);
