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
  /** A token of the first account's owner, of whatever form. By default a personal access token is made up. */
  readonly token?: string;
  readonly dialect?: Dialect;
  /** What the server offers: all that the hosted service does, the default, or what the open server does. */
  readonly edition?: Edition;
  /** How many accounts there are at least; those that are missing are made. By default one. */
  readonly accounts?: number;
  /** Whether the operations under `/emulator` are there. Off by default. */
  readonly controls?: boolean;
  /** What opens the controls. By default a token is made up. */
  readonly controlsToken?: string;
  /** The state to begin with, as the control `GET /emulator/snapshot` gives it. Whatever else is there goes. */
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
  /** Who lets people sign in: by default the embedded identity provider. */
  readonly signIn?: SignIn;
  /** Whether bearer tokens of a development issuer open accounts; the controls make them. Off by default. */
  readonly bearerTokens?: boolean;
  /** Whether an identity provider may be added that has this issuer. By default any URL will do; nothing is asked of it. */
  readonly acceptsIssuer?: (issuer: string) => boolean;
  /** Whether hooks and streams may be told that are not on this machine. Off by default: what they would get is kept. */
  readonly deliverAnywhere?: boolean;
  /** How hooks and streams are told. By default over HTTP. */
  readonly send?: Sender;
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
  /** Told of each request as it ends, for a log: without anything that opens an account. */
  readonly requestLog?: (line: LoggedRequest) => void;
  /** Told of each fault of the emulator itself, which a client only sees as a 500. */
  readonly onFault?: (error: unknown) => void;
}
