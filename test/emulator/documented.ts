// Which fields of an answer the contract does not know. Schemas leave room for more, so the validator lets them pass.
import { child, isNodeObject, type Place, readDocument } from '../../src/contract/document.ts';
import type { Operation } from '../../src/contract/index.ts';

const document = readDocument();

/** The paths of the fields in `body` that the schema of the answer does not list. */
export function undocumented(operation: Operation, status: number, body: unknown): string[] {
  const reply = operation.replies.find(one => one.status === String(status));
  const place = reply?.schema === undefined ? undefined : placeAt(reply.schema);
  return place === undefined ? [] : strangers([place], body, '');
}

function strangers(schemas: readonly Place[], value: unknown, path: string): string[] {
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

function withParts(schema: Place): readonly Place[] {
  const parts = ['allOf', 'anyOf'].flatMap(keyword => {
    const list = child(document, schema, keyword);
    if (list === undefined || !Array.isArray(list.node)) return [];
    return list.node.flatMap((_, index) => child(document, list, index) ?? []);
  });
  return [schema, ...parts.flatMap(withParts)];
}

function fieldOf(schema: Place, name: string): readonly Place[] {
  const properties = child(document, schema, 'properties');
  const field = properties && child(document, properties, name);
  const any = child(document, schema, 'additionalProperties');
  return [field, any].filter(place => place !== undefined);
}

function placeAt(pointer: string): Place | undefined {
  let place: Place | undefined = { pointer: '', node: document };
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    place = place && child(document, place, name);
  }
  return isNodeObject(place?.node) ? place : undefined;
}
