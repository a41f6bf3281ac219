// Collapses a graph to its groups, to show which groups reach which others, and by how many rules. Each box represents the
// objects of one group. Each rule box represents the rules from one group to another.

import type { PairChange } from '../../model/access/accessPicture.ts';
import type { Folders, Grouping } from '../../model/access/groupings.ts';
import { counted } from '../text/summary.ts';
import {
  type AccessGraph,
  byLayer,
  type GraphEdge,
  type GraphNode,
  type Layer,
  type NodeChange,
} from './graph.ts';
import { groupsBy } from './grouping.ts';
import { commonKind, LINE_KINDS, type LineKind } from './portKinds.ts';

/** A collapsed graph, and the nodes behind each of its boxes. */
export interface Overview {
  readonly graph: AccessGraph;
  /** The nodes that a box on the right side represents, by the id of the box. */
  readonly inside: ReadonlyMap<string, readonly GraphNode[]>;
  /** The number of rules that the largest box represents. */
  readonly largest: number;
}

/** The maximum number of boxes on a side; the smallest groups share the last box. */
const MOST_GROUPS = 24;

/** The graph with one box for each group. */
export function overviewOf(graph: AccessGraph, by: Grouping, folders?: Folders): Overview {
  const sides = sidesOf(graph, by, folders);
  const bundles = bundlesOf(graph, sides);
  const boxes = boxesOf(bundles, sides);
  const idOf = new Map(boxes.map(({ key, id }) => [key, id]));
  const edges = bundles.flatMap(({ from, to, line }, at): GraphEdge[] => {
    const id = `b${at}`;
    const source = idOf.get(keyOf('source', from)) ?? '';
    const target = idOf.get(keyOf('destination', to)) ?? '';
    return [
      { ...line, from: source, to: id },
      { ...line, from: id, to: target },
    ];
  });
  const nodes = byLayer([...boxes, ...bundles.map((bundle, at) => bundleBox(`b${at}`, bundle))]);
  const targets = boxes.filter(({ layer }) => layer === 'destination');
  return {
    graph: { nodes, edges },
    inside: new Map(targets.map(({ id, object }) => [id, sides.targets.get(object) ?? []])),
    largest: bundles.reduce((most, { parts }) => Math.max(most, parts.length), 0),
  };
}

const keyOf = (layer: Layer, name: string): string => `${layer}\n${name}`;

/** The boxes of the groups that rules connect. */
function boxesOf(bundles: readonly Bundle[], { sources, targets }: Sides): readonly GraphNode[] {
  const names = {
    source: new Set(bundles.map(({ from }) => from)),
    destination: new Set(bundles.map(({ to }) => to)),
  };
  const boxesIn = (layer: 'source' | 'destination', members: Members) =>
    Array.from(names[layer], name => ({ layer, name, members }));
  const boxes = [...boxesIn('source', sources), ...boxesIn('destination', targets)];
  return boxes.map(({ layer, name, members }, at) => {
    const key = keyOf(layer, name);
    return groupBox({ id: `g${at}`, key, layer, name, members: members.get(name) ?? [] });
  });
}

/** The nodes of each group, by the name of the group. */
type Members = ReadonlyMap<string, readonly GraphNode[]>;

interface Sides {
  readonly sources: Members;
  readonly targets: Members;
  readonly groupOf: ReadonlyMap<string, string>;
}

const WITHOUT: Readonly<Record<Grouping, { readonly source: string; readonly target: string }>> = {
  place: { source: 'groups and machines', target: 'groups and machines' },
  folder: { source: 'not in the files', target: 'not in the files' },
  label: { source: 'no common label', target: 'no common label' },
};

function sidesOf(graph: AccessGraph, by: Grouping, folders: Folders | undefined): Sides {
  const named = groupsBy(graph, by, folders);
  const networks = by === 'place' ? networksBehind(graph) : undefined;
  const groupOf = new Map<string, string>();
  const side = (nodes: readonly GraphNode[], without: string) => {
    const groups = withFew(
      Map.groupBy(nodes, node => networks?.get(node.id) ?? named(node) ?? without),
    );
    for (const [name, members] of groups) for (const { id } of members) groupOf.set(id, name);
    return groups;
  };
  const isTarget = ({ layer }: GraphNode) =>
    layer !== 'source' && layer !== 'rule' && layer !== 'router';
  return {
    sources: side(
      graph.nodes.filter(({ layer }) => layer === 'source'),
      WITHOUT[by].source,
    ),
    targets: side(graph.nodes.filter(isTarget), WITHOUT[by].target),
    groupOf,
  };
}

