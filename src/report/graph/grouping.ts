// The groups of the objects in a drawing: by network, by folder, or by label.
import type { Folders, Grouping } from '../../model/access/groupings.ts';
import type { AccessGraph, GraphNode } from './graph.ts';

/** The folder that contains all files. A frame for this folder would surround nearly everything, so it would show nothing. */
const ROOT = '.';

/** The graph with a frame around each group. */
export function framedBy(graph: AccessGraph, by: Grouping, folders?: Folders): AccessGraph {
  const groupOf = groupsBy(graph, by, folders);
  const frameOf = (node: GraphNode) => {
    const group = groupOf(node);
    return group === ROOT ? undefined : group;
  };
  return { ...graph, nodes: graph.nodes.map(node => ({ ...node, frame: frameOf(node) })) };
}

/** Returns a function for the name of the group of a node; it returns undefined if the node is in no group. */
export function groupsBy(
  graph: AccessGraph,
  by: Grouping,
  folders: Folders = new Map(),
): (node: GraphNode) => string | undefined {
  switch (by) {
    case 'place':
      return ({ network }) => network;
    case 'folder':
      return ({ object }) => folders.get(object);
    case 'label':
      return labelsIn(graph);
  }
}

/** Returns a function for the label of a node; it returns undefined if no other object has the same label. */
function labelsIn({ nodes }: AccessGraph): (node: GraphNode) => string | undefined {
  const objects = new Map(nodes.map(node => [node.object, labelOf(node)]));
  const counts = Map.groupBy(objects.values(), label => label);
  return node => {
    const label = labelOf(node);
    return (counts.get(label)?.length ?? 0) > 1 ? label : undefined;
  };
}

/** The label of a node: the first word of the name of its object, or of its network. */
function labelOf({ object, network }: GraphNode): string | undefined {
  const [, quoted, plain] = /^[a-z_]+(?:\[(".*")\]|\/(.*))$/s.exec(network ?? object) ?? [];
  const name = quoted === undefined ? plain : String(JSON.parse(quoted));
  return name === undefined ? undefined : /^[^\s/:._-]+/u.exec(name)?.[0];
}
