// A state as a graph in layers: sources, rules, destinations, resources, places (networks and routes), routers. A group that is
// both a source and a destination is drawn twice, so that all lines run in one direction.
import type {
  AccessPicture,
  NetworkPicture,
  OpeningPicture,
  PictureChange,
  PolicyPicture,
  ResourcePicture,
  RouterPicture,
  RulePicture,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import type { AccessGrant } from '../../model/access/planAccess.ts';
import { nameText } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';
import { type AccessGraph, type GraphDrawing, newDrawing } from './graph.ts';
import { lineKind } from './portKinds.ts';

/**
 * The number of machines and network resources on a side of a rule, from which the number of pairs follows. A group without any
 * counts as one.
 */
type Weights = (side: RuleSide) => number;

/** The parts of a picture that are drawn. */
export type Outline = Omit<AccessPicture, 'matrix' | 'unread'>;

/** The graph of policies, openings and networks. */
export function accessGraph({ policies, networks, openings }: Outline): AccessGraph {
  const drawing = newDrawing();
  const weights = weightsIn(networks);
  for (const policy of policies) drawPolicy(drawing, policy, weights);
  for (const opening of openings) drawOpening(drawing, opening);
  for (const network of networks) drawNetwork(drawing, network, weights);
  return drawing.graph();
}

/** The keys by which nodes identify what grants access. A route has a node, and a key, for each of its addresses. */
export function grantKeys({ by, to }: Pick<PictureChange, 'by' | 'to'>): readonly string[] {
  return by.open_route === undefined ? [grantKey(by)] : to.map(openKey);
}

const openKey = (name: string): string => `open ${name}`;

const grantKey = ({ policy, rule, ingress_port, service }: AccessGrant): string =>
  [policy, rule, ingress_port, service].map(part => part ?? '').join('\n');

function weightsIn(networks: readonly NetworkPicture[]): Weights {
  const held = new Map<string, number>();
  for (const { resources } of networks)
    for (const { isEnabled, groups, receivers } of resources)
      if (isEnabled && receivers === undefined)
        for (const group of groups) held.set(group, (held.get(group) ?? 0) + 1);
  return ({ name, machines }) => Math.max(1, machines + (held.get(name) ?? 0));
}

// Draws the rules of a policy, several of which may have the same name.
function drawPolicy(drawing: GraphDrawing, policy: PolicyPicture, weights: Weights): void {
  const seen = new Map<string, number>();
  for (const rule of policy.rules) {
    const number = seen.get(rule.name) ?? 0;
    seen.set(rule.name, number + 1);
    const isOff = !policy.isEnabled || !rule.isEnabled;
    const title = ruleTitle(policy.name, rule.name);
    const grant = grantKey({ policy: policy.name, rule: rule.name });
    const id = drawing.node('rule', `${grant}\n${number}`, {
      text: title,
      note: ruleText(rule, policy.checks, isOff),
      object: policy.object,
      grant,
      isOff: isOff || rule.isDrop,
    });
    drawRule(drawing, { id, rule, isOff }, weights);
  }
}

/**
 * The title of a rule with its policy. Some servers keep one rule per policy, and then the policy is named `policy / rule`; such
 * a title contains the name of the rule only once.
 */
export const ruleTitle = (policy: string, rule: string): string =>
  rule === policy || policy.endsWith(` / ${rule}`) ? policy : `${policy}: ${rule}`;

function drawOpening(drawing: GraphDrawing, opening: OpeningPicture): void {
  const { isService, name, from, to, ports } = opening;
  const grant = grantKey(isService ? { service: name } : { ingress_port: name });
  const id = drawing.node('rule', `${grant}\n${ports.join(' ')}`, {
    text: `${isService ? 'service' : 'ingress port'} ${nameText(name)}`,
    note: ports.join(' '),
    object: name,
    grant,
  });
  const access = { kind: lineKind(ports), ports, pairs: 1 };
  drawing.edge(drawing.node('source', from), id, { access });
  const layer = to.type === 'resource' ? 'resource' : 'destination';
  drawing.edge(id, drawing.node(layer, to.name, { selectors: [to.name] }), { access });
}

/** The graph of one network with its resources and routers. */
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
  drawNetwork(drawing, network, weightsIn([network]));
  for (const resource of network.resources)
    for (const { name } of resource.groups.length > 0 ? (resource.receivers ?? []) : []) {
      const own = drawing.idOf('resource', keyOf(resource));
      if (own !== undefined)
        drawing.edge(
          drawing.node('destination', `receives ${name}`, {
            text: name,
            note: 'receives it',
            selectors: [name],
          }),
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

interface DrawnRule {
  readonly id: string;
  readonly rule: RulePicture;
  readonly isOff: boolean;
}

function drawRule(drawing: GraphDrawing, { id, rule, isOff }: DrawnRule, weights: Weights): void {
  const { isDrop, isBidirectional: isBoth, ports } = rule;
  const how = { isBoth, isOff: isOff || isDrop };
  const total = (sides: readonly RuleSide[]) => sides.reduce((sum, one) => sum + weights(one), 0);
  const sources = total(rule.from);
  const targets = total(rule.to);
  const accessOf = (pairs: number) => ({ kind: lineKind(ports), ports, pairs });
  for (const side of rule.from) {
    const from = drawing.node('source', side.name, sideNode(side));
    drawing.edge(from, id, { ...how, access: accessOf(weights(side) * targets) });
  }
  for (const side of rule.to) {
    const layer = side.type === 'resource' ? 'resource' : 'destination';
    const to = drawing.node(layer, side.name, sideNode(side));
    drawing.edge(id, to, { ...how, access: accessOf(weights(side) * sources) });
  }
}

const sideNode = (side: RuleSide) => ({
  selectors: [side.name],
  around: namesAround(side),
  members: side.members,
});

// The names of the boxes that lead to the same address.
const namesAround = ({ around }: Pick<RuleSide, 'around'>): readonly string[] | undefined =>
  around?.map(one => `${one.name} ${one.address}`);

function drawNetwork(drawing: GraphDrawing, network: NetworkPicture, weights: Weights): void {
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
      object: resource.name,
      around: namesAround(resource),
      isOff,
      network: name,
    });
    drawReceivers(drawing, { id: own, resource }, weights);
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
      object: server,
      isOff: !isEnabled,
    });
    drawing.edge(id, own, { isOff: !isEnabled });
  }
}