function withFew(
  groups: ReadonlyMap<string, readonly GraphNode[]>,
): ReadonlyMap<string, readonly GraphNode[]> {
  if (groups.size <= MOST_GROUPS) return groups;
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const rest = sorted.slice(MOST_GROUPS - 1);
  const others = [`${rest.length} smaller groups`, rest.flatMap(([, members]) => members)] as const;
  return new Map([...sorted.slice(0, MOST_GROUPS - 1), others]);
}

/** The network behind each destination, by the id of its node; `several networks` for more than one. */
function networksBehind({ nodes, edges }: AccessGraph): ReadonlyMap<string, string> {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const found = new Map<string, Set<string>>();
  for (const { from, to, access } of edges) {
    const network = byId.get(to)?.network;
    if (access !== undefined || network === undefined || byId.get(from)?.layer !== 'destination')
      continue;
    found.set(from, (found.get(from) ?? new Set()).add(network));
  }
  return new Map(
    [...found].map(([id, networks]) => [
      id,
      networks.size === 1 ? [...networks].join() : 'several networks',
    ]),
  );
}

/** The rules from one group to another. */
interface Bundle {
  readonly from: string;
  readonly to: string;
  readonly parts: readonly Part[];
  readonly line: Omit<GraphEdge, 'from' | 'to'>;
}

/** The part of a rule that leads from one group to another. */
interface Part {
  readonly from: string;
  readonly to: string;
  readonly rule: GraphNode;
  readonly into: readonly GraphEdge[];
  readonly outOf: readonly GraphEdge[];
}

function bundlesOf(graph: AccessGraph, { groupOf }: Sides): readonly Bundle[] {
  const into = Map.groupBy(graph.edges, ({ to }) => to);
  const outOf = Map.groupBy(graph.edges, ({ from }) => from);
  const parts = graph.nodes.flatMap(rule => {
    if (rule.layer !== 'rule') return [];
    const sources = Map.groupBy(into.get(rule.id) ?? [], ({ from }) => groupOf.get(from) ?? '');
    const targets = Map.groupBy(outOf.get(rule.id) ?? [], ({ to }) => groupOf.get(to) ?? '');
    return [...sources].flatMap(([from, starts]) =>
      [...targets].map(([to, ends]): Part => ({ from, to, rule, into: starts, outOf: ends })),
    );
  });
  return [...Map.groupBy(parts, ({ from, to }) => `${from}\n${to}`).values()]
    .flatMap(byKindIfMany)
    .flatMap(all => {
      const [first] = all;
      if (first === undefined) return [];
      return [{ from: first.from, to: first.to, parts: all, line: lineOf(all, into) }];
    });
}

/** The maximum number of rules in one box. A larger box is divided by the purposes of the ports. */
const MANY = 50;

const byKindIfMany = (parts: readonly Part[]): readonly (readonly Part[])[] =>
  parts.length <= MANY ? [parts] : [...Map.groupBy(parts, kindOf).values()];

function lineOf(
  parts: readonly Part[],
  into: ReadonlyMap<string, readonly GraphEdge[]>,
): Omit<GraphEdge, 'from' | 'to'> {
  const edges = parts.flatMap(part => [...part.into, ...part.outOf]);
  const accesses = edges.flatMap(({ access }) => access ?? []);
  const changes = new Set(parts.map(changeOf));
  const change = changes.size > 1 ? 'changed' : [...changes].at(0);
  return {
    isBoth: edges.some(({ isBoth }) => isBoth),
    isOff: edges.every(({ isOff }) => isOff),
    access: {
      kind: commonKind(accesses.map(({ kind }) => kind)),
      ports: [...new Set(accesses.flatMap(({ ports }) => ports))],
      pairs: parts.reduce((sum, part) => sum + pairsOf(part, into.get(part.rule.id) ?? []), 0),
    },
    ...(edges.some(({ isGone }) => isGone !== undefined) && {
      isGone: edges.every(({ isGone }) => isGone === true),
    }),
    ...(change && { change }),
  };
}

