// From a request to its response: operation, authentication, permissions and handler, within one transaction. This file does not
// depend on sockets.
import { type Contract, type Operation, pathTable } from '../../contract/index.ts';
import { present } from '../../model/errors.ts';
import { type Authentication, authenticate, type Caller } from '../access/authentication.ts';
import { inTenant } from '../access/tenant-access.ts';
import { auditLog } from '../audit/log.ts';
import type { Behaviour } from '../dialect.ts';
import type { Chosen, Environment } from '../environment.ts';
import { isInviteToken } from '../ids/secret-tokens.ts';
import { type Answer, refusable, unknownPath, wrongMethod } from '../request/answer.ts';
import { mayCall, refuseCall, refuseOutsiders } from '../request/permissions.ts';
import { PUBLIC_HANDLERS } from '../resources/public-invites.ts';
import { openAccount } from '../store/account.ts';
import type { Rows, Store } from '../store/store.ts';
import { crossOrigin, preflight } from './cors.ts';
import {
  apiRequest,
  publicRequest,
  type RawRequest,
  type RequestContext,
  refuseQuery,
} from './request.ts';
import { type Route, routes } from './routes.ts';

/** Responds to one request. Throws for an internal error of the emulator, and to drop the connection. */
export type Api = (raw: RawRequest) => Answer;

/**
 * Finds and performs the operations of one dialect: for an authenticated caller, or without credentials if the operation is
 * public.
 */
export interface Operations {
  /** The operation of a request, or the response if there is none. */
  find(raw: RawRequest): Found | Answer;
  /** Whether a path, which may contain placeholders, has an operation with this method. */
  has(method: string, path: string): boolean;
  /** Whether the operation needs no credentials. */
  isPublic(found: Found): boolean;
  /** Handles a request of a caller, with the chosen values for a new object. Throws a refusal. */
  perform(rows: Rows, caller: Caller, found: Found, chosen?: Chosen): Answer;
  /** The fields of a body that the operation ignores, as JSON pointers. */
  unknownFields(found: Found, body: unknown): readonly string[];
  /** Handles a request without a caller. Throws a refusal. */
  performPublic(rows: Rows, found: Found): Answer;
}

interface Found {
  readonly raw: RawRequest;
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The operations of the API, found by method and path. */
export function newOperations(contract: Contract, lasting: Environment): Operations {
  const { behaviour } = lasting;
  const preference =
    behaviour.literalPaths === 'the literal' ? 'the literal' : ('the method' as const);
  const table = pathTable(routes(contract, lasting), preference);
  const contextOf = ({ route, parameters }: Found, chosen: Chosen = {}): RequestContext => ({
    parameters,
    contract,
    operation: route.operation,
    environment: { ...momentOf(lasting), chosen },
  });
  return {
    find: raw => {
      const match = table(raw.method, raw.path);
      if (match.found === 'entry') return { raw, route: match.value, parameters: match.parameters };
      if (match.found === 'nothing') return unknownPath;
      if (raw.method === 'OPTIONS') return preflight(raw);
      return behaviour.wrongMethods === '405' ? wrongMethod(match.methods) : unknownPath;
    },
    has: (method, path) => table(method, path).found === 'entry',
    isPublic: ({ route, parameters }) => {
      if (!route.operation.public) return false;
      const isStrange = !Object.values(parameters).every(text => isInviteToken(text));
      return !isStrange || behaviour.strangeInviteTokens === 'unknown';
    },
    performPublic: (rows, found) => {
      const { id } = found.route.operation;
      const context = contextOf(found);
      const handler = present(PUBLIC_HANDLERS[id], `the handler of ${id}`);
      return handler(rows, publicRequest(found.raw, context), context.environment);
    },
    unknownFields: ({ route }, body) => contract.unknownFields(route.operation, body),
    perform: (rows, caller, found, chosen) =>
      performAs(caller, { rows, found, behaviour, context: contextOf(found, chosen) }),
  };
}

/** A request to an operation of an account. */
interface Performing {
  readonly rows: Rows;
  readonly found: Found;
  readonly behaviour: Behaviour;
  readonly context: RequestContext;
}

function performAs(caller: Caller, { rows, found, behaviour, context }: Performing): Answer {
  const { operation, handler } = found.route;
  const { environment } = context;
  const { external } = caller;
  const initiator = external === undefined ? caller.user : { external: external.id };
  const log = auditLog(rows, caller.account, initiator, environment);
  const account = openAccount(rows, caller.account, log);
  const user = external ?? present(account.users.get(caller.user), 'the user of a credential');
  refuseOutsiders(user);
  const refuse = () => {
    if (!mayCall(operation, user)) refuseCall(user);
  };
  const isLate = operation.request !== undefined && behaviour.denials === 'after the body';
  if (!isLate) refuse();
  refuseQuery(found.raw, context);
  const request = apiRequest(found.raw, user, context, isLate ? refuse : () => {});
  const answer = present(handler, `the handler of ${operation.id}`)(account, request, environment);
  // If the handler did not read the body, the permission has not been checked yet.
  if (isLate) refuse();
  return 'body' in answer ? { ...answer, ordered: orderedIn(operation) } : answer;
}

/** The API of a store: operations for authenticated callers, and operations without credentials. */
export function newApi(
  operations: Operations,
  store: Store,
  authentication: Authentication,
  stub: (raw: RawRequest) => Answer | undefined,
): Api {
  const { find, isPublic, perform, performPublic } = operations;
  const { environment } = authentication;
  const answerTo = (found: Found): Answer => {
    const { raw, route } = found;
    const named = raw.query.get('account');
    if (isPublic(found)) {
      authentication.publicLimit(raw.address, raw.userAgent);
      return store.transaction(rows => performPublic(rows, found));
    }
    return store.transaction(rows => {
      const caller = authenticate(rows, raw, authentication);
      const work = route.operation.public
        ? () => performPublic(rows, found)
        : () => perform(rows, inTenant(rows, caller, named, environment), found);
      // A refusal reverts the writes of the handler, but not the recorded use of the token.
      return refusable(() => rows.attempt(work));
    });
  };
  return raw => {
    const found = find(raw);
    if ('status' in found) {
      const made = stub(raw);
      return made === undefined ? found : crossOrigin(made, raw);
    }
    return crossOrigin(
      refusable(() => answerTo(found)),
      raw,
    );
  };
}

/**
 * An environment whose clock stands still for the whole request, so that all lifetimes that the request writes begin at the same
 * moment.
 */
function momentOf(environment: Environment): Environment {
  const now = environment.clock();
  return { ...environment, clock: () => now };
}

/** The lists that the server keeps in order: lists whose order is significant, and lists in the order of writing. */
function orderedIn({ replies }: Operation): readonly string[] {
  const reply = replies.find(({ status }) => status === '200');
  return reply === undefined ? [] : [...reply.ordered, ...reply.keptOrder];
}
