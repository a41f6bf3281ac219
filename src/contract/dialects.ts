// The document as it reads in a dialect: where a schema has another one for that dialect, the other is in its place.
import { isNodeObject, type Node, type NodeObject } from './document.ts';

/** The dialects that the document describes: that of the specification, and that of NetBird. */
export type ContractDialect = 'spec' | 'netbird';

/** The keyword of a schema that holds the one for dialect `netbird`. */
export const NETBIRD_SCHEMA = 'x-netbird';

/** The document with the schemas of dialect `netbird`. JSON pointers into the original lead to the same parts of it. */
export function inNetbird(document: NodeObject): NodeObject {
  return Object.fromEntries(Object.entries(document).map(([name, node]) => [name, replaced(node)]));
}

function replaced(node: Node): Node {
  if (isNodeList(node)) return node.map(replaced);
  if (!isNodeObject(node)) return node;
  return node[NETBIRD_SCHEMA] ?? inNetbird(node);
}

const isNodeList = (node: Node): node is readonly Node[] => Array.isArray(node);
