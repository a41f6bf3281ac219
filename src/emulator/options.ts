// The options of an emulator. All of its effects can be replaced.
import type { Edition } from '../contract/index.ts';
import type { Json } from '../model/value.ts';
import type { RateLimit } from './access/rate-limit.ts';
import type { Sender } from './audit/post.ts';
import type { DesiredStateLoader } from './controls/loader.ts';
import type { TenantDraft } from './controls/tenants.ts';
import type { Dialect } from './dialect.ts';
import type { Clock, Random, Schedule, SignIn } from './environment.ts';
import type { Store } from './store/store.ts';
import type { LoggedRequest } from './transport/request-log.ts';
import type { AnsweredRequest } from './transport/server.ts';
import type { Stub } from './transport/stubs.ts';

export interface EmulatorOptions {
  /** The port on loopback. The default 0 means a free port. */
  readonly port?: number;
  /** A token of the owner of the first account, in any form. The default is a new personal access token. */
  readonly token?: string;
  readonly dialect?: Dialect;
  /** The edition of the server: the hosted service (the default), or the open server. */
  readonly edition?: Edition;
  /** The minimum number of accounts, 1 by default; missing accounts are created. */
  readonly accounts?: number;
  /**
   * Whether the first account is a managed service provider with the other accounts as its tenants. A function returns the draft
   * of each tenant.
   */
  readonly msp?: boolean | ((index: number) => TenantDraft);
  /** Whether the operations under `/emulator` exist. Off by default. */
  readonly controls?: boolean;
  /** The token of the controls. By default it is generated. */
  readonly controlsToken?: string;
  /** The initial state, as returned by the control `GET /emulator/snapshot`. All other data is deleted. */
  readonly snapshot?: Json;
  /** Responses for paths that the emulator lacks. */
  readonly stubs?: readonly Stub[];
  /** Applies desired state to an account. Without this option, the control that applies desired state does not exist. */
  readonly loadDesiredState?: DesiredStateLoader;
  /** A SQLite file for the state. By default the state is in memory, with a new account. */
  readonly db?: string;
  /** A store for the state, in place of `db`. The caller closes it. */
  readonly store?: Store;
  /** The maximum size of a request body in bytes, 64 MiB by default. */
  readonly maxBodyBytes?: number;
  /** The rate limit of a token. By default there is none. */
  readonly rateLimit?: RateLimit;
  /** The provider of sign-ins: by default the embedded identity provider. */
  readonly signIn?: SignIn;
  /** Whether bearer tokens of a development issuer are accepted; the controls issue them. Off by default. */
  readonly bearerTokens?: boolean;
  /**
   * Whether an identity provider with this issuer may be added. By default every URL is accepted, and no request is sent to it.
   */
  readonly acceptsIssuer?: (issuer: string) => boolean;
  /** Whether deliveries may leave this machine. By default they are stored instead. */
  readonly deliverAnywhere?: boolean;
  /** Sends deliveries; by default over HTTP. */
  readonly send?: Sender;
  /** Milliseconds between an event and its appearance in the audit log. The default 0 means directly after the response. */
  readonly eventDelay?: number;
  /** The clock. By default the real time. */
  readonly clock?: Clock;
  /** The timers. By default real timers. */
  readonly schedule?: Schedule;
  /** The random source. By default it is unpredictable; `seededRandom` is deterministic. */
  readonly random?: Random;
  /** Whether lists without a significant order are shuffled. By default they are not. */
  readonly shuffle?: boolean;
  /** Called for each request just before its response is sent. */
  readonly onRequest?: (request: AnsweredRequest) => void;
  /** Called for each request when it ends, for a log. The line contains no credentials. */
  readonly requestLog?: (line: LoggedRequest) => void;
  /** Called for each internal error of the emulator. A client sees only a 500. */
  readonly onFault?: (error: unknown) => void;
}
