// Assembles an emulator: its environment, its API, its background tasks.
import type { Server } from 'node:http';
import { loadContract } from '../contract/index.ts';
import { newIssuer } from './access/issuer.ts';
import { addFirstToken, firstAccounts } from './access/new-account.ts';
import { newRateLimiter, PUBLIC_LIMIT } from './access/rate-limit.ts';
import { realSender } from './audit/post.ts';
import { newPostman } from './audit/postman.ts';
import type { Machinery } from './controls/control.ts';
import { CONTROLS_PREFIX, newControls } from './controls/index.ts';
import { putBack, readSnapshot } from './controls/snapshot.ts';
import { openTenants } from './controls/tenants.ts';
import { BEHAVIOUR } from './dialect.ts';
import { newAgenda } from './due.ts';
import {
  type Clock,
  type Environment,
  realClock,
  realRandom,
  realSchedule,
} from './environment.ts';
import { newSecretToken } from './ids/secret-tokens.ts';
import { countStart, newIds } from './ids/source.ts';
import type { EmulatorOptions } from './options.ts';
import { type Answer, unknownPath } from './request/answer.ts';
import type { Rows, Store } from './store/store.ts';
import { newBackground } from './time/background.ts';
import { type ForwardClock, newForwardClock } from './time/clock.ts';
import { newApi, newOperations } from './transport/api.ts';
import { newFaults } from './transport/faults.ts';
import type { RawRequest } from './transport/request.ts';
import { logged } from './transport/request-log.ts';
import { newServer } from './transport/server.ts';
import { shuffled } from './transport/shuffle.ts';
import { newStubs } from './transport/stubs.ts';

export interface Assembly {
  readonly environment: Environment;
  /** The store. Only the emulator may write to it, because the background tasks follow its writes. */
  readonly store: Store;
  /** The server, before it listens. */
  readonly server: Server;
  /** The tokens of the first accounts, in the order of the accounts. */
  readonly tokens: readonly string[];
  readonly controlsToken: string;
  /** Stops the background tasks. */
  stop(): void;
}

/** An emulator on a store. `address` is the address of its server, once it listens. */
export function assemble(
  given: Store,
  options: EmulatorOptions,
  address: (server: Server) => string,
): Assembly {
  const { random = realRandom, schedule = realSchedule, snapshot } = options;
  const { onRequest = () => {}, onFault = () => {} } = options;
  const { store, doDue } = newAgenda(given);
  const clock = store.transaction(rows => newForwardClock(rows, options.clock ?? realClock));
  const environment = environmentOf(store, clock, options);
  const issuer = options.bearerTokens ? newIssuer(clock.now) : undefined;
  const tokens = newTokens(options);
  const controlsToken = options.controlsToken ?? newSecretToken('personal', random);
  const reopen = opening(tokens, environment, options);
  store.transaction(rows => {
    if (snapshot !== undefined) putBack(rows, readSnapshot(snapshot));
    reopen(rows);
  });

  const faults = newFaults();
  const parts = { environment, clock, faults, issuer, store, reopen };
  const answerTo = answersOf({ ...parts, address: () => address(server) }, controlsToken, options);
  const tasks = newTasks({ store, clock, doDueIn: rows => doDue(rows, environment) }, options);
  const server = newServer({
    api: raw => {
      const answer = answerTo(raw);
      tasks.wake();
      return answer;
    },
    faultOn: raw => (isControl(raw) ? undefined : faults.effectOn(raw)),
    newRequestId: environment.newId,
    clock: clock.now,
    finish: (body, ordered) => (options.shuffle ? shuffled(body, random, ordered) : body),
    onEnd: request => options.requestLog?.(logged(request, clock.now)),
    schedule,
    onRequest,
    onFault,
    ...(options.maxBodyBytes !== undefined && { maxBodyBytes: options.maxBodyBytes }),
  });
  return { environment, store, server, tokens, controlsToken, stop: tasks.stop };
}

