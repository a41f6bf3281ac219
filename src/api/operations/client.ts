// The typed client: every operation of the contract by its id. Only the types are generated; requests are built from
// the contract itself.
import type { DialectChoice } from '../../kinds/traits.ts';
import { present } from '../../model/errors.ts';
import type { ReadTransport, WriteTransport } from '../transport/transport.ts';
import { type CallInput, callOperation } from './call.ts';
import type { Operations } from './operations.generated.ts';
import { operationTable } from './operations.ts';

/** The id of an operation. */
export type OperationId = keyof Operations;

/** The id of an operation that only reads. */
export type ReadOperationId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never;
}[OperationId];

/** The input of an operation: `params` of its path, `query`, `body`; each only if the operation has it. */
export type OperationInput<Id extends OperationId> = Operations[Id]['input'];

/** The body of the response of an operation. */
export type OperationAnswer<Id extends OperationId> = Operations[Id]['answer'];

/** Calls operations by id. A client over a transport that only reads has only operations that read. */
export interface ApiClient<Callable extends OperationId = OperationId> {
  /**
   * Calls an operation and resolves to the body of its response as received, without validation against the contract.
   * Servers of dialect `netbird` return `null` for an empty list, and some return no body for a write, which is `null`
   * as well. Rejects with an `ApiError` for an error response, or if no response arrived.
   */
  readonly call: <Id extends Callable>(
    id: Id,
    // The input may be omitted if nothing in it is required.
    ...input: Record<never, never> extends OperationInput<Id>
      ? [input?: OperationInput<Id>]
      : [input: OperationInput<Id>]
  ) => Promise<OperationAnswer<Id>>;
}

/** The dialect of the server. */
export interface ApiClientOptions {
  /**
   * Some operations have other paths in `netbird`. By default `auto`: if the server does not have the path in `spec`,
   * the path in `netbird` is tried.
   */
  readonly dialect?: DialectChoice;
}

/**
 * A client for every operation of the Management API.
 *
 * @example
 * const api = apiClient(writeTransport(options));
 * const group = await api.call('createGroup', { body: { name: 'engineers' } });
 * await api.call('deleteGroup', { params: { groupId: group.id } });
 */
export function apiClient(transport: WriteTransport, options?: ApiClientOptions): ApiClient;
/** A client for the operations that only read. */
export function apiClient(
  transport: ReadTransport,
  options?: ApiClientOptions,
): ApiClient<ReadOperationId>;
export function apiClient(
  transport: ReadTransport | WriteTransport,
  { dialect = 'auto' }: ApiClientOptions = {},
): ApiClient {
  const { operations } = operationTable();
  return {
    call: async <Id extends OperationId>(id: Id, ...[input]: [input?: OperationInput<Id>]) => {
      const operation = present(operations.get(id), `the operation ${id}`);
      const answer: unknown = await callOperation(transport, operation, untyped(input), dialect);
      return answer as OperationAnswer<Id>;
    },
  };
}

// The generated types contain only JSON values; the type checker cannot derive that from an interface.
function untyped(input: unknown): CallInput {
  return (input ?? {}) as CallInput;
}
