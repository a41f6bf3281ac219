// A graph with fewer nodes that says the same: rules with the same sides are one, and so are objects with the same neighbours.
import type { AccessGraph, GraphEdge, GraphNode } from './accessGraph.ts';

/** The graph with all nodes that are alike merged. Nodes of different boxes stay apart. */
export function merged(graph: AccessGraph, isFramed: boolean): AccessGraph {
  // Rules that share all sources, and rules that share all destinations, lead from each of the ones to each of the others: as one
  // node they grant the same pairs.
  const rules = ({ layer }: GraphNode) => layer === 'rule';
  let next = graph;
  for (const side of ['from', 'to'] as const)
    next = mergedBy(next, rules, neighbours(next, [side]));
  for (let size = Infinity; next.nodes.length < size; ) {
    size = next.nodes.length;
    const around = neighbours(next, ['from', 'to']);
    const networks = new Map(next.nodes.map(({ id, network }) => [id, network]));
    next = mergedBy(
      next,
      () => true,
      id => {
        return `${isFramed ? (networks.get(id) ?? '') : ''}\n${around(id)}`;
      },
    );
  }
  return next;
}

/** What a node is connected to: the nodes that it comes `from`, and those that it leads `to`. */
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
  for (const { from, to, isBoth, isOff } of edges) {
    if (sides.includes('from')) add(to, `from ${from} ${isBoth} ${isOff}`);
    if (sides.includes('to')) add(from, `to ${to} ${isBoth} ${isOff}`);
  }
  return id => (found.get(id) ?? []).sort().join('\n');
}

function mergedBy(
  { nodes, edges }: AccessGraph,
  isMeant: (node: GraphNode) => boolean,
  around: (id: string) => string,
): AccessGraph {
  const likeness = (node: GraphNode) => {
    const { id, layer, note, isOff } = node;
    const between = around(id);
    return isMeant(node) && between !== '' ? `${layer}\n${note}\n${isOff}\n${between}` : id;
  };
  const groups = [...Map.groupBy(nodes, likeness).values()];
  const standsFor = new Map<string, string>();
  const kept = groups.flatMap(([first, ...others]): GraphNode[] => {
    if (first === undefined) return [];
    for (const { id } of [first, ...others]) standsFor.set(id, first.id);
    if (others.length === 0) return [first];
    const all = [first, ...others];
    const networks = new Set(all.map(({ network }) => network));
    return [
      {
        ...first,
        names: all.flatMap(({ names }) => names),
        selectors: all.flatMap(({ selectors }) => selectors),
        network: networks.size === 1 ? first.network : undefined,
      },
    ];
  });
  const ends = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const from = standsFor.get(edge.from) ?? edge.from;
    const to = standsFor.get(edge.to) ?? edge.to;
    const known = ends.get(`${from} ${to}`);
    const isOff = edge.isOff && (known?.isOff ?? true);
    ends.set(`${from} ${to}`, { from, to, isBoth: edge.isBoth || known?.isBoth === true, isOff });
  }
  return { nodes: kept, edges: [...ends.values()] };
}

/** The nodes by the box that they stand in, and those in none. */
export function inFrames(
  nodes: readonly GraphNode[],
  isFramed: boolean,
): {
  readonly framed: readonly { readonly name: string; readonly inside: readonly GraphNode[] }[];
  readonly free: readonly GraphNode[];
} {
  const frameOf = ({ network }: GraphNode) => (isFramed ? network : undefined);
  const framed = [...Map.groupBy(nodes, frameOf)].flatMap(([name, inside]) =>
    name === undefined ? [] : [{ name, inside }],
  );
  return { framed, free: nodes.filter(node => frameOf(node) === undefined) };
}
