// A state as a graph in layers: sources, rules, destinations, resources, places (networks and routes), routers. A group that is
// both a source and a destination is drawn twice, so that all lines run in one direction.
import type {
  AccessPicture,
  NetworkPicture,
  ResourcePicture,
  RouterPicture,
  RulePicture,
} from '../../model/access/accessPicture.ts';
import { nameText } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';

const LAYERS = ['source', 'rule', 'destination', 'resource', 'place', 'router'] as const;

export type Layer = (typeof LAYERS)[number];

export interface GraphNode {
  /** `n1`, `n2`: the id contains no part of a name. */
  readonly id: string;
  readonly layer: Layer;
  /** The object, or several that are alike, each with what is its own. */
  readonly names: readonly string[];
  /** What holds for all of them: the ports of rules, why an object is off. */
  readonly note?: string | undefined;
  /** The selectors of the objects, as far as selectors can name them. */
  readonly selectors: readonly string[];
  /** The network that it belongs to. */
  readonly network?: string | undefined;
  /** Whether it is disabled, drops traffic, or leads nowhere. */
  readonly isOff: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly isBoth: boolean;
  readonly isOff: boolean;
}

export interface AccessGraph {
  /** The nodes by layer. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A node before it has an id. */
interface Drawn extends Partial<Omit<GraphNode, 'id' | 'layer' | 'names'>> {
  /** The text of the object; its selector if it has no other text. */
  readonly text?: string;
}

interface Drawing {
  readonly node: (layer: Layer, name: string, how?: Drawn) => string;
  readonly edge: (from: string, to: string, how?: Partial<Omit<GraphEdge, 'from' | 'to'>>) => void;
  readonly idOf: (layer: Layer, name: string) => string | undefined;
  readonly graph: () => AccessGraph;
}

/** The graph of policies and networks. */
export function accessGraph({ policies, networks }: Omit<AccessPicture, 'matrix'>): AccessGraph {
  const drawing = newDrawing();
  for (const policy of policies)
    for (const [at, rule] of policy.rules.entries()) {
      const isOff = !policy.isEnabled || !rule.isEnabled;
      const title = rule.name === policy.name ? policy.name : `${policy.name}: ${rule.name}`;
      const id = drawing.node('rule', `${policy.name}\n${at}`, {
        text: title,
        note: ruleText(rule, policy.checks, isOff),
        isOff: isOff || rule.isDrop,
      });
      drawRule(drawing, id, rule, isOff);
    }
  for (const network of networks) drawNetwork(drawing, network);
  return drawing.graph();
}

/** The graph of one network with its routers. */
export function networkGraph(network: NetworkPicture): AccessGraph {
  const drawing = newDrawing();
  for (const { groups, receivers } of network.resources)
    for (const name of groups)
      drawing.node(
        'destination',
        name,
        receivers === undefined
          ? { selectors: [name] }
          : { selectors: [name], note: 'access control' },
      );
  drawNetwork(drawing, network);
  for (const resource of network.resources)
    for (const name of resource.groups.length > 0 ? (resource.receivers ?? []) : []) {
      const own = drawing.idOf('resource', keyOf(resource));
      if (own !== undefined)
        drawing.edge(
          drawing.node('destination', `receives ${name}`, { text: name, note: 'receives it' }),
          own,
          {
            isOff: !resource.isEnabled,
          },
        );
    }
  return drawing.graph();
}

/** `tcp/22 (both directions; with "recent agent")`. */
function ruleText(
  { ports, isDrop, isBidirectional }: RulePicture,
  checks: readonly string[],
  isOff: boolean,
): string {
  const marks = [
    ...(isOff ? ['disabled'] : []),
    ...(isDrop ? ['drops'] : []),
    ...(isBidirectional ? ['both directions'] : []),
    ...(checks.length > 0 ? [`only with ${checks.map(nameText).join(', ')}`] : []),
  ];
  const traffic = ports.length === 0 ? 'no ports' : ports.join(' ');
  return marks.length === 0 ? traffic : `${traffic} (${marks.join('; ')})`;
}

function drawRule(drawing: Drawing, id: string, rule: RulePicture, isOff: boolean): void {
  const how = { isBoth: rule.isBidirectional, isOff: isOff || rule.isDrop };
  for (const { name } of rule.from)
    drawing.edge(drawing.node('source', name, { selectors: [name] }), id, how);
  for (const { type, name } of rule.to) {
    const layer = type === 'resource' ? 'resource' : 'destination';
    drawing.edge(id, drawing.node(layer, name, { selectors: [name] }), how);
  }
}

function drawNetwork(drawing: Drawing, network: NetworkPicture): void {
  const { name, routers, resources } = network;
  const isServed = routers.some(({ isEnabled }) => isEnabled);
  const id = drawing.node('place', name, {
    selectors: [name],
    note: isServed ? undefined : 'no enabled router',
    isOff: !isServed,
    network: name,
  });
  for (const resource of resources) {
    const isOff = !resource.isEnabled;
    const own = drawing.node('resource', keyOf(resource), {
      text: `${resource.name} ${resource.address}`,
      note: isOff ? 'disabled' : undefined,
      selectors: [resource.name],
      isOff,
      network: name,
    });
    drawReceivers(drawing, own, resource);
    // A group that no rule refers to has no lines, so it is left out.
    for (const group of resource.groups) {
      const holder = drawing.idOf('destination', group);
      if (holder !== undefined) drawing.edge(holder, own, { isOff });
    }
    drawing.edge(own, id, { isOff: isOff || !isServed });
  }
  for (const router of routers) {
    const { name: server, isEnabled } = router;
    const own = drawing.node('router', `${server}\n${isEnabled}`, {
      text: `${server}, ${isEnabled ? servingText(router) : 'disabled'}`,
      selectors: [server],
      isOff: !isEnabled,
    });
    drawing.edge(id, own, { isOff: !isEnabled });
  }
}

// Several routes can have the same address; the name of a network resource is unique.
const keyOf = ({ name, address, isEnabled, groups, receivers }: ResourcePicture): string =>
  receivers === undefined ? name : `${name} ${address} ${isEnabled} ${groups.length === 0}`;

// A route without access-control groups needs no rule: every machine that receives it can use it.
function drawReceivers(drawing: Drawing, own: string, resource: ResourcePicture): void {
  const { name, address, groups, receivers, isEnabled } = resource;
  if (receivers === undefined || groups.length > 0) return;
  const open = drawing.node('rule', `\n${name} ${address}`, {
    text: `${name} ${address}`,
    note: '* (no access-control groups)',
    isOff: !isEnabled,
  });
  for (const group of receivers)
    drawing.edge(drawing.node('source', group, { selectors: [group] }), open, {
      isOff: !isEnabled,
    });
  drawing.edge(open, own, { isOff: !isEnabled });
}

// A group without machines is served by machines that join it.
function servingText({ type, machines }: RouterPicture): string {
  if (machines > 0) return counted(machines, 'machine');
  return type === 'machine' ? 'not approved' : 'no machine yet';
}

function newDrawing(): Drawing {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const idOf = (layer: Layer, name: string) => nodes.get(`${layer}\n${name}`)?.id;
  return {
    idOf,
    node: (layer, name, { text = name, ...how } = {}) => {
      const key = `${layer}\n${name}`;
      const known = nodes.get(key);
      const id = known?.id ?? `n${nodes.size + 1}`;
      // Details that are found later replace a node that has only a name.
      if (known === undefined || how.note !== undefined || text !== name)
        nodes.set(key, { id, layer, names: [text], selectors: [], isOff: false, ...how });
      return id;
    },
    edge: (from, to, { isBoth = false, isOff = false } = {}) => {
      edges.set(`${from} ${to}`, { from, to, isBoth, isOff });
    },
    graph: () => ({
      nodes: LAYERS.flatMap(layer => [...nodes.values()].filter(node => node.layer === layer)),
      edges: [...edges.values()],
    }),
  };
}
