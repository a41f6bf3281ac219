// The key services that a file encrypted with SOPS names. `sops` asks them for the key of the file, with the credentials of the
// run, so the file must not choose them alone.
import { quoted } from '../../model/text/visible.ts';
import type { MetadataValue } from './metadata.ts';

/** A key service that a file names. */
export interface KeyService {
  /** How it is allowed: `hc_vault=https://vault.example.com`. */
  readonly entry: string;
  /** The address or key, as the file has it. */
  readonly address: string;
}

/** The fields of a key of one type. No other is accepted: it could lead elsewhere. */
interface KeyFields {
  /** They say where it is, and how `sops` gets there; the first must be there. Empty for keys on this machine. */
  readonly address: readonly string[];
  /** Parts of a path at that address. */
  readonly path?: readonly string[];
  /** They only say which key it is, and what it has encrypted. */
  readonly others: readonly string[];
}

const KEY_FIELDS: Readonly<Record<string, KeyFields>> = {
  age: { address: [], others: ['recipient'] },
  pgp: { address: [], others: ['fp'] },
  azure_kv: { address: ['vault_url'], path: ['name', 'version'], others: [] },
  gcp_kms: { address: ['resource_id'], others: [] },
  hc_vault: { address: ['vault_address'], path: ['engine_path', 'key_name'], others: [] },
  hckms: { address: ['key_id'], others: [] },
  // With a role, `sops` first asks for the credentials of that role. A profile of ~/.aws can name a program that has them.
  kms: { address: ['arn', 'role', 'aws_profile'], others: ['context'] },
};

const OF_EVERY_KEY: readonly string[] = ['enc', 'created_at'];

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
    const [first] = known.address;
    const address = first === undefined ? '' : (fields.get(first) ?? '');
    if (first !== undefined && address === '')
      return `has a key of the type ${type} without ${quoted(first)}`;
    const fault = faultIn(fields, known);
    if (fault !== undefined) return `has a key of the type ${type} ${fault}`;
    if (first === undefined) continue;
    const entry = `${type}=${wayTo(fields, known)}`;
    services.set(entry, { entry, address });
  }
  return [...services.values()];
}

// Completes "a key …".
function faultIn(
  fields: ReadonlyMap<string, string>,
  { address, path = [], others }: KeyFields,
): string | undefined {
  const known = [...address, ...path, ...others, ...OF_EVERY_KEY];
  const unknown = [...fields.keys()].find(field => !known.includes(field));
  if (unknown !== undefined)
    return `with the field ${quoted(unknown)}, which meshform does not know`;
  const leading = path.find(field => leadsElsewhere(fields.get(field) ?? ''));
  return leading === undefined ? undefined : `whose ${quoted(leading)} leads elsewhere`;
}

// `sops` joins the parts of a path: with `..`, an allowed server is asked for something that is no key.
const leadsElsewhere = (part: string): boolean =>
  part.split('/').some(name => /^\.\.?$/.test(name));

// A profile has its name in front: a role is no profile.
const wayTo = (fields: ReadonlyMap<string, string>, { address }: KeyFields): string =>
  address
    .flatMap(field => {
      const text = fields.get(field) || [];
      return field === 'aws_profile' && text.length > 0 ? `${field}=${text}` : text;
    })
    .join('+');

interface MasterKey {
  readonly type: string;
  readonly fields: Map<string, string>;
}

// Keys are in lists by their type, which may be in groups. Everything else are settings.
function keysOf(values: readonly MetadataValue[]): ReadonlyMap<string, MasterKey> {
  const keys = new Map<string, MasterKey>();
  for (const { path, text } of values) {
    const inGroup = path[0] === 'key_groups' ? path.slice(2) : path;
    const [type = '', , field = ''] = inGroup;
    if (path.length < 2) continue;
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

const withoutSlash = (entry: string): string => entry.replace(/\/$/, '');
