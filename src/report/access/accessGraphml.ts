// The answer to an access question as GraphML: sources and destinations are nodes, and access is shown by edges. Graph tools can
// join the graph with other data by the ids.
import { createHash } from 'node:crypto';
import {
  type AccessAnswer,
  type AccessFlow,
  type AccessObject,
  type AccessParty,
  type AccessPartyIds,
  lastingId,
} from '../../model/access/planAccess.ts';
import { stableText } from '../../model/text/stableText.ts';
import { xmlAttribute, xmlText } from '../text/xmlText.ts';
import { detourTexts, grantText } from './accessWords.ts';

const NODE_KEYS = ['name', 'kind', 'ids', 'machines', 'machine_ids', 'address'] as const;
const EDGE_KEYS = ['verdict', 'ports', 'because', 'via_ids', 'posture_checks'] as const;

/** The answer as GraphML. Missing access has no edge. */
export function accessGraphml({ flows, judged }: AccessAnswer): string {
  const nodes = new Map<string, string>();
  const edges: string[] = [];
  for (const flow of flows) {
    const { from, to } = endsOf(flow);
    nodes.set(from.id, nodes.get(from.id) ?? nodeText(from));
    nodes.set(to.id, nodes.get(to.id) ?? nodeText(to));
    edges.push(edgeText(flow, from.id, to.id));
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
    `  <desc>${xmlText(`Evaluated: ${judged}.`)}</desc>`,
    ...NODE_KEYS.map(key => keyText('node', key)),
    ...EDGE_KEYS.map(key => keyText('edge', key)),
    '  <graph id="access" edgedefault="directed">',
    ...nodes.values(),
    ...edges,
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n');
}

interface End {
  readonly id: string;
  readonly party: AccessParty;
  readonly ids: AccessPartyIds;
}

const NOTHING: AccessPartyIds = { objects: [], machines: [] };

function endsOf({ from, to, ids }: AccessFlow): { readonly from: End; readonly to: End } {
  const end = (party: AccessParty, own: AccessPartyIds): End => ({
    id: nodeId(party, own),
    party,
    ids: own,
  });
  return { from: end(from, ids?.from ?? NOTHING), to: end(to, ids?.to ?? NOTHING) };
}

// The id of an XML element, which must be a name token. For one object it is readable; for several objects it is a digest.
function nodeId({ name, address }: AccessParty, { objects }: AccessPartyIds): string {
  const [only, ...others] = objects;
  if (only !== undefined && others.length === 0)
    return tokenOf(only) + (address === undefined ? '' : tokenText(`@${address}`));
  const content = objects.map(object => [object.kind, lastingId(object)]);
  const text = stableText([content.length === 0 ? name : content, address ?? null]);
  return `set:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

// `group.d1f3` for an id and `group:on-call` for a name, so that an id and a name are never mistaken for each other.
const tokenOf = ({ kind, name, id }: AccessObject): string =>
  id === undefined ? `${kind}:${tokenText(nameIn(kind, name))}` : `${kind}.${tokenText(id)}`;

const nameIn = (kind: string, name: string): string =>
  name.startsWith(`${kind}/`) ? name.slice(kind.length + 1) : name;

const tokenText = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9.-]/gu, sign => `_${sign.codePointAt(0)?.toString(16)}_`);

function nodeText({ id, party, ids: { objects, machines } }: End): string {
  const [only, ...others] = objects;
  const kind = only !== undefined && others.length === 0 ? only.kind : 'several';
  const data = dataText({
    name: party.name,
    kind,
    ids: objects.map(lastingId).join(' '),
    machines: party.machines.join(' '),
    machine_ids: machines.join(' '),
    address: party.address ?? '',
  });
  return `    <node id="${xmlAttribute(id)}">${data}</node>`;
}

function edgeText(flow: AccessFlow, from: string, to: string): string {
  const data = dataText({
    verdict: flow.posture === undefined ? 'reaches' : 'conditional',
    ports: flow.ports.join(' '),
    because: [...flow.via.map(grantText), ...detourTexts(flow)].join('; '),
    via_ids: (flow.ids?.via ?? []).map(lastingId).join(' '),
    posture_checks: (flow.posture?.checks ?? []).join(' '),
  });
  return `    <edge source="${xmlAttribute(from)}" target="${xmlAttribute(to)}">${data}</edge>`;
}

type Key = (typeof NODE_KEYS)[number] | (typeof EDGE_KEYS)[number];

const dataText = (values: Readonly<Partial<Record<Key, string>>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `<data key="${key}">${xmlAttribute(value)}</data>`)
    .join('');

const keyText = (of: 'node' | 'edge', key: Key): string =>
  `  <key id="${key}" for="${of}" attr.name="${key}" attr.type="string"/>`;
