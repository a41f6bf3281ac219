// Shapes that several request bodies share.
import { object, text } from '../body.ts';

/** A pointer to a network resource or a peer. */
export const reference = object({ id: text, type: text });
