// The branded words, so that a name is never sent where an id is due.

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** A kind of object, such as the kind of groups. */
export type KindName = Brand<string, 'KindName'>;

/** An object's name within its kind, its parent's name before it where it has one. */
export type Key = Brand<string, 'Key'>;

/** What the server calls an object. An opaque string; integers are carried as text. */
export type RemoteId = Brand<string, 'RemoteId'>;

/** Kind and key together: the one name of an object in plans, messages and flags. */
export type Address = Brand<string, 'Address'>;

/** One action of a plan. */
export type ActionId = Brand<string, 'ActionId'>;

export const kindName = (text: string): KindName => text as KindName;
export const remoteId = (value: string | number): RemoteId => String(value) as RemoteId;
export const actionId = (text: string): ActionId => text as ActionId;
