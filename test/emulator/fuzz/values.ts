// Values for a schema of the contract, as somebody might send them who means well, or not.
import {
  child,
  children,
  type DocumentNode,
  type NodeObject,
  nodeAt,
} from '../../../src/contract/index.ts';
import { below, chance, type Draw, pick, several } from './draw.ts';
import type { Sightings } from './sightings.ts';

export interface Source {
  readonly draw: Draw;
  readonly document: NodeObject;
  readonly seen: Sightings;
}

/** The address of a cluster that is connected. */
export const CLUSTER = 'proxy.test';

/** What fields point at. */
const POINTERS: Readonly<Record<string, string>> = {
  groups: '/api/groups',
  auto_groups: '/api/groups',
  peer_groups: '/api/groups',
  access_control_groups: '/api/groups',
  sources: '/api/groups',
  destinations: '/api/groups',
  peer: '/api/peers',
  peer_id: '/api/peers',
  peers: '/api/peers',
  source_posture_checks: '/api/posture-checks',
  owner: '/api/users',
  disabled_management_groups: '/api/groups',
  distribution_groups: '/api/groups',
  access_groups: '/api/groups',
  peer_expose_groups: '/api/groups',
  target_id: '/api/peers',
  ipv6_enabled_groups: '/api/groups',
};

/** Texts that mean something in a field of that name. */
const MEANINGFUL: Readonly<Record<string, readonly string[]>> = {
  name: ['a', 'b', 'All', 'Default', 'ÜÖ', ' x ', '', 'name/with/slash', 'n'.repeat(300)],
  email: ['a@example.com', 'B@example.com', '', 'not an email'],
  role: ['owner', 'admin', 'USER', 'auditor', 'network_admin', 'billing_admin', 'king', ''],
  address: [
    '10.0.0.1',
    '10.0.0.0/8',
    'fe80::1',
    '::/0',
    '*.example.com',
    'münchen.de',
    '-',
    '10.0.0.0/33',
  ],
  network: ['10.0.0.0/8', '0.0.0.0/0', '2001:DB8::/32', '10.0.0.1', 'x'],
  domains: ['example.com', '*.Example.com', 'xn--mnchen-3ya.de', 'bad domain'],
  ip: ['100.64.0.1', '10.0.0.1', '', 'fe80::1%eth0', '1.2.3'],
  ports: ['80', '0', '65536', '+443', '080', '1e3', ''],
  ranges: ['10.0.0.0/8', '2001:db8::1/64', '10.0.0.1'],
  type: ['host', 'peer', 'oidc', 'google', 'okta', 'none'],
  issuer: ['https://login.example.com', 'nonsense', ''],
  platform: ['datadog', 's3', 'firehose', 'generic_http', 'other'],
  event_types: ['user.join', 'route.add', 'no.such.code', 'constructor'],
  domain: ['customer.example.com', 'other.example', `a.${CLUSTER}`, 'x', ''],
  target_cluster: [CLUSTER, 'nowhere.test', ''],
  content: ['10.0.0.1', '::1', 'other.example', ''],
  mode: ['http', 'tcp', 'udp', 'tls', 'none'],
  ns_type: ['udp', 'tcp'],
  dns_domain: ['vpn.example', '', '-'],
  network_range: ['100.80.0.0/16', '10.0.0.0/33', ''],
  network_range_v6: ['fd00::/64', '::/0', ''],
  min_version: ['1', 'v0.2.3-rc1', 'x', ''],
  country_code: ['DE', 'us', 'X1'],
  action: ['accept', 'allow', 'shrug'],
  id: ['__proto__', 'constructor', 'none'],
};

const TEXTS = [
  '',
  'x',
  '****',
  'null',
  '0',
  '\u0000',
  '𝔘𝔫𝔦',
  '__proto__',
  'toString',
  'a'.repeat(2000),
];
const NUMBERS = [
  0,
  1,
  -1,
  2,
  24,
  100,
  300,
  9999,
  65_535,
  86_400,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1.5,
  1e308,
];

