// Values that may be shown and stored: documents, journals and everything that is printed of a plan take these alone, so
// that a place where somebody forgot to hide a secret does not compile.

declare const shown: unique symbol;

/** A text that is no secret. Any other text is not one of these, whatever it says. */
export type ShownText = string & { readonly [shown]: true };

/** A JSON value in which every text may be shown. */
export type Shown = null | boolean | number | ShownText | readonly Shown[] | ShownFields;

/** The same for the fields of an object. */
export interface ShownFields {
  readonly [name: string]: Shown;
}
