// The keys by which a declaration inherits fields from templates or omits items of earlier layers.
// For code that writes declarations.
import type { Fields } from '../model/value.ts';
import { OMIT } from './layers/marks.ts';
import { EXTENDS } from './templates/readTemplates.ts';

/** Whether an object with these keys inherits fields from templates. */
export const isExtending = (keys: { readonly has: (key: string) => boolean }): boolean =>
  keys.has(EXTENDS);

/**
 * An item that omits the item of an earlier layer with the same name. `name`: the field that names
 * the item.
 */
export const takenOut = (name: Fields): Fields => ({ ...name, [OMIT]: true });
