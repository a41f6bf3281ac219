// Which fields of an answer the contract does not know. Schemas leave room for more, so the validator lets them pass.
import {
  child,
  type DocumentNode,
  isNodeObject,
  readDocument,
} from '../../src/contract/document.ts';
import type { Operation } from '../../src/contract/index.ts';

const document = readDocument();

/** The paths of the fields in `body` that the schema of the answer does not list. */
export function undocumented(operation: Operation, status: number, body: unknown): string[] {
  const reply = operation.replies.find(one => one.status === String(status));
  const node = reply?.schema === undefined ? undefined : nodeAt(reply.schema);
  return node === undefined ? [] : strangers([node], body, '');
}

function strangers(schemas: readonly DocumentNode[], value: unknown, path: string): string[] {
  const all = schemas.flatMap(withParts);
  if (Array.isArray(value)) {
    const items = all.flatMap(schema => child(document, schema, 'items') ?? []);
    return value.flatMap((member, index) => strangers(items, member, `${path}/${index}`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = all.flatMap(schema => fieldOf(schema, name));
    return known.length === 0 ? [`${path}/${name}`] : strangers(known, member, `${path}/${name}`);
  });
}

function withParts(schema: DocumentNode): readonly DocumentNode[] {
  const parts = ['allOf', 'anyOf'].flatMap(keyword => {
    const list = child(document, schema, keyword);
    if (list === undefined || !Array.isArray(list.node)) return [];
    return list.node.flatMap((_, index) => child(document, list, index) ?? []);
  });
  return [schema, ...parts.flatMap(withParts)];
}

function fieldOf(schema: DocumentNode, name: string): readonly DocumentNode[] {
  const properties = child(document, schema, 'properties');
  const field = properties && child(document, properties, name);
  const any = child(document, schema, 'additionalProperties');
  return [field, any].filter(node => node !== undefined);
}

function nodeAt(pointer: string): DocumentNode | undefined {
  let node: DocumentNode | undefined = { pointer: '', node: document };
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = node && child(document, node, name);
  }
  return isNodeObject(node?.node) ? node : undefined;
}
