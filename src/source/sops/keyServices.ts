// The key services that a SOPS-encrypted file names. `sops` requests the key of the file from them, with the credentials of the
// run, so the file alone must not choose them.
import { quoted } from '../../model/text/visible.ts';
import type { MetadataValue } from './metadata.ts';

/** A key service that a file names. */
export interface KeyService {
  /** The entry that allows the service: `hc_vault=https://vault.example.com`. */
  readonly entry: string;
  /** The address or key, as written in the file. */
  readonly address: string;
}

/**
 * The role of a field of a key. `address`: part of the location of the key, or of the route by
 * which `sops` reaches it. `path`: part of a path at that address. `plain`: neither, only a
 * property of the key or its encrypted data.
 */
type FieldUse = 'address' | 'path' | 'plain';

/**
 * The fields of the keys of one type. The first address is required. Other fields are not accepted, because they could lead
 * elsewhere.
 */
type KeyFields = Readonly<Record<string, FieldUse>>;

const OF_EVERY_KEY = { enc: 'plain', created_at: 'plain' } as const;

const KEY_FIELDS: Readonly<Record<string, KeyFields>> = {
  // Keys of `age` and `pgp` are on this machine and need no service.
  age: { ...OF_EVERY_KEY, recipient: 'plain' },
  pgp: { ...OF_EVERY_KEY, fp: 'plain' },
  azure_kv: { ...OF_EVERY_KEY, vault_url: 'address', name: 'path', version: 'path' },
  gcp_kms: { ...OF_EVERY_KEY, resource_id: 'address' },
  hc_vault: { ...OF_EVERY_KEY, vault_address: 'address', engine_path: 'path', key_name: 'path' },
  hckms: { ...OF_EVERY_KEY, key_id: 'address' },
  // If a role is set, `sops` first requests the credentials of that role. A profile in ~/.aws can
  // name a program that supplies credentials.
  kms: {
    ...OF_EVERY_KEY,
    arn: 'address',
    role: 'address',
    aws_profile: 'address',
    context: 'plain',
  },
};

const fieldsFor = (known: KeyFields, use: FieldUse): readonly string[] =>
  Object.keys(known).filter(field => known[field] === use);

/** Why metadata cannot be judged, in words that complete "its metadata …". */
export type Unjudged = string;

/** The key services in the metadata of a file, each once. */
export function keyServices(values: readonly MetadataValue[]): readonly KeyService[] | Unjudged {
  const keys = keysOf(values);
  if (keys.size === 0) return 'names no key';
  const services = new Map<string, KeyService>();
  for (const { type, fields } of keys.values()) {
    const known = Object.hasOwn(KEY_FIELDS, type) ? KEY_FIELDS[type] : undefined;
    if (known === undefined) return 'has keys of a type that meshform does not know';
    const [first] = fieldsFor(known, 'address');
    const address = first === undefined ? '' : (fields.get(first) ?? '');
    if (first !== undefined && address === '')
      return `has a key of the type ${type} without ${quoted(first)}`;
    const fault = faultIn(fields, known);
    if (fault !== undefined) return `has a key of the type ${type} ${fault}`;
    if (first === undefined) continue;
    const way = wayTo(fields, known);
    if (!isToldApart(way, fields, known))
      return `has a key of the type ${type} whose fields can be read in more than one way`;
    const entry = `${type}=${way}`;
    services.set(entry, { entry, address });
  }
  return [...services.values()];
}

// The fault of a key, in words that complete "a key …"; undefined if there is none.
function faultIn(fields: ReadonlyMap<string, string>, known: KeyFields): string | undefined {
  const unknown = [...fields.keys()].find(field => !Object.hasOwn(known, field));
  if (unknown !== undefined)
    return `with the field ${quoted(unknown)}, which meshform does not know`;
  for (const field of fieldsFor(known, 'path')) {
    const part = fields.get(field) ?? '';
    if (leadsElsewhere(part)) return `whose ${quoted(field)} leads elsewhere`;
    if (part !== '' && !PLAIN_PATH.test(part))
      return `whose ${quoted(field)} is not a plain path of letters, digits and _ . ~ @ + = - in parts separated by /`;
  }
  return undefined;
}

// `sops` joins the parts of a path: with `..`, it would send a request to an allowed server for something that is not a key.
const leadsElsewhere = (part: string): boolean =>
  part.split('/').some(name => /^\.\.?$/.test(name));

/** The characters of a path without special meaning. With others, such as `%2e` or `?`, a server may read a different path. */
const PLAIN_PATH = /^[A-Za-z0-9_.~@+=-]+(?:\/[A-Za-z0-9_.~@+=-]+)*$/;

// A profile is prefixed with its field name, so that it cannot be mistaken for a role.
const wayTo = (fields: ReadonlyMap<string, string>, known: KeyFields): string =>
  fieldsFor(known, 'address')
    .flatMap(field => {
      const text = fields.get(field) || [];
      return field === 'aws_profile' && text.length > 0 ? `${field}=${text}` : text;
    })
    .join('+');

/**
 * Splits the text that `wayTo` joins into its fields. Only AWS keys have several fields; the name of a role may contain a plus.
 */
const JOINED =
  /^(?<arn>[^+]+)(?:\+(?!aws_profile=)(?<role>.+?))?(?:\+aws_profile=(?<aws_profile>.+))?$/s;

// Whether the joined text splits into exactly these fields. Otherwise other fields would give the same text, and a person who
// reads it could mistake one key for another.
function isToldApart(way: string, fields: ReadonlyMap<string, string>, known: KeyFields): boolean {
  const addresses = fieldsFor(known, 'address');
  if (addresses.length === 1) return true;
  const read = JOINED.exec(way)?.groups ?? {};
  return addresses.every(field => (read[field] ?? '') === (fields.get(field) ?? ''));
}

interface MasterKey {
  readonly type: string;
  readonly fields: Map<string, string>;
}

// Keys are in lists by their type, and these lists may be in groups. All other values are settings. Only the field `context` has
// parts. Parts of any other field count as one unknown field, so that no reader can take them for the field itself.
function keysOf(values: readonly MetadataValue[]): ReadonlyMap<string, MasterKey> {
  const keys = new Map<string, MasterKey>();
  for (const { path, text } of values) {
    const inGroup = path[0] === 'key_groups' ? path.slice(2) : path;
    const [type = '', , first = '', ...parts] = inGroup;
    if (path.length < 2) continue;
    const field = first === 'context' ? first : [first, ...parts].join('.');
    const id = path.slice(0, path.length - inGroup.length + 2).join('\n');
    const key = keys.get(id) ?? { type, fields: new Map() };
    key.fields.set(field, text);
    keys.set(id, key);
  }
  return keys;
}

/** The entries of a list such as `hc_vault=https://vault.example.com, gcp_kms=projects/…`. */
export function allowedServices(list: string | undefined): ReadonlySet<string> {
  const entries = (list ?? '').split(',').map(entry => withoutSlash(entry.trim()));
  return new Set(entries.filter(entry => /^\w+=./.test(entry)));
}

/** The types of key with an allowed service. */
export const typesOf = (allowed: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...allowed].map(entry => entry.slice(0, entry.indexOf('='))));

/** The first service that is not among the allowed services. */
export const firstForbidden = (
  services: readonly KeyService[],
  allowed: ReadonlySet<string>,
): KeyService | undefined => services.find(({ entry }) => !allowed.has(withoutSlash(entry)));

// The address of a server may end with a slash. In other names, a slash is significant.
const withoutSlash = (entry: string): string => entry.replace(/^(\w+=https?:\/\/.*)\/$/s, '$1');