const isControl = ({ path }: RawRequest): boolean => path.startsWith(CONTROLS_PREFIX);

/** The answers to requests: those of the API, and those of the controls if they are served. */
function answersOf(
  parts: Omit<Machinery, 'operations' | 'loader'>,
  controlsToken: string,
  options: EmulatorOptions,
): (raw: RawRequest) => Answer | Promise<Answer> {
  const { environment, issuer, store, clock } = parts;
  const operations = newOperations(loadContract(), environment);
  const authentication = { environment, issuer, ...limits(options, clock.now) };
  const isThere = (method: string, path: string) => operations.has(method, path);
  const stub = newStubs(options.stubs ?? [], isThere);
  const api = newApi(operations, store, authentication, stub);
  const machinery = { ...parts, operations, loader: options.loadDesiredState };
  const controls = options.controls ? newControls(controlsToken, machinery) : () => unknownPath;
  return raw => (isControl(raw) ? controls(raw) : api(raw));
}

/** Returns a function that creates the accounts of an empty store, and gives each account its token. */
function opening(
  tokens: readonly string[],
  environment: Environment,
  { msp = false }: EmulatorOptions,
): (rows: Rows) => void {
  const draftOf = typeof msp === 'function' ? msp : () => ({});
  return rows => {
    if (msp !== false) openTenants(rows, tokens.length, draftOf, environment);
    open(rows, tokens, environment);
  };
}

/** The parts that the background tasks use. */
interface TaskContext {
  readonly store: Store;
  readonly clock: ForwardClock;
  /** Runs the tasks that are due, and returns the time of the next task. */
  readonly doDueIn: (rows: Rows) => Date | undefined;
}

/** Background tasks: the tasks that are due, and the delivery of audit events. */
function newTasks(
  { store, clock, doDueIn }: TaskContext,
  {
    schedule = realSchedule,
    onFault = () => {},
    send = realSender,
    deliverAnywhere = false,
  }: EmulatorOptions,
) {
  const postman = newPostman({
    store,
    clock: clock.now,
    schedule,
    onFault,
    send,
    isFree: deliverAnywhere,
  });
  const background = newBackground({
    work: () => {
      const next = store.transaction(doDueIn);
      postman.wake();
      return next;
    },
    clock: clock.now,
    schedule,
    onFault,
  });
  return {
    wake: background.wake,
    stop: () => {
      background.stop();
      postman.stop();
    },
  };
}

function limits({ rateLimit }: EmulatorOptions, clock: Clock) {
  const limit = newRateLimiter(rateLimit, clock);
  const later = 'rate limit exceeded, please try again later';
  const publicLimit = newRateLimiter(rateLimit && PUBLIC_LIMIT, clock, later);
  return { limit, publicLimit };
}

function newTokens({ token, accounts = 1, random = realRandom }: EmulatorOptions): string[] {
  const made = Array.from({ length: accounts }, () => newSecretToken('personal', random));
  return token === undefined ? made : [token, ...made.slice(1)];
}

/** Gives each account its token. */
function open(rows: Rows, tokens: readonly string[], environment: Environment): void {
  for (const [index, account] of firstAccounts(rows, tokens.length, environment).entries())
    addFirstToken(rows, tokens[index] ?? '', account, environment);
}

function environmentOf(store: Store, clock: ForwardClock, options: EmulatorOptions): Environment {
  const { random = realRandom, dialect = 'spec' } = options;
  const start = store.transaction(countStart);
  return {
    clock: clock.now,
    random,
    newId: newIds(clock.now, random, start),
    behaviour: BEHAVIOUR[dialect],
    edition: options.edition ?? 'cloud',
    signIn: options.signIn ?? 'embedded',
    acceptsIssuer: options.acceptsIssuer ?? (() => true),
    eventDelay: options.eventDelay ?? 0,
  };
}
