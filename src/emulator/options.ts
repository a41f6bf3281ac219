// What an emulator may be started with. Everything it takes from the world can be replaced.
import type { Edition } from '../contract/index.ts';
import type { Json } from '../model/value.ts';
import type { RateLimit } from './access/rate-limit.ts';
import type { DesiredStateLoader } from './controls/loader.ts';
import type { Sender } from './delivery/post.ts';
import type { Dialect } from './dialect.ts';
import type { Clock, Random, Schedule, SignIn } from './environment.ts';
import type { Store } from './store/store.ts';
import type { LoggedRequest } from './transport/request-log.ts';
import type { AnsweredRequest } from './transport/server.ts';
import type { Stub } from './transport/stubs.ts';

export interface EmulatorOptions {
  /** The port on loopback; 0, the default, is a free one. */
  readonly port?: number;
  /** A token of the owner of the first account, in any form. By default a new personal access token. */
  readonly token?: string;
  readonly dialect?: Dialect;
  /** What the server offers: all that the hosted service does, the default, or what the open server does. */
  readonly edition?: Edition;
  /** The minimum number of accounts; missing accounts are created. By default one. */
  readonly accounts?: number;
  /** Whether the operations under `/emulator` are there. Off by default. */
  readonly controls?: boolean;
  /** What opens the controls. By default a token is made up. */
  readonly controlsToken?: string;
  /** The initial state, as returned by the control `GET /emulator/snapshot`. All other data is deleted. */
  readonly snapshot?: Json;
  /** Answers for paths that the emulator does not have. */
  readonly stubs?: readonly Stub[];
  /** How an account is made what desired state says. Without it the control that does so is not there. */
  readonly loadDesiredState?: DesiredStateLoader;
  /** A SQLite file that keeps the state. By default it is kept in memory, with a new account. */
  readonly db?: string;
  /** Where the state is kept, in place of `db`. Whoever gives it closes it. */
  readonly store?: Store;
  /** How often a token may call. By default as often as it likes. */
  readonly rateLimit?: RateLimit;
  /** The provider of sign-ins: by default the embedded identity provider. */
  readonly signIn?: SignIn;
  /** Whether bearer tokens of a development issuer open accounts; the controls make them. Off by default. */
  readonly bearerTokens?: boolean;
  /**
   * Whether an identity provider with this issuer may be added. By default any URL is accepted, without a request to
   * it.
   */
  readonly acceptsIssuer?: (issuer: string) => boolean;
  /** Whether deliveries may leave this machine. By default they do not, and are kept instead. */
  readonly deliverAnywhere?: boolean;
  /** How deliveries are sent. By default over HTTP. */
  readonly send?: Sender;
  /** Milliseconds from what happens to when the audit log shows it; 0, the default, is right after the answer. */
  readonly eventDelay?: number;
  /** What time it is. By default the real time. */
  readonly clock?: Clock;
  /** How things are done later. By default by real timers. */
  readonly schedule?: Schedule;
  /** Where chance comes from. By default it cannot be foreseen; `seededRandom` can. */
  readonly random?: Random;
  /** Whether lists without a significant order are shuffled. By default they are not. */
  readonly shuffle?: boolean;
  /** Told of each request just before its answer leaves. */
  readonly onRequest?: (request: AnsweredRequest) => void;
  /** Told of each request as it ends, for a log: without anything that opens an account. */
  readonly requestLog?: (line: LoggedRequest) => void;
  /** Told of each fault of the emulator itself, which a client only sees as a 500. */
  readonly onFault?: (error: unknown) => void;
}
