// The operation for each path in each dialect and edition.
import type { Contract, Operation, PathEntry } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import type { Handler } from '../request/handler.ts';
import { HANDLERS } from '../resources/index.ts';

/** The target of a request. */
export interface Route {
  /** Absent for an operation that needs no credentials. */
  readonly handler?: Handler;
  readonly operation: Operation;
}

/** Every path of a server of the dialect and edition. */
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
    ...(behaviour.furtherPaths
      ? contract.netbirdOperations.map(operation => entry(operation, operation.path))
      : []),
  ];
  return entries.filter(({ value }) => value.operation.editions.includes(edition));
}

/** Additional, undocumented paths of a server (docs/server-behaviour.md#event-streams, docs/server-behaviour.md#event-logs). */
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