// A key that is unique in the network. Several routes can have the same address; the name of a network resource is unique.
const keyOf = ({ name, address, isEnabled, groups, receivers }: ResourcePicture): string =>
  receivers === undefined ? name : `${name} ${address} ${isEnabled} ${groups.length === 0}`;

interface DrawnResource {
  readonly id: string;
  readonly resource: ResourcePicture;
}

// Draws the access that a route without access-control groups opens. This access needs no rule, because every machine that
// receives the route can use it.
function drawReceivers(
  drawing: GraphDrawing,
  { id, resource }: DrawnResource,
  weights: Weights,
): void {
  const { name, address, groups, receivers, isEnabled } = resource;
  if (receivers === undefined || groups.length > 0) return;
  const isOff = !isEnabled;
  const open = drawing.node('rule', `\n${name} ${address}`, {
    text: `${name} ${address}`,
    note: '* (no access-control groups)',
    object: name,
    grant: openKey(`${name} ${address}`),
    isOff,
  });
  const accessOf = (pairs: number) => ({ kind: 'all' as const, ports: ['*'], pairs });
  for (const group of receivers) {
    const from = drawing.node('source', group.name, { selectors: [group.name] });
    drawing.edge(from, open, { isOff, access: accessOf(weights(group)) });
  }
  const sources = receivers.reduce((sum, one) => sum + weights(one), 0);
  drawing.edge(open, id, { isOff, access: accessOf(sources) });
}

// The machines of a router as text. If its group has no machines yet, the text names the future members.
function servingText({ type, machines }: RouterPicture): string {
  if (machines > 0) return counted(machines, 'machine');
  return type === 'machine' ? 'not approved' : 'no machine yet';
}
