// Values that may be shown and stored. Documents, journals and printed plans accept only these types, so that code which forgets
// to hide a secret does not compile.

declare const shown: unique symbol;

/** A text that is not secret. A plain string is not assignable to it. */
export type ShownText = string & { readonly [shown]: true };

/** A JSON value in which every text may be shown. */
export type Shown = null | boolean | number | ShownText | readonly Shown[] | ShownFields;

/** The fields of an object, in which every text may be shown. */
export interface ShownFields {
  readonly [name: string]: Shown;
}
