// A request as handlers see it, and how its body is read: first as loosely as any server of this API would, then, where
// the dialect asks for it, by the contract.
import type { Contract, Operation, Violation } from '../contract/index.ts';
import { present } from '../model/errors.ts';
import type { Credentials } from './access/authentication.ts';
import { isAllowed } from './access/roles.ts';
import type { Environment } from './environment.ts';
import type { ApiRequest, PublicRequest } from './handler.ts';
import { readJson, withoutNulls } from './json.ts';
import type { UserRecord } from './records/people.ts';
import { invalid, malformed } from './refusal.ts';

/** A request as it arrives, free of how it travelled. */
export interface RawRequest extends Credentials {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Where it comes from. */
  readonly address: string;
  readonly body: string;
}

/** What is known of a request besides what it says and who sends it. */
export interface RequestContext {
  /** The values of the placeholders of its path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Absent for a path that the contract does not have. */
  readonly operation?: Operation;
  readonly contract: Contract;
  readonly environment: Environment;
}

/** What the public server's own code does not show: there the contract is all that is known of any server. */
const PRIVATE = [
  'Ingress',
  'MSP tenants',
  'Endpoint detection',
  'Directory sync',
  'Event streaming',
];

/**
 * What handlers refuse themselves, with a status of their own: what excludes each other, where they know which empty
 * values do not count, and one field that a server misses before anything else (facts §5.9).
 */
function isLeftToHandlers({ id }: Operation, { keyword, at }: Violation): boolean {
  return (
    keyword === 'not' || (id === 'updateUser' && keyword === 'required' && at === '/auto_groups')
  );
}

/** A request of somebody. */
export function apiRequest(
  raw: RawRequest,
  caller: UserRecord,
  context: RequestContext,
): ApiRequest {
  return {
    ...publicRequest(raw, context),
    caller,
    may: (module, right) => isAllowed(caller, module, right),
    query: name => raw.query.get(name) ?? '',
  };
}

/** A request whose caller nobody asks for. */
export function publicRequest(raw: RawRequest, context: RequestContext): PublicRequest {
  return {
    path: name => present(context.parameters[name], `placeholder ${name}`),
    body: shape => {
      const json = jsonOf(raw, context);
      const body = shape.read(json);
      holdToContract(json, context);
      return body;
    },
  };
}

/** Refuses a body that nobody could send, whatever their rights. */
export function refuseMalformed(raw: RawRequest, context: RequestContext): void {
  if (context.operation?.request !== undefined) holdToContract(jsonOf(raw, context), context);
}

/** Refuses a query that the contract does not have so, where the dialect holds requests to it. */
export function refuseQuery(
  raw: RawRequest,
  { operation, contract, environment, parameters }: RequestContext,
): void {
  if (operation === undefined || environment.behaviour.requests === 'taken as they come') return;
  const values = { path: parameters, query: Object.fromEntries(raw.query) };
  const violations = contract.checkParameters(operation, values);
  if (violations.length > 0) throw invalid(violations.map(({ sentence }) => sentence).join('; '));
}

/** The body as it came; one that may be left out and is, is empty. */
function jsonOf({ body }: RawRequest, { operation }: Pick<RequestContext, 'operation'>): unknown {
  return body === '' && operation?.requestRequired === false ? {} : readJson(body);
}

/** 400 for values of the wrong type, 422 for whatever else the contract has against a body. */
function holdToContract(json: unknown, { operation, contract, environment }: RequestContext): void {
  if (operation === undefined) return;
  const isLoose = environment.behaviour.requests === 'taken as they come';
  if (isLoose && !PRIVATE.includes(operation.tag)) return;
  const violations = contract
    .checkRequest(operation, withoutNulls(json) ?? {})
    .filter(violation => !isLeftToHandlers(operation, violation));
  if (violations.some(({ keyword }) => keyword === 'type')) throw malformed();
  if (violations.length > 0) throw invalid(violations.map(({ sentence }) => sentence).join('; '));
}
