// Branded types for names and ids, so that a name is never sent where an id is required.

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** A kind of object, such as the kind of groups. */
export type KindName = Brand<string, 'KindName'>;

/** The name of an object within its kind, after the name of its parent if it has one. */
export type Key = Brand<string, 'Key'>;

/** The id of an object at the server. An opaque string; integers are converted to text. */
export type RemoteId = Brand<string, 'RemoteId'>;

/** Kind and key together: the name of an object in plans, messages and flags. */
export type Address = Brand<string, 'Address'>;

/** One action of a plan. */
export type ActionId = Brand<string, 'ActionId'>;

/** A text that is known to be the name of a kind. */
export const kindName = (text: string): KindName => text as KindName;

/** A value that is known to be the id of a live object: some responses contain ids as numbers. */
export const remoteId = (value: string | number): RemoteId => String(value) as RemoteId;

/** A text that is known to be the id of an action. */
export const actionId = (text: string): ActionId => text as ActionId;