const kindOf = ({ into, outOf }: Part): LineKind =>
  commonKind([...into, ...outOf].flatMap(({ access }) => access?.kind ?? []));

// The estimated number of pairs of a part of a rule. A rule connects each of its sources to each of its destinations, so its
// pairs are divided in proportion.
function pairsOf({ into, outOf }: Part, all: readonly GraphEdge[]): number {
  const total = (edges: readonly GraphEdge[]) =>
    edges.reduce((sum, { access }) => sum + (access?.pairs ?? 0), 0);
  const every = total(all);
  return every === 0 ? 0 : Math.max(1, Math.round((total(into) * total(outOf)) / every));
}

// The change of a part of a rule. A changed pair belongs to the part only if lines on both of its sides have the change.
function changeOf({ into, outOf }: Part): PairChange | undefined {
  const starts = new Set(into.flatMap(({ change }) => change ?? []));
  const both = outOf.flatMap(({ change }) => (change && starts.has(change) ? change : []));
  const found = new Set(both);
  return found.size > 1 ? 'changed' : [...found].at(0);
}

const NODE_CHANGES: Readonly<Record<PairChange, NodeChange>> = {
  gained: 'added',
  lost: 'removed',
  changed: 'changed',
};

function bundleBox(id: string, { parts, line }: Bundle): GraphNode {
  const [only, ...others] = parts;
  const counts = LINE_KINDS.flatMap(({ meaning, name }) => {
    const count = parts.filter(part => kindOf(part) === name).length;
    return count === 0 ? [] : [count === parts.length ? meaning : `${count} ${meaning}`];
  });
  const alone = others.length === 0 ? only?.rule : undefined;
  return {
    id,
    key: id,
    layer: 'rule',
    names: alone?.names ?? [counted(parts.length, 'rule')],
    note: alone?.note ?? counts.join(', '),
    selectors: [],
    object: '',
    isOff: line.isOff,
    change: line.change && NODE_CHANGES[line.change],
    contents: parts.flatMap(({ rule }) => rule.names),
  };
}

interface GroupBox {
  readonly id: string;
  readonly key: string;
  readonly layer: 'source' | 'destination';
  readonly name: string;
  readonly members: readonly GraphNode[];
}

function groupBox({ id, key, layer, name, members }: GroupBox): GraphNode {
  const objects = members.flatMap(one => (one.layer === 'place' ? [] : one.object));
  const types = Map.groupBy(new Set(objects), object => /^[a-z_]+/.exec(object)?.[0] ?? '');
  const counts = [...types].map(([type, { length }]) => counted(length, type.replaceAll('_', ' ')));
  return {
    id,
    key,
    layer,
    names: [name],
    note: counts.join(', '),
    selectors: members.some(({ network }) => network === name) ? [name] : [],
    object: name,
    isOff: false,
    contents: [...new Set(members.flatMap(({ names }) => names))],
  };
}

/** The part of a graph around some of its nodes: the rules and sources that lead to them, and the routers behind them. */
export function partLeadingTo(graph: AccessGraph, members: readonly GraphNode[]): AccessGraph {
  const kept = new Set(members.map(({ id }) => id));
  const layers = new Map(graph.nodes.map(({ id, layer }) => [id, layer]));
  const add = (isMeant: (edge: GraphEdge) => boolean, end: 'from' | 'to') => {
    for (const edge of graph.edges.filter(isMeant)) kept.add(edge[end]);
  };
  add(({ from, to }) => kept.has(to) && layers.get(from) === 'rule', 'from');
  add(({ from, to }) => kept.has(to) && layers.get(from) === 'source', 'from');
  add(({ from, to }) => kept.has(from) && layers.get(to) === 'router', 'to');
  return {
    nodes: graph.nodes.filter(({ id }) => kept.has(id)),
    edges: graph.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  };
}
