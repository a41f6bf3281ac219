// The operation of a request, and which fields of its answer the contract does not know. Schemas leave room for more, so the
// validator lets them pass.
import { type Dialect, inNetbird } from '../../src/contract/dialects.ts';
import {
  child,
  type DocumentNode,
  isNodeObject,
  type NodeObject,
  nodeAt,
  readDocument,
} from '../../src/contract/document.ts';
import { loadContract, type Operation, pathTable } from '../../src/contract/index.ts';

const spec = readDocument();
const documents: Readonly<Record<Dialect, NodeObject>> = { spec, netbird: inNetbird(spec) };

const { match, operations, netbirdOperations } = loadContract();

const netbirdMatch = pathTable(
  [...operations, ...netbirdOperations].map(value => ({
    method: value.method,
    path: value.netbirdPath ?? value.path,
    value,
  })),
  'the method',
);

/** The operation of a request line, such as `GET /api/groups?name=x`. */
export function operationOf(line: string, dialect: Dialect): Operation | undefined {
  const [method = '', target = ''] = line.split(' ');
  const [path = ''] = target.split('?');
  const found = (dialect === 'spec' ? match : netbirdMatch)(method, path);
  return found.found === 'entry' ? found.value : undefined;
}

/** The paths of the fields in `body` that the schema of the answer does not list. */
export function undocumented(
  operation: Operation,
  status: number,
  body: unknown,
  dialect: Dialect = 'spec',
): string[] {
  const document = documents[dialect];
  const reply = operation.replies.find(one => one.status === String(status));
  const found = reply?.schema === undefined ? undefined : nodeAt(document, reply.schema);
  return isNodeObject(found?.node) ? strangers(document, [found], body, '') : [];
}

function strangers(
  document: NodeObject,
  schemas: readonly DocumentNode[],
  value: unknown,
  path: string,
): string[] {
  const all = schemas.flatMap(schema => withParts(document, schema));
  if (Array.isArray(value)) {
    const items = all.flatMap(schema => child(document, schema, 'items') ?? []);
    return value.flatMap((member, index) => strangers(document, items, member, `${path}/${index}`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = all.flatMap(schema => fieldOf(document, schema, name));
    return known.length === 0
      ? [`${path}/${name}`]
      : strangers(document, known, member, `${path}/${name}`);
  });
}

function withParts(document: NodeObject, schema: DocumentNode): readonly DocumentNode[] {
  const parts = ['allOf', 'anyOf'].flatMap(keyword => {
    const list = child(document, schema, keyword);
    if (list === undefined || !Array.isArray(list.node)) return [];
    return list.node.flatMap((_, index) => child(document, list, index) ?? []);
  });
  return [schema, ...parts.flatMap(part => withParts(document, part))];
}

function fieldOf(
  document: NodeObject,
  schema: DocumentNode,
  name: string,
): readonly DocumentNode[] {
  const properties = child(document, schema, 'properties');
  const field = properties && child(document, properties, name);
  const any = child(document, schema, 'additionalProperties');
  return [field, any].filter(node => node !== undefined);
}
