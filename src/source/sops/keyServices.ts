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

/** The fields of a key that say where it is, by its type; the first must be there. Empty for keys on this machine. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  age: [],
  pgp: [],
  azure_kv: ['vault_url'],
  gcp_kms: ['resource_id'],
  hc_vault: ['vault_address'],
  hckms: ['key_id'],
  // With a role, `sops` first asks for the credentials of that role.
  kms: ['arn', 'role'],
};

/** Why metadata cannot be judged, in words that complete "its metadata …". */
export type Unjudged = string;

/** The key services in the metadata of a file, each once. */
export function keyServices(values: readonly MetadataValue[]): readonly KeyService[] | Unjudged {
  const keys = keysOf(values);
  if (keys.size === 0) return 'names no key';
  const services = new Map<string, KeyService>();
  for (const { type, fields } of keys.values()) {
    const parts = Object.hasOwn(ADDRESSES, type) ? ADDRESSES[type] : undefined;
    if (parts === undefined) return 'has keys of a type that meshform does not know';
    const [first] = parts;
    if (first === undefined) continue;
    const address = fields.get(first) ?? '';
    if (address === '') return `has a key of the type ${type} without ${quoted(first)}`;
    const given = parts.flatMap(part => fields.get(part) || []);
    const entry = `${type}=${given.join('+')}`;
    services.set(entry, { entry, address });
  }
  return [...services.values()];
}

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
