// Calls one operation of the contract through a transport. Knows operations as values, not by their types.
import type { Operation } from '../contract/index.ts';
import type { Dialect } from '../kinds/traits.ts';
import { InvariantError } from '../model/errors.ts';
import type { Json } from '../model/value.ts';
import { type RequestValues, requestPath } from './requestPath.ts';
import type { ReadTransport, WriteTransport } from './transport.ts';

/** What an operation is called with. */
export interface CallInput extends RequestValues {
  readonly body?: Json;
}

/** The answer's body as it came; null where it has none. Throws an `ApiError` where there is none or it is a refusal. */
export async function callOperation(
  transport: ReadTransport | WriteTransport,
  operation: Operation,
  { body, ...values }: CallInput,
  dialect: Dialect,
): Promise<Json> {
  const path = requestPath(operation, values, dialect);
  if (operation.method === 'GET') return transport.get(path);
  if (!('write' in transport))
    throw new InvariantError(`${operation.id} writes, and the transport it was given only reads`);
  return transport.write(operation.method, path, body);
}
