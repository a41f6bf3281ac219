// The keys with which the text of an object takes over fields from templates or omits items of earlier layers, for code that
// writes such texts.
import type { Fields } from '../model/value.ts';
import { OMIT } from './layers/marks.ts';
import { EXTENDS } from './templates/readTemplates.ts';

/** Whether an object with these keys takes over fields from templates. */
export const isExtending = (keys: { readonly has: (key: string) => boolean }): boolean =>
  keys.has(EXTENDS);

/** The text of an item, given by its naming field, that omits the item of an earlier layer with this name. */
export const takenOut = (name: Fields): Fields => ({ ...name, [OMIT]: true });
