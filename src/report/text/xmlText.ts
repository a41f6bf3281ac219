// Escapes text that others have chosen for XML.
import { visible, visibleLines } from '../../model/text/visible.ts';

// XML cannot represent most control characters, so they are shown as numbers. Line feeds are kept,
// because meshform itself adds them.
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
