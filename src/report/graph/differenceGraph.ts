// Combines the graphs of two states into one: boxes are marked as added or removed, and lines with the change of the access on
// them.
import type { PairChange, PictureChange } from '../../model/access/accessPicture.ts';
import { grantKeys } from './accessGraph.ts';
import { type AccessGraph, byLayer, type GraphEdge, type GraphNode } from './graph.ts';

/** The graph of all nodes and lines that at least one of the two states contains. */
export function differenceGraph(
  before: AccessGraph,
  after: AccessGraph,
  changes: readonly PictureChange[],
): AccessGraph {
  const nodes = joinedNodes(before, after, movedNodes(before, after));
  const ids = new Map([...nodes].map(([key, { id }]) => [key, id]));
  const edges = joinedEdges(before, after, ids);
  const byId = new Map([...nodes.values()].map(node => [node.id, node]));
  const marks = marksBy(changes);
  const rules = rulesInto(edges.values(), byId);
  return {
    nodes: byLayer([...nodes.values()]),
    edges: [...edges.values()].map(edge => {
      const from = byId.get(edge.from);
      const to = byId.get(edge.to);
      const change = edge.access
        ? marks.ofLine(from, to)
        : (edge.change ?? marks.ofHolding(rules.get(edge.from) ?? [], to));
      return { ...edge, change };
    }),
  };
}

/** The keys of the rules that grant access to each node. */
function rulesInto(
  edges: Iterable<GraphEdge>,
  byId: ReadonlyMap<string, GraphNode>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const grant = byId.get(from)?.grant;
    if (grant === undefined) continue;
    const known = found.get(to) ?? [];
    known.push(grant);
    found.set(to, known);
  }
  return found;
}

/**
 * The keys of the nodes whose relations differ between two graphs: rules with other sources or destinations, groups with other
 * machines or network resources, and networks with other routers.
 */
function movedNodes(before: AccessGraph, after: AccessGraph): ReadonlySet<string> {
  const [was, is] = [before, after].map(namedBy);
  const keys = [...(was?.keys() ?? []), ...(is?.keys() ?? [])];
  return new Set(keys.filter(key => was?.get(key) !== is?.get(key)));
}

// For the key of each node, a text of everything that the object contains or names. Two texts are equal if these are the same
// objects.
function namedBy({ nodes, edges }: AccessGraph): ReadonlyMap<string, string> {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const found = new Map(nodes.map(({ key, members = '' }) => [key, [members]]));
  for (const { from, to } of edges) {
    const start = byId.get(from);
    const end = byId.get(to);
    if (start === undefined || end === undefined) continue;
    if (start.layer !== 'source' && start.layer !== 'resource') found.get(start.key)?.push(end.key);
    if (end.layer === 'rule') found.get(end.key)?.push(start.key);
  }
  return new Map([...found].map(([key, list]) => [key, list.sort().join('\n')]));
}

function joinedNodes(
  before: AccessGraph,
  after: AccessGraph,
  moved: ReadonlySet<string>,
): ReadonlyMap<string, GraphNode> {
  const was = new Map(before.nodes.map(node => [node.key, node]));
  const is = new Map(after.nodes.map(node => [node.key, node]));
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  return new Map(
    keys.flatMap((key, at): [string, GraphNode][] => {
      const node = joinedNode(was.get(key), is.get(key), moved.has(key));
      return node === undefined ? [] : [[key, { ...node, id: `n${at + 1}` }]];
    }),
  );
}

function joinedNode(
  was: GraphNode | undefined,
  is: GraphNode | undefined,
  isMoved: boolean,
): GraphNode | undefined {
  if (was === undefined) return is && { ...is, change: 'added' };
  if (is === undefined) return { ...was, change: 'removed' };
  const isSame =
    was.note === is.note && was.isOff === is.isOff && was.names.join() === is.names.join();
  if (isSame) return isMoved ? { ...is, change: 'changed' } : is;
  const former = [
    ...(was.names.join() === is.names.join() ? [] : was.names),
    was.note ?? 'enabled',
  ];
  const note = `before: ${former.join(', ')}`;
  return { ...is, change: 'changed', note: is.note === undefined ? note : `${is.note}; ${note}` };
}

