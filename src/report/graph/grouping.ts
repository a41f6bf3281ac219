// The group of each object of a drawing: by network, by folder, or by label.
import type { Folders, Grouping } from '../../model/access/groupings.ts';
import type { AccessGraph, GraphNode } from './graph.ts';

/** The folder that all files are in: a frame around it would be around nearly everything, and say nothing. */
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

/** The name of the group of a node; undefined if it is in none. */
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

/** The label of each node whose label another object has too. */
function labelsIn({ nodes }: AccessGraph): (node: GraphNode) => string | undefined {
  const objects = new Map(nodes.map(node => [node.object, labelOf(node)]));
  const counts = Map.groupBy(objects.values(), label => label);
  return node => {
    const label = labelOf(node);
    return (counts.get(label)?.length ?? 0) > 1 ? label : undefined;
  };
}

/** The first word of the name of an object, or of the network of a network resource. */
function labelOf({ object, network }: GraphNode): string | undefined {
  const [, quoted, plain] = /^[a-z_]+(?:\[(".*")\]|\/(.*))$/s.exec(network ?? object) ?? [];
  const name = quoted === undefined ? plain : String(JSON.parse(quoted));
  return name === undefined ? undefined : /^[^\s/:._-]+/u.exec(name)?.[0];
}
