// Every kind of server, and what of the kinds each offers, by the contract: what laws and examples are held on.
import { requestSchema } from '../../../src/api/schema/bodies.ts';
import { propertiesOf } from '../../../src/api/schema/walk.ts';
import { type Edition, isNodeObject, loadContract } from '../../../src/contract/index.ts';
import { DIALECTS, type Dialect } from '../../../src/kinds/traits.ts';
import { refsOf } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import type { KindName } from '../../../src/model/names.ts';
import type { Desired } from '../../../src/model/object.ts';
import type { Fields } from '../../../src/model/value.ts';
import { KINDS } from '../files.ts';

/** What tells servers apart. */
export interface Server {
  readonly dialect: Dialect;
  readonly edition: Edition;
}

/** The server of the specification, with everything in it. */
export const SPECIFIED: Server = { dialect: 'spec', edition: 'cloud' };

/** A server with the kinds beyond the specification, in the edition that has most. Accounts drawn for it consist of these kinds. */
export const BEYOND: Server = { dialect: 'netbird', edition: 'cloud' };

/** Servers that between them have every kind. */
export const OF_EVERY_KIND: readonly Server[] = [SPECIFIED, BEYOND];

/** Every dialect in every edition, the first with everything in it. */
export const SERVERS: readonly [Server, ...Server[]] = [
  SPECIFIED,
  ...DIALECTS.flatMap(dialect =>
    (['cloud', 'self-hosted'] as const).map(edition => ({ dialect, edition })),
  ).slice(1),
];

const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

const CONTRACT = loadContract();

/** The kinds that a server offers, by the contract. */
export function offeredKinds({ dialect, edition }: Server): ReadonlySet<KindName> {
  const offered = [
    ...CONTRACT.operations,
    ...(dialect === 'netbird' ? CONTRACT.netbirdOperations : []),
  ]
    .filter(({ editions }) => editions.includes(edition))
    .map(({ path }) => shapeOf(path));
  return new Set(
    [...KINDS.values()].flatMap(({ name, path }) => (offered.includes(shapeOf(path)) ? name : [])),
  );
}

/** The fields of a kind that only the hosted service has, by the contract. */
function cloudFields(kind: KindName): ReadonlySet<string> {
  const path = shapeOf(present(KINDS.get(kind), kind).path);
  const { document, operations, netbirdOperations } = CONTRACT;
  const writes = [...operations, ...netbirdOperations].filter(one =>
    [path, `${path}/{}`].includes(shapeOf(one.path)),
  );
  return new Set(
    writes.flatMap(operation => {
      const schema = requestSchema(document, operation);
      const fields = schema ? propertiesOf(document, schema) : [];
      return fields.flatMap(({ name, node: { node } }) =>
        isNodeObject(node) && node['x-cloud-only'] === true ? name : [],
      );
    }),
  );
}

const CLOUD_FIELDS = new Map([...KINDS.keys()].map(name => [name, cloudFields(name)]));

/** Fields of an object as far as an edition has them. */
export function offeredFields(edition: Edition, kind: KindName, fields: Fields): Fields {
  const cloud = CLOUD_FIELDS.get(kind) ?? new Set();
  return edition === 'cloud'
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !cloud.has(name)));
}

/** Those of some objects that a server can hold: without kinds that it does not offer, and without what needs or names these. */
export function offeredOf(server: Server, desired: readonly Desired[]): readonly Desired[] {
  const { edition } = server;
  const missing = new Set(KINDS.keys()).difference(offeredKinds(server));
  for (const { name, parent, requires } of KINDS.values())
    if ([...(parent === undefined ? [] : [parent]), ...requires].some(one => missing.has(one)))
      missing.add(name);
  return desired
    .filter(
      ({ kind }) =>
        !missing.has(kind) && refsOf(present(KINDS.get(kind), kind)).isDisjointFrom(missing),
    )
    .map(object => ({ ...object, fields: offeredFields(edition, object.kind, object.fields) }));
}
