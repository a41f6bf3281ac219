// Puts an emulator together and starts it.
import type { Server } from 'node:http';
import { loadContract } from '../contract/index.ts';
import { addCredential } from './access/authentication.ts';
import { newIssuer } from './access/issuer.ts';
import { newRateLimiter, type RateLimit } from './access/rate-limit.ts';
import { newSecretToken } from './access/secret-tokens.ts';
import { unknownPath } from './answer.ts';
import { newApi, newOperations } from './api.ts';
import { publishEvents } from './audit/log.ts';
import { newBackground } from './background.ts';
import { newForwardClock } from './clock.ts';
import { CONTROLS_PREFIX, newControls } from './controls/index.ts';
import { BEHAVIOUR, type Dialect } from './dialect.ts';
import {
  type Clock,
  type Environment,
  type Random,
  realClock,
  realRandom,
  realSchedule,
  type Schedule,
  type SignIn,
} from './environment.ts';
import { newFaults } from './faults.ts';
import { countStart, newIds } from './ids.ts';
import { ownerOfFirstAccount } from './new-account.ts';
import { type AnsweredRequest, newServer } from './server.ts';
import { shuffled } from './shuffle.ts';
import { memoryStore } from './store/memory.ts';
import { sqliteStore } from './store/sqlite.ts';
import type { Rows, Store } from './store/store.ts';

const LOOPBACK = '127.0.0.1';

export interface EmulatorOptions {
  /** The port on loopback; 0, the default, is a free one. */
  readonly port?: number;
  /** A token of the account's owner, of whatever form. By default a personal access token is made up. */
  readonly token?: string;
  readonly dialect?: Dialect;
  /** Whether the operations under `/emulator` are there. Off by default. */
  readonly controls?: boolean;
  /** A SQLite file that keeps the state. By default it is kept in memory, with a new account. */
  readonly db?: string;
  /** Where the state is kept, in place of `db`. Whoever gives it closes it. */
  readonly store?: Store;
  /** How often a token may call. By default as often as it likes. */
  readonly rateLimit?: RateLimit;
  /** Who lets people sign in: by default the embedded identity provider. */
  readonly signIn?: SignIn;
  /** Whether bearer tokens of a development issuer open accounts; the controls make them. Off by default. */
  readonly bearerTokens?: boolean;
  /** Whether an identity provider may be added that has this issuer. By default any URL will do; nothing is asked of it. */
  readonly acceptsIssuer?: (issuer: string) => boolean;
  /** Milliseconds from what happens to when the audit log shows it; 0, the default, is right after the answer. */
  readonly eventDelay?: number;
  /** What time it is. By default the real time. */
  readonly clock?: Clock;
  /** How things are done later. By default by real timers. */
  readonly schedule?: Schedule;
  /** Where chance comes from. By default it cannot be foreseen; `seededRandom` can. */
  readonly random?: Random;
  /** Whether the lists in answers whose order means nothing come in one left to chance. Off by default. */
  readonly shuffle?: boolean;
  /** Told of each request just before its answer leaves. */
  readonly onRequest?: (request: AnsweredRequest) => void;
  /** Told of each fault of the emulator itself, which a client only sees as a 500. */
  readonly onFault?: (error: unknown) => void;
}

export interface Emulator {
  /** Where it listens, without a final slash. */
  readonly url: string;
  /** Opens the first account, as `Authorization: Token ...`. */
  readonly token: string;
  /** Opens the controls, where they are on. */
  readonly controlsToken: string;
  /** Ends every connection and lets go of the port and of the file. A store that was given stays open. */
  close(): Promise<void>;
}

/** Starts an emulator of the Management API on loopback. It accepts requests once the promise is fulfilled. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const store =
    options.store ?? (options.db === undefined ? memoryStore() : sqliteStore(options.db));
  const closeStore = () => (options.store === undefined ? store.close() : undefined);
  try {
    const { server, token, controlsToken, stop } = assembled(store, options);
    const url = await listen(server, options.port ?? 0);
    const close = async () => {
      stop();
      await stopListening(server);
      closeStore();
    };
    return { url, token, controlsToken, close };
  } catch (error) {
    closeStore();
    throw error;
  }
}

function assembled(store: Store, options: EmulatorOptions) {
  const { random = realRandom, schedule = realSchedule } = options;
  const { onRequest = () => {}, onFault = () => {} } = options;
  const forwardClock = store.transaction(rows => newForwardClock(rows, options.clock ?? realClock));
  const clock = forwardClock.now;
  const environment = environmentOf(store, clock, options);
  const operations = newOperations(loadContract(), environment);
  const issuer = options.bearerTokens ? newIssuer(clock) : undefined;
  const limit = newRateLimiter(options.rateLimit, clock);
  const token = options.token ?? newSecretToken('personal', random);
  const controlsToken = newSecretToken('personal', random);
  const reopen = (rows: Rows) => addCredential(rows, token, ownerOfFirstAccount(rows, environment));
  store.transaction(reopen);

  const faults = newFaults();
  const api = newApi(operations, store, { environment, limit, issuer });
  const machinery = { environment, clock: forwardClock, faults, issuer, operations, reopen };
  const controls = options.controls
    ? newControls({ store, token: controlsToken, ...machinery })
    : () => unknownPath;
  const background = newBackground({
    work: () => store.transaction(rows => publishEvents(rows, environment)),
    ...{ clock, schedule, onFault },
  });
  const isControl = (path: string) => path.startsWith(CONTROLS_PREFIX);
  const server = newServer({
    api: raw => {
      const answer = isControl(raw.path) ? controls(raw) : api(raw);
      background.wake();
      return answer;
    },
    strike: (method, path) => (isControl(path) ? undefined : faults.strike(method, path)),
    newRequestId: environment.newId,
    finish: (body, ordered) => (options.shuffle ? shuffled(body, random, ordered) : body),
    ...{ schedule, onRequest, onFault },
  });
  return { server, token, controlsToken, stop: background.stop };
}

function environmentOf(store: Store, clock: Clock, options: EmulatorOptions): Environment {
  const { random = realRandom, dialect = 'spec' } = options;
  const start = store.transaction(countStart);
  return {
    ...{ clock, random, newId: newIds(clock, random, start) },
    behaviour: BEHAVIOUR[dialect],
    signIn: options.signIn ?? 'embedded',
    acceptsIssuer: options.acceptsIssuer ?? (() => true),
    eventDelay: options.eventDelay ?? 0,
  };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${LOOPBACK}:${taken}`);
    });
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
