// A graph of access as a value: nodes in layers, and edges that run from left to right.
import type { PairChange } from '../../model/access/accessPicture.ts';
import type { LineKind } from './portKinds.ts';

const LAYERS = ['source', 'rule', 'destination', 'resource', 'place', 'router'] as const;

export type Layer = (typeof LAYERS)[number];

/** Whether a node is new, removed, or changed. */
export type NodeChange = 'added' | 'removed' | 'edited';

export interface GraphNode {
  /** `n1`, `n2`: the id contains no part of a name. */
  readonly id: string;
  /** The same in graphs of two states for the same object. */
  readonly key: string;
  readonly layer: Layer;
  /** The object, or several that are alike, each with what is its own. */
  readonly names: readonly string[];
  /** A fact about all of them: the ports of rules, why an object is disabled. */
  readonly note?: string | undefined;
  /** The selectors of the objects, as far as selectors can name them. */
  readonly selectors: readonly string[];
  /** The object by which it is found and grouped: `group/on-call`, `policy/ssh`. */
  readonly object: string;
  /** Of a rule, a route or an opening: what access through it is granted by, as `grantKey` names it. */
  readonly grant?: string | undefined;
  /** For a box that represents many objects: their names. */
  readonly contents?: readonly string[] | undefined;
  /** The names of nodes that lead to the same address. */
  readonly around?: readonly string[] | undefined;
  /** The network that it belongs to. */
  readonly network?: string | undefined;
  /** The frame that it is drawn in. */
  readonly frame?: string | undefined;
  /** Whether it is disabled, drops traffic, or leads nowhere. */
  readonly isOff: boolean;
  readonly change?: NodeChange | undefined;
}

/** What a line means for access. */
export interface EdgeAccess {
  readonly kind: LineKind;
  readonly ports: readonly string[];
  /** Pairs of a source and a destination that the rule connects on it. A group without known machines counts as one. */
  readonly pairs: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isBoth: boolean;
  readonly isOff: boolean;
  /** Absent: the line says what belongs to what. */
  readonly access?: EdgeAccess | undefined;
  /** Of two states that are compared: how the pairs on it change. */
  readonly change?: PairChange | undefined;
  /** Of two states that are compared: whether only the earlier has it. */
  readonly isGone?: boolean;
}

export interface AccessGraph {
  /** The nodes by layer. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A node before it has an id. */
interface DrawnNode extends Partial<Omit<GraphNode, 'id' | 'layer' | 'names'>> {
  /** The text of the object; its selector if it has no other text. */
  readonly text?: string;
}

/** A graph that is being made. */
export interface GraphDrawing {
  /** The id of a node, which is created if there is none of this name. */
  readonly node: (layer: Layer, name: string, how?: DrawnNode) => string;
  readonly edge: (from: string, to: string, how?: Partial<Omit<GraphEdge, 'from' | 'to'>>) => void;
  readonly idOf: (layer: Layer, name: string) => string | undefined;
  readonly graph: () => AccessGraph;
}

/** A graph without nodes. */
export function newDrawing(): GraphDrawing {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const keyIn = (layer: Layer, name: string) => `${layer}\n${name}`;
  return {
    idOf: (layer, name) => nodes.get(keyIn(layer, name))?.id,
    node: (layer, name, { text = name, ...how } = {}) => {
      const key = keyIn(layer, name);
      const known = nodes.get(key);
      const id = known?.id ?? `n${nodes.size + 1}`;
      const plain = { id, key, layer, names: [text], selectors: [], object: name, isOff: false };
      // Details that are found later replace a node that has only a name.
      if (known === undefined || how.note !== undefined || text !== name)
        nodes.set(key, { ...plain, ...how });
      return id;
    },
    edge: (from, to, { isBoth = false, isOff = false, ...how } = {}) => {
      edges.set(`${from} ${to}`, { from, to, isBoth, isOff, ...how });
    },
    graph: () => ({ nodes: byLayer([...nodes.values()]), edges: [...edges.values()] }),
  };
}

/** Nodes in the order of layers. */
export const byLayer = (nodes: readonly GraphNode[]): readonly GraphNode[] =>
  LAYERS.flatMap(layer => nodes.filter(node => node.layer === layer));
