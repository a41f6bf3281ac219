// Calls one operation of the contract through a transport. Handles operations as values, not by their types.
import type { Operation } from '../../contract/index.ts';
import { DIALECTS, type Dialect, type DialectChoice } from '../../kinds/traits.ts';
import { ApiError, InvariantError } from '../../model/errors.ts';
import type { Json } from '../../model/value.ts';
import { type RequestValues, requestPath } from '../transport/requestPath.ts';
import type { ReadTransport, WriteTransport } from '../transport/transport.ts';

/** The input of an operation. */
export interface CallInput extends RequestValues {
  readonly body?: Json;
}

/** The dialects whose paths are tried, in this order. Most operations have the same path in both dialects. */
export function pathsIn({ netbirdPath }: Operation, choice: DialectChoice): readonly Dialect[] {
  if (choice !== 'auto') return [choice];
  return netbirdPath === undefined ? ['spec'] : DIALECTS;
}

/**
 * Returns the body of the response; null if it has none. Throws an `ApiError` if no response arrives or if the response is an
 * error. With `auto`, if the server does not have the path, the path of the other dialect is tried. This is safe, because the
 * first request changed nothing.
 */
export async function callOperation(
  transport: ReadTransport | WriteTransport,
  operation: Operation,
  input: CallInput,
  choice: DialectChoice,
): Promise<Json> {
  const [dialect = 'spec', other] = pathsIn(operation, choice);
  try {
    return await callAt(transport, operation, input, dialect);
  } catch (error) {
    if (other === undefined || !isUnknownPath(error)) throw error;
    return callAt(transport, operation, input, other).catch((second: unknown) => {
      throw isUnknownPath(second) ? error : second;
    });
  }
}

const isUnknownPath = (error: unknown): boolean =>
  error instanceof ApiError && error.details.isUnknownPath === true;

async function callAt(
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
