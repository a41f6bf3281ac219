// The typed client: every operation of the contract by its id. Only types are generated; what is sent comes from the
// contract itself.
import type { DialectChoice } from '../../kinds/traits.ts';
import { present } from '../../model/errors.ts';
import type { ReadTransport, WriteTransport } from '../transport/transport.ts';
import { type CallInput, callOperation } from './call.ts';
import type { Operations } from './operations.generated.ts';
import { operationTable } from './operations.ts';

/** The id of an operation. */
export type OperationId = keyof Operations;

/** The id of an operation that changes nothing. */
export type ReadOperationId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never;
}[OperationId];

/** What an operation is called with: `params` of its path, `query`, `body`; each only where it has some. */
export type OperationInput<Id extends OperationId> = Operations[Id]['input'];

/** The body that an operation answers with. */
export type OperationAnswer<Id extends OperationId> = Operations[Id]['answer'];

/** Calls operations by their ids. One over a transport that only reads has only those that change nothing. */
export interface ApiClient<Callable extends OperationId = OperationId> {
  /**
   * Calls an operation and resolves to the body of its answer, as it was received: it is not held against the contract.
   * Servers of dialect `netbird` answer `null` for an empty list, and some answer a write with nothing, which is `null`
   * as well. Rejects with an `ApiError` for a refusal, or where no answer came.
   */
  readonly call: <Id extends Callable>(
    id: Id,
    // The input can be left out where nothing in it is demanded.
    ...input: Record<never, never> extends OperationInput<Id>
      ? [input?: OperationInput<Id>]
      : [input: OperationInput<Id>]
  ) => Promise<OperationAnswer<Id>>;
}

/** How the server differs from the specification. */
export interface ApiClientOptions {
  /**
   * Some operations have other paths in `netbird`. By default `auto`: an operation that the server does not have at its
   * path in `spec` is called at its path in `netbird`.
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
/** A client for the operations that change nothing. */
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

// The generated types are of JSON values; that cannot be told from an interface.
function untyped(input: unknown): CallInput {
  return (input ?? {}) as CallInput;
}
