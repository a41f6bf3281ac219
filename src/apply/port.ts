// The services that a run needs to carry out a plan. The client of the API implements them; tests
// can implement them too.
import type { ListedObject, ObjectId } from '../api/account/objectClient.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Address, RemoteId } from '../model/names.ts';
import type { Fault, Outcome, SentOutcome } from '../model/outcome.ts';
import type { ShownAction } from '../model/plan.ts';
import type { Secret, SecretAtPath } from '../model/secrets/secret.ts';
import type { JsonObject, Path } from '../model/value.ts';

/** An account with write access. Every call throws an `ApiError` if it fails. */
export interface AccountPort {
  readonly read: (kind: Kind, at: ObjectId) => Promise<JsonObject>;
  /**
   * All objects of a kind. For a kind with parents: the objects of one parent, or of all parents if the kind has a `listAllPath`.
   */
  readonly list: (kind: Kind, parentId?: RemoteId) => Promise<readonly ListedObject[]>;
  readonly create: (kind: Kind, body: JsonObject, parentId?: RemoteId) => Promise<CreatedObject>;
  /** Updates an object. Resolves to the response of the server; null if it has no content. */
  readonly update: (kind: Kind, at: ObjectId, body: JsonObject) => Promise<JsonObject | null>;
  /** Replaces the one-time secret of an object. Resolves to the new secret; undefined if the response has none. */
  readonly renew: (kind: Kind, at: ObjectId, sends: JsonObject) => Promise<string | undefined>;
  readonly delete: (kind: Kind, at: ObjectId) => Promise<void>;
  readonly requests: () => number;
  /**
   * Throws an `ApiError` if the account no longer responds as expected, because no other request
   * would succeed.
   */
  readonly check?: () => Promise<void>;
  /** The audit log of the account; undefined if the run does not read it. */
  readonly log?: AuditLog;
}

/** The audit log of an account. */
export interface AuditLog {
  /** All events. Throws an `ApiError` if the token may not read them. */
  readonly events: () => Promise<readonly JsonObject[]>;
  /** The id of the user whose token is used; null if the account does not show it. */
  readonly self: () => Promise<string | null>;
  /** Resolves once the log contains the events of all responses that have arrived so far. */
  readonly settled: () => Promise<void>;
}

/** An object that was just created. */
interface CreatedObject {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  /** A secret that is never shown again. */
  readonly revealed?: string;
}

/**
 * Returns the value of a secret, or the reason why the secret cannot be opened. Called just before
 * the value is sent.
 */
export type OpenSecret = (secret: Secret) => Promise<string | Fault> | string | Fault;

/** A secret that the server showed once. */
interface RevealedSecret {
  readonly address: Address;
  readonly field: string;
  readonly value: string;
}

/**
 * Stores a secret. Resolves to null once it is stored, or to the reason why it is lost. The reason
 * does not contain the value.
 */
export type KeepSecret = (secret: RevealedSecret) => Promise<string | null>;

/**
 * Stores the secret values that were sent last. Both functions resolve to null, or to the reason of
 * a failure as a string.
 */
export interface SentSecrets {
  readonly sent: (address: Address, secrets: readonly SecretAtPath[]) => Promise<string | null>;
  /** Forgets stored values, because the account may have other values now. */
  readonly forget: (address: Address, paths?: readonly Path[]) => Promise<string | null>;
}

/** Events of a run. */
export type RunEvent =
  | { readonly type: 'start'; readonly action: ShownAction }
  /** The server accepted a write, which has not been read back yet. */
  | { readonly type: 'sent'; readonly action: ShownAction; readonly outcome: SentOutcome }
  | { readonly type: 'end'; readonly action: ShownAction; readonly outcome: Outcome };
