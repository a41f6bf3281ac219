// What no file can make appears by itself: machines enrol, and clusters of proxies connect.
import type { Kind } from '../../../src/kinds/kind.ts';
import { isNamedById } from '../../../src/kinds/lookup.ts';
import type { KindName } from '../../../src/model/names.ts';
import { isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../files.ts';

type Control = (method: 'POST', path: string, body: JsonObject) => Promise<Json>;

/** Lets an object of a kind without `create` appear in an account, by the controls of its emulator. */
export async function appear(
  control: Control,
  kind: Kind,
  name: string,
  more: JsonObject = {},
): Promise<JsonObject> {
  const isCluster = isNamedById(kind);
  const [path, body] = isCluster
    ? ['/emulator/proxy-clusters', { ...CLUSTER, address: name }]
    : ['/emulator/peers', { groups: [], ...more, name }];
  const made = await control('POST', path, body);
  const fields = isObject(made) ? made : {};
  return isCluster ? { ...fields, id: name } : fields;
}

const CLUSTER = { shared: true, supports_custom_ports: true, private: true } as const;

/** Kinds whose objects appear by themselves, of those that a server offers. */
export const appearing = (offered: ReadonlySet<KindName>): readonly Kind[] =>
  [...KINDS.values()].filter(
    ({ name, verbs, cardinality }) =>
      offered.has(name) && !verbs.has('create') && cardinality === 'collection',
  );
