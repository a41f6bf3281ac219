// What each path leads to in each dialect.
import type { Contract, Operation, PathEntry } from '../contract/index.ts';
import type { Behaviour } from './dialect.ts';
import type { Handler } from './handler.ts';
import { HANDLERS } from './resources/index.ts';
import { allNetworkResources } from './resources/network-resources.ts';
import { allNetworkRouters } from './resources/network-routers.ts';

/** What a request leads to. */
export interface Route {
  /** Absent for an operation that is for everybody. */
  readonly handler?: Handler;
  /** Absent for a path that the contract does not have. */
  readonly operation?: Operation;
}

/** Every path of a dialect. */
export function routes(contract: Contract, behaviour: Behaviour): readonly PathEntry<Route>[] {
  const byVendor = behaviour.paths === 'by vendor';
  const operations = contract.operations.map(operation =>
    entry(operation, (byVendor && operation.netbirdPath) || operation.path),
  );
  return [
    ...operations,
    ...(byVendor ? aliases(contract) : []),
    ...(behaviour.accountWideLists ? ACCOUNT_WIDE_LISTS : []),
  ];
}

/** Paths that a server has besides the one its documentation names (facts §5.20, §5.21). */
function aliases(contract: Contract): readonly PathEntry<Route>[] {
  const streaming = contract.operations.filter(({ tag }) => tag === 'Event streaming');
  return [
    entry(contract.operation('listAuditEvents'), '/api/events'),
    ...streaming.map(operation => entry(operation, operation.path)),
  ];
}

/** Lists that a server has although no documentation does (facts, fact 37). */
const ACCOUNT_WIDE_LISTS: readonly PathEntry<Route>[] = [
  { method: 'GET', path: '/api/networks/resources', value: { handler: allNetworkResources } },
  { method: 'GET', path: '/api/networks/routers', value: { handler: allNetworkRouters } },
];

function entry(operation: Operation, path: string): PathEntry<Route> {
  const handler = HANDLERS[operation.id];
  const value = { operation, ...(handler === undefined ? {} : { handler }) };
  return { method: operation.method, path, value };
}
