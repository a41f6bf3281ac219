// A request as handlers receive it. Its body is parsed as leniently as on the real server; some dialects then check it against
// the contract.
import type { Contract, Operation, Violation } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import type { Credentials } from '../access/authentication.ts';
import type { Environment } from '../environment.ts';
import type { UserRecord } from '../records/people.ts';
import type { ApiRequest, PublicRequest } from '../request/handler.ts';
import { readJson, withoutNulls } from '../request/json.ts';
import { mayRead, refuseCall } from '../request/permissions.ts';
import { DroppedConnection, invalid, malformed } from '../request/refusal.ts';
import { isAllowed } from '../request/roles.ts';

/** A request as it arrives, independent of the transport. */
export interface RawRequest extends Credentials {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address of the client. */
  readonly address: string;
  readonly body: string;
  /** The origin of the page that sends the request; empty if there is none. */
  readonly origin: string;
  /** The content of a browser's preflight request: the method and the headers of the request that will follow. */
  readonly asksFor: { readonly method: string; readonly headers: string };
}

/** The properties of a request, apart from its content and its sender. */
export interface RequestContext {
  /** The values of the placeholders of its path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly operation: Operation;
  readonly contract: Contract;
  readonly environment: Environment;
}

/** Operations that are missing in the code of the public server: for these, the contract is the only source. */
const PRIVATE = [
  'Ingress',
  'MSP tenants',
  'Endpoint detection',
  'Directory sync',
  'Event streaming',
];

/** Operations that break the connection if the body is `null` (docs/server-behaviour.md#json-bodies). */
const WITHOUT_NULL = ['createUser', 'updateUser', 'updatePeer', 'createSetupKey', 'updateSetupKey'];

/**
 * Violations that handlers refuse themselves, with their own statuses. These are mutually exclusive fields, because handlers know
 * which empty values do not count. There is also a field whose absence the server reports before anything else
 * (docs/server-behaviour.md#users).
 */
function isLeftToHandlers({ id }: Operation, { keyword, at }: Violation): boolean {
  return (
    keyword === 'not' || (id === 'updateUser' && keyword === 'required' && at === '/auto_groups')
  );
}

/** A request of a caller. `refuse` throws if the caller lacks the permission. */
export function apiRequest(
  raw: RawRequest,
  caller: UserRecord,
  context: RequestContext,
  refuse: () => void,
): ApiRequest {
  const { path, body } = publicRequest(raw, context);
  return {
    path,
    body: (shape, check) => {
      const read = body(shape, check);
      refuse();
      return read;
    },
    caller,
    may: (module, right) => isAllowed(caller, module, right),
    requireRead: () => {
      if (!mayRead(context.operation, caller)) refuseCall(caller);
    },
    query: name => raw.query.get(name) ?? '',
  };
}

/** A request that needs no caller. */
export function publicRequest(raw: RawRequest, context: RequestContext): PublicRequest {
  return {
    path: name => present(context.parameters[name], `placeholder ${name}`),
    body: (shape, check) => {
      const json = jsonOf(raw, context);
      if (json === null) refuseNull(context);
      const body = shape.read(json);
      holdToContract(json, context);
      check?.(body);
      return body;
    },
  };
}

/** Refuses a query that violates the contract, if the dialect validates requests. */
export function refuseQuery(
  raw: RawRequest,
  { operation, contract, environment, parameters }: RequestContext,
): void {
  if (environment.behaviour.requests === 'accepted as sent') return;
  const values = { path: parameters, query: Object.fromEntries(raw.query) };
  const violations = contract.checkParameters(operation, values);
  if (violations.length > 0) throw invalid(violations.map(({ sentence }) => sentence).join('; '));
}

/** The body as received; an omitted optional body is empty. */
function jsonOf({ body }: RawRequest, context: RequestContext): unknown {
  if (body === '' && !context.operation.requestRequired) return {};
  return readJson(body, context.environment.behaviour.integers);
}

function refuseNull({ operation, environment }: RequestContext): void {
  const isDropped = environment.behaviour.nullBodies === 'a dropped connection';
  if (isDropped && WITHOUT_NULL.includes(operation.id))
    throw new DroppedConnection(`the body of ${operation.id} is null`);
}

/** Throws a 400 for values of the wrong type, and a 422 for other violations of the contract. */
function holdToContract(json: unknown, { operation, contract, environment }: RequestContext): void {
  const isLoose = environment.behaviour.requests === 'accepted as sent';
  if (isLoose && !PRIVATE.includes(operation.tag)) return;
  const violations = contract
    .checkRequest(operation, withoutNulls(json) ?? {})
    .filter(violation => !isLeftToHandlers(operation, violation));
  if (violations.some(({ keyword }) => keyword === 'type')) throw malformed();
  if (violations.length > 0) throw invalid(violations.map(({ sentence }) => sentence).join('; '));
}
