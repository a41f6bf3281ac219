// Escapes text that others have chosen for XML.
import { visible, visibleLines } from '../../model/text/visible.ts';

// XML cannot represent most control characters: they are shown by their numbers. The line feeds are ours.
/** A text inside an element. */
export const xmlText = (value: string): string =>
  visibleLines(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

// A parser replaces a line feed in an attribute with a blank.
/** A text inside an attribute. */
export const xmlAttribute = (value: string): string => xmlText(visible(value));
