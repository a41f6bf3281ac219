// A graph of access as a value: nodes in layers, and edges that run from left to right.
import type { PairChange } from '../../model/access/accessPicture.ts';
import type { LineKind } from './portKinds.ts';

const LAYERS = ['source', 'rule', 'destination', 'resource', 'place', 'router'] as const;

export type Layer = (typeof LAYERS)[number];

/** Whether a node is new, removed, or changed. */
export type NodeChange = 'added' | 'removed' | 'changed';

export interface GraphNode {
  /** `n1`, `n2`: the id contains no part of a name. */
  readonly id: string;
  /** Identifies the object: equal in the graphs of two states. */
  readonly key: string;
  readonly layer: Layer;
  /** The text of the object, or the texts of several equivalent objects. */
  readonly names: readonly string[];
  /** If the names stand for those of other objects, as `‹network› staff` does: the texts of these objects. */
  readonly standsFor?: readonly string[] | undefined;
  /** Whether the box shows all names, however many there are. */
  readonly isList?: boolean;
  /** A fact about all of these objects: the ports of rules, or why an object is disabled. */
  readonly note?: string | undefined;
  /** The selectors of the objects, if selectors can name them. */
  readonly selectors: readonly string[];
  /** The object by which the node is found and grouped: `group/on-call`, `policy/ssh`. */
  readonly object: string;
  /** For a rule, a route or an opening: the key of its access, as `grantKey` returns it. */
  readonly grant?: string | undefined;
  /** The names of the objects in a box that represents many objects; otherwise absent. */
  readonly contents?: readonly string[] | undefined;
  /** The names of nodes that lead to the same address. */
  readonly around?: readonly string[] | undefined;
  /** A text that is equal for groups with the same machines. */
  readonly members?: string | undefined;
  /** The network that the object belongs to. */
  readonly network?: string | undefined;
  /** The frame in which the node is drawn. */
  readonly frame?: string | undefined;
  /** Whether the object is disabled, drops traffic, or leads nowhere. */
  readonly isOff: boolean;
  readonly change?: NodeChange | undefined;
}

/** The access that a line represents. */
export interface EdgeAccess {
  readonly kind: LineKind;
  readonly ports: readonly string[];
  /**
   * The number of pairs of a source and a destination that the rule connects by this line. A group without known machines counts
   * as one.
   */
  readonly pairs: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isBoth: boolean;
  readonly isOff: boolean;
  /** Absent if the line shows that one object belongs to another. */
  readonly access?: EdgeAccess | undefined;
  /** In a comparison of two states: how the pairs on the line change. */
  readonly change?: PairChange | undefined;
  /** In a comparison of two states: whether only the earlier state has the line. */
  readonly isGone?: boolean;
}

export interface AccessGraph {
  /** The nodes by layer. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A node before it has an id. */
interface DrawnNode extends Partial<Omit<GraphNode, 'id' | 'layer' | 'names'>> {
  /** The text of the object; absent if it is the name of the node. */
  readonly text?: string;
}

/** A graph that is being made. */
export interface GraphDrawing {
  /** The id of the node with this name, which is created if it does not exist. */
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
