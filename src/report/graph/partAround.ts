// The part of a graph around one object: what can reach it, and what it can reach.
import type { AccessGraph, GraphNode } from './graph.ts';

/** The maximum distance from the object, in steps. A rule connects two objects and does not count as a step. */
const HOPS = 2;

/** The part of the graph within two steps of the nodes with this selector; undefined if the graph has no such node. */
export function partAround(graph: AccessGraph, selector: string): AccessGraph | undefined {
  const starts = graph.nodes.filter(({ selectors }) => selectors.includes(selector));
  if (starts.length === 0) return undefined;
  // Other nodes that lead to the same address are starts too, because access to the address of an object also reaches the object.
  const others = new Set(starts.flatMap(({ around = [] }) => around));
  const beside = graph.nodes.filter(({ names }) => names.some(name => others.has(name)));
  const idsOf = (nodes: readonly GraphNode[]) => nodes.map(({ id }) => id);
  const kept = new Set([
    ...reached(graph, idsOf(starts), ['from', 'to']),
    ...reached(graph, idsOf([...starts, ...beside]), ['to', 'from']),
  ]);
  return {
    nodes: graph.nodes.filter(({ id }) => kept.has(id)),
    edges: graph.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  };
}

function reached(
  { nodes, edges }: AccessGraph,
  starts: readonly string[],
  [near, far]: readonly ['from', 'to'] | readonly ['to', 'from'],
): Iterable<string> {
  const rules = new Set(nodes.flatMap(({ id, layer }) => (layer === 'rule' ? [id] : [])));
  const leading = Map.groupBy(edges, edge => edge[near]);
  const distance = new Map(starts.map(id => [id, 0]));
  // If a node is reached again by a shorter path, it is added to the queue again.
  const queue = [...starts];
  for (const id of queue) {
    const here = distance.get(id) ?? 0;
    for (const edge of leading.get(id) ?? []) {
      const next = here + (rules.has(edge[far]) ? 0 : 1);
      const isFarther = next > HOPS || (rules.has(edge[far]) && here === HOPS);
      if (isFarther || next >= (distance.get(edge[far]) ?? Infinity)) continue;
      distance.set(edge[far], next);
      queue.push(edge[far]);
    }
  }
  return distance.keys();
}
