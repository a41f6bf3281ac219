// What each path leads to in each dialect and edition.
import type { Contract, Operation, PathEntry } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { HANDLERS } from '../resources/index.ts';
import type { Handler } from './handler.ts';

/** What a request leads to. */
export interface Route {
  /** Absent for an operation that is for everybody. */
  readonly handler?: Handler;
  readonly operation: Operation;
}

/** Every path that a server of the dialect and edition offers. */
export function routes(
  contract: Contract,
  { behaviour, edition }: Environment,
): readonly PathEntry<Route>[] {
  const byVendor = behaviour.paths === 'by vendor';
  const entries = [
    ...contract.operations.map(operation =>
      entry(operation, (byVendor && operation.netbirdPath) || operation.path),
    ),
    ...(byVendor ? aliases(contract) : []),
    ...(behaviour.accountWideLists
      ? contract.netbirdOperations.map(operation => entry(operation, operation.path))
      : []),
  ];
  return entries.filter(({ value }) => value.operation.editions.includes(edition));
}

/**
 * Paths that a server has besides the documented ones (docs/server-behaviour.md#event-streams,
 * docs/server-behaviour.md#event-logs).
 */
function aliases(contract: Contract): readonly PathEntry<Route>[] {
  const streaming = contract.operations.filter(({ tag }) => tag === 'Event streaming');
  return [
    entry(contract.operation('listAuditEvents'), '/api/events'),
    ...streaming.map(operation => entry(operation, operation.path)),
  ];
}

function entry(operation: Operation, path: string): PathEntry<Route> {
  const handler = HANDLERS[operation.id];
  const value = { operation, ...(handler === undefined ? {} : { handler }) };
  return { method: operation.method, path, value };
}
