// From a request to its answer: what it is for, who calls and whether they may, and the handler, all within one
// transaction. Knows no sockets.
import { type Contract, type Operation, pathTable } from '../contract/index.ts';
import { present } from '../model/errors.ts';
import { type Authentication, authenticate, type Caller } from './access/authentication.ts';
import { denial, mayCall, refuseOutsiders } from './access/permissions.ts';
import { isInviteToken } from './access/secret-tokens.ts';
import { openAccount } from './account.ts';
import { type Answer, refusable, unknownPath, wrongMethod } from './answer.ts';
import { auditLog } from './audit/log.ts';
import type { Environment } from './environment.ts';
import {
  apiRequest,
  publicRequest,
  type RawRequest,
  type RequestContext,
  refuseMalformed,
  refuseQuery,
} from './request.ts';
import { PUBLIC_HANDLERS } from './resources/public-invites.ts';
import { type Route, routes } from './routes.ts';
import type { Rows, Store } from './store/store.ts';

/** Answers one request. Throws for a fault of the emulator's own, and for a connection that is to be dropped. */
export type Api = (raw: RawRequest) => Answer;

/** The operations of one dialect, without anybody asking who calls. */
export interface Operations {
  /** What a request leads to, or the answer where that is nothing. */
  find(raw: RawRequest): Found | Answer;
  /** Whether it is for everybody. */
  isPublic(found: Found): boolean;
  /** Does it for somebody. Throws where it is refused. */
  perform(rows: Rows, caller: Caller, found: Found): Answer;
  /** Does it for whoever asks. Throws where it is refused. */
  performPublic(rows: Rows, found: Found): Answer;
}

interface Found {
  readonly raw: RawRequest;
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

export function newOperations(contract: Contract, lasting: Environment): Operations {
  const table = pathTable(routes(contract, lasting.behaviour));
  const contextOf = ({ route, parameters }: Found): RequestContext => ({
    ...{ parameters, contract, environment: momentOf(lasting) },
    ...(route.operation === undefined ? {} : { operation: route.operation }),
  });
  return {
    find: raw => {
      const match = table(raw.method, raw.path);
      if (match.found === 'nothing') return unknownPath;
      if (match.found === 'other methods') return wrongMethod;
      return { raw, route: match.value, parameters: match.parameters };
    },
    isPublic: ({ route, parameters }) => {
      if (!route.operation?.public) return false;
      const isStrange = !Object.values(parameters).every(text => isInviteToken(text));
      return !isStrange || lasting.behaviour.strangeInviteTokens === 'unknown';
    },
    performPublic: (rows, found) => {
      const { id = '' } = found.route.operation ?? {};
      const context = contextOf(found);
      const handler = present(PUBLIC_HANDLERS[id], `the handler of ${id}`);
      return handler(rows, publicRequest(found.raw, context), context.environment);
    },
    perform: (rows, caller, found) => {
      const { raw, route } = found;
      const { operation } = route;
      const handler = present(route.handler, `the handler of ${operation?.id}`);
      const context = contextOf(found);
      const log = auditLog(rows, caller.account, caller.user, context.environment);
      const account = openAccount(rows, caller.account, log);
      const user = present(account.users.get(caller.user), 'the user of a credential');
      refuseOutsiders(user);
      if (operation !== undefined && !mayCall(operation, user)) {
        // A server reads the body before it asks who may send it (facts §2.2).
        refuseMalformed(raw, context);
        throw denial(operation, user);
      }
      refuseQuery(raw, context);
      const answer = handler(account, apiRequest(raw, user, context), context.environment);
      return 'body' in answer ? { ...answer, ordered: orderedIn(operation) } : answer;
    },
  };
}

/** The API of a store, for those who can say who they are, and what of it is for everybody. */
export function newApi(operations: Operations, store: Store, authentication: Authentication): Api {
  const { find, isPublic, perform, performPublic } = operations;
  return raw => {
    const found = find(raw);
    if ('status' in found) return found;
    return refusable(() => {
      if (isPublic(found)) {
        authentication.publicLimit(raw.address, raw.userAgent);
        return store.transaction(rows => performPublic(rows, found));
      }
      return store.transaction(rows => {
        const caller = authenticate(rows, raw, authentication);
        const work = found.route.operation?.public
          ? () => performPublic(rows, found)
          : () => perform(rows, caller, found);
        // A refusal undoes what the handler wrote, but not that the token was used.
        return refusable(() => rows.attempt(work));
      });
    });
  };
}

/** All of a request happens at one moment: what it writes begins and ends a whole lifetime apart. */
function momentOf(environment: Environment): Environment {
  const now = environment.clock();
  return { ...environment, clock: () => now };
}

function orderedIn(operation: Operation | undefined): readonly string[] {
  return operation?.replies.find(({ status }) => status === '200')?.ordered ?? [];
}
