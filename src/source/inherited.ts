// What the text of an object says of fields and items that come from other texts, for those who write such texts.
import type { Fields } from '../model/value.ts';
import { OMIT } from './layers/marks.ts';
import { EXTENDS } from './templates/read.ts';

/** Whether an object with such keys takes fields over from templates. */
export const isExtending = (keys: { readonly has: (key: string) => boolean }): boolean =>
  keys.has(EXTENDS);

/** An item, by the field that names it, that takes the one of an earlier layer out. */
export const takenOut = (name: Fields): Fields => ({ ...name, [OMIT]: true });
