// Makes an equivalent graph with fewer nodes. Rules with the same sources or the same destinations are merged, and so are objects
// with the same neighbours.
import type { AccessGraph, EdgeAccess, GraphEdge, GraphNode } from './graph.ts';
import { commonKind } from './portKinds.ts';

/** The graph in which nodes that are alike are merged. Nodes in different frames are not merged. */
export function mergedGraph(graph: AccessGraph): AccessGraph {
  // Rules that share all their sources, or all their destinations, grant the same pairs as one merged rule, which connects each
  // source to each destination.
  const rules = ({ layer }: GraphNode) => layer === 'rule';
  let next = graph;
  for (const side of ['from', 'to'] as const)
    next = mergedBy(next, rules, neighbours(next, [side]));
  for (let size = Infinity; next.nodes.length < size; ) {
    size = next.nodes.length;
    next = mergedBy(next, () => true, neighbours(next, ['from', 'to']));
  }
  return next;
}

/**
 * Returns a function that identifies the neighbours of a node by a text. `from`: the nodes from
 * which lines lead to the node. `to`: the nodes to which its lines lead.
 */
function neighbours(
  { edges }: AccessGraph,
  sides: readonly ('from' | 'to')[],
): (id: string) => string {
  const found = new Map<string, string[]>();
  const add = (id: string, text: string) => {
    const known = found.get(id) ?? [];
    known.push(text);
    found.set(id, known);
  };
  for (const { from, to, isBoth, isOff, change, isGone } of edges) {
    const how = `${isBoth} ${isOff} ${change} ${isGone === true}`;
    if (sides.includes('from')) add(to, `from ${from} ${how}`);
    if (sides.includes('to')) add(from, `to ${to} ${how}`);
  }
  return id => (found.get(id) ?? []).sort().join('\n');
}

function mergedBy(
  graph: AccessGraph,
  isMeant: (node: GraphNode) => boolean,
  around: (id: string) => string,
): AccessGraph {
  const likeness = (node: GraphNode) => {
    const { id, layer, note, isOff, frame, change, around: others = [] } = node;
    const between = around(id);
    return isMeant(node) && between !== ''
      ? [layer, note, isOff, frame, change, others.toSorted().join(), between].join('\n')
      : id;
  };
  return joinedBy(graph, likeness, mergedNode);
}

function mergedNode(first: GraphNode, all: readonly GraphNode[]): GraphNode {
  const networks = new Set(all.map(({ network }) => network));
  return {
    ...first,
    names: all.flatMap(({ names }) => names),
    selectors: all.flatMap(({ selectors }) => selectors),
    network: networks.size === 1 ? first.network : undefined,
  };
}

/** The graph in which `join` merges all nodes that are alike, which are those for which `likeness` returns the same text. */
export function joinedBy(
  { nodes, edges }: AccessGraph,
  likeness: (node: GraphNode) => string,
  join: (first: GraphNode, all: readonly GraphNode[]) => GraphNode,
): AccessGraph {
  const standsFor = new Map<string, string>();
  const kept = [...Map.groupBy(nodes, likeness).values()].flatMap((all): GraphNode[] => {
    const [first] = all;
    if (first === undefined) return [];
    for (const { id } of all) standsFor.set(id, first.id);
    return [all.length === 1 ? first : join(first, all)];
  });
  const ends = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const from = standsFor.get(edge.from) ?? edge.from;
    const to = standsFor.get(edge.to) ?? edge.to;
    const known = ends.get(`${from} ${to}`);
    const moved = { ...edge, from, to };
    if (from !== to) ends.set(`${from} ${to}`, known ? joinedEdge(known, moved) : moved);
  }
  return { nodes: kept, edges: [...ends.values()] };
}

function joinedEdge(one: GraphEdge, other: GraphEdge): GraphEdge {
  return {
    from: one.from,
    to: one.to,
    isBoth: one.isBoth || other.isBoth,
    isOff: one.isOff && other.isOff,
    access: one.access && other.access ? joinedAccess(one.access, other.access) : one.access,
    change: one.change === other.change ? one.change : 'changed',
    isGone: one.isGone === true && other.isGone === true,
  };
}

const joinedAccess = (one: EdgeAccess, other: EdgeAccess): EdgeAccess => ({
  kind: commonKind([one.kind, other.kind]),
  ports: [...new Set([...one.ports, ...other.ports])],
  pairs: one.pairs + other.pairs,
});

/** The nodes of each frame, and the nodes without a frame. */
export function inFrames(nodes: readonly GraphNode[]): {
  readonly framed: readonly { readonly name: string; readonly inside: readonly GraphNode[] }[];
  readonly free: readonly GraphNode[];
} {
  const framed = [...Map.groupBy(nodes, ({ frame }) => frame)].flatMap(([name, inside]) =>
    name === undefined ? [] : [{ name, inside }],
  );
  return { framed, free: nodes.filter(({ frame }) => frame === undefined) };
}
