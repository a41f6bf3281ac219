// What carrying out a plan needs of the outside. The API's client fits it; so does anything a test makes.
import type { Kind } from '../kinds/kind.ts';
import type { RemoteId } from '../model/names.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Action } from '../model/plan.ts';
import type { JsonObject } from '../model/value.ts';

/** An account that can be written. Every call throws an `ApiError` where it fails. */
export interface AccountPort {
  readonly read: (kind: Kind, at: Place) => Promise<JsonObject>;
  /** All objects of a kind, in one parent where it has parents. */
  readonly list: (
    kind: Kind,
    parentId?: RemoteId,
  ) => Promise<readonly { readonly id: RemoteId; readonly body: JsonObject }[]>;
  readonly create: (
    kind: Kind,
    body: JsonObject,
    parentId?: RemoteId,
  ) => Promise<{
    readonly id: RemoteId;
    readonly answer: JsonObject;
    /** A secret that is never shown again. */
    readonly revealed?: string;
  }>;
  /** The server's answer; null where it says nothing. */
  readonly update: (kind: Kind, at: Place, body: JsonObject) => Promise<JsonObject | null>;
  readonly delete: (kind: Kind, at: Place) => Promise<void>;
  readonly requests: () => number;
}

export interface Place {
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
}

/** What is told while a plan is carried out. */
export type RunEvent =
  | { readonly type: 'start'; readonly action: Action }
  | { readonly type: 'end'; readonly action: Action; readonly outcome: Outcome };