function joinedEdges(
  before: AccessGraph,
  after: AccessGraph,
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, GraphEdge> {
  const edges = new Map<string, GraphEdge>();
  const keysIn = ({ nodes }: AccessGraph) => new Map(nodes.map(({ id, key }) => [id, key]));
  const add = (graph: AccessGraph, how: (known: boolean) => Partial<GraphEdge>) => {
    const keys = keysIn(graph);
    for (const edge of graph.edges) {
      const from = ids.get(keys.get(edge.from) ?? '') ?? '';
      const to = ids.get(keys.get(edge.to) ?? '') ?? '';
      const name = `${from} ${to}`;
      edges.set(name, { ...edge, from, to, ...how(edges.has(name)) });
    }
  };
  add(before, () => ({ change: 'lost', isGone: true }));
  add(after, isKnown => ({ change: isKnown ? undefined : 'gained', isGone: false }));
  return edges;
}

interface Marks {
  /**
   * The change of a line between a rule and a side. It follows from the changed pairs that the rule
   * grants and that have the object at the other end of the line as source or destination.
   */
  readonly ofLine: (
    from: GraphNode | undefined,
    to: GraphNode | undefined,
  ) => PairChange | undefined;
  /**
   * The change of a line from a group to one of its resources. It follows from the changed pairs
   * with this resource that rules for the group grant.
   */
  readonly ofHolding: (
    grants: readonly string[],
    held: GraphNode | undefined,
  ) => PairChange | undefined;
}

function marksBy(changes: readonly PictureChange[]): Marks {
  const marks = new Map<string, PairChange>();
  const mark = (name: string, change: PairChange) =>
    marks.set(name, (marks.get(name) ?? change) === change ? change : 'changed');
  for (const { by, change, from, to, offered } of changes)
    for (const grant of grantKeys({ by, to })) {
      for (const name of from) mark(`${grant}\nfrom ${name}`, change);
      for (const name of to) mark(`${grant}\nto ${name}`, change);
      for (const name of offered) mark(`${grant}\noffers ${name}`, change);
    }
  const atEnd = (name: string, node: GraphNode | undefined) =>
    marks.get(`${name} ${node?.object}`) ?? marks.get(`${name} ${node?.names[0]}`);
  return {
    ofLine: (from, to) =>
      to?.grant === undefined
        ? atEnd(`${from?.grant}\nto`, to)
        : marks.get(`${to.grant}\nfrom ${from?.object}`),
    ofHolding: (grants, held) => {
      const [first, ...others] = new Set(
        grants.flatMap(one => atEnd(`${one}\noffers`, held) ?? []),
      );
      return others.length > 0 ? 'changed' : first;
    },
  };
}

/**
 * The changed part of a difference: nodes that are added or removed, lines with changed access, and the nodes that these lines
 * connect.
 */
export function changedPart({ nodes, edges }: AccessGraph): AccessGraph {
  const changed = new Set(
    nodes.flatMap(({ id, layer, change }) => (change && layer === 'rule' ? [id] : [])),
  );
  // The name of a resource contains its network, so an unchanged network would only take up space.
  const staying = new Set(
    nodes.flatMap(({ id, layer, change }) => (change || layer !== 'place' ? [] : [id])),
  );
  const kept = edges.filter(
    ({ from, to, change, isGone }) =>
      !staying.has(to) && (change !== undefined || isGone || changed.has(from) || changed.has(to)),
  );
  const ends = new Set(kept.flatMap(({ from, to }) => [from, to]));
  return {
    nodes: nodes.filter(({ id, change }) => change !== undefined || ends.has(id)),
    edges: kept,
  };
}