/** A value for the schema at a JSON pointer. */
export function valueAt(source: Source, pointer: string): unknown {
  const node = nodeAt(source.document, pointer);
  if (node === undefined) throw new Error(`no schema at ${pointer}`);
  return value(source, node, '');
}

function value(source: Source, schema: DocumentNode, name: string): unknown {
  const { draw } = source;
  if (chance(draw, 0.01)) return pick(draw, [null, 0, '', true, [], {}, [null], [[]], { '': 1 }]);
  const options = listAt(source, schema, 'enum');
  if (options.length > 0 && chance(draw, 0.9)) return pick(draw, options);
  const forms = partsOf(source, schema, 'anyOf');
  if (forms.length > 0) return value(source, pick(draw, forms), name);
  switch (typeOf(source, schema)) {
    case 'object':
      return object(source, schema, name);
    case 'array': {
      const items = child(source.document, schema, 'items');
      return items === undefined ? [] : several(draw, () => value(source, items, name), 3);
    }
    case 'integer':
      return number(source, schema);
    case 'boolean':
      return chance(draw, 0.5);
    case 'null':
      return null;
    default:
      return text(source, name);
  }
}

/** The type of a value; of several types, most often the first. */
function typeOf({ draw, document }: Source, schema: DocumentNode): unknown {
  const type = child(document, schema, 'type')?.node;
  if (!Array.isArray(type)) return type;
  return chance(draw, 0.1) ? pick(draw, type) : type[0];
}

function object(source: Source, schema: DocumentNode, name: string): unknown {
  const { draw, document } = source;
  const parts = [schema, ...partsOf(source, schema, 'allOf')];
  const required = parts.flatMap(part => listAt(source, part, 'required'));
  const fields = parts
    .flatMap(part => {
      const properties = child(document, part, 'properties');
      return properties === undefined ? [] : children(document, properties);
    })
    .filter(([field]) => chance(draw, required.includes(field) ? 0.98 : 0.5))
    .map(([field, node]) => [field, value(source, node, field)] as const);
  const free = child(document, schema, 'additionalProperties');
  const others =
    free === undefined
      ? []
      : several(draw, () => [text(source, 'id'), value(source, free, name)] as const, 2);
  const stranger = chance(draw, 0.05) ? [['unheard_of', { a: [1] }] as const] : [];
  return Object.fromEntries([...fields, ...others, ...stranger]);
}

function number(source: Source, schema: DocumentNode): number {
  const { draw, document } = source;
  const bounds = ['minimum', 'maximum'].flatMap(keyword => {
    const bound = child(document, schema, keyword)?.node;
    return typeof bound === 'number' ? [bound] : [];
  });
  if (bounds.length > 0 && chance(draw, 0.8)) return pick(draw, bounds) + below(draw, 3) - 1;
  return chance(draw, 0.8) ? below(draw, 100) : pick(draw, NUMBERS);
}

/** A text that means something under that name, or an id, or anything. */
export function text({ draw, seen }: Source, name: string): string {
  const collection = Object.hasOwn(POINTERS, name) ? POINTERS[name] : undefined;
  const targets = collection === undefined ? [] : seen.ids(collection);
  if (targets.length > 0 && chance(draw, 0.95)) return pick(draw, targets);
  const meaningful = Object.hasOwn(MEANINGFUL, name) ? MEANINGFUL[name] : undefined;
  if (meaningful !== undefined && chance(draw, 0.7)) {
    // Names repeat now and then, but not always.
    const text = pick(draw, meaningful);
    return text.length === 1 ? `${text}${below(draw, 50)}` : text;
  }
  const ids = seen.ids();
  if (ids.length > 0 && chance(draw, 0.5)) return pick(draw, ids);
  return pick(draw, TEXTS);
}

function partsOf(
  { document }: Source,
  schema: DocumentNode,
  keyword: string,
): readonly DocumentNode[] {
  const list = child(document, schema, keyword);
  return list === undefined ? [] : children(document, list).map(([, part]) => part);
}

function listAt({ document }: Source, schema: DocumentNode, keyword: string): readonly string[] {
  const node = child(document, schema, keyword)?.node;
  return Array.isArray(node) ? node.map(String) : [];
}
