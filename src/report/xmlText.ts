// Text that others have chosen, inside XML.

// XML has no way at all to write most control characters.
/** A text inside an element or an attribute. */
export const xmlText = (value: string): string =>
  value
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
