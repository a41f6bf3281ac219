// What carrying out a plan needs of the outside. The API's client fits it; so does anything a test makes.
import type { Kind } from '../../kinds/kind.ts';
import type { Address, RemoteId } from '../../model/names.ts';
import type { Fault, Outcome, SentOutcome } from '../../model/outcome.ts';
import type { ShownAction } from '../../model/plan.ts';
import type { PlacedSecret, Secret } from '../../model/secrets/secret.ts';
import type { JsonObject, Path } from '../../model/value.ts';

/** An account that can be written. Every call throws an `ApiError` where it fails. */
export interface AccountPort {
  readonly read: (kind: Kind, at: Place) => Promise<JsonObject>;
  /** All objects of a kind, in one parent where it has parents. */
  readonly list: (kind: Kind, parentId?: RemoteId) => Promise<readonly ListedObject[]>;
  readonly create: (kind: Kind, body: JsonObject, parentId?: RemoteId) => Promise<CreatedObject>;
  /** The server's answer; null where it says nothing. */
  readonly update: (kind: Kind, at: Place, body: JsonObject) => Promise<JsonObject | null>;
  readonly delete: (kind: Kind, at: Place) => Promise<void>;
  readonly requests: () => number;
  /** Throws an `ApiError` where the account no longer answers as it must: then no other call will succeed either. */
  readonly check?: () => Promise<void>;
  /** The account's own log; none where nobody looks at it. */
  readonly log?: AuditLog;
}

/** What an account says of who did what. */
export interface AuditLog {
  /** What happened. Throws an `ApiError` where the token may not see it. */
  readonly events: () => Promise<readonly JsonObject[]>;
  /** The id of the user whose token is used; null where that cannot be seen. */
  readonly self: () => Promise<string | null>;
  /** Resolves once the log has what was answered by now. */
  readonly settled: () => Promise<void>;
}

/** One object of a collection. */
export interface ListedObject {
  readonly id: RemoteId;
  readonly body: JsonObject;
}

/** An object that was just made. */
interface CreatedObject {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  /** A secret that is never shown again. */
  readonly revealed?: string;
}

/** The value of a secret for the moment it is sent, or why there is none. */
export type OpenSecret = (secret: Secret) => Promise<string | Fault> | string | Fault;

/** A secret that the server has shown, and never shows again. */
interface RevealedSecret {
  readonly address: Address;
  readonly field: string;
  readonly value: string;
}

/** Keeps a secret. Resolves once it is safe, to null; to why it is lost where it is, in words without a value. */
export type KeepSecret = (secret: RevealedSecret) => Promise<string | null>;

/** Remembers which values were sent last. Both resolve to why that failed, in words, or to null. */
export interface SentSecrets {
  readonly sent: (address: Address, secrets: readonly PlacedSecret[]) => Promise<string | null>;
  /** What the account holds there now is not known any more. */
  readonly forget: (address: Address, paths?: readonly Path[]) => Promise<string | null>;
}

export interface Place {
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
}

/** What is told while a plan is carried out. */
export type RunEvent =
  | { readonly type: 'start'; readonly action: ShownAction }
  /** What an action writes was answered with success, and is yet to be read back. */
  | { readonly type: 'sent'; readonly action: ShownAction; readonly outcome: SentOutcome }
  | { readonly type: 'end'; readonly action: ShownAction; readonly outcome: Outcome };
